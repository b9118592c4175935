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

/// Digits below the unit become zeros, whatever the sign.
double truncated(double value, double unit) {
  return std::trunc(value / unit) * unit;
}

/// The remainder is never negative, whatever the sign of the value.
double floor_remainder(double value, double unit) {
  return value - unit * std::floor(value / unit);
}

class GaitCoarsen : public MotionProtection {
 public:
  using Coarse = double (*)(double value, double unit);

  GaitCoarsen(const std::string& technique, double unit, Coarse coarse)
      : MotionProtection(technique), unit_(unit), coarse_(coarse) {}

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    Motion result = motion;
    for (float& value : result.positions) value = static_cast<float>(coarse_(value, unit_));
    return result;
  }

 private:
  double unit_;
  Coarse coarse_;
};

}  // namespace

Entry<Protection> gait_coarsen_macro_protection() {
  return {{.name = "gait-coarsen-macro",
           .paper = gait_paper,
           .doc = "every coordinate rounded to a power of ten, or its lower digits set to zero",
           .medium = "motion",
           .claim = "fine differences between bodies are lost; there is no formal guarantee",
           .broken_by = "recognisers that learned from it: over many frames, when a value changes tells where it was",
           .parameters = {{"k", ParameterType::integer, "2", "to 10^k of the data's unit", -6, 6},
                          {.name = "quantize",
                           .type = ParameterType::choice,
                           .default_value = "round",
                           .doc = "round: to the nearest, halves to the even side, as its authors' program does; "
                                  "truncate: digits are taken away, as they describe it",
                           .choices = {"round", "truncate"}}}},
          [](const Parameters& parameters) {
            const bool rounds = parameters.text("quantize") == "round";
            return std::make_unique<GaitCoarsen>("gait-coarsen-macro",
                                                 std::pow(10.0, static_cast<double>(parameters.integer("k"))),
                                                 rounds ? rounded : truncated);
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
            return std::make_unique<GaitCoarsen>("gait-coarsen-micro", parameters.real("n"), floor_remainder);
          }};
}

}  // namespace bauta
