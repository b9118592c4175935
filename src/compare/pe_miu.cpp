// PE-MIU comparator: both templates are shuffled block by block, so the probe's blocks are first re-ordered by the
// exact minimum-cost assignment of blocks to the reference's, then compared by cosine. Terhorst et al. 2020.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <fmt/format.h>

#include "bauta/compare/assignment.hpp"
#include "bauta/core/parallel.hpp"
#include "gemm.hpp"

namespace bauta {

namespace {

constexpr std::size_t lanes = assignment_lanes;

// Outside of these lengths squares leave the float range; such pairs are compared in double. Within them, what squares
// lose by underflow is less than the allowances.
constexpr double shortest_in_float = 1e-9;
constexpr double longest_in_float = 1e12;
constexpr float underflow_of_roots = 1e-18F;
constexpr float underflow_of_squares = 1e-38F;

struct PreparedBlocks : Prepared {
  Templates templates;
  MatrixView<const float> values;
  std::vector<float> lengths;

  [[nodiscard]] std::size_t rows() const override { return templates.rows(); }
};

struct Kernels {
  /// costs[i * padded + j] of block i of the reference and block j of the probe, whose element b stands at
  /// transposed[b * padded + j], infinite from j = n to padded_columns(n).
  void (*pair)(const float* reference, const float* transposed, std::size_t n, std::size_t block, float* costs);
  /// costs[(i * n + j) * 16 + lane] of block i of reference `lane`, whose element e stands at references[e * 16 +
  /// lane], and block j of the probe.
  void (*batch)(const float* references, const float* probe, std::size_t n, std::size_t block, float* costs);
  /// Inner product of the reference and the probe with its block columns[i] in place i.
  float (*product)(const float* reference, const float* probe, const std::int32_t* columns, std::size_t n,
                   std::size_t block);
};

namespace portable {
#define LANES 4
#include "pe_miu_lanes.inc"
#undef LANES
}  // namespace portable

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace haswell {
#define LANES 8
#include "pe_miu_lanes.inc"
#undef LANES
}  // namespace haswell
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,fma")
namespace avx512 {
#define LANES 16
#include "pe_miu_lanes.inc"
#undef LANES
}  // namespace avx512
#pragma GCC pop_options
#endif

const Kernels& kernels_for(bool root) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return avx512::kernels[root];
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return haswell::kernels[root];
#endif
  return portable::kernels[root];
}

class PeMiu : public Comparator {
 public:
  explicit PeMiu(const Parameters& parameters)
      : block_(static_cast<std::size_t>(parameters.integer("block"))),
        root_(parameters.text("cost") == "l2"),
        kernels_(kernels_for(root_)) {}

  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side, const std::string& where) const override {
    auto checked = prepare_rows(templates, where);
    if (templates.cols() == 0 || templates.cols() % block_ != 0) {
      throw_input(where,
                  fmt::format("templates of {} elements cannot be cut into blocks of {}", templates.cols(), block_),
                  "choose a block that divides the number of elements, e.g. pe-miu:block=...");
    }
    auto prepared = std::make_unique<PreparedBlocks>();
    prepared->templates = templates;
    prepared->values = templates.floats();
    prepared->lengths.resize(templates.rows());
    const auto rows = templates.floats();
    parallel_for(rows.rows, [&](std::size_t i, int) {
      double total = 0;
      for (const float value : rows.row(i)) total += static_cast<double>(value) * value;
      if (total <= 0) {
        throw_input(fmt::format("{} row {}", where, i + 1), "is all zero, which has no direction to compare",
                    "mark it in a 'failed' column (1) so that it is counted and left out");
      }
      prepared->lengths[i] = static_cast<float>(std::sqrt(total));
    });
    return prepared;
  }

  void tile(const Prepared& probes, RowRange probe_rows, const Prepared& references, RowRange reference_rows,
            MatrixView<float> scores) const override {
    const auto& p = static_cast<const PreparedBlocks&>(probes);
    const auto& r = static_cast<const PreparedBlocks&>(references);
    BAUTA_ASSERT(p.values.cols == r.values.cols);
    const std::size_t n = p.values.cols / block_;
    if (n <= batch_assignment_limit) {
      batch_tile(p, probe_rows, r, reference_rows, scores);
    } else if (n <= float_assignment_limit) {
      pair_tile(p, probe_rows, r, reference_rows, scores);
    } else {
      for (std::size_t i = 0; i < probe_rows.size(); ++i) {
        for (std::size_t j = 0; j < reference_rows.size(); ++j) {
          scores(i, j) = exact_score(p, probe_rows.begin + i, r, reference_rows.begin + j);
        }
      }
    }
  }

  // An assignment costs as much as thousands of multiplications, so small tiles already keep all threads busy.
  [[nodiscard]] std::size_t probe_tile() const override { return 64; }
  [[nodiscard]] std::size_t reference_tile() const override { return 256; }
  [[nodiscard]] bool worth_storing() const override { return true; }

 private:
  /// Few blocks: sixteen references at a time, one per vector lane.
  void batch_tile(const PreparedBlocks& probes, RowRange probe_rows, const PreparedBlocks& references,
                  RowRange reference_rows, MatrixView<float> scores) const {
    const auto p = probes.values;
    const auto r = references.values;
    const std::size_t n = p.cols / block_;
    std::vector<float> transposed(p.cols * lanes);
    alignas(64) std::array<float, batch_assignment_limit * batch_assignment_limit * lanes> costs;
    BatchAssignment best;
    for (std::size_t first = 0; first < reference_rows.size(); first += lanes) {
      const std::size_t count = std::min(lanes, reference_rows.size() - first);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const float* from = r.row(reference_rows.begin + first + std::min(lane, count - 1)).data();
        for (std::size_t e = 0; e < p.cols; ++e) transposed[e * lanes + lane] = from[e];
      }
      for (std::size_t i = 0; i < probe_rows.size(); ++i) {
        const std::size_t probe = probe_rows.begin + i;
        kernels_.batch(transposed.data(), p.row(probe).data(), n, block_, costs.data());
        solve_assignment_batch(costs.data(), n, best);
        for (std::size_t lane = 0; lane < count; ++lane) {
          const std::size_t reference = reference_rows.begin + first + lane;
          const bool certain = best.gaps[lane] > margin(best.totals[lane], n) && in_float_range(probes, probe) &&
                               in_float_range(references, reference);
          scores(i, first + lane) = certain ? score(probes, probe, references, reference, best.columns[lane].data())
                                            : exact_score(probes, probe, references, reference);
        }
      }
    }
  }

  void pair_tile(const PreparedBlocks& probes, RowRange probe_rows, const PreparedBlocks& references,
                 RowRange reference_rows, MatrixView<float> scores) const {
    const auto p = probes.values;
    const auto r = references.values;
    const std::size_t n = p.cols / block_;
    const std::size_t padded = padded_columns(n);
    std::vector<float> transposed(block_ * padded, std::numeric_limits<float>::infinity());
    std::vector<float> storage(n * padded);
    const MatrixView<const float> costs(storage.data(), n, n, padded);
    FloatAssignment best;
    for (std::size_t i = 0; i < probe_rows.size(); ++i) {
      const std::size_t probe = probe_rows.begin + i;
      for (std::size_t e = 0; e < p.cols; ++e) transposed[e % block_ * padded + e / block_] = p(probe, e);
      for (std::size_t j = 0; j < reference_rows.size(); ++j) {
        const std::size_t reference = reference_rows.begin + j;
        bool certain = in_float_range(probes, probe) && in_float_range(references, reference);
        if (certain) {
          kernels_.pair(r.row(reference).data(), transposed.data(), n, block_, storage.data());
          solve_assignment(costs, best);
          certain = is_unique_optimum(costs, best, margin(best.total, n));
        }
        scores(i, j) = certain ? score(probes, probe, references, reference, best.columns.data())
                               : exact_score(probes, probe, references, reference);
      }
    }
  }

  static bool in_float_range(const PreparedBlocks& side, std::size_t row) {
    return side.lengths[row] > shortest_in_float && side.lengths[row] < longest_in_float;
  }

  /// An assignment whose float total is the least by more than this is the exact optimum. A sum of squared differences
  /// is off by at most (block + 2) roundings of itself, its root by half of that; a total of n costs by n more. The
  /// true totals of the best and of any other assignment can trade places only within twice that.
  [[nodiscard]] float margin(float total, std::size_t n) const {
    const auto elements = static_cast<float>(block_);
    const float roundings = (root_ ? elements / 2 : elements) + 2 + 2 * static_cast<float>(n);
    return 2.1F * roundings * 0x1.0p-24F * total + (root_ ? underflow_of_roots : underflow_of_squares);
  }

  [[nodiscard]] float score(const PreparedBlocks& probes, std::size_t probe, const PreparedBlocks& references,
                            std::size_t reference, const std::int32_t* columns) const {
    const float product = kernels_.product(references.values.row(reference).data(), probes.values.row(probe).data(),
                                           columns, probes.values.cols / block_, block_);
    return product / (probes.lengths[probe] * references.lengths[reference]);
  }

  /// The pair in double, for what floats cannot decide. Equal optima are resolved by the solver's fixed order.
  [[nodiscard]] float exact_score(const PreparedBlocks& probes, std::size_t probe, const PreparedBlocks& references,
                                  std::size_t reference) const {
    const float* p = probes.values.row(probe).data();
    const float* r = references.values.row(reference).data();
    const std::size_t n = probes.values.cols / block_;
    Matrix<double> costs(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t b = 0; b < block_; ++b) {
          const double difference = static_cast<double>(r[i * block_ + b]) - p[j * block_ + b];
          sum += difference * difference;
        }
        costs(i, j) = root_ ? std::sqrt(sum) : sum;
      }
    }
    std::vector<std::int32_t> columns(n);
    solve_assignment(costs.view(), columns);
    double product = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const float* matched = p + static_cast<std::size_t>(columns[i]) * block_;
      for (std::size_t b = 0; b < block_; ++b) product += static_cast<double>(r[i * block_ + b]) * matched[b];
    }
    return static_cast<float>(product / probes.lengths[probe] / references.lengths[reference]);
  }

  std::size_t block_;
  bool root_;
  const Kernels& kernels_;
};

}  // namespace

Entry<Comparator> pe_miu_comparator() {
  return {{.name = "pe-miu",
           .paper = "Terhorst et al. 2020, PE-MIU: a training-free privacy-enhancing face recognition approach",
           .doc = "cosine after aligning shuffled blocks by exact minimum-cost assignment",
           .medium = "template",
           .parameters = {{.name = "block",
                           .type = ParameterType::integer,
                           .default_value = "16",
                           .doc = "elements in a block; must divide the template's length",
                           .low = 1,
                           .high = 1 << 20},
                          {.name = "cost",
                           .type = ParameterType::choice,
                           .default_value = "l2",
                           .doc = "block cost: l2 as published; l2sq and dot, which agree, maximise the cosine",
                           .choices = {"l2", "l2sq", "dot"}}}},
          [](const Parameters& parameters) { return std::make_unique<PeMiu>(parameters); }};
}

}  // namespace bauta
