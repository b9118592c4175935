// Reading results.json with the patience of somebody who did not write it.
#include "bauta/report/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta::report {
namespace {

using Names = std::set<std::string_view>;

// Deeper nesting than any result has, and shallow enough for recursive writers.
constexpr int max_depth = 100;

Histogram histogram(const Json& object, const char* first, const char* second) {
  Histogram out{numbers(object, "edges"), numbers(object, first), numbers(object, second)};
  const bool usable = out.edges.size() >= 2 && out.first.size() + 1 == out.edges.size() &&
                      out.second.size() == out.first.size() &&
                      std::is_sorted(out.edges.begin(), out.edges.end(), std::less_equal<>());
  return usable ? out : Histogram{};
}

Series series_of(const Json& key, const std::string& run) {
  Series out{.run = run, .data = text(key, "data"), .technique = text(key, "technique"), .variant = {}, .label = {}};
  static const Names named = {"step", "data", "technique", "attribute"};
  for (const auto& [name, value] : key.items()) {
    if (named.contains(name)) continue;
    out.variant += (out.variant.empty() ? "" : ", ") + name + "=" + plain_text(value);
  }
  if (out.data.empty()) out.data = "target";
  if (out.technique.empty()) out.technique = "unnamed technique";
  out.label = out.technique + (out.variant.empty() ? "" : " (" + out.variant + ")");
  return out;
}

Verification verification(const Json& key, const Json& values, RunResults& run) {
  Verification out;
  out.series = series_of(key, run.name);
  out.comparator = text(values, "comparator");
  const std::array<std::pair<const char*, Number*>, 13> scalars = {{{"samples", &out.samples},
                                                                    {"identities", &out.identities},
                                                                    {"mated", &out.mated},
                                                                    {"non_mated", &out.non_mated},
                                                                    {"failures", &out.failures},
                                                                    {"eer", &out.eer},
                                                                    {"rocch_eer", &out.rocch_eer},
                                                                    {"auc", &out.auc},
                                                                    {"d_prime", &out.d_prime},
                                                                    {"d_sys", &out.d_sys},
                                                                    {"d_sys_null", &out.d_sys_null},
                                                                    {"cllr", &out.cllr},
                                                                    {"min_cllr", &out.min_cllr}}};
  Names known = {"comparator", "eer_ci", "auc_ci",    "d_prime_ci",       "fnmr_at_fmr",
                 "zebra",      "det",    "histogram", "attribute_scores", "remarks"};
  for (const auto& [name, place] : scalars) {
    *place = number(values, name);
    known.insert(name);
  }
  out.eer_ci = interval(values, "eer_ci");
  out.auc_ci = interval(values, "auc_ci");
  out.d_prime_ci = interval(values, "d_prime_ci");
  for (const Json& point : field(values, "fnmr_at_fmr")) {
    const Json& resolvable = field(point, "resolvable");
    out.operating_points.push_back({number(point, "fmr"), number(point, "fnmr"), number(point, "threshold"),
                                    interval(point, "ci"), !resolvable.is_boolean() || resolvable.get<bool>()});
  }
  const Json& zebra = field(values, "zebra");
  out.zebra_bits = number(zebra, "expected_bits");
  out.zebra_worst = number(zebra, "worst_case_log10");
  out.zebra_tag = text(zebra, "tag");
  for (const Json& point : field(values, "det")) {
    const Number fmr = number(point, "fmr");
    const Number fnmr = number(point, "fnmr");
    if (fmr && fnmr) out.curve.push_back({number(point, "threshold"), *fmr, *fnmr});
  }
  out.scores = histogram(field(values, "histogram"), "mated", "non_mated");
  for (const Json& item : field(values, "attribute_scores")) {
    AttributeScores scores{text(item, "attribute"), histogram(item, "same", "different"),
                           numbers(item, "same_quantiles"), numbers(item, "different_quantiles")};
    if (scores.same_quantiles.size() != 5) scores.same_quantiles.clear();
    if (scores.different_quantiles.size() != 5) scores.different_quantiles.clear();
    if (!scores.attribute.empty()) out.attribute_scores.push_back(std::move(scores));
  }
  out.remarks = texts(values, "remarks");
  keep_unknown(values, known, key, run.rest);
  return out;
}

AttackResult attack_result(const Json& values) {
  const bool estimator = field(values, "estimator").is_string();
  AttackResult out{text(values, estimator ? "estimator" : "rule"),
                   number(values, "n"),
                   number(values, "n_used"),
                   number(values, estimator ? "accuracy" : "success"),
                   number(values, "balanced"),
                   interval(values, "ci"),
                   {},
                   read_evidence(values)};
  const Json& per_class = field(values, "per_class");
  if (per_class.is_object()) {
    for (const auto& [name, value] : per_class.items()) {
      if (const Number rate = number_of(value)) out.per_class.emplace_back(name, *rate);
    }
  }
  return out;
}

const AttackResult* most_successful(const std::vector<AttackResult>& results, bool unhealthy) {
  const AttackResult* best = nullptr;
  for (const AttackResult& result : results) {
    if (!result.balanced || result.evidence.unhealthy() != unhealthy) continue;
    if (!best || *result.balanced > *best->balanced) best = &result;
  }
  return best;
}

// The run's own choice, unless it fell on an unhealthy attack where a healthy one stands beside it.
void choose_best(const Json& named, AttributeAttack& out) {
  const AttackResult* healthy = most_successful(out.results, false);
  if (number(named, "balanced")) {
    out.best = attack_result(named);
    out.best_ci = interval(named, "ci_corrected");
    out.corrected = number(named, "corrected");
    out.best_of = number(named, "of");
  }
  if (!out.best || (out.unhealthy() && healthy)) {
    const AttackResult* found = healthy ? healthy : most_successful(out.results, true);
    out.best = found ? std::optional(*found) : std::nullopt;
    out.best_ci.reset();
    out.corrected.reset();
    out.best_of.reset();
  }
  if (out.best && !out.best_ci) out.best_ci = out.best->ci;
}

AttributeAttack attribute_attack(const Json& key, const Json& values, RunResults& run) {
  AttributeAttack out;
  out.series = series_of(key, run.name);
  out.kind = text(key, "step");
  out.attribute = text(values, "attribute");
  if (out.attribute.empty()) out.attribute = text(key, "attribute");
  if (out.attribute.empty()) out.attribute = "unnamed attribute";
  out.comparator = text(values, "comparator");
  out.classes = texts(values, "classes");
  out.chance = number(values, "chance");
  out.attacker_samples = number(field(values, "attacker"), "samples");
  out.attacker_identities = number(field(values, "attacker"), "identities");
  out.target_samples = number(field(values, "target"), "samples");
  out.target_identities = number(field(values, "target"), "identities");
  if (out.kind == "estimate") {
    out.attacker_samples = number(field(values, "train"), "samples");
    out.attacker_identities = number(field(values, "train"), "identities");
    out.target_samples = number(field(values, "test"), "samples");
    out.target_identities = number(field(values, "test"), "identities");
  }
  for (const Json& item : field(values, "results")) out.results.push_back(attack_result(item));
  choose_best(field(values, "best"), out);
  out.edges = numbers(values, "edges");
  out.preparation = text(values, "preparation");
  out.rotations = number(values, "rotations");
  out.tuning_samples = number(field(values, "dev"), "samples");
  out.tuning_identities = number(field(values, "dev"), "identities");
  out.control = read_controls(field(values, "control"));
  out.regression = read_regression(field(values, "regression"));
  out.remarks = texts(values, "remarks");
  keep_unknown(
      values,
      {"attribute", "kind", "classes", "edges", "chance", "attacker", "target", "comparator", "results", "best",
       "remarks", "train", "dev", "test", "rotations", "preparation", "decisions", "control", "regression"},
      key, run.rest);
  return out;
}

OnlineAttack online_attack(const Json& key, const Json& values, const char* rows, RunResults& run) {
  OnlineAttack out;
  out.series = series_of(key, run.name);
  out.attribute = text(values, "attribute");
  out.chance = number(values, "chance");
  for (const Json& item : field(values, rows)) {
    out.results.push_back({number(item, "fmr"), number(item, "queries"), number(item, "decided"),
                           number(item, "balanced"), interval(item, "ci"), text(item, "refusal")});
  }
  return out;
}

Linkage linkage(const Json& key, const Json& values, RunResults& run) {
  Linkage out;
  out.series = series_of(key, run.name);
  out.comparator = text(values, "comparator");
  out.mated = number(values, "mated");
  out.d_sys = number(values, "d_sys");
  out.d_sys_ci = interval(values, "d_sys_ci");
  out.d_sys_null = number(values, "d_sys_null");
  out.d_sys_null_high = number(values, "d_sys_null_high");
  out.maximal = number(values, "maximal_linkability");
  out.maximal_null = number(values, "maximal_linkability_null");
  out.eer = number(values, "eer");
  out.eer_ci = interval(values, "eer_ci");
  return out;
}

RecoveredTemplates recovered_templates(const Json& key, const Json& values, RunResults& run) {
  RecoveredTemplates out;
  // The recovery is named in a column of its own, not as a variant of the technique.
  Json rest = key;
  rest.erase("recovery");
  out.series = series_of(rest, run.name);
  out.recovery = text(key, "recovery");
  out.claim = text(values, "claim");
  const Json& cosine = field(field(values, "cosine"), "centred");
  out.cosine = number(cosine, "mean");
  out.cosine_ci = interval(cosine, "ci");
  const Json& recognition = field(values, "recognition");
  out.eer = number(field(recognition, "recovered"), "eer");
  out.eer_ci = interval(field(recognition, "recovered"), "eer_ci");
  out.clear_eer = number(field(recognition, "clear"), "eer");
  const Json& rank1 = field(field(recognition, "recovered"), "rank1");
  out.rank1 = number(rank1, "rate");
  out.rank1_ci = interval(rank1, "ci");
  out.rank1_chance = number(rank1, "chance");
  for (const Json& item : field(values, "attributes")) {
    out.attributes.push_back({text(item, "attribute"), number(field(item, "recovered"), "balanced"),
                              number(field(item, "clear"), "balanced"), number(item, "chance"),
                              interval(field(item, "recovered"), "ci")});
  }
  return out;
}

Tradeoff tradeoff(const Json& key, const Json& values, RunResults& run) {
  Tradeoff out;
  out.series = series_of(key, run.name);
  out.attribute = text(values, "attribute");
  if (out.attribute.empty()) out.attribute = text(key, "attribute");
  out.estimator = text(values, "estimator");
  out.estimator_clear = text(values, "estimator_clear");
  out.chance = number(values, "chance");
  out.recognition_measure = text(values, "recognition_measure");
  out.attribute_error = number(values, "attribute_error");
  out.attribute_error_clear = number(values, "attribute_error_clear");
  out.recognition_error = number(values, "recognition_error");
  out.recognition_error_clear = number(values, "recognition_error_clear");
  out.suppression = read_suppression(field(values, "suppression"));
  out.pic = number(values, "pic");
  out.pic_undefined = text(values, "pic_undefined");
  out.pic_ci = interval(values, "pic_ci");
  out.pic_auc = read_pic_auc(field(values, "pic_auc"));
  keep_unknown(values,
               {"attribute", "estimator", "estimator_clear", "chance", "attribute_error", "attribute_error_clear",
                "recognition_error", "recognition_error_clear", "recognition_measure", "suppression", "pic",
                "pic_undefined", "pic_ci", "pic_auc"},
               key, run.rest);
  return out;
}

Anonymised anonymised(const Json& key, const Json& values, RunResults& run) {
  // As with recoveries: the representation has a place of its own, and is empty where templates were given.
  Json plain = key;
  plain.erase("representation");
  const std::string representation = text(key, "representation");
  Series series = series_of(plain, run.name);
  if (!representation.empty()) series.label += " (" + representation + ")";
  return read_anonymised(std::move(series), representation, key, values, run.rest);
}

void add_cell(const Json& cell, RunResults& run) {
  ++run.cells;
  const Json& key = field(cell, "key");
  const Json& values = field(cell, "values");
  const std::string step = text(key, "step");
  if (text(cell, "status") == "failed") {
    const std::string error = text(cell, "error");
    run.failed.push_back({run.name, plain_text(key), error.empty() ? "no reason was recorded" : error});
  } else if (step == "verify" && values.is_object()) {
    run.verifications.push_back(verification(key, values, run));
  } else if ((step == "similarity" || step == "estimate") && values.is_object()) {
    run.attacks.push_back(attribute_attack(key, values, run));
    if (!field(values, "decisions").empty()) run.online.push_back(online_attack(key, values, "decisions", run));
  } else if (step == "online" && values.is_object()) {
    run.online.push_back(online_attack(key, values, "results", run));
  } else if (step == "unlinkability" && values.is_object()) {
    run.linkages.push_back(linkage(key, values, run));
  } else if (step == "recover" && values.is_object()) {
    run.recovered.push_back(recovered_templates(key, values, run));
  } else if (step == "privacy" && values.is_object()) {
    run.tradeoffs.push_back(tradeoff(key, values, run));
  } else if (step == "anonymity" && values.is_object()) {
    run.anonymised.push_back(anonymised(key, values, run));
  } else {
    run.rest.push_back(cell);
  }
}

Json read_json(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw_input(path.string(), "cannot be read", "RUN is the folder that 'bauta evaluate' or 'bauta demo' wrote");
  }
  try {
    return Json::parse(file, [&](int depth, Json::parse_event_t, Json&) {
      if (depth > max_depth) throw_input(path.string(), fmt::format("nested more than {} levels deep", max_depth));
      return true;
    });
  } catch (const Json::parse_error& error) {
    throw_input(path.string(), fmt::format("not valid JSON at byte {}", error.byte),
                "run 'bauta evaluate' again; finished cells are not computed twice");
  }
}

// Folder names may hold any bytes, pages and JSON only UTF-8.
std::string printable(const std::filesystem::path& name) {
  return Json::parse(Json(name.string()).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

RunResults read_run(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "results.json";
  const Json results = read_json(path);
  if (!results.is_object() || !field(results, "cells").is_array()) {
    throw_input(path.string(), "expected an object with a list 'cells'",
                "RUN is the folder that 'bauta evaluate' or 'bauta demo' wrote");
  }
  RunResults run;
  run.folder = folder;
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  run.name = printable((whole.has_filename() ? whole : whole.parent_path()).filename());
  run.version = text(results, "bauta");
  run.seed = number(results, "seed");
  run.experiment = field(results, "experiment");
  run.headline = field(results, "headline");
  run.release = field(results, "release");
  run.title = text(field(run.experiment, "report"), "title");
  for (const Json& cell : field(results, "cells")) add_cell(cell, run);
  run.remarks = texts(results, "remarks");
  run.protocol = read_protocol(field(results, "protocol"));
  for (const Json& item : field(results, "sweeps")) {
    if (std::optional<Sweep> sweep = read_sweep(item)) {
      run.sweeps.push_back(std::move(*sweep));
    } else {
      run.rest.push_back({{"sweep that does not fit its axes", item}});
    }
  }
  keep_unknown(results,
               {"bauta", "experiment", "seed", "cells", "headline", "release", "remarks", "protocol", "sweeps"},
               "results.json", run.rest);
  return run;
}

}  // namespace

std::vector<std::filesystem::path> with_variants(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::filesystem::path> out;
  for (const std::filesystem::path& folder : folders) {
    std::vector<std::filesystem::path> variants;
    std::error_code error;
    if (!std::filesystem::exists(folder / "results.json", error)) {
      for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (std::filesystem::exists(entry.path() / "results.json", error)) variants.push_back(entry.path());
      }
    }
    std::sort(variants.begin(), variants.end());
    if (variants.empty()) variants = {folder};
    out.insert(out.end(), variants.begin(), variants.end());
  }
  return out;
}

std::vector<RunResults> read_runs(const std::vector<std::filesystem::path>& folders) {
  std::vector<RunResults> runs;
  for (const std::filesystem::path& folder : folders) {
    if (std::count(folders.begin(), folders.end(), folder) > 1) throw_usage(folder.string(), "the run is named twice");
    runs.push_back(read_run(folder));
    name_settings(runs.back().anonymised, "");
  }
  if (runs.size() < 2) return runs;
  // Two folders of the same name would give two series that nobody can tell apart.
  std::set<std::string> names;
  for (const RunResults& run : runs) names.insert(run.name);
  if (names.size() < runs.size()) {
    for (RunResults& run : runs) run.name = printable(run.folder.lexically_normal());
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto relabel = [&](Series& series) {
      series.run = runs[i].name;
      series.label = runs[i].name + ": " + series.label;
    };
    for (Verification& item : runs[i].verifications) relabel(item.series);
    for (AttributeAttack& item : runs[i].attacks) relabel(item.series);
    for (OnlineAttack& item : runs[i].online) relabel(item.series);
    for (Linkage& item : runs[i].linkages) relabel(item.series);
    for (RecoveredTemplates& item : runs[i].recovered) relabel(item.series);
    for (Tradeoff& item : runs[i].tradeoffs) relabel(item.series);
    for (Anonymised& item : runs[i].anonymised) relabel(item.series);
    name_settings(runs[i].anonymised, runs[i].name);
    for (FailedCell& item : runs[i].failed) item.run = runs[i].name;
  }
  return runs;
}

const AttributeAttack* ceiling_of(const AttributeAttack& attack, const std::vector<RunResults>& runs) {
  for (const RunResults& run : runs) {
    for (const AttributeAttack& other : run.attacks) {
      if (other.series.clear() && other.kind == attack.kind && other.series.run == attack.series.run && other.best &&
          other.series.variant == attack.series.variant && other.attribute == attack.attribute) {
        return &other;
      }
    }
  }
  return nullptr;
}

const Verification* clear_of(const Series& series, const std::vector<RunResults>& runs) {
  for (const RunResults& run : runs) {
    for (const Verification& other : run.verifications) {
      if (other.series.clear() && other.series.run == series.run && other.series.variant == series.variant &&
          other.series.data == series.data) {
        return &other;
      }
    }
  }
  return nullptr;
}

}  // namespace bauta::report
