// The similarity attack (Osorio-Roig et al., S0): compare a protected template with an attacker's data base whose
// attribute is known, and read the attribute off the best scores. Works wherever a protection keeps recognition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/compare/comparator.hpp"

namespace bauta {

enum class SimilarityRule {
  vote,    ///< majority among the n best references overall
  mean,    ///< mean of the n best scores per class
  linear,  ///< the same, i-th best weighted by 1 - i/(n+1)
  log,     ///< the same, i-th best weighted by -ln(i/(n+1))
};

std::string_view to_text(SimilarityRule rule);
SimilarityRule parse_similarity_rule(std::string_view text);

struct SimilarityOptions {
  std::vector<SimilarityRule> rules = {SimilarityRule::vote, SimilarityRule::mean, SimilarityRule::linear,
                                       SimilarityRule::log};
  std::vector<std::size_t> n = {1, 5, 11, 51};
  std::uint64_t seed = 1;
};

/// What one rule with one n says about every target sample.
struct SimilarityGuess {
  SimilarityRule rule = SimilarityRule::vote;
  std::size_t n = 0;
  std::size_t n_used = 0;               ///< n, capped at the smallest class of the attacker's data base
  std::vector<std::int32_t> predicted;  ///< class code per target sample
};

/// `classes`: class code of each attacker sample, all of 0..class_count-1 present. Ties at the cut-off and between
/// classes are resolved by a random stream keyed by (seed, target sample), never by input order; a tied vote first
/// looks at the summed score.
std::vector<SimilarityGuess> similarity_attack(const Comparator& comparator, const Prepared& attacker,
                                               const std::vector<std::int32_t>& classes, std::size_t class_count,
                                               const Prepared& target, const SimilarityOptions& options);

}  // namespace bauta
