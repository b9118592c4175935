#include "decision_pool.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "bauta/compare/engine.hpp"
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

std::vector<std::int32_t> presented_codes(const AttackerDatabase& database, const std::vector<std::string>& classes) {
  const std::vector<std::int32_t> codes = codes_among(database.class_names, classes);
  std::vector<std::int32_t> presented;
  for (const std::int32_t code : database.classes) presented.push_back(codes[static_cast<std::size_t>(code)]);
  return presented;
}

std::vector<std::string> DecisionPool::remarks(std::vector<std::string> others, const TaughtClasses& taught) const {
  for (const std::string& remark : taught.remarks()) others.push_back(remark);
  if (pool_.unlabelled > 0) others.push_back(unlabelled_remark(pool_, taught.attribute()));
  if (pool_.lost > 0) others.push_back(lost_remark(pool_, "no answer tells anything of them"));
  return others;
}

void DecisionPool::begin_rotation(AttackTarget targets, const Dataset& test) {
  next_ = 0;
  subjects_.renumber(targets, test);
  pool_.append(targets);
}

void DecisionPool::add(const Decisions& decisions, const Threshold& threshold, const Presented& presented,
                       const std::vector<std::size_t>& budgets, Refusal refusal) {
  for (const OnlineGuess& guess :
       online_attack(decisions, presented.classes, presented.class_names.size(), budgets, refusal, seed_)) {
    if (next_ == rows_.size()) rows_.push_back({threshold, refusal, guess.queries});
    Row& row = rows_[next_++];
    row.predicted.insert(row.predicted.end(), guess.predicted.begin(), guess.predicted.end());
    row.decided.insert(row.decided.end(), guess.decided.begin(), guess.decided.end());
  }
}

std::vector<const DecisionPool::Row*> DecisionPool::distinct() const {
  std::vector<const Row*> distinct;
  for (const Row& row : rows_) {
    const bool known = std::ranges::any_of(distinct, [&](const Row* other) {
      return other->queries == row.queries && other->refusal == row.refusal &&
             other->threshold.fmr == row.threshold.fmr && other->predicted == row.predicted;
    });
    if (!known) distinct.push_back(&row);
  }
  return distinct;
}

Json DecisionPool::rows(const std::vector<std::string>& class_names) const {
  Json rows = Json::array();
  for (const Row* const one : distinct()) {
    const Row& row = *one;
    const double decided = std::accumulate(row.decided.begin(), row.decided.end(), 0.0);
    Json json = {{"fmr", row.threshold.fmr},
                 {"threshold", row.threshold.value},
                 {"actual_fmr", row.threshold.actual_fmr},
                 {"resolvable", row.threshold.resolvable},
                 {"refusal", to_text(row.refusal)},
                 {"queries", row.queries},
                 {"decided", decided / static_cast<double>(std::max<std::size_t>(row.decided.size(), 1))}};
    json.update(guess_quality(row.predicted, pool_, class_names, bootstrap_ > 0));
    rows.push_back(std::move(json));
  }
  return rows;
}

std::vector<Finding> DecisionPool::findings(const std::vector<std::string>& class_names,
                                            const std::string& what) const {
  std::vector<Predictions> predicted;
  const std::vector<const Row*> rows = distinct();
  for (const Row* row : rows) predicted.emplace_back(row->predicted);
  std::vector<Finding> findings =
      attribute_findings(predicted, pool_, subjects_, class_names.size(), {bootstrap_, seed_});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = *rows[i];
    findings[i].attacker = fmt::format("{} at FMR {:g} %, {} queries{}", what, 100 * row.threshold.fmr, row.queries,
                                       row.refusal == Refusal::message ? "" : ", random keys");
    findings[i].axes = {{"fmr", fmt::format("{}", row.threshold.fmr)},
                        {"refusal", std::string(to_text(row.refusal))},
                        {"queries", std::to_string(row.queries)}};
  }
  return findings;
}

}  // namespace bauta
