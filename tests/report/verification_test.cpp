// Recognition: what is read, and what its figures carry.
#include "verification/verification.hpp"

#include "fixture.hpp"

namespace bauta::report {
namespace {

Verification first_of(const Runs& runs) {
  return read_verification(runs.at(0).cells.at(0));
}

TEST(Verification, FixtureIsRead) {
  const Verification clear = first_of(read_runs({fixture_run()}));
  EXPECT_TRUE(clear.series.unprotected);
  // Closed forms for unit Gaussians 4.6 apart: Phi(-2.3) and Phi(Phi^-1(0.99) - 4.6), from scipy 1.10.1.
  EXPECT_NEAR(*clear.eer.value, 0.01072411, 1e-7);
  EXPECT_NEAR(*clear.operating_points[1].fnmr.value, 0.01149350, 1e-7);
  EXPECT_FALSE(clear.operating_points[3].resolvable);
  EXPECT_EQ(clear.scores.edges.size(), clear.scores.first.size() + 1);
  EXPECT_EQ(clear.attribute_scores.size(), 2u);
}

TEST(Verification, FieldsOfTheWrongKindCountAsMissing) {
  const Verification item = first_of(runs_of(R"({"cells":[{"key":{"question":"verification","technique":"x"},"values":{
     "eer":"low","eer_ci":[1],"auc_ci":[0,"x"],"fnmr_at_fmr":"no","det":{"a":1},
     "histogram":{"edges":[0,1],"mated":[1,2],"non_mated":[1]},"attribute_scores":[{"same":1}],"zebra":"A"}}]})"));
  EXPECT_FALSE(item.eer.value || item.eer.ci || item.auc.ci);
  EXPECT_TRUE(item.curve.empty() && item.scores.empty() && item.attribute_scores.empty());
}

TEST(Verification, HistogramEdgesMustRise) {
  EXPECT_TRUE(first_of(runs_of(R"({"cells":[{"key":{"question":"verification","technique":"x"},
    "values":{"histogram":{"edges":[0,1,1],"mated":[1,2],"non_mated":[1,2]}}}]})"))
                  .scores.empty());
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
  std::string cost;
  for (const Card::Fact& fact : report.cards.at(0).facts) {
    if (fact.name == "What protection cost") cost = fact.value;
  }
  EXPECT_TRUE(cost.ends_with("(on the attacker's data)")) << cost;
}

}  // namespace
}  // namespace bauta::report
