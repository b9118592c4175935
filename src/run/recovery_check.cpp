// What recovered templates are worth.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "bauta/compare/top_n.hpp"
#include "bauta/measure/intervals.hpp"
#include "bauta/run/estimate.hpp"
#include "bauta/run/recovery.hpp"
#include "bauta/run/verify.hpp"

namespace bauta {

namespace {

/// Row of `original` that each row of `recovered` comes from.
std::vector<std::size_t> original_rows(const Dataset& recovered, const Dataset& original) {
  const std::string both = recovered.origin + " and " + original.origin;
  const std::string hint = "--original must be what was protected, in the same order";
  std::vector<std::size_t> rows(recovered.size());
  const bool counted = recovered.labels.has("original");
  if (!counted && recovered.size() != original.size()) {
    throw_input(both, fmt::format("{} recovered samples against {} originals", recovered.size(), original.size()),
                hint);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = i;
    if (counted) {
      const std::string& text = recovered.labels.column("original")[i];
      const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), rows[i]);
      if (status != std::errc() || stop != text.data() + text.size() || rows[i] < 1 || rows[i] > original.size()) {
        throw_input(both, fmt::format("row {} has original '{}', expected 1 to {}", i + 1, text, original.size()),
                    hint);
      }
      --rows[i];
    }
  }
  if (!recovered.identity_column.empty() && !original.identity_column.empty()) {
    const auto& ours = recovered.labels.column(recovered.identity_column);
    const auto& theirs = original.labels.column(original.identity_column);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (ours[i] == theirs[rows[i]]) continue;
      throw_input(both, fmt::format("row {} is of '{}', its original of '{}'", i + 1, ours[i], theirs[rows[i]]), hint);
    }
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
  if (from.empty()) throw_input(recovered.origin, "no sample is left to compare with its original");
  Dataset both = original;
  both.probe_templates = Templates();
  both = both.select(to);
  both.provenance.reset();
  both.probe_templates = recovered.templates.select(from);
  return both;
}

/// A number per sample; without identities every sample counts as a subject of its own.
std::vector<std::uint32_t> subjects_of(const Dataset& dataset) {
  std::vector<std::uint32_t> subjects(dataset.size());
  const bool named = !dataset.identity_column.empty();
  const Categorical identity = named ? dataset.labels.categorical(dataset.identity_column) : Categorical{};
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const bool known = named && identity.codes[i] >= 0;
    subjects[i] =
        static_cast<std::uint32_t>(known ? static_cast<std::size_t>(identity.codes[i]) : identity.classes.size() + i);
  }
  return subjects;
}

std::vector<double> mean_of(MatrixView<const float> rows) {
  std::vector<double> mean(rows.cols, 0.0);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t j = 0; j < rows.cols; ++j) mean[j] += rows(i, j) / static_cast<double>(rows.rows);
  }
  return mean;
}

/// Cosine of two vectors less `centre`; 0 where one of them has no length.
template <class A, class B>
double cosine(const A& a, const B& b, const std::vector<double>& centre) {
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
    const Interval interval = mean_interval(values, subjects, check.bootstrap, check.seed);
    json["ci"] = {interval.low, interval.high};
  }
  return json;
}

/// Cosines say little where all templates point the same way, therefore also without their mean, and beside what the
/// mean alone reaches.
Json cosines(const Dataset& both, const std::vector<double>& mean, const RecoveryCheck& check) {
  const auto original = both.templates.floats();
  const auto recovered = both.probe_templates.floats();
  const std::vector<double> origin(mean.size(), 0.0);
  const std::vector<std::uint32_t> subjects = subjects_of(both);
  std::vector<double> plain, centred, of_mean;
  for (std::size_t i = 0; i < original.rows; ++i) {
    plain.push_back(cosine(recovered.row(i), original.row(i), origin));
    centred.push_back(cosine(recovered.row(i), original.row(i), mean));
    of_mean.push_back(cosine(mean, original.row(i), origin));
  }
  Json json = describe_mean(plain, subjects, check);
  json["centred"] = describe_mean(centred, subjects, check);
  json["of_mean_template"] = describe_mean(of_mean, subjects, check)["mean"];
  return json;
}

/// Share of codes that are those of the original, beside what guessing reaches.
Json right_codes(const Dataset& both, const RecoveryCheck& check) {
  const auto original = both.templates.codes();
  const auto recovered = both.probe_templates.codes();
  std::vector<double> shares;
  std::uint8_t highest = 1;
  for (std::size_t i = 0; i < original.rows; ++i) {
    std::size_t right = 0;
    for (std::size_t j = 0; j < original.cols; ++j) {
      right += original(i, j) == recovered(i, j) ? 1 : 0;
      highest = std::max(highest, original(i, j));
    }
    shares.push_back(static_cast<double>(right) / static_cast<double>(original.cols));
  }
  Json json = describe_mean(shares, subjects_of(both), check);
  json["chance"] = 1 / (1.0 + highest);
  return json;
}

std::string comparator_of(const Dataset& both) {
  return both.templates.kind() == ElementKind::float32 ? "cosine" : "iom";
}

/// Whose nearest clear template of another sample is of the same person; only samples that have such a mate count.
Json rank_one(const Dataset& both, const Templates& presented, const RecoveryCheck& check) {
  const std::vector<std::uint32_t> subjects = subjects_of(both);
  std::map<std::uint32_t, std::size_t> samples;
  for (const std::uint32_t subject : subjects) ++samples[subject];
  const auto comparator = make_comparator(comparator_of(both));
  const auto references = comparator->prepare(both.templates, Side::reference, both.origin);
  const auto probes = comparator->prepare(presented, Side::probe, both.origin);
  TopN nearest(1, subjects.size(), subjects.size(), check.seed, {}, true);
  TileConsumer* const consumers[] = {&nearest};
  compare_all(*comparator, *probes, *references, Pairs::all, consumers, "identifying");
  std::vector<std::uint8_t> hits;
  std::vector<std::uint32_t> probed;
  double chance = 0;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const std::size_t mates = samples[subjects[i]] - 1;
    if (mates == 0) continue;
    hits.push_back(subjects[nearest.best(i)[0].reference] == subjects[i] ? 1 : 0);
    probed.push_back(subjects[i]);
    chance += static_cast<double>(mates) / static_cast<double>(subjects.size() - 1);
  }
  const auto count = static_cast<double>(hits.size());
  Json json = {{"rate", static_cast<double>(std::count(hits.begin(), hits.end(), 1)) / count},
               {"ci", nullptr},
               {"probes", hits.size()},
               {"chance", chance / count}};
  if (check.bootstrap > 0) {
    const Interval interval = success_interval(hits, probed, check.bootstrap, check.seed);
    json["ci"] = {interval.low, interval.high};
  }
  return json;
}

Json recognition(const Dataset& both, const RecoveryCheck& check) {
  VerifyRun verify;
  verify.comparator = comparator_of(both);
  verify.options.bootstrap = check.bootstrap;
  verify.options.seed = check.seed;
  verify.options.memory = check.memory;
  verify.options.permutations = 0;
  const auto measure = [&](const Dataset& dataset, const Templates& presented) {
    const Json measured = run_verify(dataset, verify);
    return Json{{"eer", measured["eer"]},
                {"eer_ci", measured["eer_ci"]},
                {"auc", measured["auc"]},
                {"auc_ci", measured["auc_ci"]},
                {"mated", measured["mated"]},
                {"non_mated", measured["non_mated"]},
                {"rank1", rank_one(both, presented, check)}};
  };
  Dataset clear = both;
  clear.probe_templates = Templates();
  return {{"recovered", measure(both, both.probe_templates)}, {"clear", measure(clear, clear.templates)}};
}

/// What classifiers that were trained on the attacker's clear templates say of recovered ones, and of the originals.
Json estimated(const Dataset& both, const Dataset& attacker, const std::string& attribute, const RecoveryCheck& check) {
  EstimateRun run;
  run.attribute = attribute;
  run.bootstrap = check.bootstrap;
  run.seed = check.seed;
  Dataset test = both;
  test.probe_templates = Templates();
  const Json ceiling = run_estimate(attacker, test, run);
  test.templates = both.probe_templates;
  const Json recovered = run_estimate(attacker, test, run);
  return {{"attribute", attribute},         {"classes", recovered["classes"]}, {"chance", recovered["chance"]},
          {"recovered", recovered["best"]}, {"clear", ceiling["best"]},        {"results", recovered["results"]}};
}

bool somebody_has_two_samples(const Dataset& dataset) {
  if (dataset.identity_column.empty()) return false;
  const auto counts = dataset.labels.categorical(dataset.identity_column).counts();
  return std::any_of(counts.begin(), counts.end(), [](std::size_t count) { return count > 1; });
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
  const bool known = recovered.templates.kind() != ElementKind::bits;
  if (known && recovered.templates.kind() == original.templates.kind() &&
      recovered.templates.cols() == original.templates.cols()) {
    return;
  }
  throw_input(
      recovered.origin + " and " + original.origin,
      fmt::format("{} {} per recovered template against {} {}", recovered.templates.cols(),
                  to_text(recovered.templates.kind()), original.templates.cols(), to_text(original.templates.kind())),
      "what is recovered must be of the kind of the original");
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

}  // namespace

Json run_recovery_check(const Dataset& recovered, const Dataset& original, const RecoveryCheck& check) {
  const bool codes = recovered.templates.kind() == ElementKind::code8 && check.target != nullptr &&
                     !check.target->probe_templates.empty();
  const Dataset truth = codes ? presented_originals(original, *check.target) : original;
  require_one_form(recovered, truth);
  const Dataset both = beside_originals(recovered, truth);
  Json json = {{"samples", both.size()}, {"remarks", Json::array()}};
  if (codes) {
    json["codes"] = right_codes(both, check);
  } else {
    const Dataset& known = check.clear != nullptr ? *check.clear : both;
    json["cosine"] = cosines(both, mean_of(known.templates.floats()), check);
  }
  if (recovered.provenance && recovered.provenance->properties.contains("certain_share")) {
    json["certain"] = std::stod(recovered.provenance->properties.at("certain_share"));
  }
  json["recognition"] = nullptr;
  if (somebody_has_two_samples(both)) {
    json["recognition"] = recognition(both, check);
  } else {
    json["remarks"].push_back("no identity has two samples: recognition cannot be measured");
  }
  json["attributes"] = Json::array();
  const Dataset* attacker = codes ? check.protected_clear : check.clear;
  if (attacker != nullptr && !(codes && attacker->probe_templates.empty())) {
    const Dataset learned = codes ? presented(*attacker) : *attacker;
    for (const auto& attribute : check.attributes)
      json["attributes"].push_back(estimated(both, learned, attribute, check));
  } else if (!check.attributes.empty()) {
    json["remarks"].push_back("without the attacker's own templates attributes cannot be estimated");
  }
  add_claim(json, recovered);
  return json;
}

}  // namespace bauta
