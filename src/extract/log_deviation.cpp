// How much each coordinate of a body moves. Noise that is scaled by just that (`noise` of motions) hides when joints
// are where, and multiplies every deviation by the same factor: here it is a constant that learning takes away.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bauta/extract/extractor.hpp"

namespace bauta {
namespace {

/// A coordinate that moves less than this share of the one that moves most stands still, and counts as this share.
constexpr double still = 1e-6;

std::vector<double> deviations(const Motion& motion) {
  const std::size_t width = motion.width();
  const auto frames = static_cast<double>(motion.frames);
  std::vector<double> means(width, 0), squares(width, 0);
  for (std::size_t i = 0; i < motion.positions.size(); ++i) means[i % width] += motion.positions[i] / frames;
  for (std::size_t i = 0; i < motion.positions.size(); ++i) {
    const double d = motion.positions[i] - means[i % width];
    squares[i % width] += d * d / frames;
  }
  for (double& square : squares) square = std::sqrt(square);
  return squares;
}

class LogDeviation : public Extractor {
 public:
  explicit LogDeviation(const Parameters& parameters) : relative_(parameters.text("relative") == "yes") {}

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    std::vector<double> logs = deviations(medium_as<Motion>(medium, "log-deviation"));
    const double most = *std::max_element(logs.begin(), logs.end());
    if (most == 0) return std::nullopt;
    for (double& value : logs) value = std::log(std::max(value, still * most));
    const double common =
        relative_ ? std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size()) : 0;
    std::vector<float> features;
    features.reserve(logs.size());
    for (const double value : logs) features.push_back(static_cast<float>(value - common));
    return features;
  }

 private:
  bool relative_;
};

}  // namespace

Entry<Extractor> log_deviation_extractor() {
  return {{.name = "log-deviation",
           .paper = "",
           .doc = "the logarithm of the standard deviation over time of each coordinate: what stays of a body under "
                  "noise that is scaled by it; nothing where nothing moves",
           .medium = "motion",
           .parameters = {{.name = "relative",
                           .type = ParameterType::choice,
                           .default_value = "no",
                           .doc = "minus their mean: a factor that all have in common is gone, and with it what noise "
                                  "adds to a clear motion",
                           .choices = {"no", "yes"}}}},
          [](const Parameters& parameters) { return std::make_unique<LogDeviation>(parameters); }};
}

}  // namespace bauta
