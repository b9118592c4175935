#include "bauta/question/verification.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "bauta/compare/score_matrix.hpp"
#include "bauta/core/error.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"
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
  json["d_sys"] = result.d_sys;
  json["d_sys_ci"] = to_json(result.d_sys_ci);
  json["d_sys_null"] = result.d_sys_null;
  json["d_sys_null_high"] = result.d_sys_null_high;
  json["maximal_linkability"] = result.maximal_linkability;
  json["maximal_linkability_null"] = result.maximal_linkability_null;
  json["maximal_linkability_null_high"] = result.maximal_linkability_null_high;
  json["cllr"] = finite(result.cllr);
  json["cllr_ci"] = to_json(result.cllr_ci);
  json["min_cllr"] = result.min_cllr;
  json["min_cllr_ci"] = to_json(result.min_cllr_ci);
  json["zebra"] = {{"expected_bits", result.zebra.expected_bits},
                   {"expected_bits_ci", to_json(result.zebra.expected_bits_ci)},
                   {"worst_case_log10", result.zebra.worst_case_log10},
                   {"tag", result.zebra.tag}};
  json["det"] = Json::array();
  for (const CurvePoint& point : result.det) {
    json["det"].push_back({{"threshold", finite(point.threshold)}, {"fmr", point.fmr}, {"fnmr", point.fnmr}});
  }
  json["histogram"] = histogram_json(result.histogram, "mated", "non_mated");
}

namespace {

/// Non-mated scores of people who share a class and of people who do not: their difference is what the similarity
/// attack feeds on.
Json attribute_scores(std::span<const Dataset> parts, const PooledSource& source, const std::string& attribute,
                      const VerificationOptions& options) {
  const AttributePairs pairs(source, source.class_of_subjects(parts, attribute));
  VerificationOptions plain = options;
  plain.bootstrap = 0;
  plain.permutations = 0;
  const VerificationResult result = measure_verification(pairs, plain);
  Json json = {{"attribute", attribute}, {"auc", result.auc}};
  json.update(histogram_json(result.histogram, "same", "different"));
  json["same_quantiles"] = result.mated_quantiles;
  json["different_quantiles"] = result.non_mated_quantiles;
  return json;
}

/// Each part by itself, with a threshold of its own; null where it has no mated pair.
Json rotation_rates(std::span<const Dataset> parts, const Comparator& comparator, VerificationOptions options) {
  options.bootstrap = 0;
  options.permutations = 0;
  Json rates = Json::array();
  for (const Dataset& part : parts) {
    const auto counts = part.labels.categorical(part.identity_column).counts();
    if (counts.size() < 2 || *std::max_element(counts.begin(), counts.end()) < 2) {
      rates.push_back(nullptr);
      continue;
    }
    const VerificationResult result = measure_verification(EngineSource(part, comparator), options);
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
    if (technique.find(":regime=secret") == std::string::npos && technique.find(",regime=secret") == std::string::npos)
      continue;
    return {
        fmt::format("{} gives each subject a secret key, and these error rates are due to the keys, not to the "
                    "faces; report those of a stolen key (regime=stolen) beside them",
                    technique.substr(0, technique.find(':')))};
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

void add_remarks(Json& json, const std::vector<std::string>& more) {
  for (const auto& remark : more) json["remarks"].push_back(remark);
}

}  // namespace

Answer run_verify(const Dataset& dataset, const VerifyRun& run) {
  return run_verify(std::span(&dataset, 1), run);
}

Answer run_verify(std::span<const Dataset> parts, const VerifyRun& run) {
  const Dataset& first = parts.front();
  for (const auto& attribute : run.attributes) (void)first.labels.column(attribute);
  const ComparatorChoice choice = choose_comparator(first, run.comparator);
  const auto comparator = make_comparator(choice.specification);
  const PooledSource source(parts, *comparator, run.own_models);
  VerificationResult result;
  try {
    result = measure_verification(source, run.options);
  } catch (const Error& error) {
    throw Error(error.fault, first.origin, error.finding, error.hint);
  }
  Json json = {{"samples", source.samples()},
               {"identities", source.subjects()},
               {"failures", source.failures()},
               {"comparator", choice.specification}};
  if (first.provenance) json["technique"] = first.provenance->technique;
  add_measures(json, result);
  if (parts.size() > 1) json["by_rotation"] = rotation_rates(parts, *comparator, run.options);
  json["attribute_scores"] = Json::array();
  for (const auto& attribute : run.attributes) {
    const auto counts = first.labels.categorical(attribute).counts();
    if (counts.size() >= 2) json["attribute_scores"].push_back(attribute_scores(parts, source, attribute, run.options));
  }
  json["remarks"] = Json::array();
  add_remarks(json, choice.remarks);
  if (run.own_models && parts.size() > 1) {
    add_remarks(json,
                {"each rotation has a model and a threshold of its own: scores are brought to mean 0 and deviation "
                 "1 of its non-mated scores before they are pooled"});
  }
  add_remarks(json, key_remarks(first));
  add_remarks(json, result.remarks);
  return {std::move(json),
          recognition_findings(result, source.subjects(), drawn_over(source.names(), run.options.seed))};
}

Answer run_verify_scores(const std::filesystem::path& scores, bool distances, const VerifyRun& run) {
  const FileSource source(scores, distances);
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

void write_score_matrix(const Dataset& dataset, const std::string& comparator, const std::filesystem::path& path) {
  const std::vector<bool> failed = dataset.failed();
  if (std::find(failed.begin(), failed.end(), true) != failed.end()) {
    throw_input(dataset.origin, "has failed samples, whose scores do not exist",
                "remove them before writing a score matrix");
  }
  const auto chosen = make_comparator(choose_comparator(dataset, comparator).specification);
  const auto references = chosen->prepare(dataset.templates, Side::reference, dataset.origin);
  const auto probes =
      dataset.probe_templates.empty() ? nullptr : chosen->prepare(dataset.probe_templates, Side::probe, dataset.origin);
  OutputFile file(path);
  const std::array<std::uint64_t, 2> shape = {dataset.size(), dataset.size()};
  const std::string header = npy_header("<f4", shape);
  file.write(header);
  ScoreMatrixWriter writer(file, header.size(), dataset.size());
  TileConsumer* const consumers[] = {&writer};
  compare_all(*chosen, probes ? *probes : *references, *references, Pairs::all, consumers, "writing scores");
  file.commit();
}

namespace {

bool somebody_has_two_samples(const Dataset& data) {
  if (data.identity_column.empty()) return false;
  const auto counts = data.labels.categorical(data.identity_column).counts();
  return std::any_of(counts.begin(), counts.end(), [](std::size_t count) { return count > 1; });
}

class VerificationQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "verification",
            .paper = "ISO/IEC 19795-1",
            .doc = "how well are people recognised by protected samples?",
            .keys = {fmr_key(), bootstrap_key(),
                     switch_key("measure", "verification", true, "whether recognition is measured")}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    std::vector<Asked> cells;
    Json values = parameters(setting);
    if (values["verification"] == false) return cells;
    const Arrangement& arrangement = views.arrangement();
    const bool rotates = arrangement.folds.count > 0;
    const auto add = [&](Role role, const char* data) {
      if (!arrangement.has(role)) return;
      // Folds have pairs where the whole has.
      const Dataset clear = views.clear(rotates ? Role::whole : role, 0);
      if (!somebody_has_two_samples(clear)) return;
      Json attributes = Json::array();
      for (const auto& attribute : setting.attributes) {
        if (clear.labels.kind(attribute) == ColumnKind::categorical) attributes.push_back(attribute);
      }
      values["attributes"] = std::move(attributes);
      cells.push_back({{{"question", "verification"}, {"data", data}, {"technique", technique}},
                       values,
                       {{role, {technique}, {}}}});
    };
    add(Role::target, rotates ? "test" : "target");
    if (!rotates) add(Role::attacker, "attacker");
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    VerifyRun run;
    run.attributes = asked.parameters["attributes"].get<std::vector<std::string>>();
    run.options.fmr = asked.parameters["fmr"].get<std::vector<double>>();
    run.options.bootstrap = asked.parameters["bootstrap"];
    run.options.seed = views.seed();
    run.options.memory = views.memory();
    const bool rotates = views.arrangement().folds.count > 0;
    run.own_models = rotates && protection_declaration(asked.key["technique"]).learns;
    std::vector<Dataset> parts;
    for (std::size_t r = 0; r < views.rotations(); ++r) parts.push_back(views.view(asked.views[0], r));
    return run_verify(parts, run);
  }
};

}  // namespace

std::unique_ptr<Question> verification_question() {
  return std::make_unique<VerificationQuestion>();
}

}  // namespace bauta
