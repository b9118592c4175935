// A closed set that never was: clear data and three set sizes, 400 records of twenty people; who is looked for as a
// record and as a person, and an attacker who is broken. Round numbers by hand.
#pragma once

#include "fixture.hpp"

namespace bauta::report {

/// Somebody who looks among twenty, as a cell shows them and as its finding.
struct Looking {
  const char* attacker;
  double mixture = 0, clear = 0;
  Json axes = Json::object();
  Number kl = std::nullopt;
  Json top = Json::array();

  [[nodiscard]] Json ci() const { return {mixture - 0.05, mixture + 0.05}; }
  [[nodiscard]] Json finding() const {
    return {{"about", "identity"},
            {"attacker", attacker},
            {"measure", "rank-1 rate"},
            {"unit", "rate"},
            {"value", 1 - mixture},
            {"ci", {1 - mixture - 0.05, 1 - mixture + 0.05}},
            {"chance", 0.05},
            {"clear", {{"value", 1 - clear}}},
            {"counts", {{"candidates", 20}, {"samples", 400}}},
            {"axes", axes}};
  }
};

/// A cell with its findings, on axes of its key.
inline Json closed_set_cell(Json key, Json values, Json findings) {
  for (Json& finding : findings) {
    for (const auto& [name, value] : key.items()) finding["axes"][name] = value;
    if (key.contains("adversary")) finding["axes"]["informed"] = key["adversary"] == "naive" ? "no" : "yes";
    finding["unprotected"] = key["technique"] == "none";
  }
  return {{"key", key}, {"status", "done"}, {"findings", std::move(findings)}, {"values", std::move(values)}};
}

inline Json utility_cell(const std::string& technique, double digit, double gender) {
  const auto attribute = [](const char* name, const char* role, double accuracy, double clear, double chance) {
    return Json{{"attribute", name},
                {"role", role},
                {"alpha", 1},
                {"classes", 2},
                {"chance", chance},
                {"accuracy", accuracy},
                {"ci", {accuracy - 0.02, accuracy + 0.02}},
                {"balanced", accuracy},
                {"clear", {{"accuracy", clear}, {"ci", {clear - 0.01, clear + 0.01}}, {"balanced", clear}}},
                {"retrained", nullptr}};
  };
  Json attributes = {attribute("digit", "interest", digit, 0.95, 0.1),
                     attribute("gender", "additional", gender, 0.9, 0.5)};
  Json findings = Json::array();
  for (const Json& item : attributes) {
    findings.push_back({{"about", "utility"},
                        {"attacker", "the rightful user"},
                        {"measure", "accuracy"},
                        {"unit", "rate"},
                        {"value", item["accuracy"]},
                        {"worse", "lower"},
                        {"ci", item["ci"]},
                        {"chance", item["chance"]},
                        {"clear", {{"value", item["clear"]["accuracy"]}, {"ci", item["clear"]["ci"]}}},
                        {"axes", {{"attribute", item["attribute"]}, {"role", item["role"]}}}});
  }
  return closed_set_cell({{"question", "utility"}, {"technique", technique}, {"representation", "cepstra"}},
                         {{"records", 400},
                          {"train_records", 1200},
                          {"failures", 0},
                          {"split", "half and half"},
                          {"estimator", "random-forest"},
                          {"value", digit + gender},
                          {"clear", 1.85},
                          {"attributes", attributes}},
                         findings);
}

inline Json linkage_cell(const std::string& technique, const std::vector<Looking>& attackers, Json parameters) {
  Json shown = Json::array(), findings = Json::array();
  for (const Looking& one : attackers) {
    shown.push_back({{"attacker", one.attacker},
                     {"informed", one.axes["informed"] == "yes"},
                     {"text", one.attacker == std::string("likelihood") ? "knows the method" : "takes the nearest"},
                     {"candidates", 20},
                     {"mixture", one.mixture},
                     {"ci", one.ci()},
                     {"chance", 0.95},
                     {"top", one.top},
                     {"mean_rank", 3},
                     {"kl", one.kl ? Json(*one.kl) : Json()},
                     {"temperature", 1},
                     {"clear", {{"mixture", one.clear}}},
                     {"null", nullptr}});
    findings.push_back(one.finding());
  }
  return closed_set_cell(
      {{"question", "linkage"}, {"technique", technique}, {"representation", "cepstra"}},
      {{"records", 400},
       {"train_records", 1200},
       {"one_record_per_identity", false},
       {"identities", 20},
       {"failures", 0},
       {"split", "half and half"},
       {"attackers", shown},
       {"worst_record", {{"attacker", "likelihood"}, {"posterior", 0.99}, {"rank", 1}, {"found_first", 0.6}}},
       {"exact_copies", 0},
       {"parameters", std::move(parameters)}},
      findings);
}

inline Json identification_cell(const std::string& technique, const char* adversary, double mixture) {
  Json key = {
      {"question", "identification"}, {"technique", technique}, {"representation", "cepstra"}, {"recogniser", "mlp"}};
  if (adversary) key["adversary"] = adversary;
  const Looking one{.attacker = "mlp", .mixture = mixture, .clear = 0.02};
  const Json top = {{{"k", 1}, {"mixture", mixture}, {"ci", one.ci()}, {"chance", 0.95}},
                    {{"k", 5}, {"mixture", mixture / 2}, {"ci", nullptr}, {"chance", 0.75}}};
  return closed_set_cell(key,
                         {{"identities", 20},
                          {"probes", 400},
                          {"chance", 0.05},
                          {"results",
                           {{{"recogniser", "mlp"},
                             {"rank1", 1 - mixture},
                             {"rank5", 1 - mixture / 2},
                             {"mixture", mixture},
                             {"mean_rank", 2},
                             {"kl_from_uniform", 1 - mixture},
                             {"top", top}}}}},
                         Json::array({one.finding()}));
}

/// Everything about one set size.
inline void add_setting(Json& cells, int g, double digit, double nearest, double likelihood) {
  const std::string technique = "mask:g=" + std::to_string(g) + ",t=0.5";
  const auto top = [](double one, double five) {
    return Json{{{"k", 5}, {"mixture", five}, {"chance", 0.75}}, {{"k", 1}, {"mixture", one}, {"chance", 0.95}}};
  };
  const Json no = {{"informed", "no"}}, yes = {{"informed", "yes"}};
  std::vector<Looking> attackers = {
      {"nearest", nearest, 0.1, no, std::nullopt, top(nearest, nearest - 0.2)},
      {"likelihood", likelihood, 0.02, yes, likelihood / 2, top(likelihood, likelihood - 0.2)}};
  // Two standard errors of guessing: 2 * sqrt(0.95 * 0.05 / 400) = 0.0218, so 0.92 would do and 0.94 does not.
  if (g == 8) attackers.push_back({"broken", 0.95, 0.94, yes, 0.0});
  cells.push_back(utility_cell(technique, digit, 0.8));
  cells.push_back(linkage_cell(technique, attackers, {{"g", g}, {"t", 0.5}, {"rq", {{"gender", 0.1}}}}));
  cells.push_back(identification_cell(technique, "naive", nearest));
  cells.push_back(identification_cell(technique, "parrot", likelihood + 0.1));
}

/// A ranking of linkage alone: round numbers, no correction.
inline Json closed_set_entry(const std::string& technique, double found) {
  return {{"technique", technique},
          {"about", "identity"},
          {"strongest",
           {{"about", "identity"},
            {"attacker", "likelihood"},
            {"measure", "rank-1 rate"},
            {"unit", "rate"},
            {"value", found},
            {"ci", {found - 0.05, found + 0.05}},
            {"chance", 0.05},
            {"clear", {{"value", 0.98}}},
            {"axes", {{"question", "linkage"}, {"technique", technique}, {"representation", "cepstra"}}}}},
          {"share", (found - 0.05) / 0.95},
          {"ci", {found - 0.05, found + 0.05}},
          {"of", 4},
          {"healthy", true}};
}

inline Json closed_set_results() {
  Json cells = {utility_cell("none", 0.95, 0.9),
                linkage_cell("none", {{"likelihood", 0.02, 0.02, {{"informed", "yes"}}, 2.9}}, nullptr),
                identification_cell("none", nullptr, 0.02)};
  add_setting(cells, 8, 0.9, 0.93, 0.4);
  add_setting(cells, 32, 0.88, 0.94, 0.6);
  add_setting(cells, 128, 0.85, 0.95, 0.8);
  return {{"schema", 2},
          {"experiment", {{"report", {{"title", "Voices"}}}}},
          {"seed", 7},
          {"cells", cells},
          {"sweeps",
           {{{"axes", {{{"name", "g"}, {"values", {"8", "32", "128"}}}}},
             {"techniques", {"mask:g=8,t=0.5", "mask:g=32,t=0.5", "mask:g=128,t=0.5"}}},
            // w = 100, g = 8 failed and has no cell.
            {{"axes", {{{"name", "w"}, {"values", {"10", "100"}}}, {{"name", "g"}, {"values", {"8", "32"}}}}},
             {"techniques", {"mask:g=8,t=0.5", "mask:g=32,t=0.5", "mask:failed", "mask:g=128,t=0.5"}}}}},
          {"ranking",
           {closed_set_entry("mask:g=8,t=0.5", 0.6), closed_set_entry("mask:g=32,t=0.5", 0.4),
            closed_set_entry("mask:g=128,t=0.5", 0.2)}},
          {"headline", closed_set_entry("mask:g=8,t=0.5", 0.6)}};
}

inline Report closed_set_report(const Json& results = closed_set_results()) {
  return report_of(results.dump());
}

}  // namespace bauta::report
