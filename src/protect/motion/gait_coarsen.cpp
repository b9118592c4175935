// Coordinates rounded, or what rounding takes from them.
#include <cmath>

#include "motion_protection.hpp"

namespace bauta {
namespace {

/// To the nearest multiple, halves to the even one.
double rounded(double value, double unit) {
  const double times = value / unit, below = std::floor(times), share = times - below;
  const bool up = share > 0.5 || (share == 0.5 && std::fmod(below, 2) != 0);
  return (below + (up ? 1 : 0)) * unit;
}

class GaitCoarsen : public MotionProtection {
 public:
  GaitCoarsen(const std::string& technique, double unit, bool remainder)
      : MotionProtection(technique), unit_(unit), remainder_(remainder) {}

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    Motion result = motion;
    for (float& value : result.positions) {
      // The remainder is never negative, whatever the sign of the value.
      value = static_cast<float>(remainder_ ? value - unit_ * std::floor(value / unit_) : rounded(value, unit_));
    }
    return result;
  }

 private:
  double unit_;
  bool remainder_;
};

}  // namespace

Entry<Protection> gait_coarsen_macro_protection() {
  return {{.name = "gait-coarsen-macro",
           .paper = gait_paper,
           .doc = "every coordinate rounded to a power of ten, halves to the even side",
           .medium = "motion",
           .claim = "fine differences between bodies are lost; there is no formal guarantee",
           .broken_by = "recognisers that learned from it: over many frames, when a value changes tells where it was",
           .parameters = {{"k", ParameterType::integer, "2", "rounds to 10^k of the data's unit", -6, 6}}},
          [](const Parameters& parameters) {
            return std::make_unique<GaitCoarsen>("gait-coarsen-macro",
                                                 std::pow(10.0, static_cast<double>(parameters.integer("k"))), false);
          }};
}

Entry<Protection> gait_coarsen_micro_protection() {
  return {{.name = "gait-coarsen-micro",
           .paper = gait_paper,
           .doc = "of every coordinate what is left after division",
           .medium = "motion",
           .claim = "where a joint is, is hidden; there is no formal guarantee",
           .broken_by = "unwrapping: motion is steady, so jumps show where a multiple was taken off",
           .parameters = {{"n", ParameterType::real, "100", "the divisor, in the data's unit", 1e-6, 1e9}}},
          [](const Parameters& parameters) {
            return std::make_unique<GaitCoarsen>("gait-coarsen-micro", parameters.real("n"), true);
          }};
}

}  // namespace bauta
