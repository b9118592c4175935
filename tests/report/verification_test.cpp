// Recognition: what is read, and what its figures carry.
#include "fixture.hpp"

namespace bauta::report {
namespace {

std::string cost_of(const Report& report) {
  for (const Card::Fact& fact : report.cards.at(0).facts) {
    if (fact.name == "What protection cost") return fact.value;
  }
  return {};
}

TEST(Verification, FixtureIsRead) {
  const Json clear = table_of(report_in(fixture_run()), "recognition").rows.at(0).record;
  EXPECT_EQ(clear["technique"], "none");
  // Closed forms for unit Gaussians 4.6 apart: Phi(-2.3) and Phi(Phi^-1(0.99) - 4.6), from scipy 1.10.1.
  EXPECT_NEAR(clear["eer"].get<double>(), 0.01072411, 1e-7);
  EXPECT_NEAR(clear["fnmr_at_fmr_0.01"].get<double>(), 0.01149350, 1e-7);
  EXPECT_EQ(clear["fnmr_at_fmr_0.01_resolvable"], true);
  EXPECT_EQ(clear["fnmr_at_fmr_1e-06_resolvable"], false);
}

TEST(Verification, FieldsOfTheWrongKindCountAsMissing) {
  const Report report = report_of(R"({"cells":[{"key":{"question":"verification","technique":"x"},"values":{
     "eer":"low","eer_ci":[1],"auc":0.5,"auc_ci":[0,"x"],"fnmr_at_fmr":"no","det":{"a":1},
     "histogram":{"edges":[0,1],"mated":[1,2],"non_mated":[1]},"attribute_scores":[{"same":1}],"zebra":"A"}}]})");
  const Json row = table_of(report, "recognition").rows.at(0).record;
  EXPECT_TRUE(row["eer"].is_null() && row["eer_low"].is_null() && row["auc_low"].is_null());
  EXPECT_EQ(row["auc"], 0.5);
  EXPECT_TRUE(report.figures().empty());
}

TEST(Verification, HistogramEdgesMustRise) {
  EXPECT_TRUE(report_of(R"({"cells":[{"key":{"question":"verification","technique":"x"},
    "values":{"histogram":{"edges":[0,1,1],"mated":[1,2],"non_mated":[1,2]}}}]})")
                  .figures()
                  .empty());
}

TEST(Verification, FormsOfTheTwoSidesAreToldApart) {
  Json results = Json::parse(small_results);
  Json cell = results["cells"][1];
  cell["key"]["reference"] = "clear";
  cell["values"]["eer"] = 0.3;
  results["cells"].insert(results["cells"].begin(), cell);
  const Report report = report_of(results.dump());
  const Table table = table_of(report, "recognition");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].cells[0].text, "pe-miu:block=8,cost=l2 (clear reference, masked probe)");
  EXPECT_EQ(table.rows[0].record["variant"], "clear reference, masked probe");
  EXPECT_EQ(table.rows[0].record["eer"], 0.3);
  EXPECT_EQ(table.rows[2].cells[0].text, "pe-miu:block=8,cost=l2");
  // What protection cost is measured on two protected samples.
  EXPECT_TRUE(cost_of(report).starts_with("Equal error rate 10.0 %")) << cost_of(report);
}

TEST(Verification, FixtureHasAllFigures) {
  const Report report = report_in(fixture_run());
  EXPECT_EQ(figure_names(report, "roc"), (Names{"roc-target", "roc-attacker"}));
  EXPECT_EQ(figure_names(report, "det"), (Names{"det-target", "det-attacker"}));
  EXPECT_EQ(figure_names(report, "scores"), (Names{"scores-target", "scores-attacker"}));
  EXPECT_EQ(figure_names(report, "attribute-scores"),
            (Names{"attribute-scores-age-group-target", "attribute-scores-gender-target"}));
  EXPECT_FALSE(figure_of(report, "roc-target").secondary);
  EXPECT_TRUE(figure_of(report, "det-attacker").secondary);
}

TEST(Verification, DensitiesAreCountsPerWidthOverThePeak) {
  // Mated: 30 in [0,1), 10 in [1,3): densities 0.75 and 0.125. Non-mated: 0 and 8: densities 0 and 0.5. Peak 0.75.
  const Report report = report_of(R"({"cells":[{"key":{"question":"verification","technique":"x"},
    "values":{"histogram":{"edges":[0,1,3],"mated":[30,10],"non_mated":[0,8]}}}]})");
  std::vector<double> found;
  for (const Json& row : rows_of(figure_of(report, "scores-target"))) found.push_back(row["density"].get<double>());
  EXPECT_EQ(found, (std::vector<double>{1, 0.166667, 0.166667, 0, 0.666667, 0.666667}));
}

TEST(Verification, EmptyHistogramsAndCurvesDrawNothing) {
  const Report report = report_of(R"({"cells":[{"key":{"question":"verification","technique":"x"},
    "values":{"det":[],"histogram":{"edges":[0,1],"mated":[0],"non_mated":[0]},"attribute_scores":[{"attribute":"a"}]}}]})");
  EXPECT_TRUE(report.figures().empty());
}

TEST(Verification, PerfectSeparationIsNamedWhereDetCannotShowIt) {
  const Report report = report_of(R"({"cells":[{"key":{"question":"verification","technique":"perfect"},
    "values":{"eer":0,"det":[{"threshold":0,"fmr":1,"fnmr":0},{"threshold":0.5,"fmr":0,"fnmr":0},{"threshold":1,"fmr":0,"fnmr":1}]}}]})");
  EXPECT_NE(figure_of(report, "det-target")
                .caption.find("Not drawn, because no threshold leaves both errors possible: perfect."),
            std::string::npos);
}

TEST(Verification, TheAttackersDataTellsTheCostWhereTheTargetHasNone) {
  Json results = Json::parse(small_results);
  for (const int cell : {0, 1}) results["cells"][cell]["key"]["data"] = "attacker";
  const Report report = report_of(results.dump());
  EXPECT_TRUE(cost_of(report).ends_with("(on the attacker's data)")) << cost_of(report);
}

}  // namespace
}  // namespace bauta::report
