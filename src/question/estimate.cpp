#include "bauta/question/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "attack_target.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/regressor.hpp"
#include "bauta/learn/tuning.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/paired.hpp"
#include "bauta/measure/privacy_gain.hpp"
#include "bauta/measure/regression.hpp"
#include "bauta/measure/worst_case.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/comparing.hpp"
#include "controls.hpp"
#include "levels.hpp"
#include "prepared_split.hpp"

namespace bauta {

namespace {

constexpr double curve_shares[] = {0.05, 0.1, 0.25, 0.5, 1};
constexpr std::size_t least_draws = 200;
constexpr std::size_t permutations = 10000;

Json interval_json(const Interval& interval) {
  return {interval.low, interval.high};
}

AttackSplit with_classes(AttackSplit split, const AttributeClasses& classes) {
  split.train = with_classes(std::move(split.train), classes);
  split.test = with_classes(std::move(split.test), classes);
  if (split.dev) split.dev = with_classes(std::move(*split.dev), classes);
  return split;
}

/// Which labels and templates of a split an estimator sees.
struct Condition {
  enum class Kind { own, exchanged, planted, thinned } kind = Kind::own;
  double size = 0;  ///< of the planted leak, or share of the training subjects

  [[nodiscard]] std::string name() const {
    switch (kind) {
      case Kind::own:
        return "own";
      case Kind::exchanged:
        return "exchanged";
      case Kind::planted:
        return fmt::format("planted {}", size);
      case Kind::thinned:
        return fmt::format("thinned {}", size);
    }
    return {};
  }
};

std::vector<std::uint32_t> in_order_of_appearance(const std::vector<std::uint32_t>& subjects) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> out;
  for (const std::uint32_t one : subjects) {
    out.push_back(numbers.try_emplace(one, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return out;
}

/// The regressor of a classifier's name, with those of its parameters that it knows; ridge where there is none
/// (logistic, lda).
std::string regressor_for(const std::string& estimator) {
  Specification wanted = Specification::parse(estimator);
  const auto same_name = [&](const auto& entry) { return entry.declaration.name == wanted.name; };
  if (std::none_of(regressors().begin(), regressors().end(), same_name)) wanted = {"ridge"};
  const auto& parameters = find_entry(regressors(), "regressor", wanted.name).declaration.parameters;
  std::string text = wanted.name;
  for (const auto& [name, value] : wanted.values) {
    const auto known = [&name = name](const Parameter& parameter) { return parameter.name == name; };
    if (std::none_of(parameters.begin(), parameters.end(), known)) continue;
    text.append(text == wanted.name ? ":" : ",").append(name).append("=").append(value);
  }
  return text;
}

class EstimateAttack {
 public:
  EstimateAttack(const AttackData& data, const EstimateRun& run) : data_(data), run_(run) {
    const AttackSplit first = labels(0);
    classes_ = attribute_classes(first.train, run.attribute, run.edges);
    TaughtClasses taught(run.attribute);
    for (std::size_t r = 0; r < data.rotations; ++r)
      taught.add(with_classes(r == 0 ? first : labels(r), classes_).train);
    class_names_ = taught.names();
    for (const std::string& remark : taught.remarks()) remarks_.push_back(remark);
    leave_out_absent_classes();
    for (std::size_t r = 0; r < data.rotations; ++r) add_rotation(r == 0 ? first : labels(r));
    require_two_classes(pool_, run.attribute);
    if (pool_.unlabelled > 0) remarks_.push_back(unlabelled_remark(pool_, run.attribute));
    pool_.identities = subjects_.count();
    chance_ = classify_result(pool_.truth, pool_.truth, class_names_.size()).chance;
  }

  Answer answer() {
    Json results = Json::array();
    std::vector<std::vector<std::int32_t>> guesses;
    std::vector<std::size_t> eligible;
    for (const auto& estimator : run_.estimators) {
      results.push_back(row(estimator));
      guesses.push_back(pooled(estimator, data_.unprotected));
      if (results.back()["healthy"] != false) eligible.push_back(results.size() - 1);
    }
    if (eligible.empty()) {
      remarks_.push_back(
          "no estimator is healthy: none beats chance on clear data, or all find what is not there; nothing here "
          "speaks for the protection");
      for (std::size_t i = 0; i < results.size(); ++i) eligible.push_back(i);
    }
    Json json = {{"attribute", run_.attribute},
                 {"kind", classes_.continuous ? "continuous" : "categorical"},
                 {"classes", class_names_},
                 {"edges", classes_.continuous ? Json(classes_.edges) : Json(nullptr)},
                 {"chance", chance_},
                 {"rotations", data_.rotations},
                 {"train", train_counts_},
                 {"dev", dev_counts_},
                 {"test", {{"samples", pool_.truth.size()}, {"identities", pool_.identities}}},
                 {"preparation", run_.preparation}};
    if (classes_.continuous) json["regression"] = regression();
    json["best"] = best(results, guesses, eligible);
    std::vector<Finding> found = findings(results, guesses);
    json["results"] = std::move(results);
    json["remarks"] = remarks_;
    return {std::move(json), std::move(found)};
  }

 private:
  [[nodiscard]] AttackSplit labels(std::size_t rotation) const {
    return data_.clear ? data_.clear(rotation) : data_.attacked(rotation);
  }

  /// Attackers who know which classes there are do not guess at others; and chance is that of somebody who does not.
  void leave_out_absent_classes() {
    std::set<std::string> there;
    for (std::size_t r = 0; r < data_.rotations; ++r) {
      const AttackSplit split = with_classes(labels(r), classes_);
      if (!split.test.labels.has(run_.attribute)) return;
      for (const std::string& name : split.test.labels.column(run_.attribute)) there.insert(name);
    }
    std::vector<std::string> asked;
    for (const std::string& name : class_names_) {
      if (there.contains(name)) asked.push_back(name);
    }
    if (asked.size() < 2 || asked.size() == class_names_.size()) return;
    remarks_.push_back(fmt::format("{} of {} classes of '{}' do not occur in the target: nobody guesses at them",
                                   class_names_.size() - asked.size(), class_names_.size(), run_.attribute));
    class_names_ = std::move(asked);
  }

  void add_rotation(const AttackSplit& split) {
    std::vector<NamedPart> parts = {{"training", &split.train}, {"test", &split.test}};
    if (split.dev) parts.push_back({"development", &*split.dev});
    require_disjoint(parts);
    const AttackSplit classed = with_classes(split, classes_);
    require_attribute(classed.train, classed.test, run_.attribute, data_.rotations);
    const auto counts = [&](const Dataset& part) -> Json {
      const AttackTarget target = attack_target(part, run_.attribute, class_names_);
      return {{"samples", target.rows.size()}, {"identities", target.identities}};
    };
    if (tests_.empty()) {
      train_counts_ = counts(classed.train);
      if (classed.dev) dev_counts_ = counts(*classed.dev);
    }
    AttackTarget test = attack_target(classed.test, run_.attribute, class_names_);
    subjects_.renumber(test, classed.test);
    pool_.append(test);
    if (classes_.continuous) {
      const std::vector<double> numbers = split.test.labels.numbers(run_.attribute);
      for (const std::size_t row : test.rows) values_.push_back(numbers[row]);
      train_values_.push_back(split.train.labels.numbers(run_.attribute));
      const AttackSplit exchanged = exchange_labels(split, run_.attribute, run_.seed);
      exchanged_train_values_.push_back(exchanged.train.labels.numbers(run_.attribute));
      const std::vector<double> exchanged_numbers = exchanged.test.labels.numbers(run_.attribute);
      for (const std::size_t row : test.rows) exchanged_values_.push_back(exchanged_numbers[row]);
    }
    tests_.push_back(std::move(test));
  }

  /// The split under a condition with its features; the latest is kept. Null where nothing can be planted.
  const PreparedSplit* prepared(std::size_t rotation, bool clear, const Condition& condition) {
    const std::string name = fmt::format("{} {} {}", rotation, clear, condition.name());
    if (name == latest_name_) return latest_.get();
    latest_.reset();
    latest_name_ = name;
    AttackSplit split = with_classes(clear ? data_.clear(rotation) : data_.under_attack(rotation), classes_);
    require_attackable(split.train, split.test, clear || data_.same_mask);
    if (condition.kind == Condition::Kind::exchanged) {
      split = exchange_labels(std::move(split), run_.attribute, run_.seed);
    } else if (condition.kind == Condition::Kind::thinned) {
      split = thin_training(std::move(split), run_.attribute, condition.size, run_.seed);
    } else if (condition.kind == Condition::Kind::planted) {
      std::optional<AttackSplit> planted = plant_leak(std::move(split), run_.attribute, condition.size, run_.seed);
      if (!planted) return nullptr;
      split = std::move(*planted);
    }
    latest_ = std::make_unique<PreparedSplit>(split, run_.attribute, class_names_, run_.preparation, run_.seed);
    return latest_.get();
  }

  /// What `compute` makes of the split under a condition, null where there is none; a regressor needs no split of its
  /// own.
  Json remembered(const std::string& estimator, std::size_t rotation, bool clear, const Condition& condition,
                  const std::function<Json(const PreparedSplit&)>& compute, bool number = false) {
    const Json key = {{"estimator", estimator},
                      {"regression", number},
                      {"rotation", rotation},
                      {"clear", clear || data_.unprotected},
                      {"condition", condition.name()},
                      {"search", condition.kind == Condition::Kind::own && !number ? run_.search : ""},
                      {"trials", run_.trials}};
    return run_.remember(key, [&]() -> Json {
      // Which rows are used does not depend on the numbers that they carry.
      const PreparedSplit* const ready = prepared(rotation, clear, number ? Condition() : condition);
      return ready == nullptr ? Json(nullptr) : compute(*ready);
    });
  }

  Outcome outcome(const std::string& estimator, std::size_t rotation, bool clear) {
    return Outcome::of(remembered(estimator, rotation, clear, {}, [&](const PreparedSplit& ready) {
      return ready.classify(estimator, run_.search, run_.trials).json();
    }));
  }

  /// Guesses of all rotations.
  std::vector<std::int32_t> pooled(const std::string& estimator, bool clear) {
    std::vector<std::int32_t> guesses;
    for (std::size_t r = 0; r < data_.rotations; ++r) {
      const Outcome one = outcome(estimator, r, clear);
      guesses.insert(guesses.end(), one.predicted.begin(), one.predicted.end());
    }
    return guesses;
  }

  Json row(const std::string& estimator) {
    std::vector<std::int32_t> guesses;
    std::vector<double> scores;
    Json by_rotation = Json::array();
    Json parameters;
    Json tuned = nullptr;
    std::string specification;
    std::size_t lost = 0;
    for (std::size_t r = 0; r < data_.rotations; ++r) {
      const Outcome one = outcome(estimator, r, data_.unprotected);
      lost += one.lost;
      guesses.insert(guesses.end(), one.predicted.begin(), one.predicted.end());
      scores.insert(scores.end(), one.scores.begin(), one.scores.end());
      by_rotation.push_back(classify_result(one.predicted, tests_[r].truth, class_names_.size()).balanced);
      if (r > 0) continue;
      specification = one.specification;
      const Specification parsed = Specification::parse(specification);
      parameters = Parameters(find_entry(estimators(), "estimator", parsed.name).declaration, parsed).values();
      if (one.tuning_score) tuned = {{"search", run_.search}, {"trials", one.trials}, {"score", *one.tuning_score}};
    }
    Json json = {{"estimator", estimator}, {"parameters", parameters}};
    json.update(guess_quality(guesses, pool_, class_names_, run_.bootstrap > 0));
    json["accuracy"] = json["success"];
    json.erase("success");
    json["auc"] = nullptr;
    if (class_names_.size() == 2) {
      std::vector<std::uint8_t> positive;
      for (const std::int32_t code : pool_.truth) positive.push_back(code == 1 ? 1 : 0);
      if (const auto auc = ranking_auc(scores, positive)) json["auc"] = *auc;
    }
    json["rates"] = rates(guesses);
    json["tuned"] = tuned;
    json["by_rotation"] = std::move(by_rotation);
    json["clear"] = nullptr;
    json["floor"] = nullptr;
    json["healthy"] = nullptr;
    json["control"] = nullptr;
    json["paired"] = nullptr;
    json["suppression"] = nullptr;
    if (pool_.lost == 0 && lost > 0) {
      pool_.lost = lost;
      remarks_.push_back(lost_remark(pool_, "of them the class is named that is most frequent in training"));
    }
    if (data_.clear && !data_.unprotected) compare_with_clear(estimator, guesses, json);
    if (run_.controls) add_controls(specification, json);
    add_health(json);
    if (run_.learning_curve) json["learning_curve"] = learning_curve(specification);
    return json;
  }

  [[nodiscard]] Json rates(const std::vector<std::int32_t>& guesses) const {
    const auto measured = gender_rates(classify_result(guesses, pool_.truth, class_names_.size()), class_names_);
    if (!measured) return nullptr;
    return {{"COCR", measured->cocr}, {"CFCR", measured->cfcr}, {"CMCR", measured->cmcr}};
  }

  void compare_with_clear(const std::string& estimator, const std::vector<std::int32_t>& guesses, Json& json) {
    const std::vector<std::int32_t> clear = pooled(estimator, true);
    const Json quality = guess_quality(clear, pool_, class_names_, run_.bootstrap > 0);
    json["clear"] = {{"balanced", quality["balanced"]}, {"ci", quality["ci"]}};
    const PairedComparison paired = compare_paired(clear, guesses, pool_.truth, class_names_.size(), pool_.subjects,
                                                   {std::max(run_.bootstrap, least_draws), permutations, run_.seed});
    json["paired"] = {{"difference", paired.difference},
                      {"ci", run_.bootstrap > 0 ? interval_json(paired.ci) : Json(nullptr)},
                      {"p", paired.p}};
    const SubjectTallies both(std::array<Predictions, 2>{clear, guesses}, pool_.truth, class_names_.size(),
                              pool_.subjects);
    const auto suppression = suppression_rate(both, std::max(run_.bootstrap, least_draws), run_.seed);
    if (!suppression) return;
    json["suppression"] = {
        {"value", suppression->value},
        {"ci", run_.bootstrap > 0 && suppression->ci ? interval_json(*suppression->ci) : Json(nullptr)},
        {"reachable", suppression->reachable}};
  }

  [[nodiscard]] Json quality_of(const std::vector<std::int32_t>& guesses, const AttackTarget& target) const {
    const Json quality = guess_quality(guesses, target, class_names_, true);
    return {{"balanced", quality["balanced"]}, {"ci", quality["ci"]}};
  }

  void add_controls(const std::string& specification, Json& json) {
    const auto quality = [&](const Condition& condition) -> Json {
      const Json said = remembered(specification, 0, data_.unprotected, condition, [&](const PreparedSplit& ready) {
        // Who is known by a class may be somebody else after an exchange.
        Json outcome = ready.classify(specification, "", 0).json();
        outcome["truth"] = ready.test().truth;
        outcome["subjects"] = in_order_of_appearance(ready.test().subjects);
        return outcome;
      });
      if (said.is_null()) return nullptr;
      AttackTarget target;
      said["truth"].get_to(target.truth);
      said["subjects"].get_to(target.subjects);
      return quality_of(Outcome::of(said).predicted, target);
    };
    json["floor"] = quality({Condition::Kind::exchanged});
    json["control"] = control_ladder(chance_, json["floor"], [&](double size) {
      return quality({Condition::Kind::planted, size});
    });
  }

  /// An estimator that fails on clear data, or finds what is not there, says nothing about a protection.
  void add_health(Json& json) const {
    const Json& clear = data_.unprotected ? json : json["clear"];
    if (clear.is_null() || clear["ci"].is_null()) return;
    const bool works = clear["ci"][0].get<double>() > chance_;
    const Json& floor = json["floor"];
    const bool invents = floor.is_object() && found_something(floor["balanced"], floor["ci"][0], chance_);
    json["healthy"] = works && !invents;
  }

  Json learning_curve(const std::string& specification) {
    Json curve = Json::array();
    for (const double share : curve_shares) {
      const Json said = remembered(specification, 0, data_.unprotected, {Condition::Kind::thinned, share},
                                   [&](const PreparedSplit& ready) {
                                     Json json = ready.classify(specification, "", 0).json();
                                     json["samples"] = ready.train().rows.size();
                                     json["identities"] = ready.train().identities;
                                     return json;
                                   });
      Json point = {{"identities", said["identities"]}, {"samples", said["samples"]}};
      point.update(quality_of(Outcome::of(said).predicted, tests_[0]));
      curve.push_back(std::move(point));
    }
    return curve;
  }

  [[nodiscard]] std::vector<Finding> drawn(const std::vector<std::vector<std::int32_t>>& guesses) const {
    return attribute_findings(std::vector<Predictions>(guesses.begin(), guesses.end()), pool_, subjects_,
                              class_names_.size(), {run_.bootstrap, run_.seed});
  }

  [[nodiscard]] std::vector<Finding> findings(const Json& results,
                                              const std::vector<std::vector<std::int32_t>>& guesses) {
    std::vector<Finding> found = drawn(guesses), on_clear;
    if (data_.clear && !data_.unprotected) {
      std::vector<std::vector<std::int32_t>> clear;
      for (const auto& estimator : run_.estimators) clear.push_back(pooled(estimator, true));
      on_clear = drawn(clear);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Json& row = results[i];
      found[i].attacker = row["estimator"];
      found[i].axes = {{"estimator", row["estimator"]}};
      if (!on_clear.empty()) found[i].clear = level_of(on_clear[i]);
      found[i].floor = level_of(row["floor"], "balanced");
      if (row["healthy"].is_boolean()) found[i].healthy = row["healthy"].get<bool>();
      if (row["auc"].is_number()) found[i].auc = row["auc"].get<double>();
    }
    return found;
  }

  /// The most successful of the eligible estimators, with what its having been chosen is worth.
  Json best(const Json& results, const std::vector<std::vector<std::int32_t>>& guesses,
            const std::vector<std::size_t>& eligible) const {
    std::vector<Predictions> candidates;
    candidates.reserve(eligible.size());
    for (const std::size_t i : eligible) candidates.emplace_back(guesses[i]);
    const WorstCase worst = worst_case(candidates, pool_.truth, class_names_.size(), pool_.subjects,
                                       std::max(run_.bootstrap, least_draws), run_.seed);
    Json json = results[eligible[worst.best]];
    json["corrected"] = worst.corrected;
    json["ci_corrected"] = run_.bootstrap > 0 ? interval_json(worst.ci) : Json(nullptr);
    json["of"] = candidates.size();
    return json;
  }

  Json regression_quality(const std::vector<double>& guesses, const std::vector<double>& truth) const {
    const RegressionResult errors = regression_result(guesses, truth);
    Json json = {{"mae", errors.mae}, {"ci", nullptr}};
    if (run_.bootstrap > 0) {
      const auto interval = mae_interval(guesses, truth, pool_.subjects);
      if (interval) json["ci"] = interval_json(*interval);
    }
    json["rmse"] = errors.rmse;
    json["r2"] = errors.r2 ? Json(*errors.r2) : Json(nullptr);
    json["correlation"] = errors.correlation ? Json(*errors.correlation) : Json(nullptr);
    return json;
  }

  std::vector<double> pooled_numbers(const std::string& regressor, bool clear, bool exchanged) {
    std::vector<double> guesses;
    for (std::size_t r = 0; r < data_.rotations; ++r) {
      const Condition condition{exchanged ? Condition::Kind::exchanged : Condition::Kind::own};
      const auto& values = exchanged ? exchanged_train_values_[r] : train_values_[r];
      const auto compute = [&](const PreparedSplit& ready) { return ready.regress(regressor, values).json(); };
      const Outcome one = Outcome::of(remembered(regressor, r, clear, condition, compute, true));
      guesses.insert(guesses.end(), one.values.begin(), one.values.end());
    }
    return guesses;
  }

  /// The attribute as a number.
  Json regression() {
    double chance = 0;  // of each rotation, weighed by its samples
    std::size_t first = 0;
    for (std::size_t r = 0; r < tests_.size(); ++r) {
      const std::size_t count = tests_[r].rows.size();
      chance += chance_mae(train_values_[r], std::span(values_).subspan(first, count)) * static_cast<double>(count) /
                static_cast<double>(values_.size());
      first += count;
    }
    Json results = Json::array();
    Json best;
    std::set<std::string> done;
    for (const auto& estimator : run_.estimators) {
      const std::string regressor = regressor_for(estimator);
      if (!done.insert(regressor).second) continue;
      Json json = {{"estimator", regressor}};
      json.update(regression_quality(pooled_numbers(regressor, data_.unprotected, false), values_));
      json["clear"] = nullptr;
      json["floor"] = nullptr;
      if (data_.clear && !data_.unprotected) {
        const Json clear = regression_quality(pooled_numbers(regressor, true, false), values_);
        json["clear"] = {{"mae", clear["mae"]}, {"ci", clear["ci"]}};
      }
      if (run_.controls) {
        const Json floor = regression_quality(pooled_numbers(regressor, data_.unprotected, true), exchanged_values_);
        json["floor"] = {{"mae", floor["mae"]}, {"ci", floor["ci"]}};
      }
      if (best.is_null() || json["mae"].get<double>() < best["mae"].get<double>()) best = json;
      results.push_back(std::move(json));
    }
    return {{"chance_mae", chance}, {"results", std::move(results)}, {"best", std::move(best)}};
  }

  const AttackData& data_;
  const EstimateRun& run_;
  AttributeClasses classes_;
  std::vector<std::string> class_names_;
  std::vector<AttackTarget> tests_;  // per rotation; subjects are numbered over all
  AttackTarget pool_;                // truth and subjects of all
  SubjectNumbers subjects_;
  double chance_ = 0;
  // Of a continuous attribute: numbers of the pooled test samples and, per rotation, of the training rows.
  std::vector<double> values_, exchanged_values_;
  std::vector<std::vector<double>> train_values_, exchanged_train_values_;
  Json train_counts_, dev_counts_;
  Json remarks_ = Json::array();
  std::string latest_name_;
  std::unique_ptr<PreparedSplit> latest_;
};

}  // namespace

Answer run_estimate(const AttackData& data, const EstimateRun& run) {
  return EstimateAttack(data, run).answer();
}

Answer run_estimate(const Dataset& train, const Dataset& test, const EstimateRun& run) {
  return run_estimate(AttackData::of(train, test), run);
}

std::string preparation_in(const Arrangement& arrangement, const std::string& asked) {
  if (!asked.empty()) return asked;
  return arrangement.folds.of_row.empty() ? "unit" : "unit,zscore";
}

namespace {

class EstimateQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    const auto search = [](const std::string& text) { (void)parse_search(text); };
    return {
        .name = "estimate",
        .paper = "Terhoerst et al. 2020 (S1)",
        .doc = "what do classifiers and regressors learn of an attribute?",
        .keys = {
            estimator_key(), preparation_key(),
            table_key("attack", "tuning", "how their parameters are searched",
                      {text_key("", "search", "random", "how settings are searched: grid, random or bayesian", search),
                       count_key("", "trials", TuningOptions().trials, "settings that are tried", 1)}),
            controls_key(),
            switch_key("attack", "learning_curve", false, "also learn from shares of the training subjects"),
            bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    Json values = parameters(setting);
    values["preparation"] = preparation_in(views.arrangement(), values["preparation"]);
    // In a closed set estimators read what shall stay readable, which is another question; what leaks only where there
    // are other people to learn from, and something that shall not be read.
    const bool closed = views.arrangement().has(Role::enrol);
    if (values["estimator"].empty()) return {};
    if (closed && (setting.attributes.empty() || !attackers_of(views.arrangement()))) return {};
    return attack_cells(setting, views, technique, "estimate", values, "attack.estimator");
  }

  [[nodiscard]] std::vector<std::string> remarks(const Setting& setting,
                                                 const Arrangement& arrangement) const override {
    const bool named = setting.given.contains("attack.estimator") && !setting.attributes.empty();
    if (!named || !arrangement.has(Role::enrol) || attackers_of(arrangement)) return {};
    return {
        "attack.estimator reads what shall stay readable here, and not what leaks: attackers who learn attributes need "
        "other people (data.background)"};
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    const Json& values = asked.parameters;
    EstimateRun run;
    run.attribute = asked.key["attribute"];
    run.estimators = values["estimator"].get<std::vector<std::string>>();
    run.preparation = values["preparation"];
    run.edges = values["edges"].get<std::vector<double>>();
    if (values["tuning"].is_object()) {
      run.search = values["tuning"]["search"];
      run.trials = values["tuning"]["trials"];
    }
    run.controls = values["controls"];
    run.learning_curve = values["learning_curve"];
    run.bootstrap = values["bootstrap"];
    run.seed = views.seed();
    // What an estimator said is kept by itself: a run that goes on does not train again, and what was said of clear
    // data serves every technique.
    const AttackCell cell = AttackCell::of(asked.key);
    const std::vector<Recipe> own = cell.views(views.arrangement());
    const std::vector<Recipe> clear(own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2), own.end());
    const Json same = {{"attribute", run.attribute}, {"edges", run.edges}, {"preparation", run.preparation}};
    run.remember = [&views, own, clear, same](Json key, const std::function<Json()>& compute) {
      const bool on_clear = key["clear"];
      key.update(same);
      return views.remember(key, on_clear ? clear : own, compute);
    };
    return run_estimate(attack_data(views, cell), run);
  }
};

}  // namespace

std::unique_ptr<Question> estimate_question() {
  return std::make_unique<EstimateQuestion>();
}

}  // namespace bauta
