#include "bauta/run/decisions.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

constexpr std::size_t most_subjects = 2000;  // two million comparisons: enough for FMR 1e-4

/// Keeps every score of different rows, one buffer per thread.
class Collect : public TileConsumer {
 public:
  Collect() : buffers_(static_cast<std::size_t>(threads())) {}
  void consume(const Tile& tile) override {
    auto& buffer = buffers_[static_cast<std::size_t>(tile.worker)];
    for (std::size_t i = 0; i < tile.probes.size(); ++i) {
      const auto scores = tile.scores.row(i).subspan(first_reference(tile, i, Pairs::distinct));
      buffer.insert(buffer.end(), scores.begin(), scores.end());
    }
  }
  /// In no particular order.
  std::vector<float> scores() {
    std::vector<float> all;
    for (const auto& buffer : buffers_) all.insert(all.end(), buffer.begin(), buffer.end());
    return all;
  }

 private:
  std::vector<std::vector<float>> buffers_;
};

/// One seeded sample of each of up to `most_subjects` subjects.
std::vector<std::size_t> one_per_subject(const Dataset& dataset, std::uint64_t seed) {
  const bool named = !dataset.identity_column.empty();
  const Categorical identity = named ? dataset.labels.categorical(dataset.identity_column) : Categorical{};
  const std::vector<bool> failed = dataset.failed();
  std::vector<bool> taken(identity.classes.size(), false);
  std::vector<std::size_t> rows;
  for (const std::size_t row : Stream(seed, "thresholds").permutation(dataset.size())) {
    if (failed[row]) continue;
    if (named && identity.codes[row] >= 0) {
      if (taken[static_cast<std::size_t>(identity.codes[row])]) continue;
      taken[static_cast<std::size_t>(identity.codes[row])] = true;
    }
    rows.push_back(row);
    if (rows.size() == most_subjects) break;
  }
  return rows;
}

}  // namespace

std::vector<Threshold> system_thresholds(const Comparator& comparator, const Dataset& dataset,
                                         const std::vector<double>& fmr, std::uint64_t seed) {
  const std::vector<std::size_t> rows = one_per_subject(dataset, seed);
  if (rows.size() < 2)
    throw_input(dataset.origin, "one subject has no comparison with another, so no false match rate");
  const auto references = comparator.prepare(dataset.templates.select(rows), Side::reference, dataset.origin);
  const auto probes = dataset.probe_templates.empty()
                          ? nullptr
                          : comparator.prepare(dataset.probe_templates.select(rows), Side::probe, dataset.origin);
  Collect collect;
  TileConsumer* const consumers[] = {&collect};
  compare_all(comparator, probes ? *probes : *references, *references, Pairs::distinct, consumers, "thresholds");
  return thresholds_at_fmr(collect.scores(), fmr);
}

Json decision_rows(const Decisions& decisions, const Threshold& threshold, const std::vector<std::int32_t>& classes,
                   const std::vector<std::string>& class_names, const AttackTarget& target,
                   const std::vector<std::size_t>& budgets, Refusal refusal, std::size_t bootstrap,
                   std::uint64_t seed) {
  Json rows = Json::array();
  for (const OnlineGuess& guess : online_attack(decisions, classes, class_names.size(), budgets, refusal, seed)) {
    const double decided = std::accumulate(guess.decided.begin(), guess.decided.end(), 0.0);
    Json row = {{"fmr", threshold.fmr},
                {"threshold", threshold.value},
                {"actual_fmr", threshold.actual_fmr},
                {"resolvable", threshold.resolvable},
                {"refusal", to_text(refusal)},
                {"queries", guess.queries},
                {"decided", decided / static_cast<double>(std::max<std::size_t>(guess.decided.size(), 1))}};
    row.update(guess_quality(guess.predicted, target, class_names, bootstrap, seed));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace bauta
