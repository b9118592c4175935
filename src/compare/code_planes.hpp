// Small integer codes as planes of packed bits, plane b holding bit b of every code: two rows differ where any plane
// does, and 64 codes are compared at once.
#pragma once

#include "bauta/compare/comparator.hpp"

namespace bauta {

class CodePlanes : public Prepared {
 public:
  /// Refuses templates that are not codes; `where` names their origin.
  CodePlanes(const Templates& templates, const std::string& where);

  [[nodiscard]] std::size_t rows() const override { return bits_.rows(); }
  /// Codes in a row.
  [[nodiscard]] std::size_t width() const { return width_; }

  /// equal(i, j) = places where probe row i and reference row j have the same code; both are of one width.
  static void count_equal(const CodePlanes& probes, RowRange probe_rows, const CodePlanes& references,
                          RowRange reference_rows, MatrixView<float> equal);

 private:
  std::size_t width_ = 0;
  std::size_t planes_ = 0;  // as many as the largest code needs
  Matrix<std::uint64_t> bits_;
};

}  // namespace bauta
