#include "bauta/run/evaluate.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/version.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/attribute_classes.hpp"
#include "bauta/run/comparing.hpp"
#include "bauta/run/protecting.hpp"
#include "bauta/run/similarity.hpp"
#include "cells.hpp"
#include "closed_set.hpp"

namespace bauta {

namespace {

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

/// Pairs that are too close to be independent are listed, and remarked on; with `strict` they stop the run.
Json near_duplicate_list(const std::vector<NearDuplicate>& pairs, const Dataset& a, const Dataset& b, bool strict,
                         Json& remarks) {
  constexpr std::size_t listed_at_most = 20;
  Json list = Json::array();
  for (const NearDuplicate& pair : pairs) {
    if (pair.same_subject) continue;
    const std::string first = fmt::format("{} row {}", a.origin, pair.row_a + 1);
    const std::string second = fmt::format("{} row {}", b.origin, pair.row_b + 1);
    if (strict) {
      throw_input(first + " and " + second,
                  fmt::format("nearly the same template stands in both, cosine distance {:.2g}", pair.distance),
                  "remove one of them, or allow near-duplicates by leaving out strict");
    }
    list.push_back({{"first", first}, {"second", second}, {"distance", pair.distance}});
  }
  const std::size_t count = list.size();
  if (count > listed_at_most) list.erase(list.begin() + listed_at_most, list.end());
  if (count > 0) {
    remarks.push_back(fmt::format(
        "{} samples nearly equal one under another name (cosine distance below {:g}), the first: {} and {}", count,
        near_duplicate_distance, list[0]["first"].get<std::string>(), list[0]["second"].get<std::string>()));
  }
  return {{"count", count}, {"below", near_duplicate_distance}, {"pairs", std::move(list)}};
}

void check_techniques(const Experiment& experiment, const std::vector<const Dataset*>& parts, std::uint64_t seed) {
  for (const auto& technique : experiment.techniques) {
    const ResolvedProtection resolved = make_protection(technique);
    if (resolved.declaration->learns) continue;  // what it can take is known when it has learned
    for (const Dataset* part : parts) {
      resolved->check(part->templates, part->origin, protect_context(*part, seed));
    }
  }
}

/// Computes what is not there yet.
EvaluateSummary finish(const std::vector<Cell>& cells, const CellContext& context, Json more) {
  if (cells.empty()) {
    throw_input(context.experiment.target.path.string(),
                "there is nothing to compute: no identity has two samples, and no attack is asked for",
                "add [attack] similarity = { ... } with data.attacker and data.attribute");
  }
  EvaluateSummary summary{.cells = cells.size()};
  Json finished = Json::array();
  Progress progress("cells", cells.size());
  for (const Cell& cell : cells) {
    const std::string address = cell_address(cell.key, cell.inputs, context.options.seed);
    std::optional<Json> result = context.store.find(address);
    if (!result) {
      result = Json{{"key", cell.key}, {"status", "done"}, {"error", nullptr}, {"values", Json::object()}};
      ++summary.computed;
      try {
        (*result)["values"] = cell.compute();
        context.store.put(address, *result);
      } catch (const Error& error) {
        (*result)["status"] = "failed";
        (*result)["error"] = error.what();
      }
    }
    if ((*result)["status"] == "failed") ++summary.failed;
    finished.push_back(std::move(*result));
    progress.add(1);
  }
  for (Json& cell : privacy_cells(finished)) finished.push_back(std::move(cell));
  Json results = {{"bauta", version},
                  {"experiment", context.experiment.resolved()},
                  {"seed", context.options.seed},
                  {"headline", context.experiment.closed_set ? closed_set_headline(finished) : headline(finished)}};
  results["cells"] = std::move(finished);
  results.update(more);
  write_file(context.options.out / "results.json", results.dump(1) + "\n");
  return summary;
}

EvaluateSummary evaluate_across_data_bases(const Experiment& experiment, const EvaluateOptions& options) {
  // Everything that can be wrong with the input is found before the first computation.
  const Part target("target", experiment.target);
  std::optional<Part> attacker, dev;
  ExperimentProtections protections(experiment, options.out, options.seed);
  protections.require_unseen(target);
  std::vector<const Dataset*> parts = {&target.clear()};
  Json remarks = flattering_remarks(experiment);
  Json near = nullptr;
  if (!experiment.attacker.path.empty()) {
    attacker.emplace("attacker", experiment.attacker);
    parts.push_back(&attacker->clear());
    std::vector<NamedPart> named = {{"attacker", &attacker->clear()}, {"target", &target.clear()}};
    if (!experiment.dev.path.empty()) {
      dev.emplace("dev", experiment.dev);
      parts.push_back(&dev->clear());
      named.push_back({"dev", &dev->clear()});
      protections.require_unseen(*dev);
    }
    require_comparable(attacker->clear(), target.clear());
    require_disjoint(named);
    protections.require_unseen(*attacker);
    for (const auto& attribute : experiment.attributes) {
      const auto asked = experiment.classes.find(attribute);
      const AttributeClasses classes = attribute_classes(
          attacker->clear(), attribute, asked == experiment.classes.end() ? std::vector<double>() : asked->second);
      require_attribute(with_classes(attacker->clear(), classes), with_classes(target.clear(), classes), attribute);
    }
    near = near_duplicate_list(near_duplicates(attacker->clear(), target.clear()), attacker->clear(), target.clear(),
                               experiment.strict, remarks);
  } else {
    for (const auto& attribute : experiment.attributes) (void)target.clear().labels.column(attribute);
  }
  check_techniques(experiment, parts, options.seed);
  for (const auto& remark : remarks) warn(remark.get<std::string>());
  const CellStore store(options.out);
  const CellContext context{experiment, options, store};
  const std::vector<Cell> cells =
      cross_database_cells(context, protections, target, attacker ? &*attacker : nullptr, dev ? &*dev : nullptr);
  return finish(cells, context, {{"protocol", nullptr}, {"near_duplicates", near}, {"remarks", remarks}});
}

EvaluateSummary evaluate_protocol(const Experiment& experiment, const EvaluateOptions& options) {
  ProtocolData data(experiment, options.out, options.seed);
  const Dataset& clear = data.data().clear();
  for (const auto& attribute : experiment.attributes) (void)clear.labels.column(attribute);
  check_techniques(experiment, {&clear}, options.seed);
  Json protocol = data.json();
  Json remarks = flattering_remarks(experiment);
  const Json near = near_duplicate_list(near_duplicates(clear), clear, clear, experiment.strict, remarks);
  for (const char* kind : {"remarks", "warnings"}) {
    for (const Json& remark : protocol[kind]) remarks.push_back(remark);
    protocol.erase(kind);
  }
  for (const auto& remark : remarks) warn(remark.get<std::string>());
  const CellStore store(options.out);
  const CellContext context{experiment, options, store};
  EvaluateSummary summary = finish(protocol_cells(context, data), context,
                                   {{"protocol", protocol}, {"near_duplicates", near}, {"remarks", remarks}});
  summary.protocol = std::move(protocol);
  return summary;
}

EvaluateSummary evaluate_closed_set(const Experiment& experiment, const EvaluateOptions& options) {
  const Part part = closed_set_part(experiment);
  std::vector<std::unique_ptr<ClosedSetData>> data;
  const std::vector<std::string> none = {""};
  for (const auto& representation : experiment.representations.empty() ? none : experiment.representations) {
    data.push_back(std::make_unique<ClosedSetData>(experiment, part, representation, options.out, options.seed));
  }
  Json sweeps = Json::array();
  for (const Sweep& sweep : experiment.sweeps) {
    Json axes = Json::array();
    for (const auto& axis : sweep.axes) axes.push_back({{"name", axis.name}, {"values", axis.values}});
    sweeps.push_back({{"axes", std::move(axes)}, {"techniques", sweep.techniques}});
  }
  const CellStore store(options.out);
  const CellContext context{experiment, options, store};
  return finish(closed_set_cells(context, data), context,
                {{"protocol", closed_set_json(experiment, part, options.seed)},
                 {"sweeps", std::move(sweeps)},
                 {"remarks", part.clear().remarks}});
}

}  // namespace

EvaluateSummary evaluate(const Experiment& experiment, const EvaluateOptions& options) {
  if (experiment.closed_set) return evaluate_closed_set(experiment, options);
  return experiment.pep ? evaluate_protocol(experiment, options) : evaluate_across_data_bases(experiment, options);
}

}  // namespace bauta
