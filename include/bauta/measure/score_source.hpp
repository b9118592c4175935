// Comparison scores that may be too many to hold: a source can be scanned again and again, in any order of batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace bauta {

/// A batch of scores; Score is float (comparison engine) or double (score files, whose digits are kept).
/// Similarities: higher is more likely mated. No NaN (the source refuses them).
template <class Score>
struct ScoreBatch {
  std::span<const Score> scores;
  /// Subject of the probe, one per score; empty if the source knows no subjects.
  std::span<const std::uint32_t> probe_subjects;
  /// Subject of the reference, one per score. A comparison is mated iff both subjects are equal.
  std::span<const std::uint32_t> reference_subjects;
  /// One per score, 1 = mated. Given by sources without subjects, empty otherwise.
  std::span<const std::uint8_t> mated;
};

template <class Score>
class ScoreSource {
 public:
  virtual ~ScoreSource() = default;
  /// Number of subjects, ids 0..n-1; 0 if unknown (then comparisons are treated as independent, and that is said).
  [[nodiscard]] virtual std::size_t subjects() const = 0;
  /// Calls consume(batch, worker) for all scores, from several threads at once; worker in [0, threads()).
  /// Every scan yields the same scores, batched and ordered in any way.
  virtual void scan(const std::function<void(const ScoreBatch<Score>& batch, int worker)>& consume) const = 0;
};

}  // namespace bauta
