#include "screen.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/simd.hpp"

namespace bauta {

namespace {

// Inner products of so many probes with so many references stay in registers.
constexpr std::size_t group = 8;
constexpr std::size_t panel = 48;
constexpr std::size_t block_size = 8 * group;  // probes that meet a panel while it is in cache
constexpr std::size_t rows_of_centre = 1000;
// More candidates than this share of the references, and comparing them exactly takes as long as comparing all by BLAS.
constexpr std::size_t share_of_candidates = 16;

// The key of a probe p and a reference r, the lower the nearer, is (offset - <p, r>) / (G max(G, |p|)), where G is the
// length of the longest reference. With d for what rounding to bfloat16 takes away, and is measured of each row,
// |<p, r> - <p - dp, r - dr>| <= |p||dr| + |dp||r - dr|. Added to this are the rounding of sums and offsets and that of
// the score itself, among whose equals chance decides: a share of |p|^2 + |r|^2, and the smallest float.
constexpr double offset_error = 0x1p-19;
constexpr double square_error = 0x1p-21;
constexpr double summation_error = 0x1p-23;  // per column, and for 64 other operations
constexpr double underflow = 0x1p-80;
constexpr double least_score = 0x1p-140;
constexpr double no_information = 1e30;

/// What rounding to bfloat16 did to a row, scaled to unit length.
struct Rounded {
  double length = 0;
  double error = 0;
};

/// Lower bound of a key: offset_factor * offset - slack - product_factor * length * (product + epsilon).
struct Probe {
  float offset_factor = 0;
  float product_factor = 0;
  float epsilon = 0;
  float slack = 0;
  float bar = std::numeric_limits<float>::max();  // whose lower bound is above this is not among the nearest

  /// From the lower bound to the upper one, with room for its own rounding.
  [[nodiscard]] float width(float length, float offset) const {
    return 2.001F *
           (product_factor * length * epsilon + static_cast<float>(offset_error) * offset_factor * offset + slack);
  }
};

/// `longest`, `error`: of the references.
Probe bounds_of(const Rounded& row, PairForm form, std::size_t cols, double longest, double error) {
  const double ratio = row.length / longest;
  const double unit = std::max(1.0, ratio);
  const double summation = summation_error * static_cast<double>(cols + 64);
  const double epsilon = error + row.error + error * row.error + 1.1 * summation;
  const double square = form == PairForm::distance ? square_error * ratio * ratio / unit : 0;
  const double slack = square + underflow + least_score / (longest * longest);
  return {static_cast<float>((1 - offset_error) / unit), static_cast<float>(ratio / unit), static_cast<float>(epsilon),
          static_cast<float>(std::min(slack, no_information))};
}

/// Writes pairs of columns as words, so many words apart.
BAUTA_MULTIVERSION Rounded round_row(const float* row, const float* centre, std::size_t cols, double* scratch,
                                     std::uint32_t* words, std::size_t apart) {
  double square = 0;
#pragma omp simd reduction(+ : square)
  for (std::size_t k = 0; k < cols; ++k) {
    scratch[k] = static_cast<double>(row[k]) - centre[k];
    square += scratch[k] * scratch[k];
  }
  const double length = std::sqrt(square);
  const double inverse = length > 0 ? 1 / length : 0;
  double lost = 0;
#pragma omp simd reduction(+ : lost)
  for (std::size_t k = 0; k < cols; ++k) {
    const double value = scratch[k] * inverse;
    auto near = static_cast<float>(value);
    near = std::fabs(near) < std::numeric_limits<float>::min() ? 0.0F : near;  // as the instruction reads it
    const auto bits = std::bit_cast<std::uint32_t>(near);
    const std::uint32_t rounded = (bits + 0x7fffU + (bits >> 16 & 1U)) & 0xffff0000U;
    const double difference = value - std::bit_cast<float>(rounded);
    lost += difference * difference;
    scratch[k] = std::bit_cast<float>(rounded);
  }
  const auto half = [&](std::size_t k) {
    return k < cols ? std::bit_cast<std::uint32_t>(static_cast<float>(scratch[k])) : 0U;
  };
  for (std::size_t k = 0; k < cols; k += 2) words[k / 2 * apart] = half(k) >> 16 | half(k + 1);
  return {length, std::sqrt(lost)};
}

/// Some rows side by side, `pairs` words of each.
struct Words {
  const std::uint32_t* data;
  std::size_t pairs;
};
struct Panel {
  const std::uint32_t* words;
  const float* lengths;
  const float* offsets;
};
/// Lower bounds of the keys of a group of probes and a panel of references; bit j of hits[i] says that low[i][j]
/// reaches the bar of probe i.
struct KeyBounds {
  float low[group][panel];
  std::uint64_t hits[group];
};

/// Tells whether there is a hit; only then `low` need be read. In plain code it is no faster than comparing everything:
/// it shows on every machine that the screen is right.
bool bound_keys_plainly(const Words& probes, const Probe* constants, const Panel& references, KeyBounds& bounds) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < group; ++i) {
    const Probe& p = constants[i];
    auto& low = bounds.low[i];
    std::fill(std::begin(low), std::end(low), 0.0F);
    for (std::size_t k = 0; k < probes.pairs; ++k) {
      const std::uint32_t own = probes.data[k * group + i];
      for (std::size_t j = 0; j < panel; ++j) {
        const std::uint32_t other = references.words[k * panel + j];
        low[j] += std::bit_cast<float>(own << 16) * std::bit_cast<float>(other << 16) +
                  std::bit_cast<float>(own & 0xffff0000U) * std::bit_cast<float>(other & 0xffff0000U);
      }
    }
    bounds.hits[i] = 0;
    for (std::size_t j = 0; j < panel; ++j) {
      low[j] = p.offset_factor * references.offsets[j] - p.slack -
               p.product_factor * references.lengths[j] * (low[j] + p.epsilon);
      bounds.hits[i] |= std::uint64_t{low[j] <= p.bar} << j;
    }
    any |= bounds.hits[i];
  }
  return any != 0;
}

#if defined(__x86_64__)

__attribute__((target("avx512f,avx512bf16"))) bool bound_keys_in_vectors(const Words& probes, const Probe* constants,
                                                                         const Panel& references, KeyBounds& bounds) {
  constexpr std::size_t lanes = 16;
  constexpr std::size_t vectors = panel / lanes;
  __m512 sums[group][vectors];
  for (auto& row : sums) {
    for (auto& sum : row) sum = _mm512_setzero_ps();
  }
  for (std::size_t k = 0; k < probes.pairs; ++k) {
    __m512bh columns[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
      columns[v] = (__m512bh)_mm512_loadu_si512(references.words + k * panel + v * lanes);
    }
    for (std::size_t i = 0; i < group; ++i) {
      const __m512bh row = (__m512bh)_mm512_set1_epi32(static_cast<int>(probes.data[k * group + i]));
      for (std::size_t v = 0; v < vectors; ++v) sums[i][v] = _mm512_dpbf16_ps(sums[i][v], row, columns[v]);
    }
  }
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < group; ++i) {
    const Probe& p = constants[i];
    bounds.hits[i] = 0;
    for (std::size_t v = 0; v < vectors; ++v) {
      const __m512 offset = _mm512_fmsub_ps(_mm512_set1_ps(p.offset_factor),
                                            _mm512_loadu_ps(references.offsets + v * lanes), _mm512_set1_ps(p.slack));
      const __m512 factor =
          _mm512_mul_ps(_mm512_set1_ps(p.product_factor), _mm512_loadu_ps(references.lengths + v * lanes));
      sums[i][v] = _mm512_fnmadd_ps(_mm512_add_ps(sums[i][v], _mm512_set1_ps(p.epsilon)), factor, offset);
      const std::uint64_t reached = _mm512_cmp_ps_mask(sums[i][v], _mm512_set1_ps(p.bar), _CMP_LE_OQ);
      bounds.hits[i] |= reached << (v * lanes);
    }
    any |= bounds.hits[i];
  }
  if (any == 0) return false;
  for (std::size_t i = 0; i < group; ++i) {
    for (std::size_t v = 0; v < vectors; ++v) _mm512_storeu_ps(bounds.low[i] + v * lanes, sums[i][v]);
  }
  return true;
}

constexpr auto bound_keys_fast = bound_keys_in_vectors;
#else
constexpr auto bound_keys_fast = bound_keys_plainly;
#endif

/// References that may be among the n nearest of one probe, as far as is known.
class Shortlist {
 public:
  void add(float low, float high, std::size_t reference) {
    candidates_.push_back({low, high, static_cast<std::uint32_t>(reference)});
  }
  [[nodiscard]] bool full() const { return candidates_.size() >= capacity_; }

  /// Drops who is farther than n others for certain, and lowers the bar accordingly. Returns how many more are left
  /// than the last time.
  std::ptrdiff_t shrink(std::size_t n, float& bar) {
    if (candidates_.size() >= n) {
      highs_.clear();
      for (const Candidate& candidate : candidates_) highs_.push_back(candidate.high);
      const auto nth = highs_.begin() + static_cast<std::ptrdiff_t>(n - 1);
      std::nth_element(highs_.begin(), nth, highs_.end());
      bar = std::min(bar, *nth);
      std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.low > bar; });
    }
    capacity_ = 2 * std::max(n, candidates_.size()) + 16;
    const std::size_t before = std::exchange(left_, candidates_.size());
    return static_cast<std::ptrdiff_t>(left_ - before);
  }

  [[nodiscard]] std::size_t size() const { return candidates_.size(); }
  [[nodiscard]] std::uint32_t reference(std::size_t k) const { return candidates_[k].reference; }

 private:
  struct Candidate {
    float low, high;
    std::uint32_t reference;
  };

  std::vector<Candidate> candidates_;
  std::vector<float> highs_;
  std::size_t capacity_ = 32;
  std::size_t left_ = 0;
};

std::size_t in_groups(std::size_t count, std::size_t size) {
  return (count + size - 1) / size;
}

}  // namespace

bool Screen::available() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

Screen::Screen(const PreparedRows& references, bool in_vectors) : references_(references), in_vectors_(in_vectors) {
  const auto rows = references.templates.floats();
  centre_.assign(rows.cols, 0);
  if (references.form == PairForm::distance) {
    std::vector<double> sums(rows.cols, 0);
    const std::size_t step = rows.rows / rows_of_centre + 1;
    for (std::size_t i = 0; i < rows.rows; i += step) {
      for (std::size_t k = 0; k < rows.cols; ++k) sums[k] += rows(i, k);
    }
    for (std::size_t k = 0; k < rows.cols; ++k) {
      centre_[k] = static_cast<float>(sums[k] / static_cast<double>(in_groups(rows.rows, step)));
    }
  }
  const std::size_t pairs = in_groups(rows.cols, 2);
  const std::size_t panels = in_groups(rows.rows, panel);
  panels_.assign(panels * pairs * panel, 0);
  std::vector<Rounded> rounded(rows.rows);
  parallel_for(panels, [&](std::size_t p, int) {
    std::vector<double> scratch(rows.cols);
    for (std::size_t i = p * panel; i < std::min((p + 1) * panel, rows.rows); ++i) {
      rounded[i] = round_row(rows.row(i).data(), centre_.data(), rows.cols, scratch.data(),
                             panels_.data() + p * pairs * panel + i % panel, panel);
    }
  });
  for (const Rounded& row : rounded) {
    longest_ = std::max(longest_, row.length);
    error_ = std::max(error_, row.error);
  }
  if (longest_ == 0) longest_ = 1;
  lengths_.assign(panels * panel, 0);
  offsets_.assign(panels * panel, std::numeric_limits<float>::infinity());  // no hits beyond the last
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double length = rounded[i].length / longest_;
    lengths_[i] = static_cast<float>(length);
    offsets_[i] = references.form == PairForm::distance ? static_cast<float>(length * length / 2) : 0.0F;
  }
}

bool Screen::nearest(const PreparedRows& probes, TopN& result) const {
  BAUTA_ASSERT(probes.templates.cols() == references_.templates.cols());
  std::atomic<bool> crowded = false;
  Progress progress("finding neighbours", static_cast<std::uint64_t>(probes.rows()) * references_.rows());
  parallel_for(in_groups(probes.rows(), block_size), [&](std::size_t block, int) {
    if (crowded) return;
    const RowRange range{block * block_size, std::min((block + 1) * block_size, probes.rows())};
    if (!nearest_of(range, probes, result)) crowded = true;
    progress.add(range.size() * references_.rows());
  });
  return !crowded;
}

bool Screen::nearest_of(RowRange range, const PreparedRows& probes, TopN& result) const {
  const auto p = probes.templates.floats();
  const auto r = references_.templates.floats();
  const std::size_t n = result.n_used();
  const std::size_t pairs = in_groups(p.cols, 2);
  std::vector<std::uint32_t> words(block_size * pairs, 0);
  std::vector<Probe> of_probe(block_size, {.bar = -std::numeric_limits<float>::infinity()});
  std::vector<double> scratch(p.cols);
  for (std::size_t i = 0; i < range.size(); ++i) {
    const Rounded row = round_row(p.row(range.begin + i).data(), centre_.data(), p.cols, scratch.data(),
                                  words.data() + i / group * group * pairs + i % group, group);
    of_probe[i] = bounds_of(row, references_.form, p.cols, longest_, error_);
  }

  std::vector<Shortlist> shortlists(range.size());
  const auto most_candidates = static_cast<std::ptrdiff_t>(block_size * (n + r.rows / share_of_candidates));
  std::ptrdiff_t candidates_left = 0;
  const auto bound_keys = in_vectors_ ? bound_keys_fast : bound_keys_plainly;
  KeyBounds bounds;
  for (std::size_t first = 0; first < r.rows; first += panel) {
    for (std::size_t g = 0; g < range.size(); g += group) {
      const Panel references{panels_.data() + first * pairs, &lengths_[first], &offsets_[first]};
      if (!bound_keys({words.data() + g * pairs, pairs}, &of_probe[g], references, bounds)) continue;
      for (std::size_t i = 0; i < group; ++i) {
        Probe& probe = of_probe[g + i];
        const float* const low = bounds.low[i];
        for (std::uint64_t hits = bounds.hits[i]; hits != 0; hits &= hits - 1) {
          const auto j = static_cast<std::size_t>(std::countr_zero(hits));
          if (low[j] > probe.bar) continue;
          Shortlist& shortlist = shortlists[g + i];
          shortlist.add(low[j], low[j] + probe.width(lengths_[first + j], offsets_[first + j]), first + j);
          if (shortlist.full()) candidates_left += shortlist.shrink(n, probe.bar);
        }
      }
    }
    if (candidates_left > most_candidates) return false;
  }

  std::vector<Neighbour> candidates;
  for (std::size_t i = 0; i < range.size(); ++i) {
    shortlists[i].shrink(n, of_probe[i].bar);
    candidates.clear();
    for (std::size_t k = 0; k < shortlists[i].size(); ++k) {
      const std::uint32_t j = shortlists[i].reference(k);
      candidates.push_back({exact_score(references_.form, p.row(range.begin + i), r.row(j)), j});
    }
    result.keep(range.begin + i, candidates);
  }
  return true;
}

}  // namespace bauta
