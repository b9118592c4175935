// A partition of sorted scores as steps from one distinct mated value to the next.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bauta/core/parallel.hpp"
#include "score_moments.hpp"
#include "score_store.hpp"

namespace bauta {

/// Indices are into the partition's arrays. The step covers the non-mated scores below its value that no earlier step
/// covered, then the scores of both classes that equal its value.
struct Step {
  std::uint64_t run_begin = 0, run_end = 0, ties_end = 0;
  std::uint64_t mated_begin = 0, mated_end = 0;
  double value = 0;
  Moments run = {};  ///< of the scores below; only for resampling

  [[nodiscard]] bool mated() const { return mated_end > mated_begin; }
};

/// Cuts a partition into groups of steps, small enough to stay in a shared cache while all draws work on them.
template <class Record>
class ScoreWalk {
 public:
  using Key = typename Record::Key;

  /// `longest_run` bounds the non-mated scores below one step (ties are never cut).
  ScoreWalk(const SortedScores<Record>& scores, std::uint64_t longest_run)
      : scores_(scores), longest_run_(longest_run) {}

  /// The next group; empty at the end. The last step of a partition covers what remains below the next one.
  std::span<const Step> next();

  /// Fills Step::run for the current group.
  void measure_runs();

 private:
  static constexpr std::size_t group_steps = std::size_t{1} << 15;
  static constexpr std::uint64_t group_records = std::uint64_t{1} << 20;

  /// First index >= non_ whose key is >= bound; searched outwards because it is usually near.
  [[nodiscard]] std::uint64_t seek(Key bound) const {
    const Record* records = scores_.records[non_mated_class];
    const std::uint64_t n = scores_.count[non_mated_class];
    std::uint64_t low = non_, width = 1;
    while (low + width < n && records[low + width].key() < bound) {
      low += width;
      width *= 2;
    }
    const auto first = records + low, last = records + std::min(n, low + width);
    return static_cast<std::uint64_t>(
        std::lower_bound(first, last, bound, [](const Record& r, Key k) { return r.key() < k; }) - records);
  }
  /// Where a run that begins here ends at the latest: partitions begin with a bin of keys, so runs do, too, and are the
  /// same for any memory budget (unless a bin alone exceeds it). Nobody asks where runs end if they may be of any
  /// length.
  [[nodiscard]] std::uint64_t run_end(std::uint64_t end) const {
    constexpr int shift = KeyBins<Key>::key_bits - KeyBins<Key>::root_bits;
    if (longest_run_ == std::numeric_limits<std::uint64_t>::max()) return end;
    const Key bin = scores_.records[non_mated_class][non_].key() >> shift;
    return bin == std::numeric_limits<Key>::max() >> shift ? end
                                                           : std::min(end, seek(static_cast<Key>(bin + 1) << shift));
  }
  void add_run(std::uint64_t end) {
    Step step;
    step.run_begin = non_;
    step.run_end = step.ties_end = end;
    step.mated_begin = step.mated_end = mated_;
    steps_.push_back(step);
    non_ = end;
  }
  void step_to(Key bound);

  const SortedScores<Record>& scores_;
  std::uint64_t longest_run_;
  std::uint64_t non_ = 0, mated_ = 0;
  bool ended_ = false;
  std::vector<Step> steps_;
};

template <class Record>
void ScoreWalk<Record>::step_to(Key bound) {
  const Record* records = scores_.records[non_mated_class];
  const std::uint64_t end = seek(bound);
  while (end > non_) {
    const std::uint64_t last = run_end(end);
    if (last - non_ <= longest_run_) {
      if (last == end) break;
      add_run(last);
      continue;
    }
    // Cut before a tied group or, if it is longer than a run may be, behind it.
    const Key at = records[non_ + longest_run_].key();
    std::uint64_t cut = non_ + longest_run_;
    while (cut > non_ && records[cut - 1].key() == at) --cut;
    if (cut == non_) cut = seek(static_cast<Key>(at + 1));
    add_run(cut);
  }
  add_run(end);
}

template <class Record>
std::span<const Step> ScoreWalk<Record>::next() {
  steps_.clear();
  if (ended_) return {};
  const std::uint64_t first = non_;
  const std::uint64_t n = scores_.count[non_mated_class], m = scores_.count[mated_class];
  while (steps_.size() < group_steps && non_ - first < group_records) {
    if (mated_ == m) {
      if (n > non_) step_to(ScoreKey<typename Record::Score>::highest() + 1);
      ended_ = true;
      break;
    }
    const Key value = scores_.key(mated_class, mated_);
    step_to(value);
    Step& step = steps_.back();
    step.value = static_cast<double>(ScoreKey<typename Record::Score>::from_key(value));
    while (mated_ < m && scores_.key(mated_class, mated_) == value) ++mated_;
    step.mated_end = mated_;
    step.ties_end = seek(static_cast<Key>(value + 1));
    non_ = step.ties_end;
  }
  return steps_;
}

template <class Record>
void ScoreWalk<Record>::measure_runs() {
  constexpr std::size_t share = 256;
  const Record* records = scores_.records[non_mated_class];
  parallel_for((steps_.size() + share - 1) / share, [&](std::size_t group, int) {
    std::vector<double> values;
    for (std::size_t s = share * group; s < std::min(steps_.size(), share * (group + 1)); ++s) {
      Step& step = steps_[s];
      for (std::uint64_t at = step.run_begin; at < step.run_end; at += MomentChain::chunk) {
        values.clear();
        for (std::uint64_t i = at; i < std::min<std::uint64_t>(step.run_end, at + MomentChain::chunk); ++i) {
          values.push_back(static_cast<double>(ScoreKey<typename Record::Score>::from_key(records[i].key())));
        }
        step.run.merge(moments_of(values, 1.0));
      }
    }
  });
}

}  // namespace bauta
