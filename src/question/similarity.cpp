#include "bauta/question/similarity.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "attack_target.hpp"
#include "bauta/core/most_frequent.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/worst_case.hpp"
#include "bauta/protocol/attacker_database.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/comparing.hpp"
#include "controls.hpp"
#include "levels.hpp"

namespace bauta {

namespace {

constexpr std::size_t least_draws = 200;

/// The attack on one split: who is compared with whom, and what every rule says.
struct Attacked {
  AttackerDatabase database;
  AttackTarget probes;
  std::vector<SimilarityGuess> guesses;
};

/// `classes`: those of all rotations, which guesses and truth are coded by.
Attacked attack_split(const AttackSplit& split, const Comparator& comparator, const std::vector<std::string>& classes,
                      const SimilarityRun& run) {
  const Dataset& attacker = split.train;
  const Dataset& target = split.test;
  Attacked attacked;
  attacked.database = attacker_database(attacker, run.attribute, run.options.seed);
  attacked.probes = attack_target(target, run.attribute, classes, split.left_out);
  // What was stolen is what is stored; attackers present the faces of their own data base to it.
  const Templates& presented = attacker.probe_templates.empty() ? attacker.templates : attacker.probe_templates;
  const auto references = comparator.prepare(presented.select(attacked.database.rows), Side::probe, attacker.origin);
  const auto targets =
      comparator.prepare(target.templates.select(attacked.probes.met()), Side::reference, target.origin);
  attacked.guesses = similarity_attack(comparator, *references, attacked.database.classes,
                                       attacked.database.class_names.size(), *targets, run.options);
  const std::vector<std::int32_t> codes = codes_among(attacked.database.class_names, classes);
  const std::int32_t usual = most_frequent(attack_target(attacker, run.attribute, classes).truth);
  for (SimilarityGuess& guess : attacked.guesses) {
    for (std::int32_t& code : guess.predicted) code = codes[static_cast<std::size_t>(code)];
    guess.predicted = attacked.probes.of_all(guess.predicted, usual);
  }
  return attacked;
}

AttackSplit classed_split(const AttackSplit& split, const AttributeClasses& classes) {
  return {with_classes(split.train, classes), std::nullopt, with_classes(split.test, classes), split.left_out};
}

std::vector<Predictions> predictions(const std::vector<SimilarityGuess>& guesses) {
  std::vector<Predictions> predicted;
  for (const SimilarityGuess& guess : guesses) predicted.emplace_back(guess.predicted);
  return predicted;
}

/// The best of all rules on a control; the interval allows for its having been chosen.
Json similarity_controls(const AttackSplit& split, const Comparator& comparator,
                         const std::vector<std::string>& classes, const SimilarityRun& run, double chance) {
  const std::uint64_t seed = run.options.seed;
  const auto quality = [&](const AttackSplit& control) -> Json {
    const Attacked attacked = attack_split(control, comparator, classes, run);
    const WorstCase worst = worst_case(predictions(attacked.guesses), attacked.probes.truth, classes.size(),
                                       attacked.probes.subjects, std::max(run.bootstrap, least_draws), seed);
    return {{"balanced", worst.balanced}, {"ci", {worst.ci.low, worst.ci.high}}};
  };
  return control_ladder(chance, quality(exchange_labels(split, run.attribute, seed)), [&](double size) {
    const std::optional<AttackSplit> leaking = plant_leak(split, run.attribute, size, seed);
    return leaking ? quality(*leaking) : Json(nullptr);
  });
}

/// What the rotations give, pooled.
struct Pooled {
  AttributeClasses cut = {};
  std::string comparator = {};
  std::vector<std::string> class_names = {};
  AttackTarget target = {};
  SubjectNumbers subjects = {};
  std::size_t attackers = 0;  // samples
  std::size_t attacking_people = 0;
  double chance = 0;
  std::vector<SimilarityGuess> guesses = {};  // predictions of all rotations in one
  Json control = nullptr;
  Json remarks = Json::array();

  void add(Attacked attacked, const Dataset& test) {
    subjects.renumber(attacked.probes, test);
    target.append(attacked.probes);
    if (guesses.empty()) {
      guesses = std::move(attacked.guesses);
      return;
    }
    for (std::size_t g = 0; g < guesses.size(); ++g) {
      const auto& more = attacked.guesses[g].predicted;
      guesses[g].predicted.insert(guesses[g].predicted.end(), more.begin(), more.end());
      guesses[g].n_used = std::min(guesses[g].n_used, attacked.guesses[g].n_used);
    }
  }
};

/// What the first rotation tells about all of them.
void describe(Pooled& pool, const Attacked& attacked, const ComparatorChoice& choice, const SimilarityRun& run) {
  const AttackerDatabase& database = attacked.database;
  pool.comparator = choice.specification;
  pool.attackers = database.rows.size();
  pool.attacking_people = database.identities;
  for (const auto& remark : choice.remarks) pool.remarks.push_back(remark);
  if (*std::max_element(run.options.n.begin(), run.options.n.end()) > database.per_class) {
    pool.remarks.push_back(fmt::format("n is capped at {}, the size of the smallest class of the attacker's data base",
                                       database.per_class));
  }
}

Pooled pooled_attack(const AttackData& data, const SimilarityRun& run) {
  Pooled pool;
  TaughtClasses taught(run.attribute);
  for (std::size_t r = 0; r < data.rotations; ++r) {
    const Dataset train = data.attacked(r).train;
    if (r == 0) pool.cut = attribute_classes(train, run.attribute, run.edges);
    taught.add(with_classes(train, pool.cut));
  }
  pool.class_names = taught.names();
  for (std::size_t r = 0; r < data.rotations; ++r) {
    const AttackSplit raw = data.under_attack(r);
    require_attackable(raw.train, raw.test, data.same_mask);
    const AttackSplit split = classed_split(raw, pool.cut);
    require_attribute(split.train, split.test, run.attribute, data.rotations);
    require_disjoint(split.train, split.test);
    const ComparatorChoice choice = choose_comparator(data.same_mask ? split.test : split.train, run.comparator);
    const auto comparator = make_comparator(choice.specification);
    Attacked attacked = attack_split(split, *comparator, pool.class_names, run);
    if (r == 0) {
      describe(pool, attacked, choice, run);
      const std::vector<std::int32_t>& truth = attacked.probes.truth;
      if (run.controls) {
        pool.control = similarity_controls(split, *comparator, pool.class_names, run,
                                           classify_result(truth, truth, pool.class_names.size()).chance);
      }
    }
    pool.add(std::move(attacked), split.test);
  }
  require_two_classes(pool.target, run.attribute);
  const std::vector<std::int32_t>& truth = pool.target.truth;
  pool.chance = classify_result(truth, truth, pool.class_names.size()).chance;
  for (const std::string& remark : taught.remarks()) pool.remarks.push_back(remark);
  if (pool.target.unlabelled > 0) pool.remarks.push_back(unlabelled_remark(pool.target, run.attribute));
  return pool;
}

/// What each rule finds in the same samples unprotected: `balanced` and `ci`; null where these are not known.
Json ceilings(const AttackData& data, const SimilarityRun& run) {
  if (!data.clear || data.unprotected) return nullptr;
  return run.remember_clear([&] {
    AttackData clear;
    clear.rotations = data.rotations;
    clear.attacked = data.clear;
    clear.unprotected = true;
    SimilarityRun plain = run;
    plain.controls = false;
    plain.comparator.clear();
    const Answer found = run_similarity_attack(clear, plain);
    Json rows = Json::array();
    for (const Json& row : found.values["results"]) {
      rows.push_back({{"balanced", row["balanced"]}, {"ci", row["ci"]}});
    }
    return rows;
  });
}

/// Whether a rule passed its controls and works on clear data, as far as either is known.
std::optional<bool> health(const Json& clear, const Pooled& pool) {
  const std::optional<bool> passed = control_health(pool.control);
  if (!clear.is_object() || clear["ci"].is_null()) return passed;
  return passed.value_or(true) && clear["ci"][0].get<double>() > pool.chance;
}

}  // namespace

Answer run_similarity_attack(const Dataset& attacker, const Dataset& target, const SimilarityRun& run) {
  return run_similarity_attack(AttackData::of(attacker, target), run);
}

Answer run_similarity_attack(const AttackData& data, const SimilarityRun& run) {
  Pooled pool = pooled_attack(data, run);
  const AttackTarget& target = pool.target;
  if (target.lost > 0) {
    pool.remarks.push_back(lost_remark(target, "of them the class is named that is most frequent among attackers"));
  }
  const std::size_t classes = pool.class_names.size();
  const std::vector<Predictions> predicted = predictions(pool.guesses);
  const Json clear = ceilings(data, run);
  Json results = Json::array();
  std::vector<Finding> findings =
      attribute_findings(predicted, target, pool.subjects, classes, {run.bootstrap, run.options.seed});
  for (std::size_t g = 0; g < pool.guesses.size(); ++g) {
    const SimilarityGuess& guess = pool.guesses[g];
    Json row = {{"rule", to_text(guess.rule)}, {"n", guess.n}, {"n_used", guess.n_used}};
    row.update(guess_quality(guess.predicted, target, pool.class_names, run.bootstrap > 0));
    Finding& finding = findings[g];
    finding.attacker = fmt::format("{}, n = {}", to_text(guess.rule), guess.n);
    finding.axes = {{"rule", std::string(to_text(guess.rule))}, {"n", std::to_string(guess.n)}};
    row["clear"] = clear.is_array() ? clear[g] : Json(nullptr);
    finding.healthy = health(data.unprotected ? row : row["clear"], pool);
    row["healthy"] = finding.healthy ? Json(*finding.healthy) : Json(nullptr);
    finding.clear = level_of(row["clear"], "balanced");
    results.push_back(std::move(row));
  }
  // As the ranking has it: whoever fails on clear data or on a control counts only where everybody does.
  std::vector<std::size_t> counted;
  for (std::size_t g = 0; g < findings.size(); ++g) {
    if (!fails_on_clear(findings[g])) counted.push_back(g);
  }
  if (counted.empty()) {
    counted.resize(findings.size());
    std::iota(counted.begin(), counted.end(), std::size_t{0});
  }
  std::vector<Predictions> candidates;
  for (const std::size_t g : counted) candidates.push_back(predicted[g]);
  const WorstCase worst = worst_case(candidates, target.truth, classes, target.subjects,
                                     std::max(run.bootstrap, least_draws), run.options.seed);
  Json best = results[counted[worst.best]];
  best["corrected"] = worst.corrected;
  best["ci_corrected"] = run.bootstrap > 0 ? Json{worst.ci.low, worst.ci.high} : Json(nullptr);
  best["of"] = counted.size();
  return {{{"attribute", run.attribute},
           {"classes", pool.class_names},
           {"edges", pool.cut.continuous ? Json(pool.cut.edges) : Json(nullptr)},
           {"chance", pool.chance},
           {"rotations", data.rotations},
           {"attacker", {{"samples", pool.attackers}, {"identities", pool.attacking_people}}},
           {"target",
            {{"samples", target.truth.size()}, {"identities", pool.subjects.count()}, {"failures", target.failures}}},
           {"comparator", pool.comparator},
           {"results", std::move(results)},
           {"best", std::move(best)},
           {"control", std::move(pool.control)},
           {"remarks", std::move(pool.remarks)}},
          std::move(findings)};
}

namespace {

class SimilarityQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    const auto rule = [](const std::string& text) { (void)parse_similarity_rule(text); };
    return {
        .name = "similarity",
        .paper = "Osorio-Roig et al. 2022 (S0)",
        .doc = "what do the best scores against people of known attribute tell?",
        .keys = {table_key("attack", "similarity", "rules and numbers of best scores that they look at",
                           {texts_key("", "rule", {"vote", "mean", "linear", "log"}, "vote, mean, linear or log", rule),
                            counts_key("", "n", SimilarityOptions().n, "best scores", 1)}),
                 controls_key(), bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    const Json values = parameters(setting);
    if (values["similarity"].is_null()) return {};
    return attack_cells(setting, views, technique, "similarity", values, "attack.similarity");
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    const Json& values = asked.parameters;
    SimilarityRun run{.attribute = asked.key["attribute"],
                      .comparator = {},
                      .options = {{}, values["similarity"]["n"].get<std::vector<std::size_t>>(), views.seed()},
                      .bootstrap = values["bootstrap"],
                      .edges = values["edges"].get<std::vector<double>>(),
                      .controls = values["controls"]};
    for (const Json& rule : values["similarity"]["rule"])
      run.options.rules.push_back(parse_similarity_rule(rule.get<std::string>()));
    const AttackCell cell = AttackCell::of(asked.key);
    const std::vector<Recipe> own = cell.views(views.arrangement());
    const std::vector<Recipe> clear(own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2), own.end());
    const Json key = {{"similarity attack on clear data", values}, {"attribute", run.attribute}};
    run.remember_clear = [&](const std::function<Json()>& compute) { return views.remember(key, clear, compute); };
    return run_similarity_attack(attack_data(views, cell), run);
  }
};

}  // namespace

std::unique_ptr<Question> similarity_question() {
  return std::make_unique<SimilarityQuestion>();
}

}  // namespace bauta
