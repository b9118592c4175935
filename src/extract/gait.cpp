// Motion as a template: all positions, or the mean pose and how the body moves around it.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

#include "bauta/core/error.hpp"
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

constexpr std::array<std::string_view, 7> parts = {"head",      "torso",    "hip",      "left_arm",
                                                   "right_arm", "left_leg", "right_leg"};

/// Greatest, least, median, mean and deviation (population); zeros of nothing.
std::array<float, 5> summary(std::vector<float>& values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (double{values[half - 1]} + values[half]) / 2;
  double mean = 0, square = 0;
  for (const float value : values) mean += value / static_cast<double>(values.size());
  for (const float value : values) square += (value - mean) * (value - mean) / static_cast<double>(values.size());
  return {values.back(), values.front(), static_cast<float>(median), static_cast<float>(mean),
          static_cast<float>(std::sqrt(square))};
}

class Segment : public Extractor {
 public:
  explicit Segment(const Parameters& parameters)
      : windows_(static_cast<std::size_t>(parameters.integer("windows"))), seconds_(parameters.real("seconds")) {}

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const Motion& motion = medium_as<Motion>(medium, "segment");
    if (motion.names.size() != motion.joints) {
      throw_usage("segment", "the joints of these motions have no names", "list them in joints.txt, beside labels.csv");
    }
    std::vector<std::string_view> part_of;
    for (const std::string& joint : motion.names) part_of.push_back(body_part(joint));
    const std::size_t windows = windows_in(motion);
    std::vector<float> features;
    for (std::size_t window = 0; window < windows; ++window) {
      const std::size_t first = begin_of(window, windows, motion), end = begin_of(window + 1, windows, motion);
      for (const std::string_view part : parts) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          std::vector<float> values;
          for (std::size_t joint = 0; joint < motion.joints; ++joint) {
            if (part_of[joint] != part) continue;
            for (std::size_t frame = first; frame < end; ++frame) {
              values.push_back(motion.positions[frame * motion.width() + 3 * joint + axis]);
            }
          }
          std::ranges::copy(summary(values), std::back_inserter(features));
        }
      }
    }
    return features;
  }

 private:
  /// What is left at the end of a motion that is cut by the clock is left out.
  [[nodiscard]] std::size_t windows_in(const Motion& motion) const {
    if (seconds_ == 0) return windows_;
    if (motion.rate <= 0) throw_usage("segment:seconds", "the rate of these motions is unknown", "give windows instead");
    return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(motion.frames) / frames_each(motion)));
  }
  [[nodiscard]] double frames_each(const Motion& motion) const { return std::max(1.0, seconds_ * motion.rate); }
  [[nodiscard]] std::size_t begin_of(std::size_t window, std::size_t windows, const Motion& motion) const {
    if (seconds_ == 0) return window * motion.frames / windows;
    return std::min(motion.frames,
                    static_cast<std::size_t>(std::lround(static_cast<double>(window) * frames_each(motion))));
  }

  std::size_t windows_;
  double seconds_;
};

}  // namespace

Entry<Extractor> segment_extractor() {
  return {{.name = "segment",
           .paper = "as in the program behind A False Sense of Privacy",
           .doc = "greatest, least, median, mean and deviation of x, y and z of each part of the body, window by window",
           .medium = "motion",
           .parameters = {{"windows", ParameterType::integer, "4", "equal parts in time that a motion is cut into", 1,
                           1000},
                          {"seconds", ParameterType::real, "0",
                           "length of a window instead, 1 in the program; motions must be as long as each other, and "
                           "their rate known", 0, 1e5}}},
          [](const Parameters& parameters) { return std::make_unique<Segment>(parameters); }};
}

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
