// numpy's .npy files: versions 1 to 3, either byte order, C and Fortran order. Objects and pickles are never read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/templates.hpp"
#include "bauta/data/bytes.hpp"

namespace bauta {

enum class NpyType { boolean, signed_integer, unsigned_integer, real, byte_text, unicode_text };

/// An array as it lies in the file. The number of bytes has been checked against type and shape.
struct NpyArray {
  std::string origin;  ///< file (and archive entry), for messages
  NpyType type = NpyType::real;
  std::size_t item_size = 0;  ///< bytes of one element; text: all its characters
  ByteOrder order = ByteOrder::little;
  bool fortran = false;  ///< first index varies fastest
  std::vector<std::uint64_t> shape;
  std::span<const std::uint8_t> data;
  std::shared_ptr<const void> owner;  ///< keeps `data` alive
  bool mapped = false;                ///< `data` lies in a mapped file

  [[nodiscard]] std::uint64_t count() const;
  /// numpy's name for type and size, e.g. "float32".
  [[nodiscard]] std::string type_name() const;
  [[nodiscard]] std::string shape_text() const;
  [[nodiscard]] bool is_text() const { return type == NpyType::byte_text || type == NpyType::unicode_text; }
};

/// Maps the file; nothing is copied.
NpyArray read_npy(const std::filesystem::path& path);
/// `bytes` is a whole .npy file that `owner` keeps alive.
NpyArray parse_npy(std::span<const std::uint8_t> bytes, std::shared_ptr<const void> owner, std::string origin);

/// A 2-d array of numbers as float templates; float32 in C order and native byte order is not copied.
/// A float64 beyond the range of float32 is an input error; NaN and infinity pass, the data set judges them.
Templates to_float_templates(const NpyArray& array);
/// A 2-d array of numbers, each as it was written.
Matrix<double> to_doubles(const NpyArray& array);
/// A 2-d array of integers 0..255.
Matrix<std::uint8_t> to_codes(const NpyArray& array);
/// A 2-d uint8 array as made by numpy.packbits(axis=1, bitorder='little') from rows of `bits` bits.
Templates to_bit_templates(const NpyArray& array, std::size_t bits);
/// A 1-d (or N x 1) array as label texts, UTF-8. Whole numbers print as integers, booleans as 0 and 1, NaN as empty.
std::vector<std::string> to_text_column(const NpyArray& array);

/// Version 1 header, padded so that the data starts at a multiple of 64.
std::string npy_header(std::string_view descr, std::span<const std::uint64_t> shape);

/// Templates into a file, block by block in any order. Bits are written as uint8 rows of (bits + 7) / 8 bytes, lowest
/// bit first. Nothing lies under the file's name before commit().
class NpyTemplateWriter {
 public:
  NpyTemplateWriter(const std::filesystem::path& path, ElementKind kind, std::size_t rows, std::size_t cols);
  /// `block` are rows [first, first + block.rows()). Several threads may write different rows at once.
  void write(std::size_t first, const Templates& block);
  void commit() { file_.commit(); }

 private:
  OutputFile file_;
  std::size_t row_size_;
  std::uint64_t start_ = 0;
};

void write_npy(const std::filesystem::path& path, MatrixView<const float> values);
void write_npy(const std::filesystem::path& path, MatrixView<const std::uint8_t> codes);
void write_npy(const std::filesystem::path& path, const Templates& templates);
void write_npy(const std::filesystem::path& path, std::span<const std::uint8_t> values);
/// Values other than 0 are true.
void write_npy_bool(const std::filesystem::path& path, std::span<const std::uint8_t> values);

}  // namespace bauta
