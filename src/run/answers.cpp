#include "answers.hpp"

#include "bauta/core/error.hpp"
#include "bauta/measure/finding_json.hpp"
#include "bauta/measure/ranking_json.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"

namespace bauta {

namespace {

/// Where a finding of a cell stands.
void place(Finding& finding, const Json& key) {
  for (const auto& [name, value] : key.items()) {
    if (value.is_string() && !value.get<std::string>().empty()) finding.axes.try_emplace(name, value);
  }
  if (const std::string adversary = finding.axis("adversary"); !adversary.empty()) {
    finding.axes.try_emplace("informed", find_adversary(adversary).informed() ? "yes" : "no");
  }
  finding.unprotected = !masks(key["technique"]);
}

}  // namespace

namespace {

/// Where nobody could say anything, that is the answer and no failure.
Answer answer_or_remark(const Question& question, const Asked& asked, Views& views) {
  try {
    return question.answer(asked, views);
  } catch (const NothingToAnswer& nothing) {
    return {{{"remarks", Json::array({nothing.finding})}}};
  }
}

}  // namespace

Json answered(const Question& question, const Asked& asked, Views& views) {
  Answer answer = answer_or_remark(question, asked, views);
  Json findings = Json::array();
  for (Finding& finding : answer.findings) {
    place(finding, asked.key);
    findings.push_back(stored_json(finding));
  }
  return {{"key", asked.key},
          {"status", "done"},
          {"error", nullptr},
          {"findings", std::move(findings)},
          {"values", std::move(answer.values)}};
}

Json shown(Json cell, std::vector<Finding>& findings) {
  Json without_draws = Json::array();
  for (const Json& json : cell["findings"]) {
    if (std::optional<Finding> finding = read_finding(json)) {
      without_draws.push_back(to_json(*finding));
      findings.push_back(std::move(*finding));
    }
  }
  cell["findings"] = std::move(without_draws);
  return cell;
}

std::vector<RankedTarget> add_ranking(Json& results, std::vector<Finding>& findings) {
  add_clear_levels(findings);
  std::size_t next = 0;
  for (Json& cell : results["cells"]) {
    for (Json& finding : cell["findings"]) finding = to_json(findings[next++]);
  }
  BAUTA_ASSERT(next == findings.size());
  std::vector<RankedTarget> ranking = rank_attackers(findings);
  results["ranking"] = Json::array();
  for (const RankedTarget& target : ranking) results["ranking"].push_back(to_json(target));
  const RankedTarget* const first = headline(ranking);
  results["headline"] = first == nullptr ? Json::object() : to_json(*first);
  return ranking;
}

}  // namespace bauta
