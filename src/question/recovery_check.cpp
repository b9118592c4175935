// What recovered templates are worth.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "bauta/compare/top_n.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/measure/intervals.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/estimate.hpp"
#include "bauta/question/recovery.hpp"
#include "bauta/question/verification.hpp"
#include "cells.hpp"
#include "levels.hpp"

namespace bauta {

namespace {

const char* const same_order = "--original must be what was protected, in the same order";

/// Rows of the originals by what names their samples; empty: the two name none in common, as files that were masked
/// have names of their own.
std::vector<std::size_t> rows_by_name(const Dataset& recovered, const Dataset& original) {
  const char* const name = name_of_samples(recovered, original);
  if (name == nullptr) return {};
  std::map<std::string, std::size_t> row_of;
  for (std::size_t row = 0; row < original.size(); ++row) row_of.emplace(original.labels.column(name)[row], row);
  std::vector<std::size_t> rows;
  std::string unknown;
  for (const auto& sample : recovered.labels.column(name)) {
    const auto found = row_of.find(sample);
    if (found != row_of.end()) {
      rows.push_back(found->second);
    } else if (unknown.empty()) {
      unknown = sample;
    }
  }
  if (rows.size() == recovered.size() || (rows.empty() && std::string_view(name) == "file")) return rows;
  throw_input(recovered.origin + " and " + original.origin,
              fmt::format("{} of {} recovered samples have no original of their '{}', e.g. '{}'",
                          recovered.size() - rows.size(), recovered.size(), name, unknown),
              "--original must be what was protected");
}

/// Rows of the originals by their number in the column `original`, or by the order of samples.
std::vector<std::size_t> rows_by_number(const Dataset& recovered, const Dataset& original) {
  const std::string both = recovered.origin + " and " + original.origin;
  std::vector<std::size_t> rows(recovered.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (!recovered.labels.has("original")) {
    if (recovered.size() == original.size()) return rows;
    throw_input(both, fmt::format("{} recovered samples against {} originals", recovered.size(), original.size()),
                same_order);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& text = recovered.labels.column("original")[i];
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), rows[i]);
    if (status != std::errc() || stop != text.data() + text.size() || rows[i] < 1 || rows[i] > original.size()) {
      throw_input(both, fmt::format("row {} has original '{}', expected 1 to {}", i + 1, text, original.size()),
                  same_order);
    }
    --rows[i];
  }
  return rows;
}

/// Row of `original` that each row of `recovered` comes from.
std::vector<std::size_t> original_rows(const Dataset& recovered, const Dataset& original) {
  const std::string both = recovered.origin + " and " + original.origin;
  std::vector<std::size_t> rows = rows_by_name(recovered, original);
  if (rows.empty()) rows = rows_by_number(recovered, original);
  const auto require_alike = [&](const std::string& ours, const std::string& theirs, const char* what) {
    const auto &own = recovered.labels.column(ours), &others = original.labels.column(theirs);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (own[i] == others[rows[i]]) continue;
      throw_input(both,
                  fmt::format("row {} is {} '{}', its original {} '{}'", i + 1, what, own[i], what, others[rows[i]]),
                  same_order);
    }
  };
  // Several enrolments of a sample share its name.
  if (recovered.labels.has("id") && original.labels.has("id")) require_alike("id", "id", "sample");
  if (!recovered.identity_column.empty() && !original.identity_column.empty()) {
    require_alike(recovered.identity_column, original.identity_column, "of");
  }
  return rows;
}

/// The originals with the recovered templates beside them, as what is stored and what is presented; usable rows only.
Dataset beside_originals(const Dataset& recovered, const Dataset& original) {
  const std::vector<std::size_t> rows = original_rows(recovered, original);
  const std::vector<bool> failed = recovered.failed();
  const std::vector<bool> failed_original = original.failed();
  std::vector<std::size_t> from;
  std::vector<std::size_t> to;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (failed[i] || failed_original[rows[i]]) continue;
    from.push_back(i);
    to.push_back(rows[i]);
  }
  if (from.empty()) {
    throw NothingToAnswer(Fault::input, recovered.origin, "no sample is left to compare with its original", "");
  }
  Dataset both = original;
  both.probe_templates = Templates();
  both = both.select(to);
  both.provenance.reset();
  both.probe_templates = recovered.templates.select(from);
  return both;
}

/// The usable samples of one rotation.
struct Compared {
  Dataset both;                              // originals, and what came back as what is presented
  std::vector<double> mean = {};             // direction of the templates that attackers hold
  std::vector<std::uint32_t> subjects = {};  // numbered over all rotations
  std::vector<std::uint32_t> people = {};    // the same, numbered as verification does: names sorted, part by part
  std::optional<Dataset> learned = {};       // what attackers learn attributes from
};

/// Numbers people over all rotations; without identities every sample counts as a person of its own.
void number_subjects(std::vector<Compared>& rotations) {
  std::vector<std::string> names;
  for (const Compared& rotation : rotations) {
    const Dataset& both = rotation.both;
    for (std::size_t i = 0; i < both.size(); ++i) {
      names.push_back(both.identity_column.empty() ? "" : both.labels.column(both.identity_column)[i]);
    }
  }
  LabelTable table("people", names.size());
  table.add_column("identity", std::move(names));
  const Categorical identity = table.categorical("identity");
  std::size_t row = 0;
  for (Compared& rotation : rotations) {
    for (std::size_t i = 0; i < rotation.both.size(); ++i, ++row) {
      const std::int32_t code = identity.codes[row];
      rotation.subjects.push_back(
          static_cast<std::uint32_t>(code >= 0 ? static_cast<std::size_t>(code) : identity.classes.size() + row));
    }
  }
}

/// Names of all people in the order of Compared::people.
std::vector<std::string> number_people(std::vector<Compared>& rotations) {
  std::vector<std::string> names;
  std::map<std::string, std::uint32_t> number;
  for (Compared& rotation : rotations) {
    const Dataset& both = rotation.both;
    for (const auto& name : both.labels.categorical(both.identity_column).classes) {
      if (number.try_emplace(name, static_cast<std::uint32_t>(names.size())).second) names.push_back(name);
    }
    for (const auto& name : both.labels.column(both.identity_column)) rotation.people.push_back(number[name]);
  }
  return names;
}

/// At unit length: cosines know nothing of lengths, and many techniques give none back. A zero row stays zero.
std::vector<double> direction_of(std::span<const float> row) {
  double square = 0;
  for (const float value : row) square += double{value} * value;
  std::vector<double> direction(row.begin(), row.end());
  for (double& value : direction) value = square > 0 ? value / std::sqrt(square) : 0;
  return direction;
}

std::vector<double> mean_direction(MatrixView<const float> rows) {
  std::vector<double> mean(rows.cols, 0.0);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::vector<double> direction = direction_of(rows.row(i));
    for (std::size_t j = 0; j < rows.cols; ++j) mean[j] += direction[j] / static_cast<double>(rows.rows);
  }
  return mean;
}

/// Cosine of two vectors less `centre`; 0 where one of them has no length.
double cosine(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& centre) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t j = 0; j < centre.size(); ++j) {
    const double x = a[j] - centre[j];
    const double y = b[j] - centre[j];
    ab += x * y, aa += x * x, bb += y * y;
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

Json describe_mean(const std::vector<double>& values, const std::vector<std::uint32_t>& subjects,
                   const RecoveryCheck& check) {
  double sum = 0;
  for (const double value : values) sum += value;
  Json json = {{"mean", sum / static_cast<double>(values.size())}, {"ci", nullptr}};
  if (check.bootstrap > 0) {
    const auto interval = mean_interval(values, subjects);
    if (interval) json["ci"] = {interval->low, interval->high};
  }
  return json;
}

/// Cosines say little where all templates point the same way, therefore also without their mean, and beside what the
/// mean alone reaches.
Json cosines(const std::vector<Compared>& rotations, const RecoveryCheck& check) {
  std::vector<double> plain, centred, of_mean;
  std::vector<std::uint32_t> subjects;
  for (const Compared& rotation : rotations) {
    const auto original = rotation.both.templates.floats();
    const auto recovered = rotation.both.probe_templates.floats();
    const std::vector<double> origin(rotation.mean.size(), 0.0);
    for (std::size_t i = 0; i < original.rows; ++i) {
      const std::vector<double> back = direction_of(recovered.row(i)), before = direction_of(original.row(i));
      plain.push_back(cosine(back, before, origin));
      centred.push_back(cosine(back, before, rotation.mean));
      of_mean.push_back(cosine(rotation.mean, before, origin));
    }
    subjects.insert(subjects.end(), rotation.subjects.begin(), rotation.subjects.end());
  }
  Json json = describe_mean(plain, subjects, check);
  json["centred"] = describe_mean(centred, subjects, check);
  json["of_mean_template"] = describe_mean(of_mean, subjects, check)["mean"];
  return json;
}

/// Share of codes that are those of the original, beside what guessing reaches.
Json right_codes(const std::vector<Compared>& rotations, const RecoveryCheck& check) {
  std::vector<double> shares;
  std::vector<std::uint32_t> subjects;
  std::uint8_t highest = 1;
  for (const Compared& rotation : rotations) {
    const auto original = rotation.both.templates.codes();
    const auto recovered = rotation.both.probe_templates.codes();
    for (std::size_t i = 0; i < original.rows; ++i) {
      std::size_t right = 0;
      for (std::size_t j = 0; j < original.cols; ++j) {
        right += original(i, j) == recovered(i, j) ? 1 : 0;
        highest = std::max(highest, original(i, j));
      }
      shares.push_back(static_cast<double>(right) / static_cast<double>(original.cols));
    }
    subjects.insert(subjects.end(), rotation.subjects.begin(), rotation.subjects.end());
  }
  Json json = describe_mean(shares, subjects, check);
  json["chance"] = 1 / (1.0 + highest);
  return json;
}

std::string comparator_of(const Dataset& both) {
  return both.templates.kind() == ElementKind::float32 ? "cosine" : "iom";
}

/// Whose nearest clear template of another sample is of the same person; only samples that have such a mate count.
struct RankOne {
  std::vector<std::uint8_t> hits = {};
  std::vector<std::uint32_t> subjects = {}, people = {};
  double chance = 0;  // summed

  void add(const Compared& rotation, const Templates& presented, const RecoveryCheck& check) {
    const Dataset& both = rotation.both;
    const std::vector<std::uint32_t>& own = rotation.subjects;
    std::map<std::uint32_t, std::size_t> samples;
    for (const std::uint32_t subject : own) ++samples[subject];
    const auto comparator = make_comparator(comparator_of(both));
    const auto references = comparator->prepare(both.templates, Side::reference, both.origin);
    const auto probes = comparator->prepare(presented, Side::probe, both.origin);
    TopN nearest(1, own.size(), own.size(), check.seed, {}, true);
    TileConsumer* const consumers[] = {&nearest};
    compare_all(*comparator, *probes, *references, Pairs::all, consumers, "identifying");
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::size_t mates = samples[own[i]] - 1;
      if (mates == 0) continue;
      hits.push_back(own[nearest.best(i)[0].reference] == own[i] ? 1 : 0);
      subjects.push_back(own[i]);
      people.push_back(rotation.people[i]);
      chance += static_cast<double>(mates) / static_cast<double>(own.size() - 1);
    }
  }

  [[nodiscard]] Json json(const RecoveryCheck& check) const {
    const auto count = static_cast<double>(hits.size());
    Json json = {{"rate", static_cast<double>(std::count(hits.begin(), hits.end(), 1)) / count},
                 {"ci", nullptr},
                 {"probes", hits.size()},
                 {"chance", chance / count}};
    if (check.bootstrap > 0) {
      const Interval interval = success_interval(hits, subjects);
      json["ci"] = {interval.low, interval.high};
    }
    return json;
  }
};

struct Recognised {
  Json json;
  RankOne first;
  Finding eer;
};

Finding rank_one_finding(const RankOne& first, const Json& recovered, const Json& clear,
                         const std::vector<std::string>& names, const RecoveryCheck& check) {
  Finding finding;
  finding.about = About::identity;
  finding.attacker = "nearest";
  finding.measure = "rank-1 rate";
  finding.unit = "rate";
  finding.value = recovered["rate"];
  finding.chance = recovered["chance"].get<double>();
  finding.counts = {{"probes", first.hits.size()}, {"identities", names.size()}};
  finding.clear = level_of(clear, "rate");
  if (check.bootstrap == 0) return finding;
  finding.ci = level_of(recovered, "rate")->ci;
  finding.healthy = finding.clear->ci->low > *finding.chance;
  finding.draws = drawn_success(first.hits, first.people, {check.bootstrap, check.seed, names.size()});
  finding.drawn_over = drawn_over(names, check.seed);
  return finding;
}

/// Recovered templates against clear ones of other samples, and what clear templates reach in their place.
Json recognition(std::vector<Compared>& rotations, const RecoveryCheck& check, std::vector<Finding>& findings) {
  const std::vector<std::string> names = number_people(rotations);
  VerifyRun verify;
  verify.comparator = comparator_of(rotations.front().both);
  verify.options.bootstrap = check.bootstrap;
  verify.options.seed = check.seed;
  verify.options.memory = check.memory;
  verify.options.permutations = 0;
  verify.clear_references = true;
  verify.both_orders = true;  // each sample is recovered once, and once the clear one that others are held against
  const auto measure = [&](bool recovered) {
    std::vector<Dataset> parts;
    RankOne first;
    for (const Compared& rotation : rotations) {
      parts.push_back(rotation.both);
      if (!recovered) parts.back().probe_templates = Templates();
      first.add(rotation, recovered ? rotation.both.probe_templates : rotation.both.templates, check);
    }
    Answer verified = run_verify(parts, verify);
    const Json& measured = verified.values;
    Json json = {{"eer", measured["eer"]},       {"eer_ci", measured["eer_ci"]}, {"auc", measured["auc"]},
                 {"auc_ci", measured["auc_ci"]}, {"mated", measured["mated"]},   {"non_mated", measured["non_mated"]},
                 {"rank1", first.json(check)}};
    return Recognised{std::move(json), std::move(first), std::move(verified.findings.front())};
  };
  Recognised recovered = measure(true), clear = measure(false);
  findings.push_back(rank_one_finding(recovered.first, recovered.json["rank1"], clear.json["rank1"], names, check));
  Finding& eer = recovered.eer;
  eer.clear = Level{clear.eer.value, clear.eer.ci};
  if (eer.clear->ci) eer.healthy = eer.clear->ci->high < *eer.chance;
  findings.push_back(std::move(eer));
  return {{"recovered", std::move(recovered.json)}, {"clear", std::move(clear.json)}};
}

/// Who reads most of the originals.
Json best_on_clear(const Json& results) {
  Json best = nullptr;
  for (const Json& row : results) {
    if (!best.is_null() && row["clear"]["balanced"] <= best["balanced"]) continue;
    best = row["clear"];
    best["estimator"] = row["estimator"];
  }
  return best;
}

/// What classifiers that were trained on the attackers' clear templates say of recovered ones: an attack like any other
/// on an attribute, with the originals as its clear data.
Json estimated(const std::vector<Compared>& rotations, const std::string& attribute, const RecoveryCheck& check,
               std::vector<Finding>& findings) {
  EstimateRun run;
  run.attribute = attribute;
  if (!check.estimators.empty()) run.estimators = check.estimators;
  run.preparation = check.preparation;
  if (const auto cut = check.classes.find(attribute); cut != check.classes.end()) run.edges = cut->second;
  run.bootstrap = check.bootstrap;
  run.seed = check.seed;
  const auto split = [&rotations](bool recovered) {
    return [&rotations, recovered](std::size_t r) {
      AttackSplit made{*rotations[r].learned, std::nullopt, rotations[r].both};
      if (recovered) made.test.templates = made.test.probe_templates;
      made.test.probe_templates = Templates();
      return made;
    };
  };
  AttackData data;
  data.rotations = rotations.size();
  data.attacked = split(true);
  data.clear = split(false);
  Answer found = run_estimate(data, run);
  for (Finding& finding : found.findings) {
    finding.axes["attribute"] = attribute;
    findings.push_back(std::move(finding));
  }
  const Json& values = found.values;
  return {{"attribute", attribute},
          {"classes", values["classes"]},
          {"chance", values["chance"]},
          {"recovered", values["best"]},
          {"clear", best_on_clear(values["results"])},
          {"results", values["results"]}};
}

/// Samples as they are presented (positive codes), in place of how they are stored.
Dataset presented(const Dataset& dataset) {
  Dataset result = dataset;
  result.templates = dataset.probe_templates;
  result.probe_templates = Templates();
  result.provenance.reset();
  return result;
}

/// The originals as the technique presents them: where codes come back, these are the truth.
Dataset presented_originals(const Dataset& original, const Dataset& target) {
  if (!target.labels.has("original")) return presented(target);
  std::map<std::string, std::size_t> first;
  const auto& numbers = target.labels.column("original");
  for (std::size_t row = 0; row < numbers.size(); ++row) first.emplace(numbers[row], row);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < original.size(); ++i) {
    const auto found = first.find(std::to_string(i + 1));
    if (found == first.end()) {
      throw_input(target.origin, fmt::format("no row enrols sample {} of {}", i + 1, original.origin));
    }
    rows.push_back(found->second);
  }
  return presented(target).select(rows);
}

void require_one_form(const Dataset& recovered, const Dataset& original) {
  const std::string both = recovered.origin + " and " + original.origin;
  if (recovered.templates.kind() == ElementKind::bits) throw_input(both, "bits are no recovered templates");
  const std::string difference = difference_in_kind(recovered.templates, original.templates);
  if (!difference.empty()) throw_input(both, difference, "what is recovered must be of the kind of the original");
}

void add_claim(Json& json, const Dataset& recovered) {
  if (!recovered.provenance || !recovered.provenance->properties.contains("recovered_from")) return;
  const std::string technique = recovered.provenance->properties.at("recovered_from");
  json["technique"] = technique;
  const std::string name = Specification::parse(technique).name;
  for (const auto& entry : protections()) {
    if (entry.declaration.name == name) json["claim"] = entry.declaration.claim;
  }
}

bool brings_codes(const RecoveryRotation& rotation) {
  return rotation.recovered->templates.kind() == ElementKind::code8 && rotation.target != nullptr &&
         !rotation.target->probe_templates.empty();
}

Compared compared(const RecoveryRotation& rotation, bool codes) {
  const Dataset truth = codes ? presented_originals(*rotation.original, *rotation.target) : *rotation.original;
  require_one_form(*rotation.recovered, truth);
  Compared made{beside_originals(*rotation.recovered, truth)};
  const Dataset* attacker = codes ? rotation.protected_clear : rotation.clear;
  if (attacker != nullptr && !(codes && attacker->probe_templates.empty())) {
    made.learned = codes ? presented(*attacker) : *attacker;
  }
  if (!codes) {
    made.mean = mean_direction((rotation.clear != nullptr ? *rotation.clear : made.both).templates.floats());
  }
  return made;
}

}  // namespace

Answer run_recovery_check(const std::vector<RecoveryRotation>& rotations, const RecoveryCheck& check) {
  const bool codes = brings_codes(rotations.front());
  std::vector<Compared> all;
  std::size_t samples = 0;
  for (const RecoveryRotation& rotation : rotations) {
    all.push_back(compared(rotation, codes));
    samples += all.back().both.size();
  }
  number_subjects(all);
  const Dataset& recovered = *rotations.front().recovered;
  std::vector<Finding> findings;
  Json json = {{"samples", samples}, {"remarks", Json::array()}};
  if (codes) {
    json["codes"] = right_codes(all, check);
  } else {
    json["cosine"] = cosines(all, check);
  }
  if (recovered.provenance && recovered.provenance->properties.contains("certain_share")) {
    json["certain"] = std::stod(recovered.provenance->properties.at("certain_share"));
  }
  json["recognition"] = nullptr;
  if (somebody_has_two_samples(all.front().both)) {
    json["recognition"] = recognition(all, check, findings);
  } else {
    json["remarks"].push_back("no identity has two samples: recognition cannot be measured");
  }
  json["attributes"] = Json::array();
  if (all.front().learned) {
    for (const auto& attribute : check.attributes)
      json["attributes"].push_back(estimated(all, attribute, check, findings));
  } else if (!check.attributes.empty()) {
    json["remarks"].push_back("without the attacker's own templates attributes cannot be estimated");
  }
  add_claim(json, recovered);
  return {std::move(json), std::move(findings)};
}

}  // namespace bauta
