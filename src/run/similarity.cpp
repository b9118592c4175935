#include "bauta/run/similarity.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "bauta/measure/classification.hpp"
#include "bauta/measure/worst_case.hpp"
#include "bauta/protocol/attacker_database.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/attack_target.hpp"
#include "bauta/run/attribute_classes.hpp"
#include "bauta/run/comparing.hpp"
#include "bauta/run/decisions.hpp"
#include "controls.hpp"

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

namespace {

constexpr std::size_t least_draws = 200;

/// The attack on one split: who is compared with whom, and what every rule says.
struct SimilarityTrial {
  AttackerDatabase database;
  AttackTarget probes;
  std::unique_ptr<const Prepared> references, targets;
  std::vector<SimilarityGuess> guesses;
};

SimilarityTrial attack_split(const AttackSplit& split, const Comparator& comparator, const SimilarityRun& run) {
  const Dataset& attacker = split.train;
  const Dataset& target = split.test;
  SimilarityTrial trial;
  trial.database = attacker_database(attacker, run.attribute, run.options.seed);
  trial.probes = attack_target(target, run.attribute, trial.database.class_names);
  // What was stolen is what is stored; the attacker presents the faces of his own data base to it.
  const Templates& presented = attacker.probe_templates.empty() ? attacker.templates : attacker.probe_templates;
  trial.references = comparator.prepare(presented.select(trial.database.rows), Side::probe, attacker.origin);
  trial.targets = comparator.prepare(target.templates.select(trial.probes.rows), Side::reference, target.origin);
  trial.guesses = similarity_attack(comparator, *trial.references, trial.database.classes,
                                    trial.database.class_names.size(), *trial.targets, run.options);
  return trial;
}

AttackSplit classed_split(const AttackSplit& split, const AttributeClasses& classes) {
  return {with_classes(split.train, classes), std::nullopt, with_classes(split.test, classes)};
}

Json worst_case_json(const std::vector<SimilarityGuess>& guesses, const AttackTarget& target, std::size_t classes,
                     std::size_t draws, std::uint64_t seed) {
  std::vector<Predictions> predicted;
  for (const SimilarityGuess& guess : guesses) predicted.emplace_back(guess.predicted);
  const WorstCase worst = worst_case(predicted, target.truth, classes, target.subjects, draws, seed);
  return {{"best", worst.best},
          {"balanced", worst.balanced},
          {"corrected", worst.corrected},
          {"ci", {worst.ci.low, worst.ci.high}}};
}

/// The best of all rules on a control; the interval allows for its having been chosen.
Json similarity_controls(const AttackSplit& split, const Comparator& comparator, const SimilarityRun& run,
                         double chance) {
  const std::uint64_t seed = run.options.seed;
  const auto quality = [&](const AttackSplit& control) -> Json {
    const SimilarityTrial trial = attack_split(control, comparator, run);
    const Json worst = worst_case_json(trial.guesses, trial.probes, trial.database.class_names.size(),
                                       std::max(run.bootstrap, least_draws), seed);
    return {{"balanced", worst["balanced"]}, {"ci", worst["ci"]}};
  };
  return control_ladder(chance, quality(exchange_labels(split, run.attribute, seed)), [&](double size) {
    const std::optional<AttackSplit> leaking = plant_leak(split, run.attribute, size, seed);
    return leaking ? quality(*leaking) : Json(nullptr);
  });
}

}  // namespace

Json run_similarity_attack(const Dataset& attacker, const Dataset& target, const SimilarityRun& run) {
  return run_similarity_attack(AttackData::of(attacker, target), run);
}

Json run_similarity_attack(const AttackData& data, const SimilarityRun& run) {
  Json remarks = Json::array();
  Json decisions = Json::array();
  Json control = nullptr;
  std::string comparator_name;
  std::vector<std::string> class_names;
  AttributeClasses cut;
  AttackTarget pool;
  SubjectNumbers subjects;
  std::size_t attackers = 0, failures = 0;
  double chance = 0;
  std::vector<SimilarityGuess> guesses;  // predictions of all rotations in one
  for (std::size_t r = 0; r < data.rotations; ++r) {
    const AttackSplit raw = data.attacked(r);
    require_comparable(raw.train, raw.test);
    if (r == 0) cut = attribute_classes(raw.train, run.attribute, run.edges);
    const AttackSplit split = classed_split(raw, cut);
    require_attribute(split.train, split.test, run.attribute);
    require_disjoint(split.train, split.test);
    const ComparatorChoice choice = choose_comparator(split.test, run.comparator);
    const auto comparator = make_comparator(choice.specification);
    SimilarityTrial trial = attack_split(split, *comparator, run);
    const AttackerDatabase& database = trial.database;
    if (r == 0) {
      comparator_name = choice.specification;
      class_names = database.class_names;
      for (const auto& remark : choice.remarks) remarks.push_back(remark);
      if (trial.probes.unlabelled > 0) {
        remarks.push_back(fmt::format("{} target samples without a class of '{}' that the attacker knows are left out",
                                      trial.probes.unlabelled, run.attribute));
      }
      if (*std::max_element(run.options.n.begin(), run.options.n.end()) > database.per_class) {
        remarks.push_back(fmt::format("n is capped at {}, the size of the smallest class of the attacker's data base",
                                      database.per_class));
      }
      chance = classify_result(trial.probes.truth, trial.probes.truth, class_names.size()).chance;
      attackers = database.rows.size();
      if (run.controls) control = similarity_controls(split, *comparator, run, chance);
    }
    if (data.rotations == 1 && !run.decision_fmr.empty()) {
      for (const Threshold& threshold :
           system_thresholds(*comparator, split.test, run.decision_fmr, run.options.seed)) {
        Decisions seen(trial.probes.rows.size(), database.rows.size(), threshold.value);
        TileConsumer* const consumers[] = {&seen};
        compare_all(*comparator, *trial.targets, *trial.references, Pairs::all, consumers, "decisions");
        for (Json& row : decision_rows(seen, threshold, database.classes, class_names, trial.probes,
                                       {database.rows.size()}, Refusal::message, run.bootstrap, run.options.seed)) {
          decisions.push_back(std::move(row));
        }
      }
    }
    subjects.renumber(trial.probes, split.test);
    pool.truth.insert(pool.truth.end(), trial.probes.truth.begin(), trial.probes.truth.end());
    pool.subjects.insert(pool.subjects.end(), trial.probes.subjects.begin(), trial.probes.subjects.end());
    failures += trial.probes.failures;
    if (r == 0) {
      guesses = std::move(trial.guesses);
      continue;
    }
    for (std::size_t g = 0; g < guesses.size(); ++g) {
      const auto& more = trial.guesses[g].predicted;
      guesses[g].predicted.insert(guesses[g].predicted.end(), more.begin(), more.end());
      guesses[g].n_used = std::min(guesses[g].n_used, trial.guesses[g].n_used);
    }
  }
  Json results = Json::array();
  for (const SimilarityGuess& guess : guesses) {
    Json row = {{"rule", to_text(guess.rule)}, {"n", guess.n}, {"n_used", guess.n_used}};
    row.update(guess_quality(guess.predicted, pool, class_names, run.bootstrap, run.options.seed));
    results.push_back(std::move(row));
  }
  const Json worst =
      worst_case_json(guesses, pool, class_names.size(), std::max(run.bootstrap, least_draws), run.options.seed);
  Json best = results[worst["best"].get<std::size_t>()];
  best["corrected"] = worst["corrected"];
  best["ci_corrected"] = run.bootstrap > 0 ? worst["ci"] : Json(nullptr);
  best["of"] = guesses.size();
  return {{"attribute", run.attribute},
          {"classes", class_names},
          {"edges", cut.continuous ? Json(cut.edges) : Json(nullptr)},
          {"chance", chance},
          {"rotations", data.rotations},
          {"attacker", {{"samples", attackers}, {"identities", attackers}}},
          {"target", {{"samples", pool.truth.size()}, {"identities", subjects.count()}, {"failures", failures}}},
          {"comparator", comparator_name},
          {"results", std::move(results)},
          {"best", std::move(best)},
          {"control", std::move(control)},
          {"decisions", std::move(decisions)},
          {"remarks", std::move(remarks)}};
}

}  // namespace bauta
