// Each pose against those around it: the smooth part alone (variations removed), or all but the smooth part (trajectory
// removed).
#include "motion_protection.hpp"

namespace bauta {
namespace {

class AgainstWindow : public MotionProtection {
 public:
  AgainstWindow(const std::string& technique, const Parameters& parameters, bool rest)
      : MotionProtection(technique),
        reach_(static_cast<std::size_t>(parameters.integer("w"))),
        ends_only_(parameters.text("mode") == "interpolation"),
        rest_(rest) {}

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    const std::size_t width = motion.width();
    Motion result = motion;
    result.positions.assign(motion.positions.size(), 0.0F);
    // Only poses with w others on both sides have a window: they move up by w, and zeros fill the end.
    for (std::size_t frame = 0; frame + 2 * reach_ < motion.frames; ++frame) {
      for (std::size_t column = 0; column < width; ++column) {
        const auto at = [&](std::size_t k) { return double{motion.positions[(frame + k) * width + column]}; };
        double smooth = 0;
        if (ends_only_) {
          smooth = (at(0) + at(2 * reach_)) / 2;
        } else {
          for (std::size_t k = 0; k <= 2 * reach_; ++k) smooth += at(k) / static_cast<double>(2 * reach_ + 1);
        }
        result.positions[frame * width + column] = static_cast<float>(rest_ ? at(reach_) - smooth : smooth);
      }
    }
    return result;
  }

 private:
  std::size_t reach_;
  bool ends_only_;
  bool rest_;
};

Declaration declared(const std::string& name, const std::string& doc, const std::string& claim,
                     const std::string& broken_by) {
  return {.name = name,
          .paper = gait_paper,
          .doc = doc,
          .medium = "motion",
          .claim = claim + "; there is no formal guarantee",
          .broken_by = broken_by,
          .parameters = {{"w", ParameterType::integer, "3", "poses on either side", 1, 1e6},
                         {.name = "mode",
                          .type = ParameterType::choice,
                          .default_value = "rolling",
                          .doc = "the mean over all 2w + 1 poses of the window, or of its first and last",
                          .choices = {"rolling", "interpolation"}}}};
}

}  // namespace

Entry<Protection> gait_remove_variations_protection() {
  return {declared("gait-remove-variations", "each pose becomes the mean of those around it",
                   "small movements that are a person's own are lost",
                   "recognisers that learned from smoothed motion: large movements and the body stay"),
          [](const Parameters& parameters) {
            return std::make_unique<AgainstWindow>("gait-remove-variations", parameters, false);
          }};
}

Entry<Protection> gait_remove_trajectory_protection() {
  return {declared("gait-remove-trajectory", "each pose without the mean of those around it",
                   "body and large movements are gone, small ones are left",
                   "recognisers that learned from the rest: small movements are a person's own, too"),
          [](const Parameters& parameters) {
            return std::make_unique<AgainstWindow>("gait-remove-trajectory", parameters, true);
          }};
}

}  // namespace bauta
