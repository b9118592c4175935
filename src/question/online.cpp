#include "bauta/question/online.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "attack_target.hpp"
#include "bauta/core/digest.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/protect/key_regime.hpp"
#include "bauta/protocol/attacker_database.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/attack_data.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"
#include "cells.hpp"
#include "decision_pool.hpp"

namespace bauta {

namespace {

constexpr std::size_t others_per_target = 100;  // comparisons per victim that set the threshold of a keyed system

/// Classes of numbers are cut once, by what attackers hold first.
std::vector<OnlineSplit> with_classes_of(std::vector<OnlineSplit> rotations, const OnlineRun& run) {
  const AttributeClasses cut = attribute_classes(rotations.front().attacker, run.attribute, run.edges);
  for (OnlineSplit& split : rotations) {
    split.attacker = with_classes(std::move(split.attacker), cut);
    split.target = with_classes(std::move(split.target), cut);
  }
  return rotations;
}

/// Clear templates as the system sees them when they are presented under the key of one subject.
Templates presented_as(const ResolvedProtection& protection, const Templates& clear, const std::string& subject,
                       const Randomness& randomness) {
  ProtectContext context{.randomness = randomness, .subjects = std::vector<std::string>(clear.rows(), subject)};
  return protection->probes_differ() ? protection->protect_probes(clear, 0, context)
                                     : protection->protect(clear, 0, context);
}

/// What attackers present to a system with one key, or none: all of it at once, because a technique may need to see it
/// together. Samples of which it makes nothing are no query.
Templates presented_alike(const OnlineSplit& split, const Randomness& randomness, AttackerDatabase& database) {
  const Dataset attackers = split.attacker.select(database.rows);
  const ProtectContext context{.randomness = randomness, .subjects = std::vector<std::string>(attackers.size())};
  const Dataset presented = protect_dataset(*split.protection, attackers, context);
  const std::vector<bool> lost = presented.failed();
  AttackerDatabase kept = database;
  kept.rows.clear();
  kept.classes.clear();
  std::vector<std::size_t> queries;
  for (std::size_t i = 0; i < lost.size(); ++i) {
    if (lost[i]) continue;
    queries.push_back(i);
    kept.rows.push_back(database.rows[i]);
    kept.classes.push_back(database.classes[i]);
  }
  if (queries.empty()) {
    throw_input(attackers.origin,
                split.protection->declaration->name + " made nothing of any sample that is to be presented");
  }
  database = std::move(kept);
  return (presented.probe_templates.empty() ? presented.templates : presented.probe_templates).select(queries);
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

/// A seeded choice of the target's samples.
AttackTarget chosen_targets(const OnlineSplit& split, const std::vector<std::string>& classes, const OnlineRun& run) {
  const AttackTarget all = attack_target(split.target, run.attribute, classes, split.left_out);
  std::vector<std::size_t> chosen = Stream(run.seed, "online targets").permutation(all.rows.size());
  chosen.resize(std::min(chosen.size(), run.targets));
  std::sort(chosen.begin(), chosen.end());
  AttackTarget attacked;
  attacked.unlabelled = all.unlabelled;
  for (const std::size_t i : chosen) {
    attacked.rows.push_back(all.rows[i]);
    attacked.truth.push_back(all.truth[i]);
    attacked.subjects.push_back(all.subjects[i]);
  }
  return attacked;
}

/// One rotation.
class OnlineSystem {
 public:
  /// `rotations`: how many there are.
  OnlineSystem(const OnlineSplit& split, std::size_t rotations, const std::vector<std::string>& classes,
               const OnlineRun& run)
      : split_(split), run_(run) {
    require_comparable(split.attacker, split.target);
    require_attribute(split.attacker, split.target, run.attribute, rotations);
    require_disjoint(split.attacker, split.target);
    database_ = attacker_database(split.attacker, run.attribute, run.seed);
    attacked_ = chosen_targets(split, classes, run);
    victims_ = split.target.select(attacked_.rows);
    queries_ = split.attacker.templates.select(database_.rows);
    keyed_ = split.protection != nullptr && has_personal_keys(*split.protection);
    if (split.protection != nullptr) {
      stored_ = protect_dataset(*split.protection, victims_, protect_context(victims_, run.seed));
      if (!keyed_)
        queries_ = presented_alike(split, Randomness::seeded(run.seed, digest(victims_) + " presented"), database_);
    } else {
      stored_ = victims_;
    }
    keep_stored();
    presented_ = {presented_codes(database_, classes), classes};
    choice_ = choose_comparator(stored_, {});
    comparator_ = make_comparator(choice_.specification);
  }

  [[nodiscard]] const AttackerDatabase& database() const { return database_; }
  [[nodiscard]] const ComparatorChoice& choice() const { return choice_; }
  [[nodiscard]] const std::string& technique() const { return stored_.provenance->technique; }

  void attack(DecisionPool& pool) const {
    pool.begin_rotation(attacked_, split_.target);
    if (keyed_) {
      attack_keyed(pool);
    } else {
      attack_alike(pool);
    }
  }

 private:
  /// Nobody is compared with whom the technique lost.
  void keep_stored() {
    const std::vector<bool> lost = stored_.failed();
    for (std::size_t i = 0; i < lost.size(); ++i) {
      if (!lost[i]) attacked_.present.push_back(i);
    }
    attacked_.lost = lost.size() - attacked_.present.size();
    if (attacked_.present.empty()) throw_input(split_.target.origin, "no template is left of anybody under attack");
    if (attacked_.lost == 0) return;
    stored_ = stored_.select(attacked_.present);
    victims_ = victims_.select(attacked_.present);
  }
  void ask(const Threshold& threshold, const Decisions& decisions, DecisionPool& pool) const {
    for (const Refusal refusal : run_.refusals) {
      pool.add(decisions.placed(attacked_.present, attacked_.rows.size()), threshold, presented_, run_.queries,
               refusal);
    }
  }

  void attack_keyed(DecisionPool& pool) const {
    const KeyedScores scores = keyed_scores(*split_.protection, *comparator_, victims_, stored_, queries_, run_);
    if (scores.others.empty()) throw_input(split_.target.origin, "one subject alone sets no threshold");
    for (const Threshold& threshold : thresholds_at_fmr(scores.others, run_.fmr)) {
      Decisions decisions(victims_.size(), queries_.rows(), threshold.value);
      for (std::size_t i = 0; i < victims_.size(); ++i) decisions.record(i, 0, scores.attack.row(i));
      ask(threshold, decisions, pool);
    }
  }

  /// One key, or none: what attackers present looks the same to every victim's template.
  void attack_alike(DecisionPool& pool) const {
    const auto references = comparator_->prepare(queries_, Side::probe, split_.attacker.origin);
    const auto targets = comparator_->prepare(stored_.templates, Side::reference, split_.target.origin);
    for (const Threshold& threshold : system_thresholds(*comparator_, stored_, run_.fmr, run_.seed)) {
      Decisions decisions(victims_.size(), queries_.rows(), threshold.value);
      TileConsumer* const consumers[] = {&decisions};
      compare_all(*comparator_, *targets, *references, Pairs::all, consumers, "online attack");
      ask(threshold, decisions, pool);
    }
  }

  const OnlineSplit& split_;
  const OnlineRun& run_;
  AttackerDatabase database_;
  Presented presented_;
  AttackTarget attacked_;
  bool keyed_ = false;
  Dataset victims_, stored_;  // of whom there is a protected template
  Templates queries_;         // as the system sees them; clear where each is presented under many keys
  ComparatorChoice choice_;
  std::unique_ptr<Comparator> comparator_;
};

}  // namespace

Answer run_online_attack(const ResolvedProtection& protection, const Dataset& attacker, const Dataset& target,
                         const OnlineRun& run) {
  return run_online_attack({{&protection, attacker, target}}, run);
}

Answer run_online_attack(const std::vector<OnlineSplit>& given, const OnlineRun& run) {
  const std::vector<OnlineSplit> rotations = with_classes_of(given, run);
  DecisionPool pool(run.bootstrap, run.seed);
  Json about = Json::object();
  TaughtClasses taught(run.attribute);
  for (const OnlineSplit& split : rotations) taught.add(split.attacker);
  const std::vector<std::string> classes = taught.names();
  for (const OnlineSplit& split : rotations) {
    const OnlineSystem system(split, rotations.size(), classes, run);
    system.attack(pool);
    if (!about.empty()) continue;
    const AttackerDatabase& database = system.database();
    about = {{"attribute", run.attribute},
             {"classes", classes},
             {"chance", nullptr},
             {"technique", system.technique()},
             {"comparator", system.choice().specification},
             {"attacker", {{"samples", database.rows.size()}, {"identities", database.identities}}},
             {"remarks", system.choice().remarks}};
  }
  Json results = pool.rows(classes);
  Json best;
  for (const Json& row : results) {
    if (best.is_null() || row["balanced"].get<double>() > best["balanced"].get<double>()) best = row;
  }
  require_two_classes(pool.targets(), run.attribute);
  const std::vector<std::int32_t>& truth = pool.targets().truth;
  about["chance"] = classify_result(truth, truth, classes.size()).chance;
  about["target"] = {{"samples", truth.size()}};
  about["remarks"] = pool.remarks(about["remarks"].get<std::vector<std::string>>(), taught);
  about["results"] = std::move(results);
  about["best"] = std::move(best);
  return {std::move(about), pool.findings(classes, "online")};
}

namespace {

class OnlineQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "online",
            .paper = "Osorio-Roig et al. 2022 (S0), discussion",
            .doc = "what do a working system's answers to a number of queries tell?",
            .keys = {counts_key("attack", "online", Json::array(), "numbers of queries that are allowed", 1),
                     bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    Json values = parameters(setting);
    if (values["online"].empty()) return {};
    require_attackers(setting, views.arrangement(), "attack.online");
    const Role attackers = *attackers_of(views.arrangement()), attacked = attacked_of(views.arrangement());
    const OnlineRun fixed;
    values.update({{"fmr", fixed.fmr}, {"targets", fixed.targets}});
    std::vector<Asked> cells;
    for (const auto& attribute : setting.attributes) {
      values["edges"] = edges_of(setting, views, attribute);
      for (const std::string& seen : representations_of(setting)) {
        Json key = cell_key("online", technique, seen);
        key["attribute"] = attribute;
        // The masked target stands for the technique and what it learned from. Media are masked before anybody presents
        // them; who has no template of them unmasked either is left out.
        const bool before = masks(technique) && masked_before(seen, technique);
        const Form form = before ? Form{technique} : Form{};
        cells.push_back({std::move(key),
                         values,
                         {{attackers, form, {seen}},
                          {attacked, form, {seen}},
                          {attacked, before ? Form{} : Form{technique}, {seen}}}});
      }
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    OnlineRun run;
    run.attribute = asked.key["attribute"];
    run.queries = asked.parameters["online"].get<std::vector<std::size_t>>();
    run.edges = asked.parameters["edges"].get<std::vector<double>>();
    run.fmr = asked.parameters["fmr"].get<std::vector<double>>();
    run.targets = asked.parameters["targets"];
    run.seed = views.seed();
    run.bootstrap = asked.parameters["bootstrap"];
    std::vector<OnlineSplit> rotations;
    for (const std::size_t r : rotations_of(views.arrangement())) {
      const ResolvedProtection& technique = views.technique(asked.key["technique"], r, asked.views[0].representation);
      const bool masked = !asked.views[0].form.clear();
      if (masked && has_personal_keys(technique)) {
        throw_usage(technique.parameters.brief(),
                    "masks media under a key of each person, which nobody who presents a "
                    "face of their own has",
                    "leave attack.online out for it");
      }
      rotations.push_back(
          {masked ? nullptr : &technique, views.view(asked.views[0], r), views.view(asked.views[1], r)});
      if (masked) rotations.back().left_out = views.view(asked.views[2], r).failed();
    }
    return run_online_attack(rotations, run);
  }
};

}  // namespace

std::unique_ptr<Question> online_question() {
  return std::make_unique<OnlineQuestion>();
}

}  // namespace bauta
