#include "bauta/run/evaluate.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/version.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/comparing.hpp"
#include "bauta/run/estimate.hpp"
#include "bauta/run/online.hpp"
#include "bauta/run/protecting.hpp"
#include "bauta/run/recovery.hpp"
#include "bauta/run/similarity.hpp"
#include "bauta/run/store.hpp"
#include "bauta/run/unlinkability.hpp"
#include "bauta/run/verify.hpp"
#include "parts.hpp"

namespace bauta {

namespace {

struct Cell {
  Json key;
  Json inputs;  ///< everything that the values depend on besides the key
  std::function<Json()> compute;
};

std::string technique_name(const std::string& technique) {
  return Specification::parse(technique).name;
}

Json find_cell(const Json& cells, const std::function<bool(const Json&)>& wanted) {
  for (const Json& cell : cells) {
    if (cell["status"] == "done" && wanted(cell["key"])) return cell["values"];
  }
  return nullptr;
}

/// The most successful attacker on protected data (on clear data if nothing is protected), beside the clear-data
/// ceiling.
Json headline(const Json& cells) {
  Json worst;
  bool worst_is_clear = true;
  for (const Json& cell : cells) {
    const bool attacks = cell["key"]["step"] == "similarity" || cell["key"]["step"] == "estimate";
    if (cell["status"] != "done" || !attacks) continue;
    const Json& best = cell["values"]["best"];
    const bool clear = technique_name(cell["key"]["technique"]) == "none";
    const bool better = worst.is_null() || (worst_is_clear && !clear) ||
                        (worst_is_clear == clear && best["balanced"].get<double>() > worst["balanced"].get<double>());
    if (!better || (clear && !worst_is_clear)) continue;
    worst = {{"technique", cell["key"]["technique"]}, {"attack", cell["key"]["step"]},
             {"attribute", cell["key"]["attribute"]}, {"rule", best.value("rule", Json())},
             {"n", best.value("n", Json())},          {"estimator", best.value("estimator", Json())},
             {"balanced", best["balanced"]},          {"ci", best["ci"]},
             {"chance", cell["values"]["chance"]}};
    worst_is_clear = clear;
  }
  if (worst.is_null()) return Json::object();
  const Json ceiling = find_cell(cells, [&](const Json& key) {
    return key["step"] == worst["attack"] && key["attribute"] == worst["attribute"] &&
           technique_name(key["technique"]) == "none";
  });
  worst["ceiling"] = ceiling.is_null() ? Json(nullptr) : ceiling["best"]["balanced"];
  const double chance = worst["chance"];
  std::string verdict = fmt::format(
      "Behind {}, the {} reads '{}' with a balanced accuracy of {:.1f} % (chance {:.1f} %",
      worst["technique"].get<std::string>(),
      worst["attack"] == "similarity" ? "similarity attack" : "estimator " + worst["estimator"].get<std::string>(),
      worst["attribute"].get<std::string>(), 100 * worst["balanced"].get<double>(), 100 * chance);
  if (!ceiling.is_null()) verdict += fmt::format(", clear data {:.1f} %", 100 * worst["ceiling"].get<double>());
  verdict += ").";
  // An attack that does not work on clear data proves nothing about a protection.
  if (!ceiling.is_null() && ceiling["best"]["ci"].is_array() && ceiling["best"]["ci"][0].get<double>() <= chance) {
    verdict += " The attack does not beat chance on clear data either: this says nothing about the protection.";
  }
  worst["verdict"] = verdict;
  return worst;
}

/// Builds the cells of an experiment; the order is that of the results.
class Cells {
 public:
  Cells(const Experiment& experiment, const EvaluateOptions& options, ExperimentProtections& protections,
        const Part& target, const Part* attacker)
      : experiment_(experiment), options_(options), protections_(protections), target_(target), attacker_(attacker) {}

  std::vector<Cell> all() {
    for (const auto& technique : experiment_.techniques) {
      add_verify(target_, technique);
      if (attacker_ != nullptr) add_verify(*attacker_, technique);
      if (experiment_.unlinkability) add_unlinkability(technique);
      for (const auto& attribute : experiment_.attributes) {
        if (!experiment_.rules.empty()) add_similarity(technique, attribute);
        if (!experiment_.estimators.empty()) add_estimate(technique, attribute);
        if (!experiment_.queries.empty()) add_online(technique, attribute);
      }
      for (const auto& recovery : experiment_.recoveries) add_recovery(technique, recovery);
    }
    return std::move(cells_);
  }

 private:
  void add(Json key, Json inputs, std::function<Json()> compute) {
    inputs["bootstrap"] = experiment_.bootstrap;
    inputs["protection"] = protections_.inputs(key["technique"]);
    cells_.push_back({std::move(key), std::move(inputs), std::move(compute)});
  }
  /// What every cell that attacks the target across data bases depends on.
  [[nodiscard]] Json attack_inputs(Json more) const {
    more["target"] = target_.digest();
    more["attacker"] = attacker_->digest();
    return more;
  }
  [[nodiscard]] VerificationOptions verification() const {
    VerificationOptions measure;
    measure.fmr = experiment_.fmr;
    measure.bootstrap = experiment_.bootstrap;
    measure.seed = options_.seed;
    measure.memory = options_.memory;
    return measure;
  }

  void add_verify(const Part& part, const std::string& technique) {
    if (!part.has_mated_pairs()) return;
    VerifyRun run{.comparator = {}, .attributes = {}, .options = verification()};
    for (const auto& attribute : experiment_.attributes) {
      if (part.clear().labels.kind(attribute) == ColumnKind::categorical) run.attributes.push_back(attribute);
    }
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

  void add_similarity(const std::string& technique, const std::string& attribute) {
    const SimilarityRun run{.attribute = attribute,
                            .comparator = {},
                            .options = {experiment_.rules, experiment_.n, options_.seed},
                            .bootstrap = experiment_.bootstrap,
                            .decision_fmr = experiment_.decision_fmr};
    Json rules = Json::array();
    for (const SimilarityRule rule : experiment_.rules) rules.push_back(to_text(rule));
    add({{"step", "similarity"}, {"technique", technique}, {"attribute", attribute}},
        attack_inputs({{"rules", rules}, {"n", experiment_.n}, {"decision", experiment_.decision_fmr}}),
        [this, technique, run] {
          return run_similarity_attack(protections_.protect(*attacker_, technique),
                                       protections_.protect(target_, technique), run);
        });
  }

  void add_estimate(const std::string& technique, const std::string& attribute) {
    EstimateRun run;
    run.attribute = attribute;
    run.estimators = experiment_.estimators;
    run.bootstrap = experiment_.bootstrap;
    run.seed = options_.seed;
    add({{"step", "estimate"}, {"technique", technique}, {"attribute", attribute}},
        attack_inputs({{"estimators", run.estimators}, {"preparation", run.preparation}}), [this, technique, run] {
          return run_estimate(protections_.protect(*attacker_, technique), protections_.protect(target_, technique),
                              run);
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

  const Experiment& experiment_;
  const EvaluateOptions& options_;
  ExperimentProtections& protections_;
  const Part& target_;
  const Part* attacker_;
  std::set<std::string> linked_;
  std::vector<Cell> cells_;
};

/// Key holders' error rates flatter a keyed technique: what is left when the key is lost belongs beside them.
Json flattering_remarks(const Experiment& experiment) {
  Json remarks = Json::array();
  for (const auto& technique : experiment.techniques) {
    const ResolvedProtection resolved = make_protection(technique);
    if (!resolved.declaration->keyed || resolved.parameters.text("regime") != "secret") continue;
    const std::string stolen = changed(technique, {{"regime", "stolen"}});
    if (std::find(experiment.techniques.begin(), experiment.techniques.end(), stolen) != experiment.techniques.end())
      continue;
    remarks.push_back(
        fmt::format("{} is measured with secret keys only: its error rates are due to the key. Add {} to see what the "
                    "template itself holds",
                    technique, stolen));
  }
  return remarks;
}

}  // namespace

EvaluateSummary evaluate(const Experiment& experiment, const EvaluateOptions& options) {
  // Everything that can be wrong with the input is found before the first computation.
  const Part target("target", experiment.target);
  std::optional<Part> attacker;
  ExperimentProtections protections(experiment, options.out, options.seed);
  protections.require_unseen(target);
  if (!experiment.attacker.path.empty()) {
    attacker.emplace("attacker", experiment.attacker);
    require_comparable(attacker->clear(), target.clear());
    require_disjoint(attacker->clear(), target.clear());
    protections.require_unseen(*attacker);
    for (const auto& attribute : experiment.attributes) require_attribute(attacker->clear(), target.clear(), attribute);
  } else {
    for (const auto& attribute : experiment.attributes) (void)target.clear().labels.column(attribute);
  }
  std::vector<const Part*> parts = {&target};
  if (attacker) parts.push_back(&*attacker);
  for (const auto& technique : experiment.techniques) {
    const ResolvedProtection resolved = make_protection(technique);
    if (resolved.declaration->learns) continue;  // what it can take is known when it has learned
    for (const Part* part : parts) {
      const Dataset& clear = part->clear();
      resolved.protection->check(clear.templates, clear.origin, protect_context(clear, options.seed));
    }
  }
  const Json remarks = flattering_remarks(experiment);
  for (const auto& remark : remarks) warn(remark.get<std::string>());
  const CellStore store(options.out);
  Cells grid(experiment, options, protections, target, attacker ? &*attacker : nullptr);
  const std::vector<Cell> cells = grid.all();
  if (cells.empty()) {
    throw_input(target.clear().origin,
                "there is nothing to compute: no identity has two samples, and no attack is asked for",
                "add [attack] similarity = { ... } with data.attacker and data.attribute");
  }

  EvaluateSummary summary{.cells = cells.size()};
  Json finished = Json::array();
  Progress progress("cells", cells.size());
  for (const Cell& cell : cells) {
    const std::string address = digest(Json{cell.key, cell.inputs, options.seed, version, code_digest()}.dump());
    std::optional<Json> result = store.find(address);
    if (!result) {
      result = Json{{"key", cell.key}, {"status", "done"}, {"error", nullptr}, {"values", Json::object()}};
      ++summary.computed;
      try {
        (*result)["values"] = cell.compute();
        store.put(address, *result);
      } catch (const Error& error) {
        (*result)["status"] = "failed";
        (*result)["error"] = error.what();
      }
    }
    if ((*result)["status"] == "failed") ++summary.failed;
    finished.push_back(std::move(*result));
    progress.add(1);
  }
  Json headline_json = headline(finished);
  const Json results = {{"bauta", version},
                        {"experiment", experiment.resolved()},
                        {"seed", options.seed},
                        {"cells", std::move(finished)},
                        {"headline", std::move(headline_json)},
                        {"remarks", remarks}};
  write_file(options.out / "results.json", results.dump(1) + "\n");
  return summary;
}

}  // namespace bauta
