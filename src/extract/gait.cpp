// Motion as a template: all positions, or the mean pose and how the body moves around it.
#include <algorithm>
#include <cmath>

#include "bauta/extract/extractor.hpp"
#include "bauta/learn/pca.hpp"

namespace bauta {
namespace {

class Flatten : public Extractor {
 public:
  explicit Flatten(const Parameters& parameters) : frames_(static_cast<std::size_t>(parameters.integer("frames"))) {}

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const Motion& motion = medium_as<Motion>(medium, "flatten");
    return frames_ == 0 ? motion.positions : with_frames(motion, frames_).positions;
  }

 private:
  std::size_t frames_;
};

class Simple : public Extractor {
 public:
  explicit Simple(const Parameters& parameters)
      : components_(static_cast<std::size_t>(parameters.integer("components"))),
        deviations_(parameters.text("scale") == "deviation") {}

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const Motion& motion = medium_as<Motion>(medium, "simple");
    const Pca pca = Pca::fit({motion.positions.data(), motion.frames, motion.width(), motion.width()});
    std::vector<float> features(pca.means.begin(), pca.means.end());
    for (std::size_t c = 0; c < components_; ++c) {
      // A direction without movement is no direction.
      const bool moves = c < pca.variances.size() && pca.variances[c] > 1e-9 * std::max(pca.variances[0], 1e-30);
      const double scale = deviations_ && moves ? std::sqrt(pca.variances[c]) : 1;
      for (std::size_t j = 0; j < motion.width(); ++j) {
        features.push_back(moves ? static_cast<float>(scale * pca.components(c, j)) : 0.0F);
      }
    }
    return features;
  }

 private:
  std::size_t components_;
  bool deviations_;
};

}  // namespace

Entry<Extractor> flatten_extractor() {
  return {{.name = "flatten",
           .paper = "Horst et al. 2017; as used in A False Sense of Privacy",
           .doc = "the positions of all joints in all frames, one after the other",
           .medium = "motion",
           .parameters = {{"frames", ParameterType::integer, "100",
                           "that every motion is brought to by linear interpolation; 0: as many as it has", 0, 1e5}}},
          [](const Parameters& parameters) { return std::make_unique<Flatten>(parameters); }};
}

Entry<Extractor> simple_extractor() {
  return {
      {.name = "simple",
       .paper = "as used in A False Sense of Privacy",
       .doc = "the mean pose, then the first principal components of the poses, the largest element of each positive",
       .medium = "motion",
       .parameters = {{"components", ParameterType::integer, "4", "principal components", 0, 1000},
                      {.name = "scale",
                       .type = ParameterType::choice,
                       .default_value = "unit",
                       .doc = "length of a component: 1, or the deviation of the poses along it",
                       .choices = {"unit", "deviation"}}}},
      [](const Parameters& parameters) { return std::make_unique<Simple>(parameters); }};
}

}  // namespace bauta
