// The header of BEE matrices: "S2" or "D2", target sigset, query sigset, "MF rows cols " + 0x12345678 in file byte
// order.
#include "bee_matrix.hpp"

#include <bit>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "bauta/core/checked.hpp"
#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr std::uint32_t order_mark = 0x12345678;
// Two sigset names and two numbers need far less; without a bound a wrong file would be searched to its end.
constexpr std::size_t longest_header = 1U << 16;

/// Walks through the header; `at_` is the byte that errors name.
class Header {
 public:
  Header(std::span<const std::uint8_t> bytes, const std::string& path)
      : text_(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), longest_header)), path_(path) {}

  std::string_view until(char stop, const char* what) {
    const std::size_t end = text_.find(stop, at_);
    if (end == std::string_view::npos) fail(fmt::format("the header ends before its {}", what));
    const std::string_view part = text_.substr(at_, end - at_);
    at_ = end + 1;
    return part;
  }
  std::uint64_t extent(const char* what) {
    const std::string_view text = until(' ', what);
    std::uint64_t value = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || stop != text.data() + text.size() || value == 0) {
      fail(fmt::format("no {} in the header", what));
    }
    return value;
  }
  ByteOrder order() {
    if (text_.size() - at_ < 5) fail("the header ends before its byte order mark");
    const auto* mark = reinterpret_cast<const std::uint8_t*>(text_.data()) + at_;
    // The mark contains no line feed in either order, so that line-based readers survive it too.
    const bool little = load<std::uint32_t>(mark, ByteOrder::little) == order_mark;
    const bool big = load<std::uint32_t>(mark, ByteOrder::big) == order_mark;
    if (!little && !big) fail("no byte order mark 0x12345678");
    at_ += 4;
    if (text_[at_] != '\n') fail("no line end behind the byte order mark");
    ++at_;
    return little ? ByteOrder::little : ByteOrder::big;
  }
  [[noreturn]] void fail(const std::string& finding) const {
    throw_input(fmt::format("{} byte {}", path_, at_), finding,
                "expected lines S2 or D2, target, query, and 'MF rows cols' (mask: MB) with 0x12345678");
  }
  [[nodiscard]] std::size_t size() const { return at_; }

 private:
  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

}  // namespace

BeeMatrix BeeMatrix::open(const std::filesystem::path& path, Kind kind) {
  BeeMatrix matrix;
  matrix.path_ = path.string();
  matrix.file_ = MappedFile::open(path);
  const auto bytes = matrix.file_->bytes();
  Header header(bytes, matrix.path_);
  const std::string_view format = header.until('\n', "first line");
  if (format != "S2" && format != "D2") header.fail("the first line is neither S2 nor D2");
  matrix.distances_ = format == "D2";
  matrix.target_sigset_ = header.until('\n', "target sigset");
  matrix.query_sigset_ = header.until('\n', "query sigset");
  const std::string_view type = header.until(' ', "type");
  const std::string_view expected = kind == Kind::scores ? "MF" : "MB";
  if (type != expected) header.fail(fmt::format("the matrix is not of type {}", expected));
  matrix.rows_ = header.extent("number of rows");
  matrix.cols_ = header.extent("number of columns");
  matrix.order_ = header.order();
  matrix.item_size_ = kind == Kind::scores ? sizeof(float) : 1;
  // The data starts right behind the line feed, wherever that is: it need not be aligned.
  matrix.data_ = bytes.subspan(header.size());
  const std::uint64_t count = checked_multiply(matrix.rows_, matrix.cols_, matrix.path_);
  const std::uint64_t size = checked_multiply(count, matrix.item_size_, matrix.path_);
  if (matrix.data_.size() != size) {
    throw_input(
        matrix.path_,
        fmt::format("{} bytes of data, expected {} for {} x {}", matrix.data_.size(), size, matrix.rows_, matrix.cols_),
        "the file is truncated or its header is wrong");
  }
  return matrix;
}

void BeeMatrix::read_scores(std::uint64_t first, std::span<float> to) const {
  BAUTA_ASSERT(item_size_ == sizeof(float) && to.size_bytes() <= data_.size() - first * sizeof(float));
  const std::uint8_t* from = data_.data() + first * sizeof(float);
  if (order_ == native_order) {
    std::memcpy(to.data(), from, to.size_bytes());
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = std::bit_cast<float>(load<std::uint32_t>(from + i * sizeof(float), order_));
  }
}

// Bytes have no order, so masks are handed out where they lie.
std::span<const std::uint8_t> BeeMatrix::mask(std::uint64_t first, std::size_t count) const {
  BAUTA_ASSERT(item_size_ == 1);
  return data_.subspan(first, count);
}

void BeeMatrix::forget_before(std::uint64_t end) const {
  file_->forget_before(static_cast<std::uint64_t>(data_.data() - file_->bytes().data()) + end * item_size_);
}

}  // namespace bauta
