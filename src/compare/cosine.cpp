// Cosine of the angle between two templates.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "gemm.hpp"

namespace bauta {

namespace {

class Cosine : public Comparator {
 public:
  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side, const std::string& where) const override {
    auto prepared = prepare_rows(templates, where);
    const auto rows = templates.floats();
    Matrix<float> unit(rows.rows, rows.cols);
    parallel_for(rows.rows, [&](std::size_t i, int) {
      // Below the smallest normal number a square has lost digits, and the direction with it.
      if (prepared->squares[i] < std::numeric_limits<float>::min()) {
        throw_input(fmt::format("{} row {}", where, i + 1),
                    "is all zero, or as good as zero (a length below 1e-19), which has no direction to compare",
                    "mark it in a 'failed' column (1) so that it is counted and left out");
      }
      const double inverse = 1 / std::sqrt(static_cast<double>(prepared->squares[i]));
      const auto from = rows.row(i);
      const auto to = unit.row(i);
      for (std::size_t j = 0; j < rows.cols; ++j) to[j] = static_cast<float>(from[j] * inverse);
    });
    prepared->templates = Templates(std::move(unit));
    return prepared;
  }

  void tile(const Prepared& probes, RowRange probe_rows, const Prepared& references, RowRange reference_rows,
            MatrixView<float> scores) const override {
    inner_products(as_rows(probes), probe_rows, as_rows(references), reference_rows, scores);
  }
};

}  // namespace

Entry<Comparator> cosine_comparator() {
  return {{.name = "cosine", .paper = "", .doc = "cosine of the angle between two templates", .medium = "template"},
          [](const Parameters&) { return std::make_unique<Cosine>(); }};
}

}  // namespace bauta
