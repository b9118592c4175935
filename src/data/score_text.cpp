// Score files of text: CSV, and bob's 4- and 5-column lines.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "score_readers.hpp"
#include "text.hpp"
#include "tidy_text.hpp"

namespace bauta {

namespace {

/// Numbers subjects in the order of their first appearance, however their names are spelled.
class Subjects {
 public:
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  explicit Subjects(const std::vector<std::string>& missing) : missing_(missing) {}

  /// `nobody` if `name` is blank or a word that means no value. `where` gives its place, for errors.
  template <class Where>
  std::uint32_t number(std::string_view name, const Where& where) {
    if (last_ == nullptr || name != last_->first) {  // neighbours in score files often share a subject
      // The table grows with the spellings, not with the rows.
      auto found = spellings_.find(name);
      if (found == spellings_.end()) found = spellings_.emplace(name, read(name, where)).first;
      last_ = &*found;
    }
    rewritten_ += last_->second.rewritten;
    return last_->second.number;
  }
  /// One of two whom no name tells: more are not needed to say who differs, and all may be the same.
  std::uint32_t unnamed(std::size_t which) {
    if (unnamed_[which] == nobody) {
      unnamed_[which] = static_cast<std::uint32_t>(names_.size());
      names_.emplace_back();
    }
    return unnamed_[which];
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool any_named() const {
    return std::any_of(names_.begin(), names_.end(), [](const std::string& name) { return !name.empty(); });
  }
  /// Names that were spelled in another way.
  [[nodiscard]] std::uint64_t rewritten() const { return rewritten_; }

 private:
  struct Spelling {
    std::uint32_t number = nobody;
    bool rewritten = false;
  };
  template <class Where>
  Spelling read(std::string_view name, const Where& where) {
    if (!is_plain_utf8(name)) throw_input(where(), "a subject's name is not UTF-8 text", "convert it: iconv -t UTF-8");
    const std::string text = tidy_text(name);
    if (missing_.contains(text)) return {};
    const std::string_view tidy = whole_number(text);
    if (tidy != name) {
      if (const auto found = spellings_.find(tidy); found != spellings_.end()) return {found->second.number, true};
    }
    if (names_.size() >= nobody) throw_input(where(), "more than 2^32 subjects");
    const auto number = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(tidy);
    if (tidy != name) spellings_.emplace(tidy, Spelling{number, false});
    return {number, tidy != name};
  }

  MissingWords missing_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, Spelling, TextHash, std::equal_to<>> spellings_;  // nodes stay where they are
  const std::pair<const std::string, Spelling>* last_ = nullptr;
  std::array<std::uint32_t, 2> unnamed_ = {nobody, nobody};
  std::uint64_t rewritten_ = 0;
};

std::string printable(std::string_view text) {
  const std::string part(text.substr(0, 40));
  return is_plain_utf8(part) ? part : "bytes that are not text";
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

/// What one line says; columns that the file lacks are empty.
struct ScoreLine {
  std::string_view score;
  std::optional<std::string_view> probe, reference, mated;
};

/// The one way from a line to a row, whatever separates the columns.
class TextScores : public ScoreReader {
 public:
  explicit TextScores(const ScoreOptions& options) : options_(options), subjects_(options.missing) {}

  bool next(ScoreRows& rows) final {
    rows.clear();
    ScoreLine line;
    while (rows.size() < options_.batch && next_line(line)) add(line, rows);
    if (rows.size() == 0) finish();
    return rows.size() > 0;
  }
  [[nodiscard]] bool has_subjects() const final {
    return has_names_ && (!ended_ || unnamed_ == 0 || subjects_.any_named());
  }
  [[nodiscard]] const std::vector<std::string>& subjects() const final { return subjects_.names(); }

 protected:
  virtual bool next_line(ScoreLine& line) = 0;
  [[nodiscard]] virtual std::string where() const = 0;  // of that line

  bool has_names_ = true;  // whether lines have names; all do or none

 private:
  void add(const ScoreLine& line, ScoreRows& rows) {
    const std::optional<double> score = parse_number(line.score);
    if (!score || std::isnan(*score)) {
      throw_input(where(), fmt::format("score '{}' is not a number", printable(line.score)),
                  "failed comparisons have no score: leave them out, or give them the lowest one");
    }
    rows.scores.push_back(options_.distances ? -*score : *score);
    const std::optional<bool> said = said_mated(line);
    if (!has_names_) {
      rows.mated.push_back(*said ? 1 : 0);
      return;
    }
    const auto [probe, reference] = pair_of(line, said);
    // Both kinds of columns may come together: then the truth is said twice and must agree.
    if (said && *said != (probe == reference)) {
      throw_input(where(), fmt::format("mated is {} for subjects that are {}", *said ? 1 : 0,
                                       probe == reference ? "the same" : "different"));
    }
    rows.probe_subjects.push_back(probe);
    rows.reference_subjects.push_back(reference);
    rows.mated.push_back(probe == reference ? 1 : 0);
  }

  [[nodiscard]] std::optional<bool> said_mated(const ScoreLine& line) const {
    if (!line.mated) return std::nullopt;
    const auto said = parse_mated(*line.mated);
    if (!said) {
      throw_input(where(), fmt::format("'{}' in column 'mated', expected 0 or 1", printable(*line.mated)),
                  "true/false and target/nontarget are understood too");
    }
    return said;
  }

  /// Probe and reference. Where a name is missing, only the file itself can say whether they are the same person.
  std::pair<std::uint32_t, std::uint32_t> pair_of(const ScoreLine& line, std::optional<bool> said) {
    const auto place = [&] { return where(); };
    std::uint32_t probe = subjects_.number(*line.probe, place);
    std::uint32_t reference = subjects_.number(*line.reference, place);
    if (probe != Subjects::nobody && reference != Subjects::nobody) return {probe, reference};
    if (!said) {
      throw_input(where(), "a subject's name is missing, and nothing else says whether the comparison is mated",
                  "name both subjects, leave the line out, or give a CSV file a column `mated`");
    }
    ++unnamed_;
    if (probe == Subjects::nobody) probe = *said && reference != Subjects::nobody ? reference : subjects_.unnamed(0);
    if (reference == Subjects::nobody) reference = *said ? probe : subjects_.unnamed(1);
    return {probe, reference};
  }

  void finish() {
    if (std::exchange(ended_, true)) return;
    if (subjects_.rewritten() > 0) {
      remarks.push_back(fmt::format("{} names of subjects are {}, or without decimals (1.0)", subjects_.rewritten(),
                                    in_one_spelling));
    }
    if (unnamed_ > 0) {
      remarks.push_back(fmt::format("{} comparisons do not name both subjects: column 'mated' says what they are{}",
                                    unnamed_,
                                    has_subjects() ? ", and for intervals they are of two people at most" : ""));
    }
  }

  ScoreOptions options_;
  Subjects subjects_;
  std::uint64_t unnamed_ = 0;  // comparisons
  bool ended_ = false;
};

class CsvScores final : public TextScores {
 public:
  CsvScores(std::unique_ptr<TextSource> source, const ScoreOptions& options)
      : TextScores(options), path_(source->path()), csv_(std::move(source)) {
    score_ = column("score");
    mated_ = column("mated");
    probe_ = column("probe_subject_id");
    reference_ = column("bio_ref_subject_id");
    has_names_ = probe_ && reference_;
    if (!score_) {
      throw_input(path_, "no column 'score'", "columns are: " + join(csv_.header(), ", "));
    }
    if (!mated_ && !has_names_) {
      throw_input(path_, "no column 'mated', and not both of 'probe_subject_id' and 'bio_ref_subject_id'",
                  "columns are: " + join(csv_.header(), ", "));
    }
    if (csv_.separator() != ',') remarks.push_back(path_ + ": fields are not separated by commas; accepted");
  }

 private:
  bool next_line(ScoreLine& line) override {
    if (!csv_.next(fields_)) return false;
    line.score = trimmed(fields_[*score_]);
    if (mated_) line.mated = trimmed(fields_[*mated_]);
    if (has_names_) {
      line.probe = trimmed(fields_[*probe_]);
      line.reference = trimmed(fields_[*reference_]);
    }
    return true;
  }
  [[nodiscard]] std::string where() const override { return csv_.where(); }
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const {
    std::optional<std::size_t> found;
    for (std::size_t c = 0; c < csv_.header().size(); ++c) {
      if (lower_case(tidy_text(csv_.header()[c])) != name) continue;
      if (found) throw_input(path_, fmt::format("column '{}' appears twice", name), "rename one of them");
      found = c;
    }
    return found;
  }

  std::string path_;
  CsvReader csv_;
  std::optional<std::size_t> score_;
  std::optional<std::size_t> mated_;
  std::optional<std::size_t> probe_;
  std::optional<std::size_t> reference_;
  std::vector<std::string_view> fields_;
};

class ColumnScores final : public TextScores {
 public:
  ColumnScores(std::unique_ptr<TextSource> source, const ScoreOptions& options)
      : TextScores(options),
        source_(std::move(source)),
        columns_(options.format == ScoreFormat::five_column ? 5 : 4),
        // The model label of five-column files names a template, not a subject.
        real_(columns_ == 5 ? 2 : 1) {}

 private:
  bool next_line(ScoreLine& line) override {
    std::string_view text;
    std::string_view words[5];
    std::size_t count = 0;
    // Blank lines separate groups in some files.
    while (count == 0) {
      if (!source_->next_line(text)) return false;
      count = split(text, words);
    }
    if (count != columns_) {
      throw_input(
          where(), fmt::format("{} columns, expected {}", count == 6 ? "more than 5" : std::to_string(count), columns_),
          columns_ == 4 ? "claimed_id real_id test_label score" : "claimed_id model_label real_id test_label score");
    }
    line.score = words[columns_ - 1];
    line.probe = words[real_];
    line.reference = words[0];
    return true;
  }
  [[nodiscard]] std::string where() const override { return fmt::format("{} line {}", source_->path(), source_->line); }

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

  std::unique_ptr<TextSource> source_;
  std::size_t columns_;
  std::size_t real_;
};

}  // namespace

std::unique_ptr<ScoreReader> open_score_csv(std::unique_ptr<TextSource> source, const ScoreOptions& options) {
  return std::make_unique<CsvScores>(std::move(source), options);
}

std::unique_ptr<ScoreReader> open_score_columns(std::unique_ptr<TextSource> source, const ScoreOptions& options) {
  return std::make_unique<ColumnScores>(std::move(source), options);
}

}  // namespace bauta
