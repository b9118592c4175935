// Which format a score file has.
#include "bauta/data/score_file.hpp"

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "score_readers.hpp"
#include "text.hpp"

namespace bauta {

namespace {

constexpr std::string_view known_formats =
    "expected CSV with columns score and mated (0/1), a 4- or 5-column score file, or .mtx with .mask";

std::size_t count_words(std::string_view line) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : line) {
    const bool space = c == ' ' || c == '\t';
    count += !space && !inside;
    inside = !space;
  }
  return count;
}

// A column called score, whatever separates it: data lines of the other formats end in a number.
bool is_csv_header(std::string_view line) {
  std::string name;
  for (const char c : std::string(line) + ',') {
    if (c == ',' || c == ';' || c == '\t') {
      if (lower_case(name) == "score") return true;
      name.clear();
    } else if (c != '"' && c != ' ') {
      name.push_back(c);
    }
  }
  return false;
}

ScoreFormat guess_format(TextSource& source) {
  const std::string_view line = source.peek_line();
  if (line == "S2" || line == "D2") return ScoreFormat::matrix;
  if (is_csv_header(line)) return ScoreFormat::csv;
  const std::size_t words = count_words(line);
  if (line.find(',') == std::string_view::npos && words == 4) return ScoreFormat::four_column;
  if (line.find(',') == std::string_view::npos && words == 5) return ScoreFormat::five_column;
  // The start of the line tells people more than any description, if it is text at all.
  const std::string start(line.substr(0, 60));
  throw_input(
      source.path() + " line 1",
      is_plain_utf8(start) ? fmt::format("'{}' is no known kind of score file", start) : "this is not a score file",
      std::string(known_formats));
}

}  // namespace

void ScoreRows::clear() {
  scores.clear();
  mated.clear();
  probe_subjects.clear();
  reference_subjects.clear();
}

std::unique_ptr<ScoreReader> ScoreReader::open(const std::filesystem::path& path, const ScoreOptions& options) {
  BAUTA_ASSERT(options.batch > 0);
  if (options.format == ScoreFormat::matrix) return open_score_matrix(path, options);
  // The source that was looked at is handed on, so that pipes work: they cannot be opened twice.
  auto source = std::make_unique<TextSource>(path);
  ScoreOptions resolved = options;
  std::string remark;
  if (resolved.format == ScoreFormat::guess) {
    resolved.format = guess_format(*source);
    if (resolved.format == ScoreFormat::four_column) remark = "read as lines of claimed_id real_id test_label score";
    if (resolved.format == ScoreFormat::five_column)
      remark = "read as lines of claimed_id model_label real_id test_label score";
  }
  std::unique_ptr<ScoreReader> reader;
  if (resolved.format == ScoreFormat::matrix) {
    reader = open_score_matrix(path, resolved);
  } else if (resolved.format == ScoreFormat::csv) {
    reader = open_score_csv(std::move(source), resolved);
  } else {
    reader = open_score_columns(std::move(source), resolved);
  }
  if (!remark.empty()) reader->remarks.push_back(remark);
  return reader;
}

}  // namespace bauta
