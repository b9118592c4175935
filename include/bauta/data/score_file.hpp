// Comparison scores of other programs, read as a stream of batches: score files may be larger than memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/output.hpp"
#include "bauta/data/csv.hpp"
#include "bauta/data/dataset.hpp"

namespace bauta {

enum class ScoreFormat {
  guess,
  csv,          ///< columns `score` and `mated`, or `score`, `probe_subject_id` and `bio_ref_subject_id`
  four_column,  ///< claimed_id real_id test_label score, separated by spaces
  five_column,  ///< claimed_id model_label real_id test_label score
  matrix,       ///< NIST BEE .mtx with .mask
};

struct ScoreOptions {
  ScoreFormat format = ScoreFormat::guess;
  bool distances = false;      ///< smaller is more similar: scores are negated
  std::filesystem::path mask;  ///< for .mtx; empty: the same name with .mask
  std::size_t batch = std::size_t{1} << 16;
  std::vector<std::string> missing = missing_words();  ///< names of nobody, beside blank ones
};

/// Similarities: higher is more likely mated. No NaN.
struct ScoreRows {
  std::vector<double> scores;
  std::vector<std::uint8_t> mated;                ///< 1 or 0
  std::vector<std::uint32_t> probe_subjects;      ///< empty for formats without identities
  std::vector<std::uint32_t> reference_subjects;  ///< likewise; the same numbers as probes: mated iff equal

  void clear();
  [[nodiscard]] std::size_t size() const { return scores.size(); }
};

class ScoreReader {
 public:
  /// Guesses the format from the content unless told. Files can be opened again to scan them again; subject numbers
  /// are then the same, because they count first appearances.
  static std::unique_ptr<ScoreReader> open(const std::filesystem::path& path, const ScoreOptions& options = {});
  virtual ~ScoreReader() = default;

  /// Replaces `rows` by the next batch of at most options.batch rows; false (and no rows) at the end.
  /// A score that is not a number is an input error that names its line, and so is a comparison of which neither names
  /// nor a column `mated` say whether it is mated.
  virtual bool next(ScoreRows& rows) = 0;
  /// False at the end, although the rows had numbers, where none of them named anybody.
  [[nodiscard]] virtual bool has_subjects() const = 0;
  /// Names of the subjects seen so far, tidy like labels; their place is their number. Empty: who is not named.
  [[nodiscard]] virtual const std::vector<std::string>& subjects() const = 0;
  /// What was guessed or rewritten, complete when all is read.
  std::vector<std::string> remarks;
};

/// CSV with columns score, mated.
class ScoreCsvWriter {
 public:
  explicit ScoreCsvWriter(const std::filesystem::path& path);
  void add(double score, bool mated);
  void commit() { writer_.commit(); }

 private:
  CsvWriter writer_;
};

/// claimed_id real_id test_label score.
class FourColumnWriter {
 public:
  explicit FourColumnWriter(const std::filesystem::path& path) : file_(path) {}
  /// Names may not contain white space, which separates the columns: a usage error.
  void add(std::string_view claimed, std::string_view real, std::string_view label, double score);
  void commit();

 private:
  OutputFile file_;
  std::string buffer_;
};

/// .mtx and .mask, row by row; nothing appears before all rows are there and commit() is called.
class MatrixWriter {
 public:
  struct Header {
    std::uint64_t rows = 0;  ///< queries
    std::uint64_t cols = 0;  ///< targets
    std::string target_sigset = "target.xml";
    std::string query_sigset = "query.xml";
    bool distances = false;
  };
  static constexpr std::uint8_t match = 0xff;
  static constexpr std::uint8_t non_match = 0x7f;
  static constexpr std::uint8_t ignore = 0x00;

  MatrixWriter(const std::filesystem::path& matrix, const std::filesystem::path& mask, Header header);
  void add_row(std::span<const float> scores, std::span<const std::uint8_t> mask);
  void commit();

 private:
  Header header_;
  OutputFile matrix_;
  OutputFile mask_;
  std::uint64_t rows_ = 0;
};

}  // namespace bauta
