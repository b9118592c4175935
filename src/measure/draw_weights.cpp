// Weights of comparisons in resampled draws. The kernels keep 16-bit sums in registers and empty them before they
// overflow.
#include "draw_weights.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/core/simd.hpp"

namespace bauta {

namespace {

constexpr std::size_t largest_chunk = 4096;
constexpr std::uint32_t largest_sum = std::numeric_limits<std::uint16_t>::max();

// Half a line of weights as 16 pairs: even draws are the low bytes, odd draws the high bytes. Explicit vectors, because
// sums in arrays would not stay in registers.
using Half = std::uint16_t __attribute__((vector_size(draw_lanes / 2)));

[[gnu::always_inline]] inline void spill(const Half& even, const Half& odd, std::uint16_t* sums) {
  for (std::size_t l = 0; l < draw_lanes / 4; ++l) {
    sums[2 * l] = even[l];
    sums[2 * l + 1] = odd[l];
  }
}

template <class Record>
[[gnu::always_inline]] inline void add_pairs(const Record* records, std::size_t n, const std::uint8_t* block,
                                             std::uint32_t largest, double* sum) {
  const std::size_t chunk = std::max(1U, largest_sum / std::max(1U, largest * largest));
  for (std::size_t first = 0; first < n; first += chunk) {
    const std::size_t end = std::min(n, first + chunk);
    Half even0{}, odd0{}, even1{}, odd1{};
    for (std::size_t i = first; i < end; ++i) {
      const std::uint8_t* probe = block + std::size_t{records[i].probe()} * draw_lanes;
      const std::uint8_t* reference = block + std::size_t{records[i].reference()} * draw_lanes;
      Half a0, a1, b0, b1;
      std::memcpy(&a0, probe, sizeof a0);
      std::memcpy(&a1, probe + sizeof a0, sizeof a1);
      std::memcpy(&b0, reference, sizeof b0);
      std::memcpy(&b1, reference + sizeof b0, sizeof b1);
      even0 += (a0 & 0xff) * (b0 & 0xff);
      odd0 += (a0 >> 8) * (b0 >> 8);
      even1 += (a1 & 0xff) * (b1 & 0xff);
      odd1 += (a1 >> 8) * (b1 >> 8);
    }
    std::uint16_t sums[draw_lanes];
    spill(even0, odd0, sums);
    spill(even1, odd1, sums + draw_lanes / 2);
    for (std::size_t l = 0; l < draw_lanes; ++l) sum[l] += static_cast<double>(sums[l]);
  }
}

BAUTA_MULTIVERSION void add_packed(const PackedRecord* records, std::size_t n, const std::uint8_t* block,
                                   std::uint32_t largest, double* sum) {
  add_pairs(records, n, block, largest, sum);
}
BAUTA_MULTIVERSION void add_wide(const WideRecord<float>* records, std::size_t n, const std::uint8_t* block,
                                 std::uint32_t largest, double* sum) {
  add_pairs(records, n, block, largest, sum);
}
BAUTA_MULTIVERSION void add_wide_double(const WideRecord<double>* records, std::size_t n, const std::uint8_t* block,
                                        std::uint32_t largest, double* sum) {
  add_pairs(records, n, block, largest, sum);
}

/// Pairs in the order of a source, where one probe meets many references: its weight is multiplied in once per run.
BAUTA_MULTIVERSION void add_runs(const std::uint32_t* probes, const std::uint32_t* references, std::size_t n,
                                 const std::uint8_t* block, std::uint64_t* totals) {
  std::uint32_t part[draw_lanes] = {};
  for (std::size_t i = 0; i < n;) {
    const std::uint32_t probe = probes[i];
    Half even0{}, odd0{}, even1{}, odd1{};
    for (; i < n && probes[i] == probe; ++i) {
      const std::uint8_t* reference = block + std::size_t{references[i]} * draw_lanes;
      Half b0, b1;
      std::memcpy(&b0, reference, sizeof b0);
      std::memcpy(&b1, reference + sizeof b0, sizeof b1);
      even0 += b0 & 0xff;
      odd0 += b0 >> 8;
      even1 += b1 & 0xff;
      odd1 += b1 >> 8;
    }
    std::uint16_t sums[draw_lanes];
    spill(even0, odd0, sums);
    spill(even1, odd1, sums + draw_lanes / 2);
    const std::uint8_t* a = block + std::size_t{probe} * draw_lanes;
    for (std::size_t l = 0; l < draw_lanes; ++l) part[l] += static_cast<std::uint32_t>(sums[l]) * a[l];
  }
  for (std::size_t l = 0; l < draw_lanes; ++l) totals[l] += part[l];
}

}  // namespace

DrawWeights::DrawWeights(std::size_t subjects, std::size_t draws, std::uint64_t seed)
    : subjects_(subjects), draws_(draws), table_(blocks() * subjects * draw_lanes) {
  std::vector<std::uint32_t> largest(blocks());
  parallel_for(blocks(), [&](std::size_t b, int) {
    std::uint8_t* rows = table_.data() + b * subjects_ * draw_lanes;
    for (std::size_t l = 0; l < draw_lanes && b * draw_lanes + l < draws_; ++l) {
      Stream stream(seed, "bootstrap", b * draw_lanes + l);
      for (std::size_t i = 0; i < subjects_; ++i) {
        std::uint8_t& weight = rows[stream.below(subjects_) * draw_lanes + l];
        ++weight;
        // 256 hits on one of n subjects in n trials: about 1 in 10^507.
        BAUTA_ASSERT(weight != 0);
        largest[b] = std::max<std::uint32_t>(largest[b], weight);
      }
    }
  });
  for (std::uint32_t l : largest) largest_ = std::max(largest_, l);
}

DrawTotals::DrawTotals(const DrawWeights& weights)
    : weights_(weights),
      chunk_(std::min<std::size_t>(largest_chunk, largest_sum / std::max(1U, weights.largest()))),
      workers_(static_cast<std::size_t>(threads())) {}

void DrawTotals::open(Worker& worker) const {
  worker.mated.resize(weights_.subjects());
  worker.non_mated.resize(weights_.blocks() * draw_lanes);
  worker.probes.resize(chunk_);
  worker.references.resize(chunk_);
}

void DrawTotals::sum_pairs(Worker& worker) const {
  for (std::size_t b = 0; b < weights_.blocks(); ++b) {
    add_runs(worker.probes.data(), worker.references.data(), worker.held, weights_.block(b),
             worker.non_mated.data() + b * draw_lanes);
  }
  worker.held = 0;
}

double DrawTotals::finish(std::vector<double>& mated, std::vector<double>& non_mated) {
  const std::size_t padded = weights_.blocks() * draw_lanes;
  std::vector<std::uint64_t> pairs(padded), own(padded), per_subject(weights_.subjects());
  for (Worker& worker : workers_) {
    if (worker.held > 0) sum_pairs(worker);
    for (std::size_t d = 0; d < worker.non_mated.size(); ++d) pairs[d] += worker.non_mated[d];
    for (std::size_t s = 0; s < worker.mated.size(); ++s) per_subject[s] += worker.mated[s];
  }
  for (std::size_t b = 0; b < weights_.blocks(); ++b) {
    for (std::size_t s = 0; s < weights_.subjects(); ++s) {
      const std::uint8_t* row = weights_.block(b) + s * draw_lanes;
      for (std::size_t l = 0; l < draw_lanes; ++l) own[b * draw_lanes + l] += per_subject[s] * row[l];
    }
  }
  mated.assign(own.begin(), own.end());
  non_mated.assign(pairs.begin(), pairs.end());
  double sum = 0, squares = 0;
  for (const std::uint64_t count : per_subject) {
    sum += static_cast<double>(count);
    squares += static_cast<double>(count) * static_cast<double>(count);
  }
  return squares > 0 ? sum * sum / squares : 0;
}

void add_pair_weights(const PackedRecord* records, std::size_t n, const std::uint8_t* block, std::uint32_t largest,
                      double* sum) {
  add_packed(records, n, block, largest, sum);
}
void add_pair_weights(const WideRecord<float>* records, std::size_t n, const std::uint8_t* block, std::uint32_t largest,
                      double* sum) {
  add_wide(records, n, block, largest, sum);
}
void add_pair_weights(const WideRecord<double>* records, std::size_t n, const std::uint8_t* block,
                      std::uint32_t largest, double* sum) {
  add_wide_double(records, n, block, largest, sum);
}

void add_subject_weight(std::uint32_t subject, const std::uint8_t* block, double* sum) {
  const std::uint8_t* row = block + std::size_t{subject} * draw_lanes;
  for (std::size_t l = 0; l < draw_lanes; ++l) sum[l] += row[l];
}

}  // namespace bauta
