#include "gemm.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/simd.hpp"

namespace bauta {

namespace {

constexpr std::size_t rows_per_task = 1024;

/// The sum of term(a[k], b[k]) in a fixed order that vector code can follow.
template <class Term>
[[gnu::always_inline]] inline double sum_of(const float* a, const float* b, std::size_t count, Term term) {
  constexpr std::size_t lanes = 16;
  double sums[lanes] = {};
  const std::size_t whole = count / lanes * lanes;
  for (std::size_t k = 0; k < whole; k += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += term(a[k + lane], b[k + lane]);
  }
  for (std::size_t k = whole; k < count; ++k) sums[k - whole] += term(a[k], b[k]);
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

BAUTA_MULTIVERSION double squared_distance(const float* a, const float* b, std::size_t count) {
  return sum_of(a, b, count, [](double x, double y) { return (x - y) * (x - y); });
}

BAUTA_MULTIVERSION double product(const float* a, const float* b, std::size_t count) {
  return sum_of(a, b, count, [](double x, double y) { return x * y; });
}

/// By their hashes: a row that is taken for a twin by chance is only computed with more care.
std::vector<std::size_t> rows_with_twins(const Templates& templates) {
  std::vector<std::pair<std::size_t, std::size_t>> hashed(templates.rows());
  parallel_for(hashed.size(), [&](std::size_t i, int) {
    hashed[i] = {std::hash<std::string_view>()(templates.row_bytes(i)), i};
  });
  std::sort(hashed.begin(), hashed.end());
  std::vector<std::size_t> twins;
  for (std::size_t i = 0; i < hashed.size(); ++i) {
    const bool before = i > 0 && hashed[i - 1].first == hashed[i].first;
    const bool after = i + 1 < hashed.size() && hashed[i + 1].first == hashed[i].first;
    if (before || after) twins.push_back(hashed[i].second);
  }
  std::sort(twins.begin(), twins.end());
  return twins;
}

std::span<const std::size_t> within(const std::vector<std::size_t>& twins, RowRange rows) {
  const auto first = std::lower_bound(twins.begin(), twins.end(), rows.begin);
  return {first, std::lower_bound(first, twins.end(), rows.end)};
}

}  // namespace

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
      const double sum = product(rows.row(i).data(), rows.row(i).data(), rows.cols);
      if (!(sum <= std::numeric_limits<float>::max())) {
        throw_input(fmt::format("{} row {}", where, i + 1), "holds NaN, infinity or values too large to compare");
      }
      prepared->squares[i] = static_cast<float>(sum);
    }
  });
  prepared->twins = rows_with_twins(templates);
  return prepared;
}

// A squared length is a sum of smaller terms: four decades above the smallest normal number none of them is lost.
void require_lengths(const PreparedRows& rows, const std::string& where) {
  constexpr float shortest = 1e-34F;
  if (std::ranges::any_of(rows.squares, [](float square) { return square >= shortest; })) return;
  const MatrixView<const float> values = rows.templates.floats();
  for (std::size_t i = 0; i < values.rows; ++i) {
    if (std::ranges::all_of(values.row(i), [](float value) { return value == 0; })) continue;
    throw_input(fmt::format("{} row {}", where, i + 1), "like all others, is too short to compare (1e-17 at most)",
                "multiply all templates by the same number");
  }
}

float exact_score(PairForm form, std::span<const float> a, std::span<const float> b) {
  if (form == PairForm::product) return static_cast<float>(product(a.data(), b.data(), a.size()));
  return -static_cast<float>(std::sqrt(squared_distance(a.data(), b.data(), a.size())));
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
  const auto exact = [&](std::size_t probe, std::size_t reference) {
    products(probe - probe_rows.begin, reference - reference_rows.begin) =
        exact_score(PairForm::product, p.row(probe), r.row(reference));
  };
  for (const std::size_t probe : within(probes.twins, probe_rows)) {
    for (std::size_t j = reference_rows.begin; j < reference_rows.end; ++j) exact(probe, j);
  }
  for (const std::size_t reference : within(references.twins, reference_rows)) {
    for (std::size_t i = probe_rows.begin; i < probe_rows.end; ++i) exact(i, reference);
  }
}

}  // namespace bauta
