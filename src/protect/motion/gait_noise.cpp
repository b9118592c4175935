// Noise on every coordinate, in units of the coordinate's own deviation over the sequence.
#include <cmath>

#include "motion_protection.hpp"

namespace bauta {
namespace {

class GaitNoise : public MotionProtection {
 public:
  explicit GaitNoise(const Parameters& parameters)
      : MotionProtection("gait-noise"),
        scale_(parameters.real("scale")),
        normal_(parameters.text("distribution") == "normal") {}

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t sample, const ProtectContext& context) const override {
    const std::size_t width = motion.width();
    const auto frames = static_cast<double>(motion.frames);
    std::vector<double> means(width), deviations(width);
    for (std::size_t i = 0; i < motion.positions.size(); ++i) means[i % width] += motion.positions[i] / frames;
    for (std::size_t i = 0; i < motion.positions.size(); ++i) {
      deviations[i % width] += std::pow(motion.positions[i] - means[i % width], 2) / frames;
    }
    for (double& deviation : deviations) deviation = std::sqrt(deviation);
    Stream stream = context.randomness.stream("gait-noise", sample);
    Motion result = motion;
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
      const double noise = normal_ ? stream.normal() : stream.uniform();
      result.positions[i] = static_cast<float>(motion.positions[i] + scale_ * deviations[i % width] * noise);
    }
    return result;
  }

 private:
  double scale_;
  bool normal_;
};

}  // namespace

Entry<Protection> gait_noise_protection() {
  return {{.name = "gait-noise",
           .paper = gait_paper,
           .doc = "noise on every coordinate of every frame, in units of the coordinate's deviation over the sequence",
           .medium = "motion",
           .claim = "movement drowns in noise; there is no formal guarantee",
           .broken_by = "deviations of the coordinates: the noise is as large as the movement was, times a constant",
           .parameters = {{"scale", ParameterType::real, "10", "of the noise, in deviations of the coordinate", 0, 1e9},
                          {.name = "distribution",
                           .type = ParameterType::choice,
                           .default_value = "normal",
                           .doc = "of mean 0 and deviation 1, or uniform between 0 and 1 as the code of the evaluation "
                                  "has it by default",
                           .choices = {"normal", "uniform"}}},
           .does = Operation::drowns_motion},
          [](const Parameters& parameters) { return std::make_unique<GaitNoise>(parameters); }};
}

}  // namespace bauta
