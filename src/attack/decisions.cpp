#include "bauta/attack/decisions.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

constexpr std::pair<Refusal, std::string_view> refusal_names[] = {{Refusal::message, "message"},
                                                                  {Refusal::random_key, "random-key"}};

/// The class with the most matches; among equals the one that `draw`, uniform below 1, falls on. Nothing known: all are
/// equal.
std::int32_t believed(const std::vector<std::size_t>& matches, double draw) {
  const std::size_t most = *std::max_element(matches.begin(), matches.end());
  std::vector<std::int32_t> tied;
  for (std::size_t c = 0; c < matches.size(); ++c) {
    if (matches[c] == most) tied.push_back(static_cast<std::int32_t>(c));
  }
  return tied[static_cast<std::size_t>(draw * static_cast<double>(tied.size()))];
}

}  // namespace

std::string_view to_text(Refusal refusal) {
  for (const auto& [value, name] : refusal_names) {
    if (value == refusal) return name;
  }
  return "unknown";
}

Refusal parse_refusal(std::string_view text) {
  std::vector<std::string> known;
  for (const auto& [value, name] : refusal_names) {
    if (name == text) return value;
    known.emplace_back(name);
  }
  throw_usage("refusal '" + std::string(text) + "'", "no such answer of a system to a non-match", suggest(text, known));
}

Decisions::Decisions(std::size_t targets, std::size_t samples, double threshold)
    : targets_(targets),
      samples_(samples),
      threshold_(threshold),
      row_words_((samples + 63) / 64),
      words_(targets * row_words_) {}

void Decisions::consume(const Tile& tile) {
  for (std::size_t i = 0; i < tile.probes.size(); ++i) {
    record(tile.probes.begin + i, tile.references.begin, tile.scores.row(i));
  }
}

Decisions Decisions::placed(std::span<const std::size_t> places, std::size_t targets) const {
  BAUTA_ASSERT(places.size() == targets_);
  Decisions all(targets, samples_, threshold_);
  for (std::size_t i = 0; i < targets_; ++i) {
    std::copy_n(words_.data() + i * row_words_, row_words_, all.words_.data() + places[i] * row_words_);
  }
  return all;
}

void Decisions::record(std::size_t target, std::size_t first_sample, std::span<const float> scores) {
  BAUTA_ASSERT(target < targets_ && first_sample + scores.size() <= samples_);
  std::uint64_t* const row = words_.data() + target * row_words_;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const std::size_t sample = first_sample + j;
    if (double{scores[j]} >= threshold_) row[sample / 64] |= std::uint64_t{1} << (sample % 64);
  }
}

std::vector<OnlineGuess> online_attack(const Decisions& decisions, const std::vector<std::int32_t>& classes,
                                       std::size_t class_count, const std::vector<std::size_t>& budgets,
                                       Refusal refusal, std::uint64_t seed) {
  BAUTA_ASSERT(classes.size() == decisions.samples() && class_count >= 2);
  // A match is recognised by the answer itself, or by a key that was returned before.
  const std::size_t needed = refusal == Refusal::message ? 1 : 2;
  std::vector<OnlineGuess> guesses;
  guesses.reserve(budgets.size());
  for (const std::size_t budget : budgets) {
    guesses.push_back({std::min(budget, decisions.samples()), std::vector<std::int32_t>(decisions.targets()),
                       std::vector<std::uint8_t>(decisions.targets())});
  }
  std::vector<std::size_t> by_budget(guesses.size());
  for (std::size_t g = 0; g < guesses.size(); ++g) by_budget[g] = g;
  std::stable_sort(by_budget.begin(), by_budget.end(),
                   [&](std::size_t a, std::size_t b) { return guesses[a].queries < guesses[b].queries; });
  parallel_for(decisions.targets(), [&](std::size_t target, int) {
    Stream stream(seed, "online attack", target);
    const std::vector<std::size_t> order = stream.permutation(decisions.samples());
    const double draw = stream.uniform();  // the same guess however often the same is known
    std::vector<std::size_t> matches(class_count);
    std::size_t total = 0;
    std::size_t asked = 0;
    for (const std::size_t g : by_budget) {
      for (; asked < guesses[g].queries; ++asked) {
        if (!decisions.match(target, order[asked])) continue;
        ++matches[static_cast<std::size_t>(classes[order[asked]])];
        ++total;
      }
      const bool decided = total >= needed;
      guesses[g].decided[target] = decided ? 1 : 0;
      guesses[g].predicted[target] = believed(decided ? matches : std::vector<std::size_t>(class_count), draw);
    }
  });
  return guesses;
}

}  // namespace bauta
