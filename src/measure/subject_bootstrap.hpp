// The measurements of a verification experiment in every draw of a subject-level bootstrap, exact per draw, from one
// pass over the ascending scores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "draw_weights.hpp"
#include "isotonic.hpp"
#include "score_walk.hpp"

namespace bauta {

/// Draw by draw; NaN: not defined in it.
struct BootstrapDraws {
  std::size_t skipped = 0;  ///< draws without mated or without non-mated comparisons
  std::vector<double> eer, rocch_eer, auc, d_prime, cllr;
  std::vector<std::vector<double>> fnmr;  ///< one per requested FMR
};

class SubjectBootstrap {
 public:
  struct Options {
    std::vector<double> fmr;
    bool moments = true;  ///< false if there are infinite scores: no d', no Cllr
    double origin = 0;    ///< a value amid the scores, from which squares are taken
  };

  /// `mated` and `non_mated` are the total weights per draw (DrawTotals).
  SubjectBootstrap(const DrawWeights& weights, Options options, const std::vector<double>& mated,
                   const std::vector<double>& non_mated);
  ~SubjectBootstrap();

  /// The next steps in ascending order.
  template <class Record>
  void add(std::span<const Step> steps, const SortedScores<Record>& scores);
  /// A value whose records are not held: its weights per draw.
  void add_single(double value, const std::vector<double>& mated, const std::vector<double>& non_mated);

  [[nodiscard]] BootstrapDraws finish() const;

 private:
  struct Block;
  const DrawWeights& weights_;
  Options options_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace bauta
