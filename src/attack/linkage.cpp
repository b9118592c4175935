#include "bauta/attack/linkage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bauta/compare/engine.hpp"
#include "bauta/learn/whitening.hpp"

namespace bauta {

namespace {

/// First pass: the score of each probe's right candidate, as its tile has it.
class OwnScores : public TileConsumer {
 public:
  explicit OwnScores(std::span<const std::size_t> truth) : truth_(truth), scores_(truth.size()) {}

  void consume(const Tile& tile) override {
    for (std::size_t i = 0; i < tile.probes.size(); ++i) {
      const std::size_t own = truth_[tile.probes.begin + i];
      if (own < tile.references.begin || own >= tile.references.end) continue;
      scores_[tile.probes.begin + i] = tile.scores(i, own - tile.references.begin);
    }
  }
  [[nodiscard]] const std::vector<float>& scores() const { return scores_; }

 private:
  std::span<const std::size_t> truth_;
  std::vector<float> scores_;
};

/// Second pass: everything else against it.
class Standings : public TileConsumer {
 public:
  Standings(const std::vector<float>& own, std::size_t candidates, const LinkageScore& score)
      : own_(own), score_(score), standings_(own.size()), sums_(own.size()) {
    for (Standing& standing : standings_) {
      standing.tied = 0;
      standing.candidates = static_cast<std::uint32_t>(candidates);
    }
  }

  void consume(const Tile& tile) override {
    for (std::size_t i = 0; i < tile.probes.size(); ++i) {
      const std::size_t probe = tile.probes.begin + i;
      const auto scores = tile.scores.row(i);
      std::uint32_t above = 0, tied = 0;
      for (const float score : scores) {
        above += score > own_[probe];
        tied += score == own_[probe];
      }
      standings_[probe].above += above;
      standings_[probe].tied += tied;
      for (const float score : scores) sums_[probe].add(log_weight(score));
    }
  }

  std::vector<Standing> take() {
    for (std::size_t probe = 0; probe < own_.size(); ++probe) {
      standings_[probe].posterior = sums_[probe].posterior(log_weight(own_[probe]));
      standings_[probe].divergence = sums_[probe].divergence();
    }
    return std::move(standings_);
  }

 private:
  [[nodiscard]] double log_weight(double score) const {
    return score_.weight == ScoreWeight::gaussian ? -score * score / 2 : score / score_.temperature;
  }

  const std::vector<float>& own_;
  LinkageScore score_;
  std::vector<Standing> standings_;
  std::vector<PosteriorSums> sums_;
};

std::vector<double> means_of(MatrixView<const float> x, const std::vector<std::size_t>& rows) {
  std::vector<double> means(x.cols, 0);
  for (const std::size_t row : rows) {
    for (std::size_t j = 0; j < x.cols; ++j) means[j] += x(row, j);
  }
  for (double& mean : means) mean /= static_cast<double>(std::max<std::size_t>(1, rows.size()));
  return means;
}

/// Draws without replacement vary less: variance of the sum of `drawn` out of `all`, in units of one's variance.
double sum_variance(double drawn, double all) {
  return all > 1 ? drawn * (all - drawn) / (all - 1) : 0;
}

/// The attack within one class.
class ClassLinkage {
 public:
  /// `own`, `others`: rows of the class and of all other classes; `members`, `all_others`: how many there are of both
  /// where sets are drawn.
  ClassLinkage(const Blend& blend, MatrixView<const float> originals, std::vector<std::size_t> own,
               const std::vector<std::size_t>& others, double members, double all_others)
      : blend_(blend), originals_(originals), rows_(std::move(own)), means_(means_of(originals, rows_)) {
    const auto size = static_cast<double>(blend.size);
    const double companions = static_cast<double>(blend.own) - 1;  // of the record's class, besides itself
    const double strangers = size - static_cast<double>(blend.own);
    const std::vector<double> other_means = means_of(originals, others);
    // The mean of a set around a record is share_ times the record, and `expected_` in the mean over sets.
    share_ = (1 - (members > 1 ? companions / (members - 1) : 0)) / size;
    expected_.resize(originals.cols);
    for (std::size_t j = 0; j < originals.cols; ++j) {
      const double companion_sum = members > 1 ? companions * members / (members - 1) * means_[j] : 0;
      expected_[j] = (companion_sum + strangers * other_means[j]) / size;
    }
    // How the mean varies from set to set.
    Matrix<float> deviations(rows_.size() + others.size(), originals.cols);
    std::vector<double> weights;
    const auto add = [&](const std::vector<std::size_t>& rows, const std::vector<double>& means, double variance) {
      for (const std::size_t row : rows) {
        for (std::size_t j = 0; j < originals.cols; ++j) {
          deviations(weights.size(), j) = static_cast<float>(originals(row, j) - means[j]);
        }
        weights.push_back(variance / (size * size) / static_cast<double>(rows.size()));
      }
    };
    add(rows_, means_, sum_variance(companions, members - 1));
    add(others, other_means, sum_variance(strangers, all_others));
    double variance = std::accumulate(weights.begin(), weights.end(), 0.0);
    // Sets that do not vary hide nothing: any metric finds the record.
    if (variance <= 0) {
      std::fill(weights.begin(), weights.end(), 1e-12);
      variance = std::accumulate(weights.begin(), weights.end(), 0.0);
    }
    // Sets are drawn from these very originals, or from those that they are a sample of: their covariance is known, and
    // needs no shrinking.
    whitening_.emplace(deviations.view(), weights, 0.0);
    deviation_ = std::sqrt(variance);
  }

  /// The class' originals, in the order of their rows.
  [[nodiscard]] Templates candidates() const {
    return whitened(rows_.size(), [&](std::size_t k, std::size_t j) {
      const double x = originals_(rows_[k], j);
      return (share_ + blend_.pull[j] / (1 - blend_.pull[j])) * x + expected_[j];
    });
  }

  [[nodiscard]] Templates probes(MatrixView<const float> anonymised, const std::vector<std::size_t>& rows) const {
    return whitened(rows.size(), [&](std::size_t k, std::size_t j) {
      return anonymised(rows[k], j) / (blend_.scale[j] * (1 - blend_.pull[j]));
    });
  }

 private:
  /// In units of the set means' deviation; about the class' own mean, so that digits are not lost.
  template <class Value>
  [[nodiscard]] Templates whitened(std::size_t count, Value&& value) const {
    Matrix<double> x(count, originals_.cols);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t j = 0; j < originals_.cols; ++j) {
        const double typical = (share_ + blend_.pull[j] / (1 - blend_.pull[j])) * means_[j] + expected_[j];
        x(k, j) = (value(k, j) - typical) / deviation_;
      }
    }
    return Templates(whitening_->apply(x.view()));
  }

  const Blend& blend_;
  MatrixView<const float> originals_;
  std::vector<std::size_t> rows_;
  std::vector<double> means_, expected_;
  double share_ = 0, deviation_ = 1;
  std::optional<Whitening> whitening_;
};

}  // namespace

std::vector<Standing> link_records(const Comparator& comparator, const Templates& probes, const Templates& originals,
                                   std::span<const std::size_t> truth, const LinkageScore& score,
                                   const std::string& where) {
  BAUTA_ASSERT(truth.size() == probes.rows());
  const auto prepared_probes = comparator.prepare(probes, Side::probe, where);
  const auto prepared_originals = comparator.prepare(originals, Side::reference, where);
  OwnScores own(truth);
  TileConsumer* first[] = {&own};
  compare_all(comparator, *prepared_probes, *prepared_originals, Pairs::all, first, "linking");
  Standings standings(own.scores(), originals.rows(), score);
  TileConsumer* second[] = {&standings};
  compare_all(comparator, *prepared_probes, *prepared_originals, Pairs::all, second, "linking");
  return standings.take();
}

std::vector<Standing> link_by_retained(const Blend& blend, const BlendedRecords& records, const std::string& where) {
  const MatrixView<const float> originals = records.originals.floats();
  std::vector<std::size_t> all(originals.rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<double> means = means_of(originals, all);
  const auto features = [&](MatrixView<const float> x) {
    Matrix<float> result(x.rows, blend.retained.size());
    for (std::size_t r = 0; r < blend.retained.size(); ++r) {
      const std::size_t j = blend.retained[r];
      double square = 0;
      for (std::size_t i = 0; i < originals.rows; ++i) square += std::pow(originals(i, j) - means[j], 2);
      const double deviation = std::sqrt(square / static_cast<double>(originals.rows));
      for (std::size_t i = 0; i < x.rows; ++i) {
        result(i, r) = deviation > 0 ? static_cast<float>((x(i, j) - means[j]) / deviation) : 0;
      }
    }
    return Templates(std::move(result));
  };
  return link_records(*make_comparator("euclidean"), features(records.anonymised.floats()), features(originals),
                      records.truth.empty() ? std::span<const std::size_t>(all) : records.truth,
                      {ScoreWeight::softmax, 1}, where);
}

std::vector<Standing> link_by_likelihood(const Blend& blend, const BlendedRecords& records, const std::string& where) {
  const MatrixView<const float> originals = records.originals.floats();
  const auto comparator = make_comparator("euclidean");
  const std::int32_t classes = 1 + *std::max_element(records.classes.begin(), records.classes.end());
  const auto truth_of = [&](std::size_t probe) { return records.truth.empty() ? probe : records.truth[probe]; };
  const std::size_t everybody = records.population.empty() ? originals.rows
                                                           : std::accumulate(records.population.begin(),
                                                                             records.population.end(), std::size_t{0});
  std::vector<Standing> standings(records.anonymised.rows());
  for (std::int32_t c = 0; c < classes; ++c) {
    std::vector<std::size_t> own, others, place(originals.rows), probes, truth;
    for (std::size_t i = 0; i < originals.rows; ++i) {
      BAUTA_ASSERT(records.classes[i] >= 0);
      auto& side = records.classes[i] == c ? own : others;
      place[i] = side.size();
      side.push_back(i);
    }
    for (std::size_t probe = 0; probe < standings.size(); ++probe) {
      if (records.classes[truth_of(probe)] != c) continue;
      probes.push_back(probe);
      truth.push_back(place[truth_of(probe)]);
    }
    if (probes.empty()) continue;
    const std::size_t members =
        records.population.empty() ? own.size() : records.population[static_cast<std::size_t>(c)];
    const ClassLinkage linkage(blend, originals, own, others, static_cast<double>(members),
                               static_cast<double>(everybody - members));
    const std::vector<Standing> found = link_records(*comparator, linkage.probes(records.anonymised.floats(), probes),
                                                     linkage.candidates(), truth, {ScoreWeight::gaussian, 1}, where);
    for (std::size_t k = 0; k < probes.size(); ++k) standings[probes[k]] = found[k];
  }
  return standings;
}

}  // namespace bauta
