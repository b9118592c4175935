// Subject-level resampling: how often each draw contains each subject, and what comparisons weigh in each draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bauta/core/error.hpp"
#include "score_record.hpp"

namespace bauta {

/// Draws are worked on in blocks of this many, whose weights of one subject fill one cache line.
inline constexpr std::size_t draw_lanes = 64;

class DrawWeights {
 public:
  /// Each draw takes `subjects` subjects with replacement from Stream(seed, "bootstrap", draw). Costs subjects * draws
  /// bytes (draws rounded up to a multiple of 64).
  DrawWeights(std::size_t subjects, std::size_t draws, std::uint64_t seed);

  [[nodiscard]] std::size_t subjects() const { return subjects_; }
  [[nodiscard]] std::size_t draws() const { return draws_; }
  [[nodiscard]] std::size_t blocks() const { return (draws_ + draw_lanes - 1) / draw_lanes; }
  /// How often a subject was drawn at most.
  [[nodiscard]] std::uint32_t largest() const { return largest_; }
  /// Row s of a block: the multiplicities of subject s in its 64 draws.
  [[nodiscard]] const std::uint8_t* block(std::size_t b) const { return table_.data() + b * subjects_ * draw_lanes; }

 private:
  std::size_t subjects_, draws_;
  std::uint32_t largest_ = 0;
  std::vector<std::uint8_t> table_;
};

/// Sums of weights over comparisons in any order. A mated comparison weighs w(s), a non-mated one w(a) w(b).
class DrawTotals {
 public:
  explicit DrawTotals(const DrawWeights& weights);

  /// From several threads at once, each with its own `worker`.
  void add(int worker, std::uint32_t probe, std::uint32_t reference) {
    Worker& mine = workers_[static_cast<std::size_t>(worker)];
    BAUTA_ASSERT(probe < weights_.subjects() && reference < weights_.subjects());
    if (mine.mated.empty()) open(mine);
    if (probe == reference) {
      ++mine.mated[probe];
      return;
    }
    mine.probes[mine.held] = probe;
    mine.references[mine.held] = reference;
    if (++mine.held == mine.probes.size()) sum_pairs(mine);
  }
  /// Per draw, padded to whole blocks. Call once, after all add(). Returns how many subjects the mated comparisons are
  /// worth: those who have any, fewer where some have more than others (Kish's effective number).
  double finish(std::vector<double>& mated, std::vector<double>& non_mated);

 private:
  struct Worker {
    std::vector<std::uint32_t> probes, references;  // non-mated pairs not yet summed
    std::size_t held = 0;
    std::vector<std::uint64_t> non_mated;  // per draw
    std::vector<std::uint64_t> mated;      // comparisons per subject
  };
  void open(Worker& worker) const;
  void sum_pairs(Worker& worker) const;

  const DrawWeights& weights_;
  std::size_t chunk_;
  std::vector<Worker> workers_;
};

/// sum[l] += w(probe) w(reference) of all records in the 64 draws of a block; `largest` bounds the weights.
void add_pair_weights(const PackedRecord* records, std::size_t n, const std::uint8_t* block, std::uint32_t largest,
                      double* sum);
void add_pair_weights(const WideRecord<float>* records, std::size_t n, const std::uint8_t* block, std::uint32_t largest,
                      double* sum);
void add_pair_weights(const WideRecord<double>* records, std::size_t n, const std::uint8_t* block,
                      std::uint32_t largest, double* sum);

/// sum[l] += w(subject).
void add_subject_weight(std::uint32_t subject, const std::uint8_t* block, double* sum);

}  // namespace bauta
