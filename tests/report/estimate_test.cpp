// Estimators: what fields of the wrong kind become, the headline's threat model, and what figures carry.
#include "fixture.hpp"

namespace bauta::report {
namespace {

TEST(Estimate, FieldsOfTheWrongKindCountAsMissing) {
  const Report report = report_of(R"({"cells":[{"key":{"question":"estimate","technique":"x"},"values":{
    "control":[1],"regression":"no","dev":3,"results":[5,{"estimator":"knn","balanced":0.6,"healthy":"no",
    "clear":{"balanced":"x"},"floor":[],"control":{"null":3,"planted":[{"size":0.6},7],"smallest":"x"},"paired":{"p":0.1},
    "suppression":{"reachable":1},"learning_curve":[{"identities":3}],"by_rotation":["x"],"parameters":[1],"rates":"x"}]}}]})");
  EXPECT_EQ(to_csv(table_of(report, "estimators")),
            "run,technique,variant,attribute,estimator,parameters,accuracy,balanced,balanced_low,balanced_high,auc,"
            "chance,clear,clear_low,clear_high,floor,floor_low,floor_high,healthy,drop,drop_low,drop_high,p,"
            "suppression,suppression_low,suppression_high,reachable,search,trials,tuning_score,cocr,cfcr,cmcr,"
            "by_rotation\n"
            "run,x,,unnamed attribute,knn,,,0.6,,,,,,,,,,,,,,,,,,,,,,,,,,\n");
  EXPECT_EQ(figure_names(report), (Names{"estimators-unnamed-attribute"}));
  EXPECT_TRUE(table_of(report, "health").rows.empty());
  EXPECT_TRUE(table_of(report, "regression").rows.empty());
}

TEST(Estimate, TheHeadlineTellsWhoTrainedOnWhom) {
  const Card card = report_in(protocol_run()).cards.at(0);
  EXPECT_TRUE(card.verdict.starts_with(
      "Behind csn:s=0.3, the strongest attacker (estimate: svm-rbf) reads gender: balanced accuracy "
      "80.0 % [73.0, 86.0]; guessing "
      "gives 50.0 %, clear data 95.0 %."))
      << card.verdict;
  const std::string threat = joined(card.threat_model, " ");
  EXPECT_NE(threat.find("trains classifiers on them to read 302 protected samples of 100 people"), std::string::npos)
      << threat;
  EXPECT_NE(threat.find("tuned on 60 samples of 20 further people"), std::string::npos) << threat;
  EXPECT_NE(threat.find("Protocol: PEP-TF-3-1-1."), std::string::npos) << threat;
}

TEST(EstimatorFigures, UnhealthyOnesAreToldApart) {
  const Report report = report_in(protocol_run());
  ASSERT_EQ(figure_names(report, "estimators"), (Names{"estimators-gender", "estimators-age"}));
  const Figure gender = figure_of(report, "estimators-gender");
  EXPECT_EQ(rows_where(gender, "health", "unhealthy").size(), 2u);
  for (const Json& row : rows_where(gender, "health", "unhealthy")) EXPECT_EQ(row["bar"], "");
  EXPECT_NE(gender.caption.find("Hollow marks are unhealthy"), std::string::npos);
  EXPECT_EQ(figure_of(report, "estimators-age").caption.find("Hollow"), std::string::npos);
}

TEST(EstimatorFigures, LearningCurvesAreLogarithmicInPeople) {
  const Report report = report_in(protocol_run());
  ASSERT_EQ(figure_names(report, "learning"), (Names{"learning-gender"}));
  const Figure figure = figure_of(report, "learning-gender");
  EXPECT_EQ(rows_of(figure).size(), 3u);
  EXPECT_EQ(rows_of(figure)[1]["identities"], 30);
  EXPECT_EQ(rows_of(figure)[1]["low"], 0.65);
  EXPECT_EQ(figure.spec["spec"]["layer"].back()["encoding"]["x"]["scale"]["type"], "log");
}

TEST(ControlFigure, ControlsStandAtTheirSize) {
  const Report report = report_in(protocol_run());
  ASSERT_EQ(figure_names(report, "controls"), (Names{"controls-gender"}));
  // Similarity: null and two leaks, in order of their size; svm-rbf: null and three.
  const std::vector<Json> rows = rows_of(figure_of(report, "controls-gender"));
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0]["estimator"], "similarity attack");
  EXPECT_EQ(rows[0]["size"], 0.5);  // nothing planted: chance
  EXPECT_EQ(rows[1]["size"], 0.6);
  EXPECT_EQ(rows[1]["found"], "not found");
  EXPECT_EQ(rows[2]["found"], "found");
  // Two attacks stand side by side, 0.006 apart, around the size.
  EXPECT_NEAR(rows[2]["at"].get<double>(), 0.897, 1e-9);
  EXPECT_NEAR(rows[6]["at"].get<double>(), 0.903, 1e-9);
}

TEST(EstimatorFigures, RunsWithoutEstimatorsDrawNoneOfThem) {
  const Report report = report_of(small_results);
  for (const char* kind : {"estimators", "learning", "controls", "tradeoff", "protocol"}) {
    EXPECT_TRUE(figure_names(report, kind).empty()) << kind;
  }
}

}  // namespace
}  // namespace bauta::report
