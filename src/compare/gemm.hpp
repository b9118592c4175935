// A tile of inner products by BLAS, shared by the comparators that are made of them.
#pragma once

#include <memory>
#include <string>

#include <cblas.h>

#include "bauta/compare/comparator.hpp"

namespace bauta {

/// What the score of a pair of rows is: their inner product or their negated Euclidean distance.
enum class PairForm { product, distance };

/// Float rows, with a number per row that the comparator needs again (squared length).
struct PreparedRows : Prepared {
  Templates templates;
  std::vector<float> squares;
  std::vector<std::size_t> twins;  ///< rows that another one equals, ascending
  PairForm form = PairForm::product;

  [[nodiscard]] std::size_t rows() const override { return templates.rows(); }
};

inline const PreparedRows& as_rows(const Prepared& prepared) {
  return static_cast<const PreparedRows&>(prepared);
}

/// Throws unless the templates are float32; squared lengths are summed in double and must be finite.
std::unique_ptr<PreparedRows> prepare_rows(const Templates& templates, const std::string& where);

/// For comparators in which length counts: throws where the longest row is so short that squares have lost digits.
void require_lengths(const PreparedRows& rows, const std::string& where);

/// Score of a pair without shortcuts: differences or products summed in double, then rounded.
float exact_score(PairForm form, std::span<const float> a, std::span<const float> b);

/// products(i, j) = <probe i, reference j>. BLAS rounds by the place of a row in its tile: rows that are equal (masks
/// may make many people the same) would be ranked by their places, so that theirs are exact_score().
void inner_products(const PreparedRows& probes, RowRange probe_rows, const PreparedRows& references,
                    RowRange reference_rows, MatrixView<float> products);

}  // namespace bauta
