// Attackers of known strength, and what findings tell of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bauta/core/random.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/measure/finding.hpp"
#include "bauta/measure/worst_case.hpp"

namespace bauta {

struct SimulatedAttackers {
  std::vector<std::vector<std::int32_t>> predicted;
  std::vector<std::int32_t> truth;  ///< of two classes
  std::vector<std::uint32_t> subjects;

  [[nodiscard]] std::vector<Predictions> views() const { return {predicted.begin(), predicted.end()}; }
  [[nodiscard]] WorstCase worst(std::size_t draws, std::uint64_t seed) const {
    return worst_case(views(), truth, 2, subjects, draws, seed);
  }
  /// What a question would say of an attacker.
  [[nodiscard]] Finding finding(const std::vector<std::int32_t>& guesses, std::size_t draws, std::uint64_t seed,
                                const std::string& technique) const {
    Finding finding;
    finding.attacker = "simulated";
    finding.measure = "balanced accuracy";
    finding.unit = "rate";
    const ClassificationResult result = classify_result(guesses, truth, 2);
    finding.value = result.balanced;
    finding.chance = result.chance;
    finding.counts["identities"] = subjects.back() + 1;
    finding.axes = {{"technique", technique}, {"attribute", "gender"}};
    finding.unprotected = technique == "none";
    finding.ci = balanced_accuracy_interval(guesses, truth, 2, subjects);
    finding.draws = drawn_balanced_accuracy(guesses, truth, 2, subjects, {draws, seed});
    finding.drawn_over = "people";
    return finding;
  }
};

/// Attacker j is right with probability rate[j], for all samples of a subject alike with probability `agreement`.
inline SimulatedAttackers simulate_attackers(const std::vector<double>& rate, std::uint32_t subjects, int samples,
                                             double agreement, std::uint64_t item) {
  Stream stream(17, "worst case", item);
  SimulatedAttackers g;
  g.predicted.resize(rate.size());
  for (std::uint32_t s = 0; s < subjects; ++s) {
    std::vector<bool> of_subject;
    for (const double r : rate) of_subject.push_back(stream.uniform() < r);
    for (int k = 0; k < samples; ++k) {
      g.subjects.push_back(s);
      g.truth.push_back(static_cast<std::int32_t>(s % 2));
      for (std::size_t j = 0; j < rate.size(); ++j) {
        const bool right = stream.uniform() < agreement ? of_subject[j] : stream.uniform() < rate[j];
        g.predicted[j].push_back(right ? g.truth.back() : 1 - g.truth.back());
      }
    }
  }
  return g;
}

}  // namespace bauta
