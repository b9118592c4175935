#include "gemm.hpp"

#include <cmath>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"

namespace bauta {

namespace {
constexpr std::size_t rows_per_task = 1024;
}

std::unique_ptr<PreparedRows> prepare_rows(const Templates& templates, const std::string& where) {
  if (templates.kind() != ElementKind::float32) {
    throw_input(where,
                fmt::format("this comparator needs real-valued templates, these are {}", to_text(templates.kind())),
                "choose a comparator for codes, e.g. --comparator hamming");
  }
  auto prepared = std::make_unique<PreparedRows>();
  prepared->templates = templates;
  prepared->squares.resize(templates.rows());
  const auto rows = templates.floats();
  parallel_for((rows.rows + rows_per_task - 1) / rows_per_task, [&](std::size_t task, int) {
    for (std::size_t i = task * rows_per_task; i < std::min((task + 1) * rows_per_task, rows.rows); ++i) {
      double sum = 0;
      for (const float value : rows.row(i)) sum += static_cast<double>(value) * value;
      if (!(sum <= std::numeric_limits<float>::max())) {
        throw_input(fmt::format("{} row {}", where, i + 1), "holds NaN, infinity or values too large to compare");
      }
      prepared->squares[i] = static_cast<float>(sum);
    }
  });
  return prepared;
}

void inner_products(const PreparedRows& probes, RowRange probe_rows, const PreparedRows& references,
                    RowRange reference_rows, MatrixView<float> products) {
  const auto p = probes.templates.floats();
  const auto r = references.templates.floats();
  BAUTA_ASSERT(p.cols == r.cols);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(probe_rows.size()),
              static_cast<int>(reference_rows.size()), static_cast<int>(p.cols), 1.0F, p.row(probe_rows.begin).data(),
              static_cast<int>(p.stride), r.row(reference_rows.begin).data(), static_cast<int>(r.stride), 0.0F,
              products.data, static_cast<int>(products.stride));
}

}  // namespace bauta
