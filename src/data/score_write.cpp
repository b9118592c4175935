// Score files that other programs read. Numbers are written with the fewest digits that read back as the same double.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/bytes.hpp"
#include "bauta/data/score_file.hpp"

namespace bauta {

namespace {

constexpr std::size_t flush_size = 1U << 20;

std::string_view number_text(double value, std::array<char, 32>& buffer) {
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

// Quoting does not exist in this format.
void check_word(std::string_view name) {
  if (!name.empty() && name.find_first_of(" \t\r\n") == std::string_view::npos) return;
  throw_usage(fmt::format("name '{}'", name), "is empty or has white space, which separates the columns of this format",
              "write CSV instead");
}

std::string matrix_header(const MatrixWriter::Header& header, char type) {
  std::array<std::uint8_t, 4> mark{};
  store(mark.data(), std::uint32_t{0x12345678}, native_order);
  std::string text = fmt::format("{}2\n{}\n{}\nM{} {} {} ", header.distances ? 'D' : 'S', header.target_sigset,
                                 header.query_sigset, type, header.rows, header.cols);
  text.append(reinterpret_cast<const char*>(mark.data()), mark.size());
  text.push_back('\n');
  return text;
}

}  // namespace

ScoreCsvWriter::ScoreCsvWriter(const std::filesystem::path& path) : writer_(path) {
  writer_.row({"score", "mated"});
}

void ScoreCsvWriter::add(double score, bool mated) {
  std::array<char, 32> buffer{};
  writer_.row({number_text(score, buffer), mated ? "1" : "0"});
}

void FourColumnWriter::add(std::string_view claimed, std::string_view real, std::string_view label, double score) {
  std::array<char, 32> buffer{};
  // All names are checked by the time the score is appended; a refused line ends the file anyway.
  for (const std::string_view word : {claimed, real, label}) {
    check_word(word);
    buffer_.append(word).push_back(' ');
  }
  buffer_.append(number_text(score, buffer)).push_back('\n');
  if (buffer_.size() < flush_size) return;
  file_.write(buffer_);
  buffer_.clear();
}

void FourColumnWriter::commit() {
  file_.write(buffer_);
  buffer_.clear();
  file_.commit();
}

MatrixWriter::MatrixWriter(const std::filesystem::path& matrix, const std::filesystem::path& mask, Header header)
    : header_(std::move(header)), matrix_(matrix), mask_(mask) {
  BAUTA_ASSERT(header_.rows > 0 && header_.cols > 0);
  // The names are lines of the header.
  for (const std::string* sigset : {&header_.target_sigset, &header_.query_sigset}) {
    if (sigset->find('\n') != std::string::npos) throw_usage("sigset", "its name contains a line break");
  }
  matrix_.write(matrix_header(header_, 'F'));
  // The mask has no polarity.
  Header mask_header = header_;
  mask_header.distances = false;
  mask_.write(matrix_header(mask_header, 'B'));
}

void MatrixWriter::add_row(std::span<const float> scores, std::span<const std::uint8_t> mask) {
  BAUTA_ASSERT(scores.size() == header_.cols && mask.size() == header_.cols && rows_ < header_.rows);
  matrix_.write(scores.data(), scores.size_bytes());
  mask_.write(mask.data(), mask.size());
  ++rows_;
}

void MatrixWriter::commit() {
  BAUTA_ASSERT(rows_ == header_.rows);
  matrix_.commit();
  mask_.commit();
}

}  // namespace bauta
