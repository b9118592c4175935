// Writing .npy, version 1.
#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "bauta/core/output.hpp"
#include "bauta/data/npy.hpp"
#include "text.hpp"

namespace bauta {

static_assert(std::endian::native == std::endian::little, "float32 rows are written as they lie in memory");

namespace {

constexpr std::size_t flush_size = 1U << 20;

template <class T>
void write_matrix(const std::filesystem::path& path, std::string_view descr, MatrixView<const T> values) {
  OutputFile file(path);
  file.write(npy_header(descr, std::array<std::uint64_t, 2>{values.rows, values.cols}));
  // One call for the whole block, or rows gathered so that short ones do not cost a call each.
  if (values.contiguous()) {
    file.write(values.data, values.rows * values.cols * sizeof(T));
  } else {
    std::string buffer;
    for (std::size_t i = 0; i < values.rows; ++i) {
      buffer.append(reinterpret_cast<const char*>(values.row(i).data()), values.cols * sizeof(T));
      if (buffer.size() < flush_size) continue;
      file.write(buffer);
      buffer.clear();
    }
    file.write(buffer);
  }
  file.commit();
}

void write_vector(const std::filesystem::path& path, std::string_view descr, std::span<const std::uint8_t> values) {
  OutputFile file(path);
  file.write(npy_header(descr, std::array<std::uint64_t, 1>{values.size()}));
  file.write(values.data(), values.size());
  file.commit();
}

}  // namespace

std::string npy_header(std::string_view descr, std::span<const std::uint64_t> shape) {
  constexpr std::size_t fixed = 10;
  constexpr std::size_t alignment = 64;
  // A tuple of one element needs its comma.
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                       join(shape, ", "), shape.size() == 1 ? "," : "");
  // Padding goes before the line feed, which ends the header.
  const std::size_t used = fixed + dictionary.size() + 1;
  dictionary.append((alignment - used % alignment) % alignment, ' ');
  dictionary.push_back('\n');
  std::string header = "\x93NUMPY";
  header.push_back('\1');
  header.push_back('\0');
  header.push_back(static_cast<char>(dictionary.size() & 0xff));
  header.push_back(static_cast<char>(dictionary.size() >> 8));
  return header + dictionary;
}

void write_npy(const std::filesystem::path& path, MatrixView<const float> values) {
  write_matrix(path, "<f4", values);
}

void write_npy(const std::filesystem::path& path, MatrixView<const std::uint8_t> codes) {
  write_matrix(path, "|u1", codes);
}

// On a little-endian machine the first bytes of a row of words are its packed bytes.
NpyTemplateWriter::NpyTemplateWriter(const std::filesystem::path& path, ElementKind kind, std::size_t rows,
                                     std::size_t cols)
    : file_(path),
      row_size_(kind == ElementKind::float32 ? cols * sizeof(float)
                : kind == ElementKind::bits  ? (cols + 7) / 8
                                             : cols) {
  const bool real = kind == ElementKind::float32;
  const std::string header =
      npy_header(real ? "<f4" : "|u1", std::array<std::uint64_t, 2>{rows, real ? cols : row_size_});
  file_.write(header);
  start_ = header.size();
}

void NpyTemplateWriter::write(std::size_t first, const Templates& block) {
  if (block.empty()) return;
  const std::uint64_t begin = start_ + std::uint64_t{first} * row_size_;
  if (block.rows() == 1 || block.row_bytes(1).data() == block.row_bytes(0).data() + row_size_) {
    file_.write_at(begin, block.row_bytes(0).data(), block.rows() * row_size_);
    return;
  }
  // Rows with gaps are gathered, so that short ones do not cost a call each.
  std::string buffer;
  std::uint64_t written = 0;
  for (std::size_t i = 0; i < block.rows(); ++i) {
    buffer.append(block.row_bytes(i).substr(0, row_size_));
    if (buffer.size() < flush_size && i + 1 < block.rows()) continue;
    file_.write_at(begin + written, buffer.data(), buffer.size());
    written += buffer.size();
    buffer.clear();
  }
}

void write_npy(const std::filesystem::path& path, const Templates& templates) {
  NpyTemplateWriter writer(path, templates.kind(), templates.rows(), templates.cols());
  writer.write(0, templates);
  writer.commit();
}

void write_npy(const std::filesystem::path& path, std::span<const std::uint8_t> values) {
  write_vector(path, "|u1", values);
}

void write_npy_bool(const std::filesystem::path& path, std::span<const std::uint8_t> values) {
  std::vector<std::uint8_t> flags(values.size());
  std::transform(values.begin(), values.end(), flags.begin(), [](std::uint8_t v) { return std::uint8_t{v != 0}; });
  write_vector(path, "|b1", flags);
}

}  // namespace bauta
