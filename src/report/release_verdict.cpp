#include "release_verdict.hpp"

#include <fmt/format.h>

#include "bauta/measure/finding_json.hpp"
#include "bauta/measure/ranking.hpp"
#include "bauta/report/summary.hpp"
#include "text.hpp"

namespace bauta {

namespace report {

namespace {

/// What was found about the released data.
std::vector<Finding> released_findings(const Json& results) {
  std::vector<Finding> all;
  for (const Json& cell : field(results, "cells")) {
    for (const Json& json : field(cell, "findings")) {
      if (const std::optional<Finding> finding = read_finding(json); finding && !finding->unprotected) {
        all.push_back(*finding);
      }
    }
  }
  return all;
}

/// The strongest of those who name people by a recogniser, or of those who look for records.
std::string found_sentence(const std::vector<Finding>& findings, bool people) {
  const Finding* strongest = nullptr;
  for (const Finding& finding : findings) {
    if (finding.about != About::identity || finding.axis("recogniser").empty() == people) continue;
    if (strongest == nullptr || ranks_before(finding, *strongest)) strongest = &finding;
  }
  if (strongest == nullptr) return {};
  const std::string adversary = strongest->axis("adversary");
  return fmt::format(
      " The strongest attacker tried ({}{}) finds {} at the first guess in {} of the cases, somebody who guesses in "
      "{}.",
      strongest->attacker, adversary.empty() ? "" : ", " + adversary,
      people ? "the person behind a record" : "the original of a record", percent(strongest->value),
      percent(strongest->chance));
}

std::string reading_sentence(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (finding.about != About::utility || finding.axis("role") != "interest") continue;
    return fmt::format(" '{}' is read with {} accuracy (clear data {}, guessing {}).", finding.axis("attribute"),
                       percent(finding.value), percent(finding.clear ? Number(finding.clear->value) : std::nullopt),
                       percent(finding.chance));
  }
  return {};
}

std::string label_sentence(const Json& labels) {
  const Number rare = number(labels, "rare_combinations");
  if (!rare || *rare == 0) return {};
  return fmt::format(
      " Labels of fewer than {} people were changed: {} values were generalised, {} records come without "
      "labels, {} were left out.",
      grouped(number(labels, "k")), grouped(number(labels, "generalised")), grouped(number(labels, "suppressed")),
      grouped(number(labels, "left_out")));
}

std::string search_sentence(const Json& search) {
  const Json& evidence = field(search, "evidence");
  if (flag_of(field(evidence, "reaches")) != false) return {};
  return fmt::format(" The mixture of {} that was asked for is not reached here: it is {}.",
                     percent(number(search, "target")), percent(number(evidence, "mixture")));
}

Json threat_model(const Json& release) {
  const Names columns = texts(release, "columns");
  Json list = {
      fmt::format("Attackers who look for records hold the released data with its labels ({}) and the originals. None "
                  "holds the random sets or the order, which were never written down.",
                  joined(columns)),
      "The attacker of the paper (nearest) takes the original that is most similar, and knows nothing else.",
      "Informed attackers know the technique, every parameter and which features were retained, and use it."};
  if (!is_true(release, "one_record_per_identity")) {
    list.push_back(
        "Attackers who name people hold other samples of the same people, with names; the informed ones learn from "
        "anonymised samples.");
  }
  list.push_back(
      "Not tried: attackers who know some of the records that were mixed in, who hold two releases of the same data, "
      "or who know more about a person than the released labels.");
  return list;
}

Json not_promised(const Json& release) {
  const Number smallest = number(field(release, "labels"), "smallest");
  const std::string labels = fmt::format(
      "The rarest combination of them belongs to {} people: whoever knows these labels of a person has no more than "
      "those to search, and what these share besides is no secret.",
      grouped(smallest));
  return {
      "There is no provable guarantee. These are measurements of attackers that exist; a better one may come.",
      "A holder of the originals may link released records to them, as often as the tables say or more often.",
      "Labels are released as they are, but for rare ones. " + labels,
      "Attributes that nobody asked to keep may still be readable; they were not tried here.",
      // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): one sentence
      "A second release of the same data, or of data that shares records with it, adds to what this one tells: with "
      "each, sets hide less.",
      "Records are made of other people's records. Whoever must be left out of the data must be left out before.",
      "What is measured holds for these records, not for others anonymised with the same parameters.",
      "Features were ranked on all records, those that are judged among them: accuracies may be a little too high."};
}

Json written(const Json& release) {
  Json list = {
      fmt::format("templates.npy, labels.csv with the columns id, {}, and dataset.toml with the technique and its "
                  "parameters; all readable by their owner only.",
                  joined(texts(release, "columns"))),
      "The order of the records and their sets came from the operating system's generator; ids count in that order. "
      "Neither the order, nor the sets, nor a seed was kept: this release cannot be made again.",
      "No identity, no file name, no other column, no digest of the data or of what was learned from it was written.",
      fmt::format("No released record equals an original: all {} were compared with all of them.",
                  grouped(number(release, "records")))};
  if (const Number failures = number(release, "failures"); failures && *failures > 0) {
    list.push_back(fmt::format("Samples without a template were left out: {}.", grouped(failures)));
  }
  return list;
}

}  // namespace

Json release_statements(const Json& release) {
  return {
      {"threat_model", threat_model(release)}, {"not_promised", not_promised(release)}, {"written", written(release)}};
}

}  // namespace report

std::string release_verdict(const Json& results) {
  using namespace report;
  const Json& release = field(results, "release");
  const std::vector<Finding> findings = released_findings(results);
  std::string text = is_true(release, "traceable") ? "Not anonymous: these records can be traced."
                     : is_true(release, "unclear")
                         ? "Not shown to be anonymous: attackers do far better than by guessing, and so few records "
                           "cannot tell whether by chance."
                         : "No attacker tried here traces these records much better than by guessing.";
  for (const bool people : {false, true}) text += found_sentence(findings, people);
  return text + reading_sentence(findings) + label_sentence(field(release, "labels")) +
         search_sentence(field(release, "search"));
}

}  // namespace bauta
