// The search for a setting of a mixing technique, and what the evidence says of the one that was chosen.
#include "bauta/question/mixture_search.hpp"

#include <gtest/gtest.h>

#include "moody_people.hpp"

namespace bauta {
namespace {

TEST(MixtureSearch, TakesTheMostUsefulSettingUnderTheBound) {
  const Dataset data = test::moody_people(200, 4, 6);
  const FoundSetting found =
      search_mixture(test::fitted_to_mood("keep=mouth=0.2", data), Specification::parse("utility-preserving:t=0.8"),
                     data, {.target = 0.95, .informed = true, .seed = 1});
  ASSERT_TRUE(found.protection) << found.best;
  EXPECT_EQ(found.protection->parameters.text("t"), "0.8");
  EXPECT_EQ(found.protection->parameters.text("keep"), "mouth=0.2");
  double best = -1;
  std::string setting;
  bool missed = false;
  for (const Json& one : found.trace["settings"]) {
    EXPECT_EQ(one["parameters"]["t"], "0.8");
    if (one["refused"].is_string()) continue;
    missed |= one["mixture"].get<double>() < 0.95;
    EXPECT_EQ(one["reaches"].get<bool>(), one["mixture"].get<double>() >= 0.95);
    if (one["reaches"] == true && one["utility"].get<double>() > best) {
      best = one["utility"];
      setting = one["setting"];
    }
  }
  EXPECT_TRUE(missed);  // features held at 90 % of their own value give records away, however large the sets
  EXPECT_EQ(found.trace["chosen"], setting);
  EXPECT_EQ(found.trace["learned"], 400);
  EXPECT_EQ(found.trace["judged"], 200);
  EXPECT_EQ(found.trace["candidates"], 600);
  // Of four sizes, one purity and three weights. Whether 1 % or 10 % of 6 features, it is one that is retained.
  EXPECT_EQ(found.trace["settings"].size(), 4U * 3);
  EXPECT_NE(found.best.find("that reach 95 % is " + setting), std::string::npos) << found.best;
}

TEST(MixtureSearch, SaysWhatCameNearest) {
  const Dataset data = test::moody_people(50, 4, 16);
  const Specification given = Specification::parse("utility-preserving:g=2,w=100,rp=1");
  const FoundSetting found =
      search_mixture(test::fitted_to_mood("g=2", data), given, data, {.target = 0.99, .informed = true, .seed = 1});
  EXPECT_FALSE(found.protection);
  EXPECT_TRUE(found.trace["chosen"].is_null());
  // Purities of 60, 80 and 100 %: one of two records of the same class, both, both.
  EXPECT_EQ(found.trace["settings"].size(), 2U);
  EXPECT_NE(found.best.find("the best of 2 settings is g=2,t="), std::string::npos) << found.best;
  EXPECT_NE(found.best.find("mixture of 0.00 %"), std::string::npos) << found.best;
  // 50 of 150 are judged, and looked for among all 150: one guess in 150 is right.
  EXPECT_NE(found.best.find("guessing leaves 99.33 %"), std::string::npos) << found.best;
}

/// With what the ranking needs of each attacker.
Json with_findings(Json cells) {
  for (Json& cell : cells) {
    cell["findings"] = Json::array();
    if (!cell["values"].contains("attackers")) continue;
    for (const Json& one : cell["values"]["attackers"]) {
      cell["findings"].push_back({{"about", "identity"},
                                  {"attacker", one["attacker"]},
                                  {"value", 1 - one["mixture"].get<double>()},
                                  {"chance", 0.01},
                                  {"healthy", one.value("healthy", true)}});
    }
  }
  return cells;
}

// Who fails on clear data finds nobody by skill: however low the mixture, it is no evidence while others work.
TEST(MixtureSearch, IsNotCheckedByWhoFailsOnClearData) {
  const Json cells = with_findings(Json::parse(R"([{"values": {"attackers": [
    {"attacker": "broken", "informed": true, "mixture": 0.2, "ci": [0.1, 0.3], "healthy": false},
    {"attacker": "nearest", "informed": false, "mixture": 0.8, "ci": [0.7, 0.9]}]}}])"));
  const Json evidence = checked_search({{"target", 0.75}, {"against", "informed"}}, cells)["evidence"];
  EXPECT_EQ(evidence["attacker"], "nearest");
  EXPECT_EQ(evidence["reaches"], true);
}

// The last cell with attackers is the evidence; the informed one counts only where it was searched against.
TEST(MixtureSearch, IsCheckedByTheEvidence) {
  const Json cells = with_findings(Json::parse(R"([
    {"values": {"attackers": [{"attacker": "first", "informed": false, "mixture": 0.1, "ci": [0, 0.2]}]}},
    {"values": {"attackers": [{"attacker": "nearest", "informed": false, "mixture": 0.9, "ci": [0.8, 1]},
                              {"attacker": "likelihood", "informed": true, "mixture": 0.7, "ci": [0.6, 0.8]},
                              {"attacker": "retained", "informed": true, "mixture": 0.8, "ci": [0.7, 0.9]}]}},
    {"values": {"eer": 0.3}}])"));
  const Json informed = checked_search({{"target", 0.75}, {"against", "informed"}}, cells)["evidence"];
  EXPECT_EQ(informed["attacker"], "likelihood");
  EXPECT_EQ(informed["mixture"], 0.7);
  EXPECT_EQ(informed["ci"], Json::parse("[0.6, 0.8]"));
  EXPECT_EQ(informed["reaches"], false);
  const Json claimed = checked_search({{"target", 0.9}, {"against", "claimed"}}, cells)["evidence"];
  EXPECT_EQ(claimed["attacker"], "nearest");
  EXPECT_EQ(claimed["reaches"], true);
  EXPECT_TRUE(checked_search(nullptr, cells).is_null());
}

}  // namespace
}  // namespace bauta
