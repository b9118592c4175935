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

Matrix<double> as_row(const std::vector<double>& values) {
  Matrix<double> row(1, values.size());
  std::ranges::copy(values, row.data());
  return row;
}

Matrix<double> copy_of(const Matrix<double>& values) {
  Matrix<double> copy(values.rows(), values.cols());
  std::copy_n(values.data(), values.size(), copy.data());
  return copy;
}

class Eigenface : public Extractor {
 public:
  explicit Eigenface(const Parameters& parameters)
      : pixels_(make_extractor("pixels:size=" + parameters.text("size"))),
        wanted_(static_cast<std::size_t>(parameters.integer("components"))),
        standardise_(parameters.text("standardise") == "yes"),
        whiten_(parameters.text("whiten") == "yes") {}

  [[nodiscard]] std::string base() const override { return pixels_.parameters.resolved(); }

  void fit(const Dataset& faces) override {
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
      throw_input(faces.origin, fmt::format("eigenface learns from images that differ, there are {}", rows.size()),
                  "name other data with --fit");
    }
    if (standardise_) scale_ = scaler.scale(0);
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
    for (const std::vector<double>* values : {&scale_.offset, &scale_.factor, &means_}) {
      hash.add(values->data(), values->size() * sizeof(double));
    }
    hash.add(directions_.data(), directions_.size() * sizeof(double));
    return hash.hex();
  }

  [[nodiscard]] LearnedArrays state() const override {
    LearnedArrays state;
    state.emplace("means", as_row(means_));
    state.emplace("directions", copy_of(directions_));
    if (!standardise_) return state;
    state.emplace("offset", as_row(scale_.offset));
    state.emplace("factor", as_row(scale_.factor));
    return state;
  }

  void restore(LearnedArrays state, const std::string& where) override {
    const auto edge = static_cast<std::size_t>(pixels_.parameters.integer("size"));
    const std::size_t width = edge * edge;
    const auto take = [&](const std::string& name) {
      const auto found = state.find(name);
      if (found == state.end() || found->second.cols() != width) {
        throw_input(where, fmt::format("does not hold '{}' with {} columns", name, width));
      }
      return std::move(found->second);
    };
    const auto take_row = [&](const std::string& name) {
      const Matrix<double> row = take(name);
      return std::vector<double>(row.data(), row.data() + width);
    };
    means_ = take_row("means");
    directions_ = take("directions");
    if (standardise_) scale_ = {take_row("offset"), take_row("factor")};
  }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    return project(pixels_->extract(medium).value());
  }

  [[nodiscard]] std::vector<float> project(std::span<const float> pixels) const override {
    BAUTA_ASSERT(!means_.empty() && pixels.size() == means_.size());
    std::vector<float> face(pixels.begin(), pixels.end());
    for (std::size_t j = 0; j < scale_.offset.size(); ++j) {
      face[j] = static_cast<float>((face[j] - scale_.offset[j]) * scale_.factor[j]);
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
  Preparation::Scale scale_;  // empty unless pixels are standardised
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
