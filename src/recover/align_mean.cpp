// De-shuffling of PE-MIU: the order of blocks is not kept, but a block looks like those that other people have at its
// place. The most likely order under the attacker's own statistics of each position is an exact assignment problem.
#include <algorithm>
#include <cstring>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "bauta/compare/assignment.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/recover/recovery.hpp"
#include "enrolments.hpp"
#include "gaussian.hpp"

namespace bauta {
namespace {

/// Blocks under this map have squared norms that are the costs of standing at a position.
struct Position {
  Eigen::MatrixXd whitening;
  Eigen::VectorXd centre;  // whitened
};

class AlignMean : public Recovery {
 public:
  explicit AlignMean(const Parameters& parameters)
      : block_(static_cast<std::size_t>(parameters.integer("block"))),
        likelihood_(parameters.text("cost") == "likelihood") {}

  void fit(const Knowledge& knowledge) override {
    if (knowledge.clear == nullptr) {
      throw_usage("align-mean", "needs to know how templates look",
                  "name clear templates of other people with --clear");
    }
    clear_ = *knowledge.clear;
    if (clear_.templates.kind() != ElementKind::float32 || clear_.size() < 2) {
      throw_input(clear_.origin, fmt::format("{} templates of {}, at least 2 of {} are needed", clear_.size(),
                                             to_text(clear_.templates.kind()), to_text(ElementKind::float32)));
    }
  }

  [[nodiscard]] Recovered recover(const Dataset& target) const override {
    const std::size_t block = given_or_recorded(block_, target, &KnownMask::block, "align-mean:block");
    check(target, block);
    const std::vector<Position> positions = learn_positions(block);
    const MatrixView<const float> shuffled = target.templates.floats();
    Matrix<float> ordered(shuffled.rows, shuffled.cols);
    const std::vector<bool> failed = target.failed();
    Progress progress("recover", shuffled.rows, "templates");
    parallel_for(shuffled.rows, [&](std::size_t i, int) {
      if (!failed[i]) restore_order(shuffled.row(i), positions, block, ordered.row(i));
      progress.add(1);
    });
    return {Templates(std::move(ordered))};
  }

 private:
  void check(const Dataset& target, std::size_t block) const {
    const std::size_t cols = target.templates.cols();
    if (target.templates.kind() != ElementKind::float32 || cols != clear_.templates.cols()) {
      throw_input(target.origin + " and " + clear_.origin,
                  fmt::format("{} {} per template against {} clear features", cols, to_text(target.templates.kind()),
                              clear_.templates.cols()),
                  "both must come from the same extractor");
    }
    if (cols % block != 0) {
      throw_input(target.origin, fmt::format("templates of {} features cannot be cut into blocks of {}", cols, block));
    }
  }

  [[nodiscard]] std::vector<Position> learn_positions(std::size_t block) const {
    const MatrixView<const float> clear = clear_.templates.floats();
    const auto size = static_cast<Eigen::Index>(block);
    std::vector<Position> positions(clear.cols / block);
    parallel_for(positions.size(), [&](std::size_t p, int) {
      const MatrixView<const float> part(clear.data + p * block, clear.rows, block, clear.stride);
      const Gaussian gaussian =
          fit_gaussian(part, fmt::format("{} features {} to {}", clear_.origin, p * block + 1, (p + 1) * block));
      // Every order uses every position once, so that the determinants of the likelihood cancel.
      positions[p].whitening = Eigen::MatrixXd::Identity(size, size);
      if (likelihood_) gaussian.covariance.llt().matrixL().solveInPlace(positions[p].whitening);
      positions[p].centre = positions[p].whitening * gaussian.mean;
    });
    return positions;
  }

  static void restore_order(std::span<const float> shuffled, const std::vector<Position>& positions, std::size_t block,
                            std::span<float> ordered) {
    const std::size_t n = positions.size();
    const Eigen::MatrixXd blocks = Eigen::Map<const Eigen::MatrixXf>(shuffled.data(), static_cast<Eigen::Index>(block),
                                                                     static_cast<Eigen::Index>(n))
                                       .cast<double>();
    Matrix<double> costs(n, n);  // position by block
    for (std::size_t p = 0; p < n; ++p) {
      Eigen::Map<Eigen::RowVectorXd>(costs.row(p).data(), static_cast<Eigen::Index>(n)) =
          ((positions[p].whitening * blocks).colwise() - positions[p].centre).colwise().squaredNorm();
    }
    std::vector<std::int32_t> block_at(n);
    solve_assignment(std::as_const(costs).view(), block_at);
    for (std::size_t p = 0; p < n; ++p) {
      std::memcpy(ordered.data() + p * block, shuffled.data() + static_cast<std::size_t>(block_at[p]) * block,
                  block * sizeof(float));
    }
  }

  std::size_t block_;
  bool likelihood_;
  Dataset clear_;
};

}  // namespace

Entry<Recovery> align_mean_recovery() {
  return {
      {.name = "align-mean",
       .paper = "",
       .doc = "shuffled blocks: the most likely order of the blocks under the statistics of other people's templates",
       .medium = "template",
       .learns = true,
       .parameters = {{"block", ParameterType::integer, "0", "features per block; 0: as the data records", 0, 1 << 20},
                      {.name = "cost",
                       .type = ParameterType::choice,
                       .default_value = "likelihood",
                       .doc = "of a block at a position: Gaussian likelihood, or distance to the mean template",
                       .choices = {"likelihood", "l2sq"}}},
       .undoes = Operation::shuffles_blocks},
      [](const Parameters& parameters) { return std::make_unique<AlignMean>(parameters); }};
}

}  // namespace bauta
