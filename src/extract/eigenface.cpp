// Faces in coordinates of the directions in which training faces differ most.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/extract/extractor.hpp"
#include "bauta/learn/pca.hpp"
#include "bauta/learn/preparation.hpp"

namespace bauta {
namespace {

class Eigenface : public Extractor {
 public:
  explicit Eigenface(const Parameters& parameters)
      : pixels_(make_extractor("pixels:size=" + parameters.text("size"))),
        wanted_(static_cast<std::size_t>(parameters.integer("components"))),
        standardise_(parameters.text("standardise") == "yes"),
        whiten_(parameters.text("whiten") == "yes") {}

  void fit(const Dataset& train) override {
    const Dataset faces = extract_dataset(pixels_, train);
    const std::vector<bool> failed = faces.failed();
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < failed.size(); ++i) {
      if (!failed[i]) rows.push_back(i);
    }
    const Templates used = faces.templates.select(rows);
    Preparation scaler(standardise_ ? "zscore" : "none");
    scaler.fit(used.floats());
    const Pca pca = standardise_ ? Pca::fit(scaler.apply(used.floats()).view()) : Pca::fit(used.floats());
    // Deviations below this are rounding of the pixels, and so are their directions.
    const auto size = static_cast<double>(std::max(rows.size(), pca.means.size()));
    const double smallest = std::sqrt(pca.variances[0]) * size * std::numeric_limits<float>::epsilon();
    std::size_t count = 0;
    while (count < std::min({wanted_, rows.size() - 1, pca.variances.size()}) &&
           std::sqrt(pca.variances[count]) > smallest)
      ++count;
    if (count == 0) {
      throw_input(train.origin, fmt::format("eigenface learns from images that differ, there are {}", rows.size()),
                  "name other data with --fit");
    }
    scaler_ = std::move(scaler);
    means_ = pca.means;
    directions_ = Matrix<double>(count, means_.size());
    for (std::size_t k = 0; k < count; ++k) {
      const double scale = whiten_ ? 1 / std::sqrt(pca.variances[k]) : 1;
      for (std::size_t j = 0; j < means_.size(); ++j) directions_(k, j) = scale * pca.components(k, j);
    }
  }

  [[nodiscard]] std::string model() const override {
    if (means_.empty()) return {};
    Hash hash;
    for (std::size_t step = 0; step < scaler_.steps().size(); ++step) {
      const Preparation::Scale& scale = scaler_.scale(step);
      hash.add(scale.offset.data(), scale.offset.size() * sizeof(double));
      hash.add(scale.factor.data(), scale.factor.size() * sizeof(double));
    }
    hash.add(means_.data(), means_.size() * sizeof(double));
    hash.add(directions_.data(), directions_.size() * sizeof(double));
    return hash.hex();
  }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    BAUTA_ASSERT(!means_.empty());
    std::vector<float> face = pixels_->extract(medium).value();
    if (standardise_) {
      const Matrix<float> scaled = scaler_.apply({face.data(), 1, face.size(), face.size()});
      std::ranges::copy(scaled.row(0), face.begin());
    }
    std::vector<float> features;
    for (std::size_t k = 0; k < directions_.rows(); ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < face.size(); ++j) sum += (face[j] - means_[j]) * directions_(k, j);
      features.push_back(static_cast<float>(sum));
    }
    return features;
  }

 private:
  ResolvedExtractor pixels_;
  std::size_t wanted_;
  bool standardise_;
  bool whiten_;
  Preparation scaler_;
  std::vector<double> means_;
  Matrix<double> directions_;
};

}  // namespace

Entry<Extractor> eigenface_extractor() {
  return {{.name = "eigenface",
           .paper = "Turk and Pentland 1991",
           .doc = "grey pixels (as `pixels` makes them) in coordinates of their principal components; of the same sign "
                  "always: the largest element of a component is positive",
           .medium = "image",
           .learns = true,
           .learns_from_input = true,
           .parameters = {{"size", ParameterType::integer, "48", "edge of the square in pixels", 2, 128},
                          {"components", ParameterType::integer, "64",
                           "principal components, as far as the rank of the training images goes", 1, 16384},
                          {.name = "standardise",
                           .type = ParameterType::choice,
                           .default_value = "no",
                           .doc = "bring each pixel to mean 0 and deviation 1 over the training images first",
                           .choices = {"no", "yes"}},
                          {.name = "whiten",
                           .type = ParameterType::choice,
                           .default_value = "no",
                           .doc = "divide each by its standard deviation in the training images",
                           .choices = {"no", "yes"}}}},
          [](const Parameters& parameters) { return std::make_unique<Eigenface>(parameters); }};
}

}  // namespace bauta
