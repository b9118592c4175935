// Fewer poses: one, as many as asked for, or one in so many with straight lines between.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "motion_protection.hpp"

namespace bauta {
namespace {

class GaitStatic : public MotionProtection {
 public:
  explicit GaitStatic(const Parameters& parameters)
      : MotionProtection("gait-static"), mean_(parameters.text("pose") == "mean") {}

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    Motion result{1, motion.joints, std::vector<float>(motion.width()), motion.rate, motion.names};
    for (std::size_t column = 0; column < motion.width(); ++column) {
      double sum = 0;
      for (std::size_t frame = 0; frame < motion.frames; ++frame)
        sum += motion.positions[frame * motion.width() + column];
      result.positions[column] =
          mean_ ? static_cast<float>(sum / static_cast<double>(motion.frames)) : motion.positions[column];
    }
    return result;
  }

 private:
  bool mean_;
};

class GaitResample : public MotionProtection {
 public:
  explicit GaitResample(const Parameters& parameters)
      : MotionProtection("gait-resample"),
        frames_(static_cast<std::size_t>(parameters.integer("frames"))),
        fps_(parameters.real("fps")) {}

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    if (fps_ == 0) return with_frames(motion, frames_);
    if (motion.rate <= 0) {
      throw_usage("gait-resample:fps", "the rate of these motions is unknown", "give frames instead");
    }
    const double wanted = std::floor(static_cast<double>(motion.frames) * fps_ / motion.rate);
    return with_frames(motion, static_cast<std::size_t>(std::clamp(wanted, 1.0, 1e6)));
  }

 private:
  std::size_t frames_;
  double fps_;
};

class GaitCoarsenTime : public MotionProtection {
 public:
  explicit GaitCoarsenTime(const Parameters& parameters)
      : MotionProtection("gait-coarsen-time"), step_(static_cast<std::size_t>(parameters.integer("f"))) {}

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    Motion result = motion;
    const std::size_t width = motion.width();
    // Beyond the last pose that is kept, frames stay as they are.
    for (std::size_t first = 0; first + step_ < motion.frames; first += step_) {
      for (std::size_t k = 1; k < step_; ++k) {
        for (std::size_t column = 0; column < width; ++column) {
          result.positions[(first + k) * width + column] =
              std::lerp(motion.positions[first * width + column], motion.positions[(first + step_) * width + column],
                        static_cast<float>(k) / static_cast<float>(step_));
        }
      }
    }
    return result;
  }

 private:
  std::size_t step_;
};

}  // namespace

Entry<Protection> gait_static_protection() {
  return {{.name = "gait-static",
           .paper = gait_paper,
           .doc = "one pose instead of a movement",
           .medium = "motion",
           .claim = "without movement there is no gait; there is no formal guarantee",
           .broken_by = "recognisers of bodies: proportions and posture stay",
           .parameters = {{.name = "pose",
                           .type = ParameterType::choice,
                           .default_value = "mean",
                           .doc = "the mean over time, or the first",
                           .choices = {"mean", "first"}}}},
          [](const Parameters& parameters) { return std::make_unique<GaitStatic>(parameters); }};
}

Entry<Protection> gait_resample_protection() {
  return {
      {.name = "gait-resample",
       .paper = gait_paper,
       .doc = "fewer frames, evenly spaced, by linear interpolation",
       .medium = "motion",
       .claim = "fast movement is lost; there is no formal guarantee",
       .broken_by = "recognisers that learned from as few frames: slow movement and the body stay",
       .parameters = {{"frames", ParameterType::integer, "10", "of each motion", 1, 1e6},
                      {"fps", ParameterType::real, "0",
                       "frames per second instead, where the data tells its own; 0: as many frames as above", 0, 1e6}}},
      [](const Parameters& parameters) { return std::make_unique<GaitResample>(parameters); }};
}

Entry<Protection> gait_coarsen_time_protection() {
  return {{.name = "gait-coarsen-time",
           .paper = gait_paper,
           .doc = "one pose in so many, and straight lines between them",
           .medium = "motion",
           .claim = "fast movement is lost; there is no formal guarantee",
           .broken_by = "recognisers that learned from it: slow movement and the body stay",
           .parameters = {{"f", ParameterType::integer, "10", "one pose in f stays", 1, 1e6}}},
          [](const Parameters& parameters) { return std::make_unique<GaitCoarsenTime>(parameters); }};
}

}  // namespace bauta
