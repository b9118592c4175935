// Differences between poses instead of poses.
#include "motion_protection.hpp"

namespace bauta {
namespace {

class GaitMotion : public MotionProtection {
 public:
  explicit GaitMotion(const Parameters& parameters)
      : MotionProtection("gait-motion"), step_(static_cast<std::size_t>(parameters.integer("d"))) {}

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    const std::size_t ahead = step_ * motion.width();
    Motion result = motion;
    // As many frames as before, so the last ones are zero.
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
      result.positions[i] =
          ahead < motion.positions.size() - i ? motion.positions[i + ahead] - motion.positions[i] : 0.0F;
    }
    return result;
  }

 private:
  std::size_t step_;
};

}  // namespace

Entry<Protection> gait_motion_protection() {
  return {
      {.name = "gait-motion",
       .paper = gait_paper,
       .doc = "differences between each pose and a later one instead of poses",
       .medium = "motion",
       .claim = "the shape of the body is gone, movement is left; there is no formal guarantee",
       .broken_by = "recognisers that learned from differences; and adding them up gives the poses up to a constant",
       .parameters = {{"d", ParameterType::integer, "1", "frames between the two poses", 1, 1e6}}},
      [](const Parameters& parameters) { return std::make_unique<GaitMotion>(parameters); }};
}

}  // namespace bauta
