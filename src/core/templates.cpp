#include "bauta/core/templates.hpp"

#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace bauta {

std::string_view to_text(ElementKind kind) {
  switch (kind) {
    case ElementKind::float32:
      return "float32";
    case ElementKind::code8:
      return "codes";
    case ElementKind::bits:
      return "bits";
  }
  return "unknown";
}

namespace {

template <class T>
std::shared_ptr<const void> keep(Matrix<T>&& matrix) {
  return std::make_shared<const Matrix<T>>(std::move(matrix));
}

std::size_t storage_size(ElementKind kind) {
  switch (kind) {
    case ElementKind::float32:
      return sizeof(float);
    case ElementKind::code8:
      return sizeof(std::uint8_t);
    case ElementKind::bits:
      return sizeof(std::uint64_t);
  }
  return 0;
}

}  // namespace

Templates::Templates(Matrix<float> values)
    : kind_(ElementKind::float32), rows_(values.rows()), cols_(values.cols()), stride_(values.cols()) {
  data_ = values.data();
  owner_ = keep(std::move(values));
}

Templates::Templates(Matrix<std::uint8_t> codes)
    : kind_(ElementKind::code8), rows_(codes.rows()), cols_(codes.cols()), stride_(codes.cols()) {
  data_ = codes.data();
  owner_ = keep(std::move(codes));
}

Templates::Templates(Matrix<std::uint64_t> words, std::size_t bits)
    : kind_(ElementKind::bits), rows_(words.rows()), cols_(bits), stride_(words.cols()) {
  BAUTA_ASSERT(words.cols() == words_for_bits(bits));
  data_ = words.data();
  owner_ = keep(std::move(words));
}

Templates::Templates(MatrixView<const float> values, std::shared_ptr<const void> owner, bool mapped)
    : kind_(ElementKind::float32),
      rows_(values.rows),
      cols_(values.cols),
      stride_(values.stride),
      data_(values.data),
      owner_(std::move(owner)),
      mapped_(mapped) {}

MatrixView<const float> Templates::floats() const {
  BAUTA_ASSERT(kind_ == ElementKind::float32);
  return {static_cast<const float*>(data_), rows_, cols_, stride_};
}

MatrixView<const std::uint8_t> Templates::codes() const {
  BAUTA_ASSERT(kind_ == ElementKind::code8);
  return {static_cast<const std::uint8_t*>(data_), rows_, cols_, stride_};
}

MatrixView<const std::uint64_t> Templates::words() const {
  BAUTA_ASSERT(kind_ == ElementKind::bits);
  return {static_cast<const std::uint64_t*>(data_), rows_, words_for_bits(cols_), stride_};
}

void Templates::forget(std::size_t first, std::size_t count) const {
  if (!mapped_ || count == 0) return;
  // Outwards to whole pages: a neighbour who still reads one of them finds it again.
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const char* const row = row_bytes(first).data();
  const char* const begin = row - reinterpret_cast<std::uintptr_t>(row) % page;
  const auto last = row_bytes(first + count - 1);
  const auto size = static_cast<std::size_t>(last.data() + last.size() - begin);
  ::madvise(const_cast<char*>(begin), size, MADV_DONTNEED);  // a wish: all works without
}

Templates Templates::slice(std::size_t first, std::size_t count) const {
  BAUTA_ASSERT(first <= rows_ && count <= rows_ - first);
  Templates part = *this;
  part.rows_ = count;
  part.data_ = static_cast<const std::byte*>(data_) + first * stride_ * storage_size(kind_);
  return part;
}

namespace {

template <class T>
Matrix<T> gather(MatrixView<const T> source, const std::vector<std::size_t>& rows) {
  Matrix<T> picked(rows.size(), source.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BAUTA_ASSERT(rows[i] < source.rows);
    std::memcpy(picked.row(i).data(), source.row(rows[i]).data(), source.cols * sizeof(T));
  }
  return picked;
}

}  // namespace

Templates Templates::select(const std::vector<std::size_t>& rows) const {
  switch (kind_) {
    case ElementKind::float32:
      return Templates(gather(floats(), rows));
    case ElementKind::code8:
      return Templates(gather(codes(), rows));
    case ElementKind::bits:
      return {gather(words(), rows), cols_};
  }
  return {};
}

std::string_view Templates::row_bytes(std::size_t row) const {
  const auto view = [](const auto& span) {
    return std::string_view(reinterpret_cast<const char*>(span.data()), span.size_bytes());
  };
  switch (kind_) {
    case ElementKind::float32:
      return view(floats().row(row));
    case ElementKind::code8:
      return view(codes().row(row));
    case ElementKind::bits:
      return view(words().row(row));
  }
  return {};
}

}  // namespace bauta
