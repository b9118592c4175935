// CSV as in RFC 4180, with a header; read as a stream of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/output.hpp"
#include "bauta/data/text_source.hpp"

namespace bauta {

class CsvReader {
 public:
  /// Reads the header. The separator is the most frequent of comma, tab and semicolon in it.
  explicit CsvReader(const std::filesystem::path& path);
  explicit CsvReader(std::unique_ptr<TextSource> source);

  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] char separator() const { return separator_; }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

  /// The next row, with as many fields as the header; false at the end. Blank lines are skipped.
  /// The fields stay valid until the next call.
  bool next(std::vector<std::string_view>& fields);
  /// "FILE line N" of the row that next() gave last.
  [[nodiscard]] std::string where() const;

 private:
  struct Quoted {
    std::size_t field;
    bool escapes;
  };

  bool record(std::vector<std::string_view>& fields);
  char* scan(std::vector<std::string_view>& fields);
  [[noreturn]] void fail_quote(const char* at) const;

  std::unique_ptr<TextSource> source_;
  char separator_ = ',';
  std::vector<std::string> header_;
  std::vector<Quoted> quoted_;
  std::uint64_t row_line_ = 0;
  std::uint64_t row_lines_ = 0;
};

/// Comma-separated, LF; fields that need quotes get them, and texts that a spreadsheet would take for a formula an
/// apostrophe, which CsvReader takes off. Appears under its name on commit().
class CsvWriter {
 public:
  explicit CsvWriter(const std::filesystem::path& path) : file_(path) {}

  void field(std::string_view text);
  void end_row();
  void row(std::initializer_list<std::string_view> fields);
  void commit();

 private:
  OutputFile file_;
  std::string buffer_;
  std::size_t fields_in_row_ = 0;
};

}  // namespace bauta
