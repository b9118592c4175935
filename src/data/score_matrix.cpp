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
constexpr std::uint64_t tile = 256;                            // edge of what is compared with its mirror image

/// A set against itself, each comparison above and below the diagonal: as many of them as it seems are half as much
/// evidence. What is ignored may hold anything.
bool is_symmetric(const BeeMatrix& scores, const BeeMatrix& mask) {
  const std::uint64_t n = scores.rows();
  if (n != scores.cols()) return false;
  std::vector<float> upper(tile * tile), lower(tile * tile);
  for (std::uint64_t top = 0; top < n; top += tile) {
    const std::uint64_t bottom = std::min(top + tile, n);
    for (std::uint64_t left = top; left < n; left += tile) {
      const std::uint64_t right = std::min(left + tile, n), height = bottom - top, width = right - left;
      for (std::uint64_t i = 0; i < height; ++i) {
        scores.read_scores((top + i) * n + left, {upper.data() + i * tile, width});
      }
      for (std::uint64_t j = 0; j < width; ++j) {
        scores.read_scores((left + j) * n + top, {lower.data() + j * tile, height});
      }
      for (std::uint64_t i = 0; i < height; ++i) {
        const auto above = mask.mask((top + i) * n + left, width);
        for (std::uint64_t j = 0; j < width; ++j) {
          if (above[j] != mask.mask((left + j) * n + top + i, 1)[0]) return false;
          if (above[j] != MatrixWriter::ignore && upper[i * tile + j] != lower[j * tile + i]) return false;
        }
      }
    }
  }
  return true;
}

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
    symmetric_ = count_ > 1 && is_symmetric(scores_, mask_);
    scores_.forget_before(count_);
    mask_.forget_before(count_);
    if (symmetric_) {
      remarks.push_back(
          scores_.path() +
          ": is symmetric, a set against itself: what stands above and below the diagonal is one comparison");
    }
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
        if (symmetric_ && (at_ + i) % scores_.cols() < (at_ + i) / scores_.cols()) continue;  // below the diagonal
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
  bool symmetric_ = false;
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
