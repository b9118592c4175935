// Attributes guessed by comparison with samples whose attribute is known.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "chapter.hpp"

namespace bauta::report {

struct SimilarityGuess {
  std::string rule;
  Number n, n_used, success;
  Measured balanced;
  std::vector<std::pair<std::string, double>> per_class;
};

struct SimilarityAttack {
  Series series;
  std::string attribute, comparator;
  Number chance;
  Number attacker_samples, attacker_identities, target_samples, target_identities;
  std::vector<SimilarityGuess> guesses;
  std::optional<SimilarityGuess> best;  ///< as the run chose it

  [[nodiscard]] bool is_best(const SimilarityGuess& guess) const {
    return best && best->rule == guess.rule && best->n == guess.n;
  }
};

/// "vote, n = 11", held together by non-breaking spaces.
std::string guess_name(const SimilarityGuess& guess);

/// Success per rule and n, one figure per attribute.
std::vector<Figure> similarity_figures(const std::vector<SimilarityAttack>& attacks, const SeriesStyle& style);

}  // namespace bauta::report
