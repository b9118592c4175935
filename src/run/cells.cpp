#include "cells.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/core/version.hpp"
#include "bauta/measure/privacy_gain.hpp"
#include "bauta/recover/recovery.hpp"
#include "bauta/run/attribute_classes.hpp"
#include "bauta/run/estimate.hpp"
#include "bauta/run/online.hpp"
#include "bauta/run/protecting.hpp"
#include "bauta/run/recovery.hpp"
#include "bauta/run/similarity.hpp"
#include "bauta/run/unlinkability.hpp"
#include "bauta/run/verify.hpp"

namespace bauta {

namespace {

std::string technique_name(const std::string& technique) {
  return Specification::parse(technique).name;
}

/// What both kinds of experiment measure alike.
class Cells {
 public:
  explicit Cells(const CellContext& context)
      : experiment_(context.experiment), options_(context.options), attempts_(context.store.beside("attempts")) {}
  virtual ~Cells() = default;

 protected:
  /// What a technique's output depends on besides the data.
  [[nodiscard]] virtual Json technique_inputs(const std::string& technique) const = 0;
  /// Who is attacked with what; `defining` data says where continuous attributes are cut.
  [[nodiscard]] virtual AttackData attack_data(const std::string& technique) = 0;
  [[nodiscard]] virtual Json attack_inputs() const = 0;
  [[nodiscard]] virtual const Dataset& defining() const = 0;

  void add(Json key, Json inputs, std::function<Json()> compute) {
    inputs["bootstrap"] = experiment_.bootstrap;
    inputs["protection"] = technique_inputs(key["technique"]);
    cells_.push_back({std::move(key), std::move(inputs), std::move(compute)});
  }

  [[nodiscard]] VerificationOptions verification() const {
    VerificationOptions measure;
    measure.fmr = experiment_.fmr;
    measure.bootstrap = experiment_.bootstrap;
    measure.seed = options_.seed;
    measure.memory = options_.memory;
    return measure;
  }

  [[nodiscard]] VerifyRun verify_run(const Dataset& data) const {
    VerifyRun run{.comparator = {}, .attributes = {}, .options = verification()};
    for (const auto& attribute : experiment_.attributes) {
      if (data.labels.kind(attribute) == ColumnKind::categorical) run.attributes.push_back(attribute);
    }
    return run;
  }

  /// Edges between the classes of a continuous attribute: the same for every technique and rotation.
  [[nodiscard]] std::vector<double> edges(const std::string& attribute) const {
    const auto asked = experiment_.classes.find(attribute);
    return attribute_classes(defining(), attribute,
                             asked == experiment_.classes.end() ? std::vector<double>() : asked->second)
        .edges;
  }

  void add_attacks(const std::string& technique, const std::string& attribute) {
    if (!experiment_.rules.empty()) add_similarity(technique, attribute);
    if (!experiment_.estimators.empty()) add_estimate(technique, attribute);
  }

  const Experiment& experiment_;
  const EvaluateOptions& options_;
  CellStore attempts_;  // what estimators said
  std::vector<Cell> cells_;

 private:
  void add_similarity(const std::string& technique, const std::string& attribute) {
    const SimilarityRun run{.attribute = attribute,
                            .comparator = {},
                            .options = {experiment_.rules, experiment_.n, options_.seed},
                            .bootstrap = experiment_.bootstrap,
                            .decision_fmr = experiment_.decision_fmr,
                            .edges = edges(attribute),
                            .controls = experiment_.controls};
    Json rules = Json::array();
    for (const SimilarityRule rule : experiment_.rules) rules.push_back(to_text(rule));
    Json inputs = attack_inputs();
    inputs.update({{"rules", rules},
                   {"n", experiment_.n},
                   {"decision", experiment_.decision_fmr},
                   {"edges", run.edges},
                   {"controls", run.controls}});
    add({{"step", "similarity"}, {"technique", technique}, {"attribute", attribute}}, std::move(inputs),
        [this, technique, run] { return run_similarity_attack(attack_data(technique), run); });
  }

  void add_estimate(const std::string& technique, const std::string& attribute) {
    EstimateRun run;
    run.attribute = attribute;
    run.estimators = experiment_.estimators;
    run.preparation = experiment_.preparation;
    run.edges = edges(attribute);
    run.search = experiment_.search;
    run.trials = experiment_.trials;
    run.controls = experiment_.controls;
    run.learning_curve = experiment_.learning_curve;
    run.bootstrap = experiment_.bootstrap;
    run.seed = options_.seed;
    // What an estimator said is kept by itself: a run that goes on does not train again, and what was said of clear
    // data serves every technique.
    const Json attempt_inputs = [&] {
      Json inputs = attack_inputs();
      inputs.update({{"attribute", attribute}, {"edges", run.edges}, {"preparation", run.preparation}});
      return inputs;
    }();
    run.remember = [this, technique, attempt_inputs](const Json& key, const std::function<Json()>& compute) {
      Json inputs = attempt_inputs;
      const std::string of = key["clear"] == true ? "none" : technique;
      inputs["technique"] = of;
      inputs["protection"] = technique_inputs(of);
      const std::string address = cell_address(key, inputs, options_.seed);
      if (std::optional<Json> known = attempts_.find(address)) return *known;
      Json fresh = compute();
      attempts_.put(address, fresh);
      return fresh;
    };
    Json inputs = attempt_inputs;
    inputs.update({{"estimators", run.estimators},
                   {"search", run.search},
                   {"trials", run.trials},
                   {"controls", run.controls},
                   {"learning_curve", run.learning_curve}});
    add({{"step", "estimate"}, {"technique", technique}, {"attribute", attribute}}, std::move(inputs),
        [this, technique, run] { return run_estimate(attack_data(technique), run); });
  }
};

class CrossDatabaseCells : public Cells {
 public:
  CrossDatabaseCells(const CellContext& context, ExperimentProtections& protections, const Part& target,
                     const Part* attacker, const Part* dev)
      : Cells(context), protections_(protections), target_(target), attacker_(attacker), dev_(dev) {
    for (const auto& technique : experiment_.techniques) {
      add_verify(target_, technique);
      if (attacker_ != nullptr) add_verify(*attacker_, technique);
      if (experiment_.unlinkability) add_unlinkability(technique);
      for (const auto& attribute : experiment_.attributes) {
        add_attacks(technique, attribute);
        if (!experiment_.queries.empty()) add_online(technique, attribute);
      }
      for (const auto& recovery : experiment_.recoveries) add_recovery(technique, recovery);
    }
  }
  std::vector<Cell> take() { return std::move(cells_); }

 private:
  [[nodiscard]] Json technique_inputs(const std::string& technique) const override {
    return protections_.inputs(technique);
  }
  [[nodiscard]] AttackData attack_data(const std::string& technique) override {
    AttackData data;
    const auto optional = [](const Dataset* dataset) {
      return dataset == nullptr ? std::nullopt : std::optional(*dataset);
    };
    data.clear = [this, optional](std::size_t) {
      return AttackSplit{attacker_->clear(), optional(dev_ == nullptr ? nullptr : &dev_->clear()), target_.clear()};
    };
    data.unprotected = technique_name(technique) == "none";
    data.attacked = [this, technique, optional](std::size_t) {
      const Dataset* const dev = dev_ == nullptr ? nullptr : &protections_.protect(*dev_, technique);
      return AttackSplit{protections_.protect(*attacker_, technique), optional(dev),
                         protections_.protect(target_, technique)};
    };
    return data;
  }
  [[nodiscard]] Json attack_inputs() const override {
    return {{"target", target_.digest()},
            {"attacker", attacker_->digest()},
            {"dev", dev_ == nullptr ? Json(nullptr) : Json(dev_->digest())}};
  }
  [[nodiscard]] Json attack_inputs(Json more) const {
    more.update(attack_inputs());
    return more;
  }
  [[nodiscard]] const Dataset& defining() const override { return attacker_->clear(); }

  void add_verify(const Part& part, const std::string& technique) {
    if (!part.has_mated_pairs()) return;
    const VerifyRun run = verify_run(part.clear());
    add({{"step", "verify"}, {"data", part.role()}, {"technique", technique}},
        {{"data", part.digest()}, {"fmr", experiment_.fmr}, {"attributes", run.attributes}},
        [this, &part, technique, run] { return run_verify(protections_.protect(part, technique), run); });
  }

  /// Two applications know the same people; what one of them lost is compared with the other's.
  void add_unlinkability(const std::string& technique) {
    const bool keyed = find_entry(bauta::protections(), "protection", technique_name(technique)).declaration.keyed;
    if (!keyed || !target_.has_mated_pairs()) return;
    // The regimes of one technique share this cell.
    if (!linked_.insert(changed(technique, {{"regime", "application"}, {"application", "0"}})).second) return;
    UnlinkabilityRun run;
    run.options = verification();
    add({{"step", "unlinkability"}, {"data", target_.role()}, {"technique", technique}}, {{"data", target_.digest()}},
        [this, technique, run] {
          const auto under = [&](const char* application) {
            return protections_.protect(target_,
                                        changed(technique, {{"regime", "application"}, {"application", application}}));
          };
          const Dataset first = under("0");
          return run_unlinkability(first, under("1"), run);
        });
  }

  void add_online(const std::string& technique, const std::string& attribute) {
    OnlineRun run;
    run.attribute = attribute;
    run.queries = experiment_.queries;
    run.seed = options_.seed;
    run.bootstrap = experiment_.bootstrap;
    add({{"step", "online"}, {"technique", technique}, {"attribute", attribute}},
        attack_inputs({{"queries", run.queries}, {"fmr", run.fmr}, {"targets", run.targets}}), [this, technique, run] {
          return run_online_attack(protections_.ready(technique), attacker_->clear(), target_.clear(), run);
        });
  }

  /// Undoes the protection with all that the attacker may have, and sees what came back.
  void add_recovery(const std::string& technique, const std::string& recovery) {
    const Declaration& declaration =
        find_entry(recoveries(), "recovery", Specification::parse(recovery).name).declaration;
    const auto& undoes = declaration.applies_to;
    const std::string name = technique_name(technique);
    if (name == "none") return;
    if (!undoes.empty() && std::find(undoes.begin(), undoes.end(), name) == undoes.end()) return;
    // Whoever needs the key has none where keys are secret.
    const Parameters parameters = make_protection(technique).parameters;
    if (declaration.keyed && parameters.values().contains("regime") && parameters.text("regime") == "secret") return;
    // Recoveries that group rows by a column need several enrolments of each sample.
    const bool repeated = std::any_of(declaration.parameters.begin(), declaration.parameters.end(),
                                      [](const Parameter& parameter) { return parameter.name == "by"; });
    add({{"step", "recover"}, {"technique", technique}, {"recovery", recovery}},
        attack_inputs({{"attributes", experiment_.attributes}, {"enrolments", repeated ? experiment_.enrolments : 1}}),
        [this, technique, recovery, repeated] {
          Dataset enrolled;
          if (repeated) {
            const Dataset several = repeated_enrolments(target_.clear(), experiment_.enrolments);
            enrolled = protect_dataset(protections_.ready(technique), several, protect_context(several, options_.seed));
          } else {
            enrolled = protections_.protect(target_, technique);
          }
          RecoveryRun run{.recovery = recovery,
                          .clear = &attacker_->clear(),
                          .protected_clear = &protections_.protect(*attacker_, technique),
                          .original = &target_.clear(),
                          .technique = &protections_.ready(technique),
                          .key_seed = options_.seed,
                          .seed = options_.seed};
          const RecoveryCheck check{.clear = &attacker_->clear(),
                                    .target = &enrolled,
                                    .protected_clear = run.protected_clear,
                                    .attributes = experiment_.attributes,
                                    .bootstrap = experiment_.bootstrap,
                                    .seed = options_.seed,
                                    .memory = options_.memory};
          return run_recovery_check(run_recovery(enrolled, run), target_.clear(), check);
        });
  }

  ExperimentProtections& protections_;
  const Part& target_;
  const Part* attacker_;
  const Part* dev_;
  std::set<std::string> linked_;
};

class ProtocolCells : public Cells {
 public:
  ProtocolCells(const CellContext& context, ProtocolData& data) : Cells(context), data_(data) {
    for (const auto& technique : experiment_.techniques) {
      if (data_.data().has_mated_pairs()) add_verify(technique);
      for (const auto& attribute : experiment_.attributes) add_attacks(technique, attribute);
    }
  }
  std::vector<Cell> take() { return std::move(cells_); }

 private:
  [[nodiscard]] Json technique_inputs(const std::string& technique) const override { return data_.inputs(technique); }
  [[nodiscard]] AttackData attack_data(const std::string& technique) override { return data_.attack(technique); }
  [[nodiscard]] Json attack_inputs() const override { return {{"rotations", data_.rotations()}}; }
  [[nodiscard]] const Dataset& defining() const override { return data_.data().clear(); }

  void add_verify(const std::string& technique) {
    VerifyRun run = verify_run(data_.data().clear());
    run.level = ProtectionShelf::learns(technique);
    add({{"step", "verify"}, {"data", "test"}, {"technique", technique}},
        {{"rotations", data_.rotations()}, {"fmr", experiment_.fmr}, {"attributes", run.attributes}},
        [this, technique, run] { return run_verify(data_.tests(technique), run); });
  }

  ProtocolData& data_;
};

const Json* find_values(const Json& cells, const std::string& step, const std::string& technique,
                        const std::string& attribute = {}) {
  for (const Json& cell : cells) {
    const Json& key = cell["key"];
    const bool fits = key["step"] == step && key["technique"] == technique && cell["status"] == "done" &&
                      (attribute.empty() || key["attribute"] == attribute) && key.value("data", "") != "attacker";
    if (fits) return &cell["values"];
  }
  return nullptr;
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Error of recognition at the lowest false match rate that the data resolves on both sides (S1: 0.1 % or less).
struct RecognitionErrors {
  double clear = 0, protected_ = 0;
  std::string measure;
};

RecognitionErrors recognition_errors(const Json& clear, const Json& hidden) {
  RecognitionErrors errors{clear["eer"], hidden["eer"], "EER"};
  double lowest = 1;
  for (std::size_t i = 0; i < clear["fnmr_at_fmr"].size(); ++i) {
    const Json& before = clear["fnmr_at_fmr"][i];
    const Json& after = hidden["fnmr_at_fmr"][i];
    if (before["resolvable"] != true || after["resolvable"] != true || before["fmr"].get<double>() >= lowest) continue;
    lowest = before["fmr"];
    errors = {before["fnmr"], after["fnmr"], fmt::format("FNMR at FMR {:g} %", 100 * lowest)};
  }
  return errors;
}

}  // namespace

std::string cell_address(const Json& key, const Json& inputs, std::uint64_t seed) {
  return digest(Json{key, inputs, seed, version, code_digest()}.dump());
}

std::vector<Cell> cross_database_cells(const CellContext& context, ExperimentProtections& protections,
                                       const Part& target, const Part* attacker, const Part* dev) {
  // Cells refer to what makes them.
  const auto maker = std::make_shared<CrossDatabaseCells>(context, protections, target, attacker, dev);
  std::vector<Cell> cells = maker->take();
  for (Cell& cell : cells) cell.compute = [maker, compute = std::move(cell.compute)] { return compute(); };
  return cells;
}

std::vector<Cell> protocol_cells(const CellContext& context, ProtocolData& data) {
  const auto maker = std::make_shared<ProtocolCells>(context, data);
  std::vector<Cell> cells = maker->take();
  for (Cell& cell : cells) cell.compute = [maker, compute = std::move(cell.compute)] { return compute(); };
  return cells;
}

Json privacy_cells(const Json& cells) {
  Json result = Json::array();
  for (const Json& cell : cells) {
    const Json& key = cell["key"];
    if (key["step"] != "estimate" || cell["status"] != "done") continue;
    const std::string technique = key["technique"];
    const std::string attribute = key["attribute"];
    if (technique_name(technique) == "none") continue;
    const Json* const clear = find_values(cells, "estimate", "none", attribute);
    const Json* const recognised = find_values(cells, "verify", technique);
    const Json* const recognised_clear = find_values(cells, "verify", "none");
    if (clear == nullptr || recognised == nullptr || recognised_clear == nullptr) continue;
    // Each side's most successful estimator: the attacker chooses again when the data changes.
    const Json& best = cell["values"]["best"];
    const Json& best_clear = (*clear)["best"];
    const double error = 1 - best["balanced"].get<double>();
    const double error_clear = 1 - best_clear["balanced"].get<double>();
    const RecognitionErrors recognition = recognition_errors(*recognised_clear, *recognised);
    const Pic coefficient = pic(error_clear, error, recognition.clear, recognition.protected_);
    const auto suppression = suppression_rate(1 - error_clear, 1 - error, cell["values"]["chance"].get<double>());
    Json by_auc = nullptr;
    if (best["auc"].is_number() && best_clear["auc"].is_number()) {
      const auto gain = [&](AucForm form) {
        return auc_gain(form, best_clear["auc"], best["auc"], (*recognised_clear)["auc"], (*recognised)["auc"]);
      };
      const AucGain aware = gain(AucForm::leak_aware);
      by_auc = {{"suppression", optional_json(aware.suppression)},
                {"identity_loss", optional_json(aware.identity_loss)},
                {"pic", optional_json(aware.pic)},
                {"form", to_text(AucForm::leak_aware)},
                {"printed", optional_json(gain(AucForm::printed).pic)}};
    }
    Json values = {{"attribute", attribute},
                   {"estimator", best["estimator"]},
                   {"estimator_clear", best_clear["estimator"]},
                   {"attribute_error", error},
                   {"attribute_error_clear", error_clear},
                   {"recognition_error", recognition.protected_},
                   {"recognition_error_clear", recognition.clear},
                   {"recognition_measure", recognition.measure},
                   {"chance", cell["values"]["chance"]},
                   {"suppression", nullptr},
                   {"pic", optional_json(coefficient.value)},
                   {"pic_undefined", coefficient.value ? Json(nullptr) : Json(coefficient.undefined)},
                   {"pic_ci", nullptr},
                   {"pic_auc", std::move(by_auc)}};
    if (suppression) {
      values["suppression"] = {{"value", suppression->value}, {"ci", nullptr}, {"reachable", suppression->reachable}};
    }
    result.push_back({{"key", {{"step", "privacy"}, {"technique", technique}, {"attribute", attribute}}},
                      {"status", "done"},
                      {"error", nullptr},
                      {"values", std::move(values)}});
  }
  return result;
}

}  // namespace bauta
