// Negated chi-square distance of histograms, the one that OpenCV calls alternative and its LBPH recogniser uses:
// 2 sum (a - b)^2 / (a + b).
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/simd.hpp"
#include "gemm.hpp"

namespace bauta {

namespace {

/// Features that are done at a time: so much of a tile of both sides stays in cache, and single precision suffices.
constexpr std::size_t features_at_once = 512;

BAUTA_MULTIVERSION float part(const float* a, const float* b, std::size_t count) {
  constexpr std::size_t lanes = 16;
  float sums[lanes] = {};
  std::size_t j = 0;
  for (; j + lanes <= count; j += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) {
      const float difference = a[j + k] - b[j + k];
      const float sum = a[j + k] + b[j + k];
      // Bins that are empty on both sides say nothing.
      sums[k] += sum > 0 ? difference * difference / sum : 0.0F;
    }
  }
  for (; j < count; ++j) {
    const float difference = a[j] - b[j];
    const float sum = a[j] + b[j];
    sums[0] += sum > 0 ? difference * difference / sum : 0.0F;
  }
  float total = 0;
  for (const float sum : sums) total += sum;
  return total;
}

class ChiSquare : public Comparator {
 public:
  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side, const std::string& where) const override {
    auto prepared = prepare_rows(templates, where);
    const auto rows = templates.floats();
    for (std::size_t i = 0; i < rows.rows; ++i) {
      for (std::size_t j = 0; j < rows.cols; ++j) {
        if (rows(i, j) >= 0) continue;
        throw_input(fmt::format("{} row {}", where, i + 1),
                    fmt::format("feature {} is {}: chi-square compares histograms, which are never negative", j + 1,
                                rows(i, j)),
                    "use cosine or euclidean, or features such as those of lbph");
      }
    }
    return prepared;
  }

  void tile(const Prepared& probes, RowRange probe_rows, const Prepared& references, RowRange reference_rows,
            MatrixView<float> scores) const override {
    const auto p = as_rows(probes).templates.floats();
    const auto r = as_rows(references).templates.floats();
    Matrix<double> sums(probe_rows.size(), reference_rows.size(), 0.0);
    for (std::size_t first = 0; first < p.cols; first += features_at_once) {
      const std::size_t count = std::min(features_at_once, p.cols - first);
      for (std::size_t i = 0; i < probe_rows.size(); ++i) {
        const float* const probe = p.row(probe_rows.begin + i).data() + first;
        for (std::size_t j = 0; j < reference_rows.size(); ++j) {
          sums(i, j) += part(probe, r.row(reference_rows.begin + j).data() + first, count);
        }
      }
    }
    for (std::size_t i = 0; i < probe_rows.size(); ++i) {
      for (std::size_t j = 0; j < reference_rows.size(); ++j) scores(i, j) = static_cast<float>(-2 * sums(i, j));
    }
  }

  // Histograms are long: of so many rows the features that are done at a time fit the cache.
  [[nodiscard]] std::size_t probe_tile() const override { return 64; }
  [[nodiscard]] std::size_t reference_tile() const override { return 256; }
  [[nodiscard]] bool worth_storing() const override { return true; }
};

}  // namespace

Entry<Comparator> chi_square_comparator() {
  return {{.name = "chi-square",
           .paper = "Ahonen, Hadid, Pietikainen 2006, Face Description with Local Binary Patterns",
           .doc = "negated chi-square distance of histograms, 2 sum (a - b)^2 / (a + b)",
           .medium = "template"},
          [](const Parameters&) { return std::make_unique<ChiSquare>(); }};
}

}  // namespace bauta
