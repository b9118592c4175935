// Biometric templates: N rows of D elements, row-major. This is the one place that says which element kinds exist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

enum class ElementKind {
  float32,  ///< real-valued features
  code8,    ///< small integers 0..255 (quantile bins, index-of-max codes)
  bits,     ///< packed bits: bit j of a row is bit (j % 64) of its word j / 64; unused high bits are zero
};

std::string_view to_text(ElementKind kind);

inline std::size_t words_for_bits(std::size_t bits) {
  return (bits + 63) / 64;
}

/// Immutable templates that share their storage when copied. The storage is a heap block or a mapped file.
class Templates {
 public:
  Templates() = default;
  explicit Templates(Matrix<float> values);
  explicit Templates(Matrix<std::uint8_t> codes);
  /// `words` has words_for_bits(bits) columns.
  Templates(Matrix<std::uint64_t> words, std::size_t bits);
  /// Wraps memory that `owner` keeps alive; `mapped`: it is a file mapped for reading.
  Templates(MatrixView<const float> values, std::shared_ptr<const void> owner, bool mapped = false);

  [[nodiscard]] ElementKind kind() const { return kind_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Elements in a row: features, codes or bits.
  [[nodiscard]] std::size_t cols() const { return cols_; }
  [[nodiscard]] bool empty() const { return rows_ == 0; }

  [[nodiscard]] MatrixView<const float> floats() const;
  [[nodiscard]] MatrixView<const std::uint8_t> codes() const;
  [[nodiscard]] MatrixView<const std::uint64_t> words() const;

  /// A row as it lies in memory, to find equal ones.
  [[nodiscard]] std::string_view row_bytes(std::size_t row) const;
  /// Lets the system drop these rows from memory where they lie in a mapped file; they are read again if somebody
  /// looks.
  void forget(std::size_t first, std::size_t count) const;

  /// The same storage, rows [first, first + count) only.
  [[nodiscard]] Templates slice(std::size_t first, std::size_t count) const;
  /// A copy of the named rows, in that order.
  [[nodiscard]] Templates select(const std::vector<std::size_t>& rows) const;

 private:
  ElementKind kind_ = ElementKind::float32;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;  // in storage elements: floats, bytes or words
  const void* data_ = nullptr;
  std::shared_ptr<const void> owner_;
  bool mapped_ = false;
};

}  // namespace bauta
