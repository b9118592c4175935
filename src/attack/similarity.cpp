#include "bauta/attack/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bauta/compare/engine.hpp"
#include "bauta/compare/top_n.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

constexpr std::pair<SimilarityRule, std::string_view> rule_names[] = {{SimilarityRule::vote, "vote"},
                                                                      {SimilarityRule::mean, "mean"},
                                                                      {SimilarityRule::linear, "linear"},
                                                                      {SimilarityRule::log, "log"}};

/// The evidence for a class; the second number decides where the first is tied.
using Evidence = std::pair<double, double>;

std::vector<double> rank_weights(SimilarityRule rule, std::size_t n) {
  std::vector<double> weights(n, 1.0);
  for (std::size_t i = 1; i <= n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n + 1);
    if (rule == SimilarityRule::linear) weights[i - 1] = 1 - share;
    if (rule == SimilarityRule::log) weights[i - 1] = -std::log(share);
  }
  return weights;
}

std::int32_t strongest(const std::vector<Evidence>& evidence, std::uint64_t seed, std::size_t target) {
  const Evidence best = *std::max_element(evidence.begin(), evidence.end());
  std::vector<std::int32_t> tied;
  for (std::size_t c = 0; c < evidence.size(); ++c) {
    if (evidence[c] == best) tied.push_back(static_cast<std::int32_t>(c));
  }
  return tied.size() == 1 ? tied[0] : tied[Stream(seed, "similarity attack tie", target).below(tied.size())];
}

}  // namespace

std::string_view to_text(SimilarityRule rule) {
  for (const auto& [value, name] : rule_names) {
    if (value == rule) return name;
  }
  return "unknown";
}

SimilarityRule parse_similarity_rule(std::string_view text) {
  std::vector<std::string> known;
  for (const auto& [value, name] : rule_names) {
    if (name == text) return value;
    known.emplace_back(name);
  }
  throw_usage("rule '" + std::string(text) + "'", "no such rule of the similarity attack", suggest(text, known));
}

std::vector<SimilarityGuess> similarity_attack(const Comparator& comparator, const Prepared& attacker,
                                               const std::vector<std::int32_t>& classes, std::size_t class_count,
                                               const Prepared& target, const SimilarityOptions& options) {
  BAUTA_ASSERT(!options.n.empty() && class_count >= 2 && classes.size() == attacker.rows());
  const std::size_t largest = *std::max_element(options.n.begin(), options.n.end());
  const std::size_t targets = target.rows();
  TopN per_class(largest, targets, attacker.rows(), options.seed, {classes, class_count});
  const std::size_t cap = per_class.n_used();
  BAUTA_ASSERT(cap > 0);
  TopN overall(cap, targets, attacker.rows(), options.seed);
  TileConsumer* const consumers[] = {&per_class, &overall};
  compare_all(comparator, target, attacker, Pairs::all, consumers, "similarity attack");

  std::vector<SimilarityGuess> guesses;
  for (const SimilarityRule rule : options.rules) {
    for (const std::size_t n : options.n) {
      SimilarityGuess guess{rule, n, std::min(n, cap), std::vector<std::int32_t>(targets)};
      const std::vector<double> weights = rank_weights(rule, guess.n_used);
      parallel_for(targets, [&](std::size_t i, int) {
        std::vector<Evidence> evidence(class_count);
        if (rule == SimilarityRule::vote) {
          for (const Neighbour& neighbour : overall.best(i).first(guess.n_used)) {
            Evidence& votes = evidence[static_cast<std::size_t>(classes[neighbour.reference])];
            votes.first += 1;
            votes.second += neighbour.score;
          }
        } else {
          for (std::size_t c = 0; c < class_count; ++c) {
            const auto best = per_class.best(i, c);
            for (std::size_t k = 0; k < guess.n_used; ++k) evidence[c].first += weights[k] * best[k].score;
          }
        }
        guess.predicted[i] = strongest(evidence, options.seed, i);
      });
      guesses.push_back(std::move(guess));
    }
  }
  return guesses;
}

}  // namespace bauta
