// Noise in units of a coordinate's own deviation (gait-noise) says what it drowns: the spread that it makes is a
// constant times the spread that was there. Attackers learn that constant, and how far means move, from pairs of other
// people, and bring each coordinate back to the spread and to the mean that it had. What it was in a single frame stays
// unknown.
#include <cmath>

#include <fmt/format.h>

#include "bauta/data/media_source.hpp"
#include "medium_recovery.hpp"

namespace bauta {
namespace {

/// Mean and deviation of a coordinate over the sequence.
struct Spread {
  double mean = 0, deviation = 0;
};

std::vector<Spread> spreads(const Motion& motion) {
  const std::size_t width = motion.width();
  std::vector<Spread> all(width);
  const auto frames = static_cast<double>(motion.frames);
  for (std::size_t i = 0; i < motion.positions.size(); ++i) all[i % width].mean += motion.positions[i] / frames;
  for (std::size_t i = 0; i < motion.positions.size(); ++i) {
    all[i % width].deviation += std::pow(motion.positions[i] - all[i % width].mean, 2) / frames;
  }
  for (Spread& spread : all) spread.deviation = std::sqrt(spread.deviation);
  return all;
}

class RescaleNoise : public MediumRecovery<Motion> {
 public:
  explicit RescaleNoise(const Parameters&) : MediumRecovery("rescale-noise") {}

  void fit(const Knowledge& knowledge) override {
    if (knowledge.clear == nullptr || knowledge.protected_clear == nullptr) {
      throw_usage("rescale-noise", "learns from pairs of motions", "name them with --clear and --protected");
    }
    double squares = 0, shifts = 0;
    std::size_t count = 0;
    for (std::size_t row = 0; row < knowledge.clear->size(); ++row) {
      try {
        const Medium clear = knowledge.clear->media->load(row), masked = knowledge.protected_clear->media->load(row);
        const auto before = spreads(medium_as<Motion>(clear, name())),
                   after = spreads(medium_as<Motion>(masked, name()));
        if (before.size() != after.size()) continue;
        for (std::size_t j = 0; j < before.size(); ++j) {
          if (before[j].deviation == 0) continue;
          squares += std::pow(after[j].deviation / before[j].deviation, 2);
          shifts += (after[j].mean - before[j].mean) / before[j].deviation;
          ++count;
        }
      } catch (const Error& error) {
        if (error.fault != Fault::input) throw;
      }
    }
    if (count == 0 || squares == 0) {
      throw_input(knowledge.clear->origin, "there is no motion whose coordinates move, clear and masked");
    }
    factor_ = std::sqrt(squares / static_cast<double>(count));
    shift_ = shifts / static_cast<double>(count);
  }

  [[nodiscard]] std::map<std::string, std::string> properties() const override {
    return {{"noise_factor", fmt::format("{:.4f}", factor_)}, {"noise_shift", fmt::format("{:.4f}", shift_)}};
  }

  [[nodiscard]] FittedState state() const override {
    Matrix<float> values(1, 2);
    values(0, 0) = static_cast<float>(factor_);
    values(0, 1) = static_cast<float>(shift_);
    FittedState state;
    state.emplace("noise", std::move(values));
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    const auto found = state.find("noise");
    if (found == state.end() || found->second.size() != 2 || !(found->second(0, 0) > 0)) {
      throw_input(where, "holds no level of noise");
    }
    factor_ = found->second(0, 0);
    shift_ = found->second(0, 1);
  }

 protected:
  [[nodiscard]] Motion undone(const Motion& motion, std::size_t) const override {
    const std::vector<Spread> found = spreads(motion);
    Motion result = motion;
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
      const Spread& own = found[i % found.size()];
      const double mean = own.mean - shift_ * own.deviation / factor_;
      result.positions[i] = static_cast<float>(mean + (motion.positions[i] - own.mean) / factor_);
    }
    return result;
  }

 private:
  double factor_ = 1;  // by which the noise widens a coordinate's deviation
  double shift_ = 0;   // of its mean, in deviations that it had
};

}  // namespace

Entry<Recovery> rescale_noise_recovery() {
  return {{.name = "rescale-noise",
           .paper = "",
           .doc = "gait-noise: each coordinate is brought back to the spread and the mean that it had; from pairs",
           .medium = "motion",
           .learns = true,
           .applies_to = {"gait-noise"}},
          [](const Parameters& parameters) { return std::make_unique<RescaleNoise>(parameters); }};
}

}  // namespace bauta
