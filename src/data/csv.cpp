// CSV reading and writing. A record is first scanned to its end, then unescaped in place, so that a scan that runs out
// of buffer can start over.
#include "bauta/data/csv.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/spreadsheet.hpp"
#include "text.hpp"

namespace bauta {

namespace {

constexpr std::size_t flush_size = 1U << 20;
// A header of 16 MiB could otherwise ask for a gigabyte of column names.
constexpr std::size_t most_fields = 1U << 16;

// Only the header decides: values may contain decimal commas.
char detect_separator(std::string_view line) {
  std::array<std::size_t, 256> count{};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted) ++count[static_cast<unsigned char>(c)];
  }
  char best = ',';
  for (const char candidate : {'\t', ';'}) {
    if (count[static_cast<unsigned char>(candidate)] > count[static_cast<unsigned char>(best)]) best = candidate;
  }
  return best;
}

// Pairs of quotes become one; the text only shrinks, so it stays in its place. Returns the new size.
std::size_t unescape(char* text, std::size_t size) {
  char* to = text;
  for (std::size_t i = 0; i < size; ++i) {
    *to++ = text[i];
    if (text[i] == '"') ++i;  // the second of a pair
  }
  return static_cast<std::size_t>(to - text);
}

void take_off_apostrophe(std::string_view& text) {
  if (text.starts_with('\'') && is_taken_for_formula(text.substr(1))) text.remove_prefix(1);
}

}  // namespace

CsvReader::CsvReader(const std::filesystem::path& path) : CsvReader(std::make_unique<TextSource>(path)) {}

CsvReader::CsvReader(std::unique_ptr<TextSource> source) : source_(std::move(source)) {
  separator_ = detect_separator(source_->peek_line());
  std::vector<std::string_view> fields;
  // Blank lines before the header come from editors and are harmless.
  do {
    if (!record(fields)) throw_input(source_->path(), "is empty, expected a header line with column names");
  } while (fields.size() == 1 && fields[0].empty());
  for (const std::string_view name : fields) {
    if (!is_plain_utf8(name)) throw_input(where(), "the header is not UTF-8 text", "convert it: iconv -t UTF-8");
    if (name.find('\r') != std::string_view::npos) {
      throw_input(where(), "lines end in CR alone, expected LF or CRLF", "convert it: tr '\\r' '\\n'");
    }
    header_.emplace_back(name);
  }
}

std::optional<std::size_t> CsvReader::find(std::string_view name) const {
  const auto found = std::find(header_.begin(), header_.end(), name);
  if (found == header_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header_.begin());
}

bool CsvReader::next(std::vector<std::string_view>& fields) {
  // A blank line is no row, but a quoted empty field in a table of one column is.
  do {
    if (!record(fields)) return false;
  } while (fields.size() == 1 && fields[0].empty() && quoted_.empty());
  if (fields.size() != header_.size()) {
    throw_input(where(), fmt::format("{} fields, the header has {}", fields.size(), header_.size()),
                "a text that contains the separator or a line break needs quotes around it");
  }
  return true;
}

std::string CsvReader::where() const {
  return fmt::format("{} line {}", source_->path(), row_line_);
}

bool CsvReader::record(std::vector<std::string_view>& fields) {
  row_line_ = source_->line + 1;
  for (;;) {
    if (source_->ended() && source_->begin() == source_->end()) return false;
    if (char* stop = scan(fields); stop != nullptr) {
      // Nothing is changed before the record is complete, because an incomplete one is scanned again.
      for (const Quoted& quoted : quoted_) {
        if (!quoted.escapes) continue;
        std::string_view& field = fields[quoted.field];
        char* text = source_->begin() + (field.data() - source_->begin());
        field = {text, unescape(text, field.size())};
      }
      for (std::string_view& field : fields) take_off_apostrophe(field);
      source_->consume(stop);
      source_->line += row_lines_;
      return true;
    }
    source_->fill();
  }
}

// The end of the record that starts at the buffer's begin, or nullptr if more must be read to know it.
char* CsvReader::scan(std::vector<std::string_view>& fields) {
  fields.clear();
  quoted_.clear();
  row_lines_ = 1;
  char* at = source_->begin();
  char* const end = source_->end();
  const auto put = [&](const char* from, const char* to) {
    if (fields.size() == most_fields)
      throw_input(where(), "more than 65536 fields", "templates belong into a .npy file");
    fields.emplace_back(from, static_cast<std::size_t>(to - from));
  };
  for (;;) {
    const char* field = at;
    if (at != end && *at == '"') {
      ++field;
      ++at;
      bool escapes = false;
      for (;; ++at) {
        if (at == end) {
          if (!source_->ended()) return nullptr;
          throw_input(where(), "a quoted field is not closed", "every opening quote needs a closing one");
        }
        if (*at == '\n') ++row_lines_;
        if (*at != '"') continue;
        // Whether this quote closes the field is known only from the character behind it.
        if (at + 1 == end && !source_->ended()) return nullptr;
        if (at + 1 == end || at[1] != '"') break;
        escapes = true;
        ++at;
      }
      put(field, at);
      quoted_.push_back({fields.size() - 1, escapes});
      ++at;
      if (at != end && *at == '\r') {
        if (at + 1 == end && !source_->ended()) return nullptr;
        if (at + 1 == end || at[1] == '\n') ++at;
      }
      if (at == end) return source_->ended() ? at : nullptr;
      if (*at == '\n') return at + 1;
      if (*at != separator_) fail_quote(at);
      ++at;
      continue;
    }
    // The common case: a field without quotes. A quote inside it stands for itself.
    while (at != end && *at != separator_ && *at != '\n') ++at;
    if (at != end && *at == separator_) {
      put(field, at);
      ++at;
      continue;
    }
    if (at == end && !source_->ended()) return nullptr;
    const char* stop = at != field && at[-1] == '\r' ? at - 1 : at;
    put(field, stop);
    return at == end ? at : at + 1;
  }
}

void CsvReader::fail_quote(const char* at) const {
  throw_input(fmt::format("{} line {}", source_->path(), row_line_ + row_lines_ - 1),
              fmt::format("'{}' follows a closing quote, expected '{}' or the end of the line",
                          *at >= 0x20 && *at < 0x7f ? std::string(1, *at) : "?",
                          separator_ == '\t' ? "tab" : std::string(1, separator_)),
              "a quote inside a quoted field is written twice");
}

void CsvWriter::field(std::string_view text) {
  if (fields_in_row_++ > 0) buffer_.push_back(',');
  // Other separators get quotes too, so that no reader is misled when it guesses the separator.
  const bool plain = text.find_first_of(",;\t\"\r\n") == std::string_view::npos;
  const std::string_view mark = is_taken_for_formula(text) ? "'" : "";
  if (plain) {
    buffer_.append(mark).append(text);
    return;
  }
  buffer_.append("\"").append(mark);
  for (const char c : text) {
    if (c == '"') buffer_.push_back('"');
    buffer_.push_back(c);
  }
  buffer_.push_back('"');
}

void CsvWriter::end_row() {
  // A lone empty field would be a blank line, which readers skip.
  if (fields_in_row_ == 1 && (buffer_.empty() || buffer_.back() == '\n')) buffer_.append("\"\"");
  buffer_.push_back('\n');
  fields_in_row_ = 0;
  if (buffer_.size() < flush_size) return;
  file_.write(buffer_);
  buffer_.clear();
}

void CsvWriter::row(std::initializer_list<std::string_view> fields) {
  for (const std::string_view text : fields) field(text);
  end_row();
}

void CsvWriter::commit() {
  file_.write(buffer_);
  buffer_.clear();
  file_.commit();
}

}  // namespace bauta
