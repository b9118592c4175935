// Scores that are held in memory, as a source.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/measure/score_source.hpp"

namespace bauta {

template <class Score>
class ScoreVectors : public ScoreSource<Score> {
 public:
  /// Without subjects.
  ScoreVectors(const std::vector<Score>& mated, const std::vector<Score>& non_mated) : scores_(mated) {
    scores_.insert(scores_.end(), non_mated.begin(), non_mated.end());
    mated_.assign(mated.size(), 1);
    mated_.resize(scores_.size(), 0);
    refuse_nan();
  }
  /// With the subjects (0..subjects-1) of both sides of each comparison.
  ScoreVectors(std::vector<Score> scores, std::vector<std::uint32_t> probes, std::vector<std::uint32_t> references,
               std::size_t subjects)
      : scores_(std::move(scores)),
        probes_(std::move(probes)),
        references_(std::move(references)),
        subjects_(subjects) {
    BAUTA_ASSERT(probes_.size() == scores_.size() && references_.size() == scores_.size() && subjects > 0);
    refuse_nan();
  }

  [[nodiscard]] std::size_t subjects() const override { return subjects_; }
  void scan(const std::function<void(const ScoreBatch<Score>&, int)>& consume) const override {
    constexpr std::size_t batch = 16384;
    parallel_for((scores_.size() + batch - 1) / batch, [&](std::size_t i, int worker) {
      const std::size_t first = i * batch, n = std::min(batch, scores_.size() - first);
      const auto part = [&](const auto& values) { return std::span(values).subspan(first, n); };
      ScoreBatch<Score> view;
      view.scores = part(scores_);
      if (subjects_ > 0) {
        view.probe_subjects = part(probes_);
        view.reference_subjects = part(references_);
      } else {
        view.mated = part(mated_);
      }
      consume(view, worker);
    });
  }

 private:
  void refuse_nan() const {
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      if (std::isnan(scores_[i])) throw_input("scores", "score " + std::to_string(i) + " is not a number");
    }
  }

  std::vector<Score> scores_;
  std::vector<std::uint32_t> probes_, references_;
  std::vector<std::uint8_t> mated_;
  std::size_t subjects_ = 0;
};

}  // namespace bauta
