// All scores of a source in ascending order, in as many partitions as the memory budget asks for: one scan to count,
// one scan per partition to collect.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/core/large_array.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/measure/score_source.hpp"
#include "key_bins.hpp"
#include "record_sort.hpp"
#include "score_record.hpp"

namespace bauta {

template <class Score>
bool is_mated(const ScoreBatch<Score>& batch, std::size_t i) {
  return batch.mated.empty() ? batch.probe_subjects[i] == batch.reference_subjects[i] : batch.mated[i] != 0;
}

/// The scores of one partition, both classes ascending. A single value that alone exceeds the memory budget is a
/// partition without records: only its key and its counts are known.
template <class Record>
struct SortedScores {
  using Key = typename Record::Key;
  std::array<const Record*, 2> records{};  ///< by class; null if `single`
  ClassCounts count{};
  bool single = false;
  Key single_key = 0;

  [[nodiscard]] Key key(std::size_t cls, std::uint64_t i) const { return single ? single_key : records[cls][i].key(); }
  /// The key at a place among those of both classes.
  [[nodiscard]] Key key_at(std::uint64_t place) const {
    if (single) return single_key;
    Key found = std::numeric_limits<Key>::max();
    for (std::size_t c = 0; c < 2; ++c) {
      std::uint64_t low = 0, high = count[c];
      while (low < high) {
        const std::uint64_t middle = (low + high) / 2;
        up_to(0, key(c, middle)) + up_to(1, key(c, middle)) > place ? high = middle : low = middle + 1;
      }
      if (low < count[c]) found = std::min(found, key(c, low));
    }
    return found;
  }
  /// Number of keys < key.
  [[nodiscard]] std::uint64_t below(std::size_t cls, Key bound) const {
    if (single) return single_key < bound ? count[cls] : 0;
    return static_cast<std::uint64_t>(std::lower_bound(records[cls], records[cls] + count[cls], bound,
                                                       [](const Record& r, Key k) { return r.key() < k; }) -
                                      records[cls]);
  }
  /// Number of keys <= key.
  [[nodiscard]] std::uint64_t up_to(std::size_t cls, Key bound) const {
    if (single) return single_key <= bound ? count[cls] : 0;
    return static_cast<std::uint64_t>(std::upper_bound(records[cls], records[cls] + count[cls], bound,
                                                       [](Key k, const Record& r) { return k < r.key(); }) -
                                      records[cls]);
  }
};

template <class Record>
class ScoreStore {
 public:
  using Score = typename Record::Score;
  using Key = typename Record::Key;
  using Consumer = std::function<void(const ScoreBatch<Score>&, int)>;

  /// Counts all scores; `also` sees every batch of that first scan.
  ScoreStore(const ScoreSource<Score>& source, std::uint64_t memory, const Consumer& also = {});

  [[nodiscard]] const ClassCounts& count() const { return count_; }
  [[nodiscard]] Key lowest() const { return lowest_; }
  [[nodiscard]] Key highest() const { return highest_; }
  /// Extremes of the finite scores; lowest_finite() > highest_finite() if there are none.
  [[nodiscard]] Key lowest_finite() const { return lowest_finite_; }
  [[nodiscard]] Key highest_finite() const { return highest_finite_; }

  /// Decides the partitions. Call once, before load().
  void plan();
  [[nodiscard]] std::size_t partitions() const { return partition_.size() - 1; }
  /// Collects and sorts one partition; the view is valid until the next load().
  SortedScores<Record> load(std::size_t partition);

 private:
  using Bucket = typename KeyBins<Key>::Bucket;
  struct Extremes {
    Key lowest = ~Key{0}, highest = 0, lowest_finite = ~Key{0}, highest_finite = 0;
  };

  void collect(std::span<const Bucket> buckets, std::size_t first_bucket);

  const ScoreSource<Score>& source_;
  std::uint64_t capacity_;
  KeyBins<Key> bins_;
  ClassCounts count_{};
  Key lowest_ = 0, highest_ = 0, lowest_finite_ = 0, highest_finite_ = 0;
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> partition_;  // partition p has buckets [partition_[p], partition_[p + 1])
  LargeArray<Record> records_;
  std::array<std::vector<std::size_t>, 2> begin_;  // by class: where each bucket of the partition starts in records_
};

template <class Record>
ScoreStore<Record>::ScoreStore(const ScoreSource<Score>& source, std::uint64_t memory, const Consumer& also)
    : source_(source), capacity_(std::max<std::uint64_t>(1, memory / sizeof(Record))) {
  using Map = ScoreKey<Score>;
  const auto workers = static_cast<std::size_t>(threads());
  std::vector<std::vector<ClassCounts>> counts(workers);
  std::vector<Extremes> extremes(workers);
  source.scan([&](const ScoreBatch<Score>& batch, int worker) {
    auto& mine = counts[static_cast<std::size_t>(worker)];
    if (mine.empty()) mine.resize(bins_.slots());
    Extremes seen = extremes[static_cast<std::size_t>(worker)];
    const Key minus_infinity = Map::lowest(), infinity = Map::highest();
    for (std::size_t i = 0; i < batch.scores.size(); ++i) {
      const Key key = Map::to_key(batch.scores[i]);
      ++mine[bins_.slot(key)][is_mated(batch, i)];
      seen.lowest = std::min(seen.lowest, key);
      seen.highest = std::max(seen.highest, key);
      seen.lowest_finite = std::min(seen.lowest_finite, key == minus_infinity ? infinity : key);
      seen.highest_finite = std::max(seen.highest_finite, key == infinity ? minus_infinity : key);
    }
    extremes[static_cast<std::size_t>(worker)] = seen;
    if (also) also(batch, worker);
  });
  Extremes all;
  for (std::size_t w = 0; w < workers; ++w) {
    bins_.add_counts(counts[w]);
    for (const ClassCounts& slot : counts[w]) {
      for (std::size_t c = 0; c < 2; ++c) count_[c] += slot[c];
    }
    all.lowest = std::min(all.lowest, extremes[w].lowest);
    all.highest = std::max(all.highest, extremes[w].highest);
    all.lowest_finite = std::min(all.lowest_finite, extremes[w].lowest_finite);
    all.highest_finite = std::max(all.highest_finite, extremes[w].highest_finite);
  }
  if (count_[0] + count_[1] > 0) BAUTA_ASSERT(all.lowest >= Map::lowest() && all.highest <= Map::highest());  // NaN
  lowest_ = all.lowest;
  highest_ = all.highest;
  lowest_finite_ = all.lowest_finite;
  highest_finite_ = all.highest_finite;
}

template <class Record>
void ScoreStore<Record>::plan() {
  const auto workers = static_cast<std::size_t>(threads());
  while (bins_.refine(capacity_)) {
    std::vector<std::vector<ClassCounts>> counts(workers);
    source_.scan([&](const ScoreBatch<Score>& batch, int worker) {
      auto& mine = counts[static_cast<std::size_t>(worker)];
      if (mine.empty()) mine.resize(bins_.slots() - bins_.first_new());
      for (std::size_t i = 0; i < batch.scores.size(); ++i) {
        const std::size_t slot = bins_.slot(ScoreKey<Score>::to_key(batch.scores[i]));
        if (slot >= bins_.first_new()) ++mine[slot - bins_.first_new()][is_mated(batch, i)];
      }
    });
    for (const auto& part : counts) bins_.add_counts(part);
  }
  // Few enough that all write buffers, and small enough that a bucket being sorted, stay near a core's cache.
  const std::uint64_t total = std::min(count_[0] + count_[1], capacity_);
  const std::uint64_t target = std::clamp<std::uint64_t>(total / 1024, std::uint64_t{1} << 15, sort_scratch_records);
  buckets_ = bins_.group(std::min(target, capacity_));
  partition_ = {0};
  std::uint64_t held = 0, largest = 0;
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    if (held > 0 && held + buckets_[b].total() > capacity_) {
      partition_.push_back(b);
      held = 0;
    }
    held += buckets_[b].total();
    if (held <= capacity_) largest = std::max(largest, held);
  }
  partition_.push_back(buckets_.size());
  records_ = LargeArray<Record>(largest);
}

template <class Record>
SortedScores<Record> ScoreStore<Record>::load(std::size_t partition) {
  const std::size_t first = partition_[partition];
  const auto buckets = std::span(buckets_).subspan(first, partition_[partition + 1] - first);
  SortedScores<Record> view;
  for (const Bucket& bucket : buckets) {
    for (std::size_t c = 0; c < 2; ++c) view.count[c] += bucket.count[c];
  }
  if (view.count[0] + view.count[1] > capacity_) {
    BAUTA_ASSERT(buckets.size() == 1 && buckets[0].low == buckets[0].high);
    view.single = true;
    view.single_key = buckets[0].low;
    return view;
  }
  std::size_t at = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    view.records[c] = records_.get() + at;
    begin_[c].assign(1, at);
    for (const Bucket& bucket : buckets) begin_[c].push_back(at += bucket.count[c]);
  }
  collect(buckets, first);
  std::vector<std::vector<Record>> scratch(static_cast<std::size_t>(threads()));
  parallel_for(2 * buckets.size(), [&](std::size_t i, int worker) {
    const std::size_t c = i % 2, b = i / 2;
    const std::span<Record> records(records_.get() + begin_[c][b], begin_[c][b + 1] - begin_[c][b]);
    sort_records(records, buckets[b].low, buckets[b].high, scratch[static_cast<std::size_t>(worker)]);
  });
  return view;
}

/// Each worker fills a small buffer per bucket and class and moves it, when full, to a place that it reserves in the
/// bucket: records arrive in any order, but few cache lines are shared.
template <class Record>
void ScoreStore<Record>::collect(std::span<const Bucket> buckets, std::size_t first_bucket) {
  constexpr std::size_t width = std::max<std::size_t>(8, 128 / sizeof(Record));
  struct Buffers {
    std::vector<Record> records;
    std::vector<std::uint16_t> fill;  // not bytes: those may alias everything, and every pointer would be read again
  };
  const std::size_t places = 2 * buckets.size();
  std::vector<Buffers> buffers(static_cast<std::size_t>(threads()));
  std::vector<std::atomic<std::size_t>> cursor(places);
  for (std::size_t p = 0; p < places; ++p) cursor[p] = begin_[p % 2][p / 2];
  const auto flush = [&](Buffers& mine, std::size_t place) {
    const std::size_t n = mine.fill[place];
    const std::size_t to = cursor[place].fetch_add(n, std::memory_order_relaxed);
    BAUTA_ASSERT(to + n <= begin_[place % 2][place / 2 + 1]);  // a source must repeat its scores
    std::memcpy(records_.get() + to, mine.records.data() + place * width, n * sizeof(Record));
    mine.fill[place] = 0;
  };
  const Key low = buckets.front().low, high = buckets.back().high;
  source_.scan([&](const ScoreBatch<Score>& batch, int worker) {
    Buffers& mine = buffers[static_cast<std::size_t>(worker)];
    if (mine.fill.empty()) {
      mine.records.resize(places * width);
      mine.fill.resize(places);
    }
    Record* const records = mine.records.data();
    std::uint16_t* const fill = mine.fill.data();
    for (std::size_t i = 0; i < batch.scores.size(); ++i) {
      const Key key = ScoreKey<Score>::to_key(batch.scores[i]);
      if (key < low || key > high) continue;
      const std::size_t place = 2 * (bins_.bucket(key) - first_bucket) + is_mated(batch, i);
      BAUTA_ASSERT(place < places);
      std::uint32_t probe = 0, reference = 0;
      if constexpr (Record::has_subjects) {
        probe = batch.probe_subjects[i];
        reference = batch.reference_subjects[i];
      }
      records[place * width + fill[place]] = Record::make(key, probe, reference);
      if (++fill[place] == width) flush(mine, place);
    }
  });
  for (Buffers& mine : buffers) {
    for (std::size_t p = 0; p < mine.fill.size(); ++p) {
      if (mine.fill[p] > 0) flush(mine, p);
    }
  }
  for (std::size_t p = 0; p < places; ++p) BAUTA_ASSERT(cursor[p] == begin_[p % 2][p / 2 + 1]);
}

}  // namespace bauta
