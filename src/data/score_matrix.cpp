// Scores from a BEE matrix and its mask, cell by cell in row order; masked cells are left out.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bee_matrix.hpp"
#include "score_readers.hpp"

namespace bauta {

namespace {

constexpr std::uint64_t forget_step = std::uint64_t{1} << 24;  // cells between two releases of pages

class MatrixScores final : public ScoreReader {
 public:
  MatrixScores(const std::filesystem::path& path, const ScoreOptions& options)
      : options_(options),
        scores_(BeeMatrix::open(path, BeeMatrix::Kind::scores)),
        mask_(BeeMatrix::open(mask_path(path, options), BeeMatrix::Kind::mask)),
        // A D2 file that is also called distances by the user is negated once.
        negate_(scores_.distances() || options.distances),
        count_(scores_.rows() * scores_.cols()) {
    if (mask_.rows() != scores_.rows() || mask_.cols() != scores_.cols()) {
      throw_input(
          mask_.path(),
          fmt::format("is {} x {}, the matrix is {} x {}", mask_.rows(), mask_.cols(), scores_.rows(), scores_.cols()),
          "matrix and mask must describe the same comparisons");
    }
    if (scores_.distances()) remarks.push_back(scores_.path() + ": distances (D2) are negated");
  }

  bool next(ScoreRows& rows) override {
    rows.clear();
    // Several blocks, because masked cells do not fill the batch.
    while (rows.size() < options_.batch && at_ < count_) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(options_.batch - rows.size(), count_ - at_));
      block_.resize(part);
      scores_.read_scores(at_, block_);
      const auto mask = mask_.mask(at_, part);
      for (std::size_t i = 0; i < part; ++i) {
        // Ignored cells may hold anything, also NaN.
        if (mask[i] == MatrixWriter::ignore) continue;
        if (mask[i] != MatrixWriter::match && mask[i] != MatrixWriter::non_match) {
          throw_input(cell(mask_, at_ + i), fmt::format("mask 0x{:02x}, expected ff, 7f or 00", mask[i]));
        }
        const double score = block_[i];
        if (std::isnan(score))
          throw_input(cell(scores_, at_ + i), "score is not a number", "mask this comparison with 0x00");
        rows.scores.push_back(negate_ ? -score : score);
        rows.mated.push_back(mask[i] == MatrixWriter::match ? 1 : 0);
      }
      at_ += part;
      forget();
    }
    return rows.size() > 0;
  }
  [[nodiscard]] bool has_subjects() const override { return false; }
  [[nodiscard]] const std::vector<std::string>& subjects() const override { return no_subjects_; }

 private:
  static std::filesystem::path mask_path(const std::filesystem::path& path, const ScoreOptions& options) {
    if (!options.mask.empty()) return options.mask;
    std::filesystem::path mask = path;
    mask.replace_extension(".mask");
    std::error_code ignored;
    if (!std::filesystem::exists(mask, ignored)) {
      throw_input(mask.string(), "does not exist; it says which comparisons are mated",
                  "put the mask beside the matrix under this name");
    }
    return mask;
  }
  static std::string cell(const BeeMatrix& matrix, std::uint64_t index) {
    return fmt::format("{} row {} column {}", matrix.path(), index / matrix.cols() + 1, index % matrix.cols() + 1);
  }
  // Mapped pages count as memory of this program until they are given back.
  void forget() {
    if (at_ - forgotten_ < forget_step) return;
    scores_.forget_before(at_);
    mask_.forget_before(at_);
    forgotten_ = at_;
  }

  ScoreOptions options_;
  BeeMatrix scores_;
  BeeMatrix mask_;
  bool negate_;
  std::uint64_t count_;
  std::uint64_t at_ = 0;
  std::uint64_t forgotten_ = 0;
  std::vector<float> block_;
  std::vector<std::string> no_subjects_;
};

}  // namespace

std::unique_ptr<ScoreReader> open_score_matrix(const std::filesystem::path& path, const ScoreOptions& options) {
  return std::make_unique<MatrixScores>(path, options);
}

}  // namespace bauta
