#include "bauta/run/evidence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/version.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/question/anonymity.hpp"
#include "bauta/run/release_sample.hpp"

namespace bauta {

namespace {

// People that recognisers learn to name at most: naming is learned in time that grows with their number.
constexpr std::size_t most_identities = 500;

std::string share_text(double share) {
  return fmt::format("{:.{}f} %", 100 * share, share > 0 && share < 0.01 ? 3 : 1);
}

/// An attacker does far better than chance if he finds more than one in a hundred beyond it, and more than twice as
/// many, whatever the draw of the records.
bool far_better(const Json& attacker) {
  const double guessed = 1 - attacker["chance"].get<double>();
  const double found = 1 - (attacker["ci"].is_array() ? attacker["ci"][1] : attacker["mixture"]).get<double>();
  return found > 2 * guessed && found > guessed + 0.01;
}

std::string found_sentence(const Json& attacker, const char* what) {
  return fmt::format(
      "The strongest attacker tried ({}) finds {} at the first guess in {} of the cases, somebody who "
      "guesses in {}.",
      attacker["attacker"].get<std::string>(), what, share_text(1 - attacker["mixture"].get<double>()),
      share_text(1 - attacker["chance"].get<double>()));
}

std::string verdict_of(const Json& values, const LabelRisk& risk, bool linkable) {
  std::string text = linkable ? "Not anonymous: these records can be traced."
                              : "No attacker tried here traces these records much better than by guessing.";
  if (const Json* record = strongest_attacker(values["attackers"], "record")) {
    text += " " + found_sentence(*record, "the original of a record");
  }
  if (const Json* identity = strongest_attacker(values["attackers"], "identity")) {
    text += " " + found_sentence(*identity, "the person behind a record");
  }
  const Json& interest = values["utility"]["attributes"][0];
  text += fmt::format(" '{}' is read with {} accuracy (clear data {}, guessing {}).",
                      interest["attribute"].get<std::string>(), share_text(interest["accuracy"]),
                      share_text(interest["clear"]["accuracy"]), share_text(interest["chance"]));
  if (risk.smallest == 1) {
    text += fmt::format(" {} the only one{} with {} combination of released labels.",
                        risk.alone == 1 ? "1 record is" : fmt::format("{} records are", risk.alone),
                        risk.alone == 1 ? "" : "s", risk.alone == 1 ? "its" : "their");
  }
  return text;
}

/// How the search came out on records that it has not seen.
Json checked_search(Json search, const Json& attackers) {
  if (search.is_null()) return search;
  const Json* judge = strongest_attacker(attackers, "record", search["against"] == "informed");
  BAUTA_ASSERT(judge != nullptr);
  search["evidence"] = {{"mixture", (*judge)["mixture"]},
                        {"ci", (*judge)["ci"]},
                        {"attacker", (*judge)["attacker"]},
                        {"reaches", (*judge)["mixture"].get<double>() >= search["target"].get<double>()}};
  return search;
}

Json threat_model(const std::string& attribute, bool people) {
  Json list = {
      fmt::format("Attackers who look for records hold the released data with its labels ('{}' among them) and the "
                  "originals. None holds the random sets or the order, which were never written down.",
                  attribute),
      "The attacker of the paper (nearest) takes the original that is most similar, and knows nothing else.",
      "Informed attackers know the technique, every parameter and which features were retained, and use it."};
  if (people) {
    list.push_back(
        "Attackers who name people hold other samples of the same people, with names; the informed ones learn from "
        "anonymised samples.");
  }
  list.push_back(
      "Not tried: attackers who know some of the records that were mixed in, who hold two releases of the same data, "
      "or who know more about a person than the released labels.");
  return list;
}

Json not_promised(const LabelRisk& risk) {
  const std::string labels =
      risk.smallest == 1
          ? "The rarest combination of them occurs once: whoever knows these labels of a person needs no "
            "template."
          : fmt::format(
                "{} records share the rarest combination of them: whoever knows these labels of "
                "a person has no more than those to search.",
                risk.smallest);
  return {
      "There is no provable guarantee. These are measurements of attackers that exist; a better one may come.",
      "A holder of the originals may link released records to them, as often as the tables say or more often.",
      "Labels are released as they are. " + labels,
      "Attributes that nobody asked to keep may still be readable; they were not tried here.",
      "A second release of the same data, or of data that shares records with it, adds to what this one tells: with "
      "each, sets hide less.",
      "Records are made of other people's records. Whoever must be left out of the data must be left out before.",
      "What is measured holds for these records, not for others anonymised with the same parameters.",
      "Features were ranked on all records, those that are judged among them: accuracies may be a little too high."};
}

Json written(const Released& released, std::size_t failures) {
  Json list = {
      fmt::format("templates.npy, labels.csv with the columns id, {}, and dataset.toml with the technique and its "
                  "parameters; all readable by their owner only.",
                  fmt::join(released.columns, ", ")),
      "The order of the records and their sets came from the operating system's generator; ids count in that order. "
      "Neither the order, nor the sets, nor a seed was kept: this release cannot be made again.",
      "No identity, no file name, no other column, no digest of the data or of what was learned from it was written.",
      fmt::format("No released record equals an original: all {} were compared with all of them.", released.records)};
  if (failures > 0) list.push_back(fmt::format("Samples without a template were left out: {}.", failures));
  return list;
}

}  // namespace

Json release_evidence(const ResolvedProtection& protection, const Dataset& dataset, const Released& released,
                      const std::filesystem::path& folder, const EvidenceRun& run) {
  const std::string& attribute = protection.attributes;
  const ReleaseSample sample = release_sample(dataset, attribute, run.seed);
  const Templates public_templates = to_float_templates(read_npy(folder / "templates.npy"));
  // What the release made of samples, under their own labels: nobody but its maker can put this together.
  const auto anonymised = [&](const std::vector<std::size_t>& rows) {
    Dataset part = sample.data.select(rows);
    std::vector<std::size_t> places;
    for (const std::size_t row : rows) places.push_back(released.place[sample.rows[row]]);
    part.templates = public_templates.select(places);
    return part;
  };
  std::vector<std::size_t> others = sample.learn;
  others.insert(others.end(), sample.search.begin(), sample.search.end());
  std::sort(others.begin(), others.end());

  AnonymityRun study_run{.attribute = attribute,
                         .most_identities = most_identities,
                         .among_all = true,
                         .bootstrap = run.bootstrap,
                         .seed = run.seed};
  for (std::size_t c = 1; c < released.columns.size(); ++c) study_run.keep[released.columns[c]] = 1;
  const std::vector<bool> failed = dataset.failed();
  const auto& classes = dataset.labels.column(attribute);
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (!failed[row]) ++study_run.population[classes[row]];
  }
  const AnonymityStudy study(sample.data.select(others), sample.data.select(sample.evidence), sample.one_sample_each,
                             std::move(study_run));
  const Dataset train = anonymised(others);
  const std::optional<Blend> blend = protection->blend();
  Json values = study.measure(anonymised(sample.evidence), &train, blend);
  const auto failures = static_cast<std::size_t>(std::count(failed.begin(), failed.end(), true));
  const std::string split = fmt::format(
      "{} records{}: a quarter of each {}{} was judged as it was released, attributes and names were learned from the "
      "others; records were looked for among all {} originals",
      sample.rows.size(),
      sample.whole ? ""
                   : fmt::format(" of {}, drawn at random by person (fewer candidates are easier to tell apart)",
                                 released.records),
      sample.one_sample_each ? "" : "identity and ", attribute, sample.rows.size());
  values["parameters"] = setting_json(protection, *blend);
  values["failures"] = failures;
  values["split"] = split;
  values["exact_copies"] = released.exact_copies;

  const LabelRisk risk = label_risk(dataset, released.columns);
  const Json* record = strongest_attacker(values["attackers"], "record");
  const Json* identity = strongest_attacker(values["attackers"], "identity");
  const bool linkable = (record != nullptr && far_better(*record)) || (identity != nullptr && far_better(*identity));
  const Json search = checked_search(run.search, values["attackers"]);
  std::string verdict = verdict_of(values, risk, linkable);
  if (search.is_object() && search["evidence"]["reaches"] == false) {
    verdict += fmt::format(" The mixture of {} that was asked for is not reached here: it is {}.",
                           share_text(search["target"]), share_text(search["evidence"]["mixture"]));
  }
  Json release = {{"verdict", verdict},
                  {"linkable", linkable},
                  {"technique", released.provenance.technique},
                  {"records", released.records},
                  {"features", released.features},
                  {"failures", failures},
                  {"judged", sample.evidence.size()},
                  {"candidates", sample.rows.size()},
                  {"columns", released.columns},
                  {"labels", {{"combinations", risk.combinations}, {"smallest", risk.smallest}, {"alone", risk.alone}}},
                  {"exact_copies", released.exact_copies},
                  {"threat_model", threat_model(attribute, !sample.one_sample_each)},
                  {"not_promised", not_promised(risk)},
                  {"written", written(released, failures)},
                  {"search", search}};
  Json clear = study.clear();
  for (const char* name : {"failures", "split"}) clear[name] = values[name];
  clear["parameters"] = nullptr;
  const std::string technique = protection.parameters.brief();
  const auto cell = [](const std::string& name, Json of) {
    return Json{{"key", {{"question", "anonymity"}, {"technique", name}, {"representation", ""}}},
                {"status", "done"},
                {"error", nullptr},
                {"values", std::move(of)}};
  };
  Json headline = {{"technique", technique}, {"attack", "linkage"}, {"verdict", verdict}};
  if (record != nullptr) {
    for (const char* name : {"attacker", "question", "mixture", "chance", "ci"}) headline[name] = (*record)[name];
  }
  return {{"bauta", version},
          {"schema", 2},
          {"seed", run.seed},
          {"experiment", {{"report", {{"title", "What does the released data still tell?"}}}}},
          {"headline", std::move(headline)},
          {"release", std::move(release)},
          {"cells", {cell("none", std::move(clear)), cell(technique, std::move(values))}}};
}

void write_evidence(const std::filesystem::path& folder, const Json& results) {
  write_file(folder / "results.json", results.dump(1) + "\n");
  Json evidence = results["release"];
  evidence["bauta"] = results["bauta"];
  for (const auto& [name, value] : results["cells"].back()["values"].items())
    if (!evidence.contains(name)) evidence[name] = value;
  write_file(folder / "evidence.json", evidence.dump(1) + "\n");
}

}  // namespace bauta
