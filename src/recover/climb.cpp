#include "climb.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"

namespace bauta {
namespace {

// Rows that are protected together; keyed techniques work in tiles of this size.
constexpr std::size_t tile_rows = 256;
// The step grows while steps succeed and shrinks while they fail.
constexpr double grow = 1.3;
constexpr double shrink = 0.85;

/// One target: where its candidate stands, how similar that is, and how far the next proposals go.
struct State {
  Stream stream;
  Eigen::VectorXd place;
  double similarity = 0;
  double step = 0;
  Eigen::VectorXd promising;  // mean of the better half of the last steps; empty at first
};

using Steps = Eigen::MatrixXd;  // one per column

class Climber {
 public:
  Climber(const StolenTechnique& technique, const ClimbTargets& targets, const Eigen::MatrixXd& factor,
          const ClimbOptions& options)
      : technique_(technique),
        targets_(technique.comparator().prepare(targets.templates, Side::reference, "target")),
        subjects_(targets.subjects),
        factor_(factor),
        options_(options) {}

  /// Similarity of each row to its target, `per_target` consecutive rows for each from `first` on.
  [[nodiscard]] std::vector<float> similarities(Matrix<float> rows, std::size_t first, std::size_t per_target) const {
    const std::size_t count = rows.rows();
    std::vector<std::string> subjects;
    for (std::size_t i = 0; technique_.personal() && i < count; ++i) {
      subjects.push_back(subjects_[first + i / per_target]);
    }
    const Templates presented = technique_.present(Templates(std::move(rows)), std::move(subjects));
    const auto prepared = technique_.comparator().prepare(presented, Side::probe, "proposals");
    std::vector<float> scores(count);
    for (std::size_t i = 0; i < count; i += per_target) {
      const std::size_t target = first + i / per_target;
      technique_.comparator().tile(*prepared, {i, i + per_target}, *targets_, {target, target + 1},
                                   {scores.data() + i, per_target, 1, 1});
    }
    return scores;
  }

  void round(std::vector<State>& states, std::size_t first) const {
    const auto d = factor_.rows();
    const std::size_t proposals = options_.proposals;
    std::vector<Steps> steps;
    Matrix<float> rows(states.size() * proposals, static_cast<std::size_t>(d));
    for (std::size_t s = 0; s < states.size(); ++s) {
      steps.push_back(propose(states[s]));
      for (std::size_t p = 0; p < proposals; ++p) {
        const Eigen::VectorXd place = states[s].place + steps[s].col(static_cast<Eigen::Index>(p));
        for (Eigen::Index j = 0; j < d; ++j) {
          rows(s * proposals + p, static_cast<std::size_t>(j)) = static_cast<float>(place(j));
        }
      }
    }
    const std::vector<float> scores = similarities(std::move(rows), first, proposals);
    for (std::size_t s = 0; s < states.size(); ++s) {
      choose(states[s], steps[s], std::span(scores).subspan(s * proposals, proposals));
    }
  }

 private:
  /// Steps from the prior, in opposite pairs; first of all what the last round's better half had in common.
  [[nodiscard]] Steps propose(State& state) const {
    const auto d = factor_.rows();
    const auto proposals = static_cast<Eigen::Index>(options_.proposals);
    Eigen::MatrixXd normal(d, (proposals + 1) / 2);
    for (double& value : std::span(normal.data(), static_cast<std::size_t>(normal.size()))) {
      value = state.stream.normal();
    }
    const Eigen::MatrixXd drawn = state.step * (factor_ * normal);
    Steps steps(d, proposals);
    for (Eigen::Index p = 0; p < proposals; ++p) steps.col(p) = (p % 2 == 0 ? 1 : -1) * drawn.col(p / 2);
    if (state.promising.size() > 0) steps.col(0) = state.promising;
    return steps;
  }

  static void choose(State& state, const Steps& steps, std::span<const float> scores) {
    const auto best = std::max_element(scores.begin(), scores.end());
    if (*best > state.similarity) {
      state.place += steps.col(best - scores.begin());
      state.similarity = *best;
      state.step *= grow;
    } else {
      state.step *= shrink;
    }
    std::vector<std::size_t> order(scores.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    // About as long as one step: in many dimensions steps are nearly orthogonal.
    state.promising = Eigen::VectorXd::Zero(steps.rows());
    const std::size_t half = std::max<std::size_t>(1, order.size() / 2);
    for (std::size_t i = 0; i < half; ++i) state.promising += steps.col(static_cast<Eigen::Index>(order[i]));
    state.promising /= std::sqrt(static_cast<double>(half));
  }

  const StolenTechnique& technique_;
  std::unique_ptr<const Prepared> targets_;
  const std::vector<std::string>& subjects_;
  const Eigen::MatrixXd& factor_;
  const ClimbOptions& options_;
};

}  // namespace

Climb climb(const StolenTechnique& technique, const ClimbTargets& targets, const Gaussian& prior,
            const ClimbOptions& options, Matrix<float>& candidates) {
  const std::vector<std::size_t>& rows = targets.rows;
  const Eigen::MatrixXd factor = prior.covariance.llt().matrixL();
  const Climber climber(technique, targets, factor, options);
  Climb result{std::vector<double>(rows.size()), std::vector<double>(rows.size())};
  const std::size_t together = std::max<std::size_t>(1, tile_rows / options.proposals);
  Progress progress("climb", rows.size() * options.rounds, "rounds");
  parallel_for((rows.size() + together - 1) / together, [&](std::size_t group, int) {
    const std::size_t first = group * together;
    const std::size_t count = std::min(together, rows.size() - first);
    Matrix<float> start(count, candidates.cols());
    std::copy_n(candidates.row(first).data(), start.size(), start.data());
    std::vector<State> states;
    for (std::size_t s = 0; s < count; ++s) {
      states.push_back({Stream(options.seed, "pre-image.climb", rows[first + s]), {}, 0, options.step, {}});
      states[s].place = Eigen::Map<const Eigen::VectorXf>(start.row(s).data(), factor.rows()).cast<double>();
    }
    const std::vector<float> at_first = climber.similarities(std::move(start), first, 1);
    for (std::size_t s = 0; s < count; ++s) result.before[first + s] = states[s].similarity = at_first[s];
    for (std::size_t round = 0; round < options.rounds; ++round) {
      climber.round(states, first);
      progress.add(count);
    }
    for (std::size_t s = 0; s < count; ++s) {
      result.after[first + s] = states[s].similarity;
      Eigen::Map<Eigen::VectorXf>(candidates.row(first + s).data(), factor.rows()) = states[s].place.cast<float>();
    }
  });
  return result;
}

}  // namespace bauta
