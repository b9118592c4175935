// Score files of text: CSV, and bob's 4- and 5-column lines.
#include <charconv>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "score_readers.hpp"
#include "text.hpp"

namespace bauta {

namespace {

/// Numbers subjects in the order of their first appearance.
class SubjectNumbers {
 public:
  /// `where` gives the place of `name`, for errors.
  template <class Where>
  std::uint32_t number(std::string_view name, const Where& where) {
    if (name == last_name_ && !names_.empty()) return last_;  // neighbours in score files often share a subject
    // The table grows with the subjects, not with the rows.
    const auto found = number_of_.find(name);
    if (found != number_of_.end()) {
      last_ = found->second;
      last_name_ = found->first;
      return last_;
    }
    if (name.empty() || !is_plain_utf8(name)) throw_input(where(), "a subject's name is empty or not UTF-8 text");
    if (names_.size() >= std::numeric_limits<std::uint32_t>::max()) throw_input(where(), "more than 2^32 subjects");
    last_ = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    stable_.emplace_back(name);
    last_name_ = stable_.back();
    number_of_.emplace(last_name_, last_);
    return last_;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::deque<std::string> stable_;  // the keys look into these
  std::unordered_map<std::string_view, std::uint32_t> number_of_;
  std::string_view last_name_;
  std::uint32_t last_ = 0;
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string printable(std::string_view text) {
  const std::string part(text.substr(0, 40));
  return is_plain_utf8(part) ? part : "bytes that are not text";
}

/// NaN if `text` is not a number; the caller knows the place.
double parse_score(std::string_view text) {
  constexpr double invalid = std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  // from_chars knows no locale and no leading plus.
  const auto [stop, status] = std::from_chars(begin, end, value);
  return status == std::errc() && stop == end ? value : invalid;
}

// Words that evaluation tools use for the two kinds of comparison.
std::optional<bool> parse_mated(std::string_view text) {
  if (text == "1") return true;
  if (text == "0") return false;
  const std::string word = lower_case(text);
  for (const std::string_view yes : {"true", "target", "mated", "genuine"}) {
    if (word == yes) return true;
  }
  for (const std::string_view no :
       {"false", "nontarget", "non-target", "nonmated", "non-mated", "impostor", "imposter"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

[[noreturn]] void fail_score(std::string where, std::string_view text) {
  throw_input(std::move(where), fmt::format("score '{}' is not a number", printable(text)),
              "failed comparisons have no score: leave them out, or give them the lowest one");
}

class CsvScores final : public ScoreReader {
 public:
  CsvScores(std::unique_ptr<TextSource> source, const ScoreOptions& options)
      : options_(options), path_(source->path()), csv_(std::move(source)) {
    // Both kinds of CSV may come together: then the truth is said twice and must agree.
    score_ = column("score");
    mated_ = column("mated");
    probe_ = column("probe_subject_id");
    reference_ = column("bio_ref_subject_id");
    if (!score_) {
      throw_input(path_, "no column 'score'", "columns are: " + join(csv_.header(), ", "));
    }
    if (!mated_ && !has_subjects()) {
      throw_input(path_, "no column 'mated', and not both of 'probe_subject_id' and 'bio_ref_subject_id'",
                  "columns are: " + join(csv_.header(), ", "));
    }
    if (csv_.separator() != ',') remarks.push_back(path_ + ": fields are not separated by commas; accepted");
  }

  bool next(ScoreRows& rows) override {
    rows.clear();
    while (rows.size() < options_.batch && csv_.next(fields_)) {
      const std::string_view text = trim(fields_[*score_]);
      const double score = parse_score(text);
      if (std::isnan(score)) fail_score(csv_.where(), text);
      rows.scores.push_back(options_.distances ? -score : score);
      bool mated = false;
      if (has_subjects()) {
        const auto place = [&] { return csv_.where(); };
        rows.probe_subjects.push_back(numbers_.number(trim(fields_[*probe_]), place));
        rows.reference_subjects.push_back(numbers_.number(trim(fields_[*reference_]), place));
        mated = rows.probe_subjects.back() == rows.reference_subjects.back();
      }
      // Subjects decide where they are known, because they also allow intervals over subjects.
      if (mated_) mated = said_mated(mated);
      rows.mated.push_back(mated ? 1 : 0);
    }
    return rows.size() > 0;
  }
  [[nodiscard]] bool has_subjects() const override { return probe_ && reference_; }
  [[nodiscard]] const std::vector<std::string>& subjects() const override { return numbers_.names(); }

 private:
  std::optional<std::size_t> column(std::string_view name) const {
    for (std::size_t c = 0; c < csv_.header().size(); ++c) {
      if (lower_case(trim(csv_.header()[c])) == name) return c;
    }
    return std::nullopt;
  }
  bool said_mated(bool same_subject) const {
    const std::string_view text = trim(fields_[*mated_]);
    const auto said = parse_mated(text);
    if (!said) {
      throw_input(csv_.where(), fmt::format("'{}' in column 'mated', expected 0 or 1", printable(text)),
                  "true/false and target/nontarget are understood too");
    }
    if (has_subjects() && *said != same_subject) {
      throw_input(csv_.where(), fmt::format("mated is {} for subjects that are {}", *said ? 1 : 0,
                                            same_subject ? "the same" : "different"));
    }
    return *said;
  }

  ScoreOptions options_;
  std::string path_;
  CsvReader csv_;
  std::optional<std::size_t> score_;
  std::optional<std::size_t> mated_;
  std::optional<std::size_t> probe_;
  std::optional<std::size_t> reference_;
  std::vector<std::string_view> fields_;
  SubjectNumbers numbers_;
};

class ColumnScores final : public ScoreReader {
 public:
  ColumnScores(std::unique_ptr<TextSource> source, const ScoreOptions& options)
      : options_(options),
        source_(std::move(source)),
        columns_(options.format == ScoreFormat::five_column ? 5 : 4),
        // The model label of five-column files names a template, not a subject.
        real_(columns_ == 5 ? 2 : 1) {}

  bool next(ScoreRows& rows) override {
    rows.clear();
    std::string_view line;
    while (rows.size() < options_.batch && source_->next_line(line)) {
      std::string_view words[5];
      const std::size_t count = split(line, words);
      // Blank lines separate groups in some files.
      if (count == 0) continue;
      if (count != columns_) {
        throw_input(
            where(),
            fmt::format("{} columns, expected {}", count == 6 ? "more than 5" : std::to_string(count), columns_),
            columns_ == 4 ? "claimed_id real_id test_label score" : "claimed_id model_label real_id test_label score");
      }
      const double score = parse_score(words[columns_ - 1]);
      if (std::isnan(score)) fail_score(where(), words[columns_ - 1]);
      rows.scores.push_back(options_.distances ? -score : score);
      const auto place = [&] { return where(); };
      rows.probe_subjects.push_back(numbers_.number(words[real_], place));
      rows.reference_subjects.push_back(numbers_.number(words[0], place));
      rows.mated.push_back(rows.probe_subjects.back() == rows.reference_subjects.back() ? 1 : 0);
    }
    return rows.size() > 0;
  }
  [[nodiscard]] bool has_subjects() const override { return true; }
  [[nodiscard]] const std::vector<std::string>& subjects() const override { return numbers_.names(); }

 private:
  /// Number of words, 6 standing for all larger numbers.
  static std::size_t split(std::string_view line, std::string_view (&words)[5]) {
    std::size_t count = 0;
    const char* at = line.data();
    const char* const end = at + line.size();
    for (;;) {
      while (at != end && (*at == ' ' || *at == '\t')) ++at;
      if (at == end) return count;
      if (count == 5) return 6;
      const char* const begin = at;
      while (at != end && *at != ' ' && *at != '\t') ++at;
      words[count++] = {begin, static_cast<std::size_t>(at - begin)};
    }
  }
  [[nodiscard]] std::string where() const { return fmt::format("{} line {}", source_->path(), source_->line); }

  ScoreOptions options_;
  std::unique_ptr<TextSource> source_;
  std::size_t columns_;
  std::size_t real_;
  SubjectNumbers numbers_;
};

}  // namespace

std::unique_ptr<ScoreReader> open_score_csv(std::unique_ptr<TextSource> source, const ScoreOptions& options) {
  return std::make_unique<CsvScores>(std::move(source), options);
}

std::unique_ptr<ScoreReader> open_score_columns(std::unique_ptr<TextSource> source, const ScoreOptions& options) {
  return std::make_unique<ColumnScores>(std::move(source), options);
}

}  // namespace bauta
