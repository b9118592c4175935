#include "bauta/run/online.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/protocol/attacker_database.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/attack_target.hpp"
#include "bauta/run/comparing.hpp"
#include "bauta/run/decisions.hpp"
#include "bauta/run/protecting.hpp"
#include "bauta/run/similarity.hpp"
#include "bauta/run/store.hpp"

namespace bauta {

namespace {

constexpr std::size_t others_per_target = 100;  // comparisons per victim that set the threshold of a keyed system

bool key_per_subject(const ResolvedProtection& protection) {
  return protection.declaration->keyed && protection.parameters.text("regime") == "secret";
}

/// Clear templates as the system sees them when they are presented under the key of one subject.
Templates presented_as(const ResolvedProtection& protection, const Templates& clear, const std::string& subject,
                       const Randomness& randomness) {
  ProtectContext context{.randomness = randomness, .subjects = std::vector<std::string>(clear.rows(), subject)};
  return protection->probes_differ() ? protection->protect_probes(clear, 0, context)
                                     : protection->protect(clear, 0, context);
}

/// Scores of every stored sample against every sample of the attacker, all under the key of the stored sample's
/// subject, and of stored samples against other people of the target: what sets the threshold.
struct KeyedScores {
  Matrix<float> attack;
  std::vector<float> others;
};

KeyedScores keyed_scores(const ResolvedProtection& protection, const Comparator& comparator,
                         const Dataset& clear_target, const Dataset& stored, const Templates& attackers,
                         const OnlineRun& run) {
  const auto& subjects = clear_target.labels.column(clear_target.identity_column);
  const std::size_t targets = clear_target.size();
  // Noise of presented samples is fresh; keys do not depend on the salt.
  const Randomness presented = Randomness::seeded(run.seed, digest(clear_target) + " presented");
  std::vector<std::vector<std::size_t>> others(targets);
  for (std::size_t i = 0; i < targets; ++i) {
    Stream stream(run.seed, "online thresholds", i);
    for (std::size_t tries = 0; tries < 20 * others_per_target && others[i].size() < others_per_target; ++tries) {
      const std::size_t row = stream.below(targets);
      if (subjects[row] != subjects[i]) others[i].push_back(row);
    }
  }
  KeyedScores scores{Matrix<float>(targets, attackers.rows()), {}};
  std::vector<std::vector<float>> other_scores(targets);
  Progress progress("online attack", targets, "targets");
  parallel_for(targets, [&](std::size_t i, int) {
    const auto reference = comparator.prepare(stored.templates.slice(i, 1), Side::reference, stored.origin);
    const auto compare = [&](const Templates& clear, MatrixView<float> row) {
      const auto probes =
          comparator.prepare(presented_as(protection, clear, subjects[i], presented), Side::probe, stored.origin);
      comparator.tile(*reference, {0, 1}, *probes, {0, clear.rows()}, row);
    };
    compare(attackers, scores.attack.view().slice(i, 1));
    if (!others[i].empty()) {
      other_scores[i].resize(others[i].size());
      compare(clear_target.templates.select(others[i]), {other_scores[i].data(), 1, others[i].size()});
    }
    progress.add(1);
  });
  for (const auto& part : other_scores) scores.others.insert(scores.others.end(), part.begin(), part.end());
  return scores;
}

}  // namespace

Json run_online_attack(const ResolvedProtection& protection, const Dataset& attacker, const Dataset& target,
                       const OnlineRun& run) {
  require_comparable(attacker, target);
  require_attribute(attacker, target, run.attribute);
  require_disjoint(attacker, target);
  const AttackerDatabase database = attacker_database(attacker, run.attribute, run.seed);
  AttackTarget all = attack_target(target, run.attribute, database.class_names);
  std::vector<std::size_t> chosen = Stream(run.seed, "online targets").permutation(all.rows.size());
  chosen.resize(std::min(chosen.size(), run.targets));
  std::sort(chosen.begin(), chosen.end());
  AttackTarget attacked;
  for (const std::size_t i : chosen) {
    attacked.rows.push_back(all.rows[i]);
    attacked.truth.push_back(all.truth[i]);
    attacked.subjects.push_back(all.subjects[i]);
  }
  Dataset victims = target.select(attacked.rows);
  const Templates queries = attacker.templates.select(database.rows);
  const Dataset stored = protect_dataset(protection, victims, protect_context(victims, run.seed));
  const ComparatorChoice choice = choose_comparator(stored, {});
  const auto comparator = make_comparator(choice.specification);

  Json results = Json::array();
  const auto attack = [&](const Threshold& threshold, const Decisions& decisions) {
    for (const Refusal refusal : run.refusals) {
      for (Json& row : decision_rows(decisions, threshold, database.classes, database.class_names, attacked,
                                     run.queries, refusal, run.bootstrap, run.seed)) {
        results.push_back(std::move(row));
      }
    }
  };
  if (key_per_subject(protection)) {
    const KeyedScores scores = keyed_scores(protection, *comparator, victims, stored, queries, run);
    if (scores.others.empty()) throw_input(target.origin, "one subject alone sets no threshold");
    for (const Threshold& threshold : thresholds_at_fmr(scores.others, run.fmr)) {
      Decisions decisions(victims.size(), queries.rows(), threshold.value);
      for (std::size_t i = 0; i < victims.size(); ++i) decisions.record(i, 0, scores.attack.row(i));
      attack(threshold, decisions);
    }
  } else {
    // One key, or none: what the attacker presents looks the same to every victim's template.
    const Templates presented =
        presented_as(protection, queries, {}, Randomness::seeded(run.seed, digest(victims) + " presented"));
    const auto references = comparator->prepare(presented, Side::probe, attacker.origin);
    const auto targets = comparator->prepare(stored.templates, Side::reference, target.origin);
    for (const Threshold& threshold : system_thresholds(*comparator, stored, run.fmr, run.seed)) {
      Decisions decisions(victims.size(), queries.rows(), threshold.value);
      TileConsumer* const consumers[] = {&decisions};
      compare_all(*comparator, *targets, *references, Pairs::all, consumers, "online attack");
      attack(threshold, decisions);
    }
  }
  Json best;
  for (const Json& row : results) {
    if (best.is_null() || row["balanced"].get<double>() > best["balanced"].get<double>()) best = row;
  }
  return {{"attribute", run.attribute},
          {"classes", database.class_names},
          {"chance", classify_result(attacked.truth, attacked.truth, database.class_names.size()).chance},
          {"technique", stored.provenance->technique},
          {"comparator", choice.specification},
          {"attacker", {{"samples", database.rows.size()}, {"identities", database.rows.size()}}},
          {"target", {{"samples", attacked.rows.size()}}},
          {"results", std::move(results)},
          {"best", std::move(best)},
          {"remarks", choice.remarks}};
}

}  // namespace bauta
