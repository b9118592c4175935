#include "bauta/run/similarity.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/measure/classification.hpp"
#include "bauta/protocol/attacker_database.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/attack_target.hpp"
#include "bauta/run/comparing.hpp"
#include "bauta/run/decisions.hpp"

namespace bauta {

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
  const AttackTarget probes = attack_target(target, run.attribute, database.class_names);
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
  for (const SimilarityGuess& guess : guesses) {
    Json row = {{"rule", to_text(guess.rule)}, {"n", guess.n}, {"n_used", guess.n_used}};
    row.update(guess_quality(guess.predicted, probes, database.class_names, run.bootstrap, run.options.seed));
    if (best.is_null() || row["balanced"].get<double>() > best["balanced"].get<double>()) best = row;
    results.push_back(std::move(row));
  }
  Json decisions = Json::array();
  if (!run.decision_fmr.empty()) {
    for (const Threshold& threshold : system_thresholds(*comparator, target, run.decision_fmr, run.options.seed)) {
      Decisions seen(probes.rows.size(), database.rows.size(), threshold.value);
      TileConsumer* const consumers[] = {&seen};
      compare_all(*comparator, *targets, *references, Pairs::all, consumers, "decisions");
      for (Json& row : decision_rows(seen, threshold, database.classes, database.class_names, probes,
                                     {database.rows.size()}, Refusal::message, run.bootstrap, run.options.seed)) {
        decisions.push_back(std::move(row));
      }
    }
  }
  return {
      {"attribute", run.attribute},
      {"classes", database.class_names},
      {"chance", classify_result(probes.truth, probes.truth, classes).chance},
      {"attacker", {{"samples", database.rows.size()}, {"identities", database.rows.size()}}},
      {"target", {{"samples", probes.rows.size()}, {"identities", probes.identities}, {"failures", probes.failures}}},
      {"comparator", choice.specification},
      {"results", std::move(results)},
      {"best", std::move(best)},
      {"decisions", std::move(decisions)},
      {"remarks", std::move(remarks)}};
}

}  // namespace bauta
