#include "bauta/run/evaluate.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/version.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/comparing.hpp"
#include "bauta/run/protecting.hpp"
#include "bauta/run/similarity.hpp"
#include "bauta/run/store.hpp"
#include "bauta/run/verify.hpp"

namespace bauta {

namespace {

/// A data set of the experiment, and its protected forms as they are needed.
class Part {
 public:
  Part(std::string role, const DataReference& reference)
      : role_(std::move(role)),
        clear_(read_dataset(reference.path, reference.options)),
        digest_(bauta::digest(clear_)) {}

  [[nodiscard]] const std::string& role() const { return role_; }
  [[nodiscard]] const Dataset& clear() const { return clear_; }
  [[nodiscard]] const std::string& digest() const { return digest_; }

  const Dataset& protected_with(const std::string& technique, std::uint64_t seed) {
    if (technique_ != technique) {
      protected_ = protect_dataset(make_protection(technique), clear_, protect_context(clear_, seed));
      technique_ = technique;
    }
    return protected_;
  }

  [[nodiscard]] bool has_mated_pairs() const {
    const auto counts = clear_.labels.categorical(clear_.identity_column).counts();
    return std::any_of(counts.begin(), counts.end(), [](std::size_t count) { return count > 1; });
  }

 private:
  std::string role_;
  Dataset clear_;
  std::string digest_;
  std::string technique_;
  Dataset protected_;
};

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
    if (cell["status"] != "done" || cell["key"]["step"] != "similarity") continue;
    const Json& best = cell["values"]["best"];
    const bool clear = technique_name(cell["key"]["technique"]) == "none";
    const bool better = worst.is_null() || (worst_is_clear && !clear) ||
                        (worst_is_clear == clear && best["balanced"].get<double>() > worst["balanced"].get<double>());
    if (!better || (clear && !worst_is_clear)) continue;
    worst = {{"technique", cell["key"]["technique"]},
             {"attack", "similarity"},
             {"attribute", cell["key"]["attribute"]},
             {"rule", best["rule"]},
             {"n", best["n"]},
             {"balanced", best["balanced"]},
             {"ci", best["ci"]},
             {"chance", cell["values"]["chance"]}};
    worst_is_clear = clear;
  }
  if (worst.is_null()) return Json::object();
  const Json ceiling = find_cell(cells, [&](const Json& key) {
    return key["step"] == "similarity" && key["attribute"] == worst["attribute"] &&
           technique_name(key["technique"]) == "none";
  });
  worst["ceiling"] = ceiling.is_null() ? Json(nullptr) : ceiling["best"]["balanced"];
  const double chance = worst["chance"];
  std::string verdict =
      fmt::format("Behind {}, the similarity attack reads '{}' with a balanced accuracy of {:.1f} % (chance {:.1f} %",
                  worst["technique"].get<std::string>(), worst["attribute"].get<std::string>(),
                  100 * worst["balanced"].get<double>(), 100 * chance);
  if (!ceiling.is_null()) verdict += fmt::format(", clear data {:.1f} %", 100 * worst["ceiling"].get<double>());
  verdict += ").";
  // An attack that does not work on clear data proves nothing about a protection.
  if (!ceiling.is_null() && ceiling["best"]["ci"].is_array() && ceiling["best"]["ci"][0].get<double>() <= chance) {
    verdict += " The attack does not beat chance on clear data either: this says nothing about the protection.";
  }
  worst["verdict"] = verdict;
  return worst;
}

}  // namespace

EvaluateSummary evaluate(const Experiment& experiment, const EvaluateOptions& options) {
  // Everything that can be wrong with the input is found before the first computation.
  Part target("target", experiment.target);
  std::optional<Part> attacker;
  if (!experiment.attacker.path.empty()) {
    attacker.emplace("attacker", experiment.attacker);
    require_comparable(attacker->clear(), target.clear());
    require_disjoint(attacker->clear(), target.clear());
    for (const auto& attribute : experiment.attributes) require_attribute(attacker->clear(), target.clear(), attribute);
  } else {
    for (const auto& attribute : experiment.attributes) (void)target.clear().labels.column(attribute);
  }
  std::vector<Part*> parts = {&target};
  if (attacker) parts.push_back(&*attacker);
  for (const auto& technique : experiment.techniques) {
    for (const Part* part : parts) {
      const Dataset& clear = part->clear();
      make_protection(technique).protection->check(clear.templates, clear.origin, protect_context(clear, options.seed));
    }
  }
  const CellStore store(options.out);

  std::vector<Cell> cells;
  for (const auto& technique : experiment.techniques) {
    for (Part* part : parts) {
      if (!part->has_mated_pairs()) continue;
      VerifyRun run{.comparator = {}, .attributes = {}, .options = {}};
      for (const auto& attribute : experiment.attributes) {
        if (part->clear().labels.kind(attribute) == ColumnKind::categorical) run.attributes.push_back(attribute);
      }
      run.options.fmr = experiment.fmr;
      run.options.bootstrap = experiment.bootstrap;
      run.options.seed = options.seed;
      run.options.memory = options.memory;
      cells.push_back({{{"step", "verify"}, {"data", part->role()}, {"technique", technique}},
                       {{"data", part->digest()},
                        {"fmr", experiment.fmr},
                        {"bootstrap", experiment.bootstrap},
                        {"attributes", run.attributes}},
                       [=, seed = options.seed] { return run_verify(part->protected_with(technique, seed), run); }});
    }
    if (experiment.rules.empty()) continue;
    for (const auto& attribute : experiment.attributes) {
      const SimilarityRun run{attribute, {}, {experiment.rules, experiment.n, options.seed}, experiment.bootstrap};
      Json rules = Json::array();
      for (const SimilarityRule rule : experiment.rules) rules.push_back(to_text(rule));
      cells.push_back({{{"step", "similarity"}, {"technique", technique}, {"attribute", attribute}},
                       {{"target", target.digest()},
                        {"attacker", attacker->digest()},
                        {"rules", rules},
                        {"n", experiment.n},
                        {"bootstrap", experiment.bootstrap}},
                       [&, technique, run] {
                         return run_similarity_attack(attacker->protected_with(technique, options.seed),
                                                      target.protected_with(technique, options.seed), run);
                       }});
    }
  }
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
                        {"headline", std::move(headline_json)}};
  write_file(options.out / "results.json", results.dump(1) + "\n");
  return summary;
}

}  // namespace bauta
