#include "bauta/run/similarity.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/measure/classification.hpp"
#include "bauta/measure/intervals.hpp"
#include "bauta/protocol/attacker_database.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/comparing.hpp"

namespace bauta {

namespace {

/// The target's usable samples: not failed, with a value of the attribute that the attacker knows.
struct Target {
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> truth;
  std::vector<std::uint32_t> subjects;
  std::size_t identities = 0;
  std::size_t failures = 0;
  std::size_t unlabelled = 0;
};

Target usable(const Dataset& target, const std::string& attribute, const std::vector<std::string>& classes) {
  Target result;
  const auto& values = target.labels.column(attribute);
  const std::vector<bool> failed = target.failed();
  // Without identities every sample counts as a subject of its own.
  const bool named = !target.identity_column.empty();
  const Categorical identity = named ? target.labels.categorical(target.identity_column) : Categorical{};
  std::set<std::uint32_t> seen;
  for (std::size_t row = 0; row < target.size(); ++row) {
    if (failed[row]) {
      ++result.failures;
      continue;
    }
    const auto found = std::find(classes.begin(), classes.end(), values[row]);
    if (found == classes.end()) {
      ++result.unlabelled;
      continue;
    }
    const bool has_identity = named && identity.codes[row] >= 0;
    const auto subject = static_cast<std::uint32_t>(has_identity ? static_cast<std::size_t>(identity.codes[row])
                                                                 : identity.classes.size() + row);
    result.rows.push_back(row);
    result.truth.push_back(static_cast<std::int32_t>(found - classes.begin()));
    result.subjects.push_back(subject);
    seen.insert(subject);
  }
  result.identities = seen.size();
  return result;
}

}  // namespace

void require_attribute(const Dataset& attacker, const Dataset& target, const std::string& attribute) {
  for (const Dataset* dataset : {&attacker, &target}) {
    if (dataset->labels.kind(attribute) == ColumnKind::continuous) {
      throw_usage(dataset->labels.origin(),
                  fmt::format("'{}' is continuous, the similarity attack guesses classes", attribute),
                  "add a column with groups of it, e.g. age_group");
    }
  }
  const Categorical ours = attacker.labels.categorical(attribute);
  const Categorical theirs = target.labels.categorical(attribute);
  const std::set<std::string> known(ours.classes.begin(), ours.classes.end());
  const auto shared = std::count_if(theirs.classes.begin(), theirs.classes.end(),
                                    [&](const auto& name) { return known.contains(name); });
  if (shared < 2) {
    throw_input(attacker.origin + " and " + target.origin,
                fmt::format("share {} class(es) of '{}': [{}] against [{}]", shared, attribute,
                            fmt::join(ours.classes, ", "), fmt::join(theirs.classes, ", ")),
                "both must write the classes alike");
  }
}

Json run_similarity_attack(const Dataset& attacker, const Dataset& target, const SimilarityRun& run) {
  require_comparable(attacker, target);
  require_attribute(attacker, target, run.attribute);
  require_disjoint(attacker, target);
  const ComparatorChoice choice = choose_comparator(target, run.comparator);
  Json remarks = choice.remarks;

  const AttackerDatabase database = attacker_database(attacker, run.attribute, run.options.seed);
  const Target probes = usable(target, run.attribute, database.class_names);
  if (probes.unlabelled > 0) {
    remarks.push_back(fmt::format("{} target samples without a class of '{}' that the attacker knows are left out",
                                  probes.unlabelled, run.attribute));
  }
  const std::size_t largest = *std::max_element(run.options.n.begin(), run.options.n.end());
  if (largest > database.per_class) {
    remarks.push_back(fmt::format("n is capped at {}, the size of the smallest class of the attacker's data base",
                                  database.per_class));
  }

  const auto comparator = make_comparator(choice.specification);
  // What was stolen is what is stored; the attacker presents the faces of his own data base to it.
  const Templates& presented = attacker.probe_templates.empty() ? attacker.templates : attacker.probe_templates;
  const auto references = comparator->prepare(presented.select(database.rows), Side::probe, attacker.origin);
  const auto targets = comparator->prepare(target.templates.select(probes.rows), Side::reference, target.origin);
  const std::size_t classes = database.class_names.size();
  const auto guesses = similarity_attack(*comparator, *references, database.classes, classes, *targets, run.options);

  Json results = Json::array();
  Json best;
  double chance = 0;
  for (const SimilarityGuess& guess : guesses) {
    const ClassificationResult measured = classify_result(guess.predicted, probes.truth, classes);
    chance = measured.chance;
    Json recall = Json::object();
    for (std::size_t c = 0; c < classes; ++c) {
      recall[database.class_names[c]] = measured.recall[c] ? Json(*measured.recall[c]) : Json(nullptr);
    }
    Json row = {
        {"rule", to_text(guess.rule)},   {"n", guess.n},  {"n_used", guess.n_used}, {"success", measured.accuracy},
        {"balanced", measured.balanced}, {"ci", nullptr}, {"per_class", recall}};
    if (run.bootstrap > 0) {
      const Interval interval = balanced_accuracy_interval(guess.predicted, probes.truth, classes, probes.subjects,
                                                           run.bootstrap, run.options.seed);
      row["ci"] = {interval.low, interval.high};
    }
    if (best.is_null() || row["balanced"].get<double>() > best["balanced"].get<double>()) best = row;
    results.push_back(std::move(row));
  }
  return {
      {"attribute", run.attribute},
      {"classes", database.class_names},
      {"chance", chance},
      {"attacker", {{"samples", database.rows.size()}, {"identities", database.rows.size()}}},
      {"target", {{"samples", probes.rows.size()}, {"identities", probes.identities}, {"failures", probes.failures}}},
      {"comparator", choice.specification},
      {"results", std::move(results)},
      {"best", std::move(best)},
      {"remarks", std::move(remarks)}};
}

}  // namespace bauta
