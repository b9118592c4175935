// Identification: recogniser and adversary, between chance and clear data. Round numbers by hand.
#include "fixture.hpp"

namespace bauta::report {
namespace {

Json cell_of(const char* technique, const char* adversary, double rank1, bool unprotected = false) {
  const Json axes = {{"question", "identification"},
                     {"technique", technique},
                     {"recogniser", "nearest"},
                     {"adversary", adversary},
                     {"informed", std::string(adversary) == "naive" ? "no" : "yes"}};
  Json finding = {{"about", "identity"}, {"attacker", "nearest"}, {"measure", "rank-1 rate"},
                  {"unit", "rate"},      {"value", rank1},        {"ci", {rank1 - 0.1, rank1 + 0.1}},
                  {"chance", 0.1},       {"axes", axes},          {"unprotected", unprotected}};
  if (!unprotected) finding["clear"] = {{"value", 0.9}, {"ci", {0.8, 1.0}}};
  return {
      {"key",
       {{"question", "identification"}, {"technique", technique}, {"recogniser", "nearest"}, {"adversary", adversary}}},
      {"status", "done"},
      {"findings", Json::array({finding})},
      {"values",
       {{"identities", 10},
        {"probes", 30},
        {"chance", 0.1},
        {"results", Json::array({Json{{"recogniser", "nearest"},
                                      {"rank1", rank1},
                                      {"rank5", 0.95},
                                      {"above_chance", 0.5},
                                      {"always", 0.6},
                                      {"always_ci", {0.5, 0.7}},
                                      {"never", 0.1},
                                      {"mean_rank", 2},
                                      {"kl_from_uniform", 0.5},
                                      {"top", Json::array({{{"k", 1}, {"mixture", 1 - rank1}}})}}})}}}};
}

Report ladder() {
  Json results = {{"cells", Json::array()}};
  results["cells"].push_back(cell_of("plain", "naive", 0.9, true));
  results["cells"].push_back(cell_of("blur", "naive", 0.3));
  results["cells"].push_back(cell_of("blur", "parrot", 0.7));
  return report_of(results.dump());
}

TEST(Identification, TableHasRecogniserAndAdversary) {
  EXPECT_EQ(
      to_csv(table_of(ladder(), "identification")),
      "run,technique,variant,recogniser,representation,adversary,rank1,rank1_low,rank1_high,rank5,chance,always,"
      "always_low,always_high,never,above_chance,clear,"
      "clear_low,clear_high,identities,unenrolled_people,unenrolled_probes,mean_rank,kl,top,healthy\n"
      "run,plain,,nearest,,naive,0.9,0.8,1,0.95,0.1,0.6,0.5,0.7,0.1,0.5,0.9,0.8,1,10,,,2,0.5,1:0.09999999999999998,\n"
      "run,blur,,nearest,,naive,0.3,0.19999999999999998,0.4,0.95,0.1,0.6,0.5,0.7,0.1,0.5,0.9,0.8,1,10,,,2,0.5,1:0.7,\n"
      "run,blur,,nearest,,parrot,0.7,0.6,0.7999999999999999,0.95,0.1,0.6,0.5,0.7,0.1,0.5,0.9,0.8,1,10,,,2,0.5,1:0."
      "30000000000000004,\n");
}

TEST(Identification, WhatUndidTheProtectionStandsWithTheAdversary) {
  Json results = {{"cells", Json::array({cell_of("blur", "recover", 0.7)})}};
  results["cells"][0]["key"]["recovery"] = "deblur";
  results["cells"][0]["findings"][0]["axes"]["recovery"] = "deblur";
  const Table table = table_of(report_of(results.dump()), "identification");
  EXPECT_EQ(table.rows.at(0).record["adversary"], "recover, deblur");
  EXPECT_EQ(table.rows[0].record["variant"], "");
}

TEST(Identification, WhoCouldNotBeEnrolledIsCounted) {
  Json results = {{"cells", Json::array({cell_of("blur", "parrot", 0.7)})}};
  results["cells"][0]["values"].update({{"unenrolled_people", 2}, {"unenrolled_probes", 5}});
  const Table table = table_of(report_of(results.dump()), "identification");
  EXPECT_EQ(table.rows.at(0).record["unenrolled_people"], 2);
  EXPECT_EQ(table.rows[0].record["unenrolled_probes"], 5);
  EXPECT_NE(to_html(table).find("2 not enrolled"), std::string::npos);
}

TEST(Identification, WhatIsClaimedStandsBesideWhatIsLeft) {
  const Report report = ladder();
  std::string said;
  for (const Section& section : report.sections) {
    if (section.id == "identification") said = section.html();
  }
  EXPECT_NE(said.find("A mixture of 70.0\u00a0% is claimed against nearest (naive); the strongest attacker, nearest "
                      "(parrot), leaves 30.0\u00a0% [20.0, 40.0]. Guessing leaves 90.0\u00a0%."),
            std::string::npos)
      << said;
}

TEST(Identification, BarsStandBetweenChanceAndClearData) {
  const Figure figure = figure_of(ladder(), "identification");
  EXPECT_EQ(rows_of(figure).size(), 2u);  // clear data is a tick, no bar of its own
  const Json parrot = rows_where(figure, "adversary", "parrot").at(0);
  EXPECT_EQ(parrot["technique"], "blur");
  EXPECT_EQ(parrot["rank1"], 0.7);
  EXPECT_EQ(parrot["clear"], 0.9);
  EXPECT_EQ(parrot["chance"], 0.1);
  EXPECT_EQ(figure.spec["facet"]["sort"], Json::array({"blur"}));
}

}  // namespace
}  // namespace bauta::report
