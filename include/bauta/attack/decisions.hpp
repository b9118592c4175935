// Attackers who see no scores: whether a sample matched is all a system tells (S0, Table X and section VI). With a
// limit on queries this is the online attack, on systems whose key or template never leaves them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bauta/compare/engine.hpp"

namespace bauta {

/// Which of the attacker's samples matched which target sample (score >= threshold): one bit each.
class Decisions : public TileConsumer {
 public:
  Decisions(std::size_t targets, std::size_t samples, double threshold);

  /// The engine's probes are the targets, its references the attacker's samples.
  void consume(const Tile& tile) override;
  /// Scores of one target against all samples, for those who compare by themselves.
  void record(std::size_t target, std::size_t first_sample, std::span<const float> scores);

  /// The same answers where each target stands at its place among `targets`; the others match nothing.
  [[nodiscard]] Decisions placed(std::span<const std::size_t> places, std::size_t targets) const;

  [[nodiscard]] bool match(std::size_t target, std::size_t sample) const {
    return (words_[target * row_words_ + sample / 64] >> (sample % 64) & 1) != 0;
  }
  [[nodiscard]] std::size_t targets() const { return targets_; }
  [[nodiscard]] std::size_t samples() const { return samples_; }
  [[nodiscard]] double threshold() const { return threshold_; }

 private:
  std::size_t targets_;
  std::size_t samples_;
  double threshold_;
  std::size_t row_words_;
  std::vector<std::uint64_t> words_;
};

/// What the system answers when the sample does not match.
enum class Refusal {
  message,     ///< it says so
  random_key,  ///< a cryptosystem returns some key: only a key that comes back a second time is known to be the right
               ///< one
};

std::string_view to_text(Refusal refusal);
Refusal parse_refusal(std::string_view text);

/// What the attacker believes after a number of queries.
struct OnlineGuess {
  std::size_t queries = 0;
  std::vector<std::int32_t> predicted;  ///< class per target; where nothing was learned, a fair draw
  std::vector<std::uint8_t> decided;    ///< 1: the system's answers told something
};

/// Samples are presented in a random order of their own for each target; the class with the most matches is believed.
/// Budgets beyond the number of samples mean all of them. `classes`: class code of each sample.
std::vector<OnlineGuess> online_attack(const Decisions& decisions, const std::vector<std::int32_t>& classes,
                                       std::size_t class_count, const std::vector<std::size_t>& budgets,
                                       Refusal refusal, std::uint64_t seed);

}  // namespace bauta
