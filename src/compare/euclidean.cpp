// Negated Euclidean distance.
#include <cmath>

#include "bauta/core/simd.hpp"
#include "gemm.hpp"

namespace bauta {

namespace {

// Below this share of the summed squared lengths, |p|^2 + |r|^2 - 2<p,r> has lost too many digits to cancellation.
constexpr float cancellation = 1e-3F;

/// A suspicious value is marked by its sign, to be done again without the shortcut; tells whether there is one.
BAUTA_MULTIVERSION bool negate_distances(float* scores, const float* squares, std::size_t count, float square) {
  int suspicious = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const float d = square + squares[j] - 2 * scores[j];
    const bool lost = d < cancellation * (square + squares[j]);
    suspicious |= static_cast<int>(lost);
    scores[j] = lost ? 1.0F : -std::sqrt(d);
  }
  return suspicious != 0;
}

class Euclidean : public Comparator {
 public:
  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side, const std::string& where) const override {
    auto prepared = prepare_rows(templates, where);
    require_lengths(*prepared, where);
    prepared->form = PairForm::distance;
    return prepared;
  }

  void tile(const Prepared& probes, RowRange probe_rows, const Prepared& references, RowRange reference_rows,
            MatrixView<float> scores) const override {
    const auto& p = as_rows(probes);
    const auto& r = as_rows(references);
    inner_products(p, probe_rows, r, reference_rows, scores);
    for (std::size_t i = 0; i < probe_rows.size(); ++i) {
      const auto row = scores.row(i);
      const std::size_t probe = probe_rows.begin + i;
      if (!negate_distances(row.data(), r.squares.data() + reference_rows.begin, row.size(), p.squares[probe]))
        continue;
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (row[j] > 0) {
          row[j] = exact_score(PairForm::distance, p.templates.floats().row(probe),
                               r.templates.floats().row(reference_rows.begin + j));
        }
      }
    }
  }
};

}  // namespace

Entry<Comparator> euclidean_comparator() {
  return {{.name = "euclidean", .paper = "", .doc = "negated Euclidean distance", .medium = "template"},
          [](const Parameters&) { return std::make_unique<Euclidean>(); }};
}

}  // namespace bauta
