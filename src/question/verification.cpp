#include "bauta/question/verification.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/protect/key_regime.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"
#include "cells.hpp"
#include "levels.hpp"
#include "score_sources.hpp"

namespace bauta {

namespace {

Json to_json(const std::optional<Interval>& interval) {
  return interval ? Json{interval->low, interval->high} : Json(nullptr);
}
// JSON knows no infinity; null says "no finite value".
Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json histogram_json(const ScoreHistogram& histogram, const char* mated, const char* non_mated) {
  return {{"edges", histogram.edges}, {mated, histogram.mated}, {non_mated, histogram.non_mated}};
}

}  // namespace

void add_measures(Json& json, const VerificationResult& result) {
  json["mated"] = result.mated;
  json["non_mated"] = result.non_mated;
  json["eer"] = result.eer;
  json["eer_ci"] = to_json(result.eer_ci);
  json["eer_bracket"] = {result.eer_bracket.low, result.eer_bracket.high};
  json["eer_threshold"] = finite(result.eer_threshold);
  json["rocch_eer"] = result.rocch_eer;
  json["rocch_eer_ci"] = to_json(result.rocch_eer_ci);
  json["auc"] = result.auc;
  json["auc_ci"] = to_json(result.auc_ci);
  json["d_prime"] = result.d_prime ? finite(*result.d_prime) : Json(nullptr);
  json["d_prime_ci"] = to_json(result.d_prime_ci);
  json["fnmr_at_fmr"] = Json::array();
  for (const OperatingPoint& point : result.fnmr_at_fmr) {
    json["fnmr_at_fmr"].push_back({{"fmr", point.fmr},
                                   {"fnmr", point.fnmr},
                                   {"ci", to_json(point.ci)},
                                   {"threshold", finite(point.threshold)},
                                   {"resolvable", point.resolvable},
                                   {"actual_fmr", point.actual_fmr},
                                   {"false_matches", point.false_matches},
                                   {"false_non_matches", point.false_non_matches}});
  }
  const auto known = [&](double value) { return result.d_sys_known ? Json(value) : Json(nullptr); };
  json["d_sys"] = known(result.d_sys);
  json["d_sys_null"] = known(result.d_sys_null);
  json["d_sys_null_high"] = known(result.d_sys_null_high);
  json["maximal_linkability"] = known(result.maximal_linkability);
  json["maximal_linkability_null"] = known(result.maximal_linkability_null);
  json["maximal_linkability_null_high"] = known(result.maximal_linkability_null_high);
  json["cllr"] = finite(result.cllr);
  json["cllr_ci"] = to_json(result.cllr_ci);
  json["min_cllr"] = result.min_cllr;
  json["zebra"] = {{"expected_bits", result.zebra.expected_bits},
                   {"worst_case_log10", result.zebra.worst_case_log10},
                   {"tag", result.zebra.tag}};
  json["det"] = Json::array();
  for (const CurvePoint& point : result.det) {
    json["det"].push_back({{"threshold", finite(point.threshold)}, {"fmr", point.fmr}, {"fnmr", point.fnmr}});
  }
  json["histogram"] = histogram_json(result.histogram, "mated", "non_mated");
}

namespace {

/// The two sides of comparisons, part by part; the same span where each part is compared with itself.
struct Compared {
  std::span<const Dataset> probes, references;
};

/// Non-mated scores of samples that share a class and of samples that do not: their difference is what the similarity
/// attack feeds on. Null where one kind does not exist.
Json attribute_scores(const Compared& compared, const NamedSource& source, const std::string& attribute,
                      const VerificationOptions& options) {
  const AttributePairs pairs(source, classes_of(compared.probes, compared.references, attribute));
  VerificationOptions plain = options;
  plain.bootstrap = 0;
  plain.permutations = 0;
  VerificationResult result;
  try {
    result = measure_verification(pairs, plain);
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
    return nullptr;
  }
  Json json = {{"attribute", attribute}, {"auc", result.auc}};
  json.update(histogram_json(result.histogram, "same", "different"));
  json["same_quantiles"] = result.mated_quantiles;
  json["different_quantiles"] = result.non_mated_quantiles;
  return json;
}

/// Comparisons of different samples of a data set.
std::unique_ptr<NamedSource> within(const Dataset& part, const Comparator& comparator, const VerifyRun& run) {
  if (run.both_orders) return std::make_unique<CrossSource>(part, part, comparator, CrossSource::Samples::same);
  return std::make_unique<EngineSource>(part, comparator);
}

/// Each part by itself, with a threshold of its own; null where it has no mated pair.
Json rotation_rates(std::span<const Dataset> parts, const Comparator& comparator, const VerifyRun& run) {
  VerificationOptions options = run.options;
  options.bootstrap = 0;
  options.permutations = 0;
  Json rates = Json::array();
  for (const Dataset& part : parts) {
    const auto counts = part.labels.categorical(part.identity_column).counts();
    if (counts.size() < 2 || *std::max_element(counts.begin(), counts.end()) < 2) {
      rates.push_back(nullptr);
      continue;
    }
    const VerificationResult result = measure_verification(*within(part, comparator, run), options);
    rates.push_back({{"eer", result.eer}, {"auc", result.auc}});
  }
  return rates;
}

/// Subjects with keys of their own are told apart by their keys, whatever their faces.
std::vector<std::string> key_remarks(const Dataset& dataset) {
  if (!dataset.provenance) return {};
  std::vector<std::string> techniques = {dataset.provenance->technique};
  const auto before = dataset.provenance->properties.find("applied_to");
  if (before != dataset.provenance->properties.end()) techniques.push_back(before->second);
  for (const std::string& technique : techniques) {
    if (!has_personal_keys(technique)) continue;
    return {
        fmt::format("{} gives each subject a secret key, and these error rates are due to the keys, not to the "
                    "faces; report those of a stolen key ({}) beside them",
                    technique.substr(0, technique.find(':')), regime_text(KeyRegime::stolen))};
  }
  return {};
}

/// How well people are recognised.
std::vector<Finding> recognition_findings(const VerificationResult& result, std::size_t identities,
                                          const std::string& people) {
  Finding base;
  base.about = About::recognition;
  base.attacker = "the rightful user";
  base.unit = "rate";
  base.drawn_over = people;
  base.counts = {{"mated", result.mated}, {"non_mated", result.non_mated}, {"identities", identities}};
  std::vector<Finding> findings;
  const auto add = [&](const char* measure, double value, const std::optional<Interval>& ci, double chance) {
    findings.push_back(base);
    Finding& made = findings.back();
    made.measure = measure;
    made.value = value;
    made.ci = ci;
    made.chance = chance;
  };
  add("EER", result.eer, result.eer_ci, 0.5);
  findings.back().certainty = 0;
  findings.back().auc = result.auc;
  findings.back().draws = result.eer_draws;
  for (const OperatingPoint& point : result.fnmr_at_fmr) {
    add("FNMR", point.fnmr, point.ci, 1 - point.fmr);
    findings.back().certainty = 0;
    findings.back().draws = point.draws;
    findings.back().axes = {{"fmr", fmt::format("{}", point.fmr)}, {"resolvable", point.resolvable ? "true" : "false"}};
  }
  add("AUC", result.auc, result.auc_ci, 0.5);
  findings.back().worse = Worse::lower;
  findings.back().draws = result.auc_draws;
  return findings;
}

/// How well attackers find people whom they know in protected data.
Finding search_finding(const VerificationResult& result, std::size_t identities, const std::string& people) {
  Finding finding;
  finding.about = About::identity;
  finding.attacker = "verification";
  finding.measure = "EER";
  finding.unit = "rate";
  finding.value = result.eer;
  finding.worse = Worse::lower;
  finding.ci = result.eer_ci;
  finding.chance = 0.5;
  finding.certainty = 0;
  finding.auc = result.auc;
  finding.counts = {{"mated", result.mated}, {"non_mated", result.non_mated}, {"identities", identities}};
  finding.draws = result.eer_draws;
  finding.drawn_over = people;
  return finding;
}

void add_remarks(Json& json, const std::vector<std::string>& more) {
  for (const auto& remark : more) json["remarks"].push_back(remark);
}

}  // namespace

Answer run_verify(const Dataset& dataset, const VerifyRun& run) {
  return run_verify(std::span(&dataset, 1), run);
}

namespace {

/// What the scores say; the first probes tell how they were protected.
Answer verified(const NamedSource& source, const Compared& compared, const ComparatorChoice& choice,
                const VerifyRun& run, const std::string& origin) {
  const Dataset& first = compared.probes.front();
  VerificationResult result;
  try {
    result = measure_verification(source, run.options);
  } catch (const Error& error) {
    throw Error(error.fault, origin, error.finding, error.hint);
  }
  Json json = {{"samples", source.samples()},
               {"identities", source.subjects()},
               {"failures", source.failures()},
               {"comparator", choice.specification}};
  if (first.provenance) json["technique"] = first.provenance->technique;
  add_measures(json, result);
  json["attribute_scores"] = Json::array();
  for (const auto& attribute : run.attributes) {
    Json scores = attribute_scores(compared, source, attribute, run.options);
    if (!scores.is_null()) json["attribute_scores"].push_back(std::move(scores));
  }
  json["remarks"] = Json::array();
  add_remarks(json, choice.remarks);
  if (run.own_models) {
    add_remarks(json,
                {"each rotation has a model and a threshold of its own: scores are brought to mean 0 and deviation "
                 "1 of its non-mated scores before they are pooled"});
  }
  if (!run.clear_references) add_remarks(json, key_remarks(first));
  add_remarks(json, result.remarks);
  const std::string people = drawn_over(source.names(), run.options.seed);
  if (run.clear_references) return {std::move(json), {search_finding(result, source.subjects(), people)}};
  return {std::move(json), recognition_findings(result, source.subjects(), people)};
}

/// Copies are compared like other samples: within a person they look like recognition, between people like confusion.
std::vector<std::string> copy_remarks(std::span<const Dataset> parts) {
  std::size_t own = 0, others = 0;
  for (const Dataset& part : parts) {
    if (part.templates.kind() != ElementKind::float32 || !part.probe_templates.empty()) continue;
    const auto& names = part.labels.column(part.identity_column);
    const std::vector<bool> failed = part.failed();
    std::unordered_map<std::string_view, std::size_t> first;
    for (std::size_t row = 0; row < part.size(); ++row) {
      if (failed[row]) continue;
      const auto [place, fresh] = first.try_emplace(part.templates.row_bytes(row), row);
      if (!fresh) ++(names[place->second] == names[row] ? own : others);
    }
  }
  if (own + others == 0) return {};
  return {
      fmt::format("{} samples equal an earlier one of their person in every feature, {} one of somebody else: they "
                  "are compared like others",
                  own, others)};
}

}  // namespace

Answer run_verify(std::span<const Dataset> parts, const VerifyRun& run) {
  const Dataset& first = parts.front();
  for (const auto& attribute : run.attributes) (void)first.labels.column(attribute);
  const ComparatorChoice choice = choose_comparator(first, run.comparator);
  const auto comparator = make_comparator(choice.specification);
  std::vector<std::unique_ptr<NamedSource>> sources;
  for (const Dataset& part : parts) sources.push_back(within(part, *comparator, run));
  const PooledSource source(std::move(sources), run.own_models);
  Answer answer = verified(source, {parts, parts}, choice, run, first.origin);
  add_remarks(answer.values, copy_remarks(parts));
  if (parts.size() > 1) answer.values["by_rotation"] = rotation_rates(parts, *comparator, run);
  return answer;
}

Answer run_verify_between(const Dataset& references, const Dataset& probes, const VerifyRun& run) {
  return run_verify_between(std::span(&references, 1), std::span(&probes, 1), run);
}

Answer run_verify_between(std::span<const Dataset> references, std::span<const Dataset> probes, const VerifyRun& run) {
  const std::string both = references.front().origin + " and " + probes.front().origin;
  const ComparatorChoice choice = choose_comparator(probes.front(), run.comparator);
  const auto comparator = make_comparator(choice.specification);
  std::vector<std::unique_ptr<NamedSource>> sources;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const Dataset& probe = probes[i];
    require_one_form(references[i], probe.probe_templates.empty() ? probe.templates : probe.probe_templates,
                     probe.origin);
    sources.push_back(std::make_unique<CrossSource>(probe, references[i], *comparator, CrossSource::Samples::others));
  }
  const PooledSource source(std::move(sources), run.own_models);
  return verified(source, {probes, references}, choice, run, both);
}

Dataset in_two_forms(const Dataset& references, const Dataset& probes) {
  BAUTA_ASSERT(references.size() == probes.size());
  // Attackers meet what is stored, whatever a rightful user would present.
  require_one_form(references, probes.templates, probes.origin);
  Dataset result = references;
  result.probe_templates = probes.templates;
  result.provenance = probes.provenance;
  std::vector<bool> failed = references.failed();
  const std::vector<bool> failed_probes = probes.failed();
  for (std::size_t row = 0; row < failed.size(); ++row) failed[row] = failed[row] || failed_probes[row];
  result.mark_failed(failed);
  return result;
}

Answer run_verify_scores(const std::filesystem::path& scores, const ScoreOptions& options, const VerifyRun& run) {
  const FileSource source(scores, options);
  VerificationResult result;
  try {
    result = measure_verification(source, run.options);
  } catch (const Error& error) {
    throw Error(error.fault, scores.string(), error.finding, error.hint);
  }
  Json json = {{"failures", 0}};
  add_measures(json, result);
  json["remarks"] = Json::array();
  add_remarks(json, source.remarks());
  add_remarks(json, result.remarks);
  return {std::move(json), recognition_findings(result, source.subjects(), scores.string())};
}

namespace {

constexpr const char* no_pairs = "nobody has two samples that could be compared";

void require_form(const std::string& form) {
  if (form != "masked" && form != "clear") throw_usage("'" + form + "'", "\"masked\" or \"clear\" is expected");
}

class VerificationQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {
        .name = "verification",
        .paper = "ISO/IEC 19795-1",
        .doc = "how well are people recognised by protected samples?",
        .keys = {
            fmr_key(), bootstrap_key(), switch_key("measure", "verification", true, "whether recognition is measured"),
            texts_key("measure", "reference", {"masked"},
                      "form of the references that protected samples are compared with: masked, clear", require_form)}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    std::vector<Asked> cells;
    const Arrangement& arrangement = views.arrangement();
    if (setting.keys.at("measure").at("verification") == false) return cells;
    if (arrangement.has(Role::enrol)) {
      add_between(setting, views, technique, cells);
      return cells;
    }
    const bool rotates = arrangement.folds.count > 0;
    add_within(setting, views, technique, {Role::target, rotates ? "test" : "target"}, cells);
    if (!rotates && arrangement.has(Role::attacker)) {
      add_within(setting, views, technique, {Role::attacker, "attacker"}, cells);
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    VerifyRun run;
    run.attributes = asked.parameters["attributes"].get<std::vector<std::string>>();
    run.options.fmr = asked.parameters["fmr"].get<std::vector<double>>();
    run.options.bootstrap = asked.parameters["bootstrap"];
    run.options.seed = views.seed();
    run.options.memory = views.memory();
    run.own_models = views.rotations() > 1 && protection_declaration(asked.key["technique"]).learns;
    run.clear_references = asked.key.contains("reference");
    const Recipe& references = asked.views.front();
    const Recipe& probes = asked.views[asked.views.size() > 1 ? 1 : 0];
    Answer answer = compared(references, probes, views, run);
    if (run.clear_references) add_ceiling(asked, views, run, answer);
    return answer;
  }

 private:
  struct Part {
    Role role;
    const char* name;
  };

  /// Parameters of a cell, with the attributes whose classes tell something about `data`.
  [[nodiscard]] Json values_for(const Setting& setting, const Dataset& data) const {
    Json values = parameters(setting);
    for (const char* where : {"verification", "reference"}) values.erase(where);  // they are part of the key
    values["attributes"] = Json::array();
    for (const auto& attribute : setting.attributes) {
      if (data.labels.kind(attribute) == ColumnKind::categorical) values["attributes"].push_back(attribute);
    }
    return values;
  }

  /// What leaves data as they are has clear references anyway.
  static bool asks_for(const Setting& setting, const std::string& technique, const char* form) {
    const Json& wanted = setting.keys.at("measure").at("reference");
    if (!masks(technique)) return std::string(form) == "masked";
    return std::find(wanted.begin(), wanted.end(), form) != wanted.end();
  }

  /// All samples of a role with each other; clear references are asked for of those under attack only.
  void add_within(const Setting& setting, const Views& views, const std::string& technique, const Part& part,
                  std::vector<Asked>& cells) const {
    // Folds have pairs where the whole has.
    const Dataset clear = views.clear(views.arrangement().folds.count > 0 ? Role::whole : part.role, 0);
    if (!somebody_has_two_samples(clear)) {
      if (part.role == Role::target && setting.given.contains("measure.reference")) {
        throw_usage("measure.reference", no_pairs, "remove it");
      }
      return;
    }
    const Json values = values_for(setting, clear);
    for (const std::string& seen : representations_of(setting)) {
      Json key = cell_key("verification", technique, seen);
      key["data"] = part.name;
      if (asks_for(setting, technique, "masked")) cells.push_back({key, values, {{part.role, {technique}, {seen}}}});
      if (part.role == Role::attacker || !asks_for(setting, technique, "clear")) continue;
      key["reference"] = "clear";
      cells.push_back({key, values, {{part.role, {}, {seen}}, {part.role, {technique}, {seen}}}});
    }
  }

  /// In a closed set: samples of known people against others of the same people. Asked only where the file names one of
  /// the keys, because naming people is the question there.
  void add_between(const Setting& setting, const Views& views, const std::string& technique,
                   std::vector<Asked>& cells) const {
    const bool explicitly =
        setting.given.contains("measure.reference") || setting.given.contains("measure.verification");
    if (!explicitly && !setting.given.contains("measure.fmr")) return;
    if (views.arrangement().one_sample_each) {
      if (explicitly) throw_usage("measure.verification", no_pairs, "remove it");
      return;
    }
    const Json values = values_for(setting, views.clear(Role::whole, 0));
    for (const std::string& seen : representations_of(setting)) {
      Json key = cell_key("verification", technique, seen);
      key["data"] = "probe";
      const Recipe probes{Role::probe, {technique}, {seen}};
      if (asks_for(setting, technique, "masked")) {
        cells.push_back({key, values, {{Role::enrol, {technique}, {seen}}, probes}});
      }
      if (!asks_for(setting, technique, "clear")) continue;
      key["reference"] = "clear";
      cells.push_back({key, values, {{Role::enrol, {}, {seen}}, probes, {Role::probe, {}, {seen}}}});
    }
  }

  static Answer compared(const Recipe& references, const Recipe& probes, Views& views, VerifyRun run) {
    const bool alike = references.form.technique == probes.form.technique;
    run.both_orders = !alike;
    const bool between = references.role != probes.role;
    std::vector<Dataset> stored, parts;
    for (std::size_t r = 0; r < views.rotations(); ++r) {
      parts.push_back(views.view(probes, r));
      if (between) {
        stored.push_back(views.view(references, r));
      } else if (!alike) {
        parts.back() = in_two_forms(views.view(references, r), parts.back());
      }
    }
    return between ? run_verify_between(stored, parts, run) : run_verify(parts, run);
  }

  /// What the same attackers reach where nothing is protected.
  static void add_ceiling(const Asked& asked, Views& views, VerifyRun run, Answer& answer) {
    const Recipe& references = asked.views.front();
    const Recipe probes{asked.views[1].role, {}, references.representation};
    run.attributes.clear();
    run.own_models = false;
    run.options.permutations = 0;
    const Json key = {{"EER on clear data", run.options.bootstrap}};
    const Json clear = views.remember(key, {references, probes}, [&]() -> Json {
      const Json values = compared(references, probes, views, run).values;
      return {{"eer", values["eer"]}, {"eer_ci", values["eer_ci"]}};
    });
    answer.values["clear"] = clear;
    Finding& finding = answer.findings.front();
    finding.clear = level_of(clear, "eer", "eer_ci");
    if (finding.clear->ci) finding.healthy = finding.clear->ci->high < *finding.chance;
  }
};

}  // namespace

std::unique_ptr<Question> verification_question() {
  return std::make_unique<VerificationQuestion>();
}

}  // namespace bauta
