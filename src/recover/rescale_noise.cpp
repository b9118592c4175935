// Noise in units of a coordinate's own deviation (gait-noise) says what it drowns: the spread that it makes is a
// constant times the spread that was there. Attackers learn that constant, how far means move and how uncertain they
// become from pairs of other people. They bring each coordinate back to the spread that it had, and its mean as far
// towards that of other people as the noise makes it uncertain (the best linear estimate). What it was in a single
// frame stays unknown.
#include <algorithm>
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
    Tally tally;
    for (std::size_t row = 0; row < knowledge.clear->size(); ++row) {
      try {
        const Medium clear = knowledge.clear->media->load(row), masked = knowledge.protected_clear->media->load(row);
        tally.add(spreads(medium_as<Motion>(clear, name())), spreads(medium_as<Motion>(masked, name())));
      } catch (const Error& error) {
        if (error.fault != Fault::input) throw;
      }
    }
    if (tally.count == 0 || tally.squares == 0) {
      throw_input(knowledge.clear->origin, "there is no motion whose coordinates move, clear and masked");
    }
    const auto count = static_cast<double>(tally.count), motions = static_cast<double>(tally.motions);
    factor_ = std::sqrt(tally.squares / count);
    shift_ = tally.shifts / count;
    doubt_ = std::max(0.0, tally.squared_shifts / count - shift_ * shift_);
    for (std::size_t j = 0; j < tally.means.size(); ++j) {
      means_.push_back(tally.means[j] / motions);
      variances_.push_back(std::max(0.0, tally.squared_means[j] / motions - means_[j] * means_[j]));
    }
  }

  [[nodiscard]] std::map<std::string, std::string> properties() const override {
    return {{"noise_factor", fmt::format("{:.4f}", factor_)}, {"noise_shift", fmt::format("{:.4f}", shift_)}};
  }

  [[nodiscard]] FittedState state() const override {
    Matrix<float> noise(1, 3), people(2, means_.size());
    noise(0, 0) = static_cast<float>(factor_);
    noise(0, 1) = static_cast<float>(shift_);
    noise(0, 2) = static_cast<float>(doubt_);
    for (std::size_t j = 0; j < means_.size(); ++j) {
      people(0, j) = static_cast<float>(means_[j]);
      people(1, j) = static_cast<float>(variances_[j]);
    }
    FittedState state;
    state.emplace("noise", std::move(noise));
    state.emplace("people", std::move(people));
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    const auto noise = state.find("noise"), people = state.find("people");
    if (noise == state.end() || noise->second.size() != 3 || !(noise->second(0, 0) > 0) || people == state.end() ||
        people->second.rows() != 2) {
      throw_input(where, "holds no level of noise");
    }
    factor_ = noise->second(0, 0);
    shift_ = noise->second(0, 1);
    doubt_ = noise->second(0, 2);
    means_.assign(people->second.row(0).begin(), people->second.row(0).end());
    variances_.assign(people->second.row(1).begin(), people->second.row(1).end());
  }

 protected:
  [[nodiscard]] Motion undone(const Motion& motion, std::size_t) const override {
    const std::vector<Spread> found = spreads(motion);
    if (found.size() != means_.size()) {
      throw_input(name(), fmt::format("a motion of {} joints, the noise was learned from {}", motion.joints,
                                      means_.size() / 3));
    }
    std::vector<double> means(found.size());
    for (std::size_t j = 0; j < found.size(); ++j) {
      const double deviation = found[j].deviation / factor_, error = doubt_ * deviation * deviation;
      const double trust = variances_[j] + error > 0 ? variances_[j] / (variances_[j] + error) : 1;
      means[j] = means_[j] + trust * (found[j].mean - shift_ * deviation - means_[j]);
    }
    Motion result = motion;
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
      const std::size_t j = i % found.size();
      result.positions[i] = static_cast<float>(means[j] + (motion.positions[i] - found[j].mean) / factor_);
    }
    return result;
  }

 private:
  /// Sums over motions, and over all coordinates that move.
  struct Tally {
    double squares = 0, shifts = 0, squared_shifts = 0;
    std::size_t count = 0, motions = 0;
    std::vector<double> means, squared_means;

    void add(const std::vector<Spread>& before, const std::vector<Spread>& after) {
      if (motions == 0) means = squared_means = std::vector<double>(before.size(), 0.0);
      if (before.size() != after.size() || before.size() != means.size()) return;
      ++motions;
      for (std::size_t j = 0; j < before.size(); ++j) {
        means[j] += before[j].mean;
        squared_means[j] += before[j].mean * before[j].mean;
        if (before[j].deviation == 0) continue;
        const double shift = (after[j].mean - before[j].mean) / before[j].deviation;
        squares += std::pow(after[j].deviation / before[j].deviation, 2);
        shifts += shift;
        squared_shifts += shift * shift;
        ++count;
      }
    }
  };

  double factor_ = 1;                      // by which the noise widens a coordinate's deviation
  double shift_ = 0;                       // of its mean, in deviations that it had
  double doubt_ = 0;                       // variance of that shift
  std::vector<double> means_, variances_;  // of coordinates' means between motions of other people
};

}  // namespace

Entry<Recovery> rescale_noise_recovery() {
  return {{.name = "rescale-noise",
           .paper = "",
           .doc = "gait-noise: each coordinate is brought back to the spread that it had, its mean as far as it can be "
                  "told; from pairs",
           .medium = "motion",
           .learns = true,
           .undoes = Operation::drowns_motion},
          [](const Parameters& parameters) { return std::make_unique<RescaleNoise>(parameters); }};
}

}  // namespace bauta
