// Estimators in full: what is read, their controls, and what their figures carry.
#include "estimate/estimate.hpp"

#include "fixture.hpp"

namespace bauta::report {
namespace {

Estimation estimation(const Runs& runs, std::size_t cell) {
  return read_estimation(runs.at(0).cells.at(cell));
}

TEST(Estimate, AllFieldsAreRead) {
  const Estimation item = estimation(read_runs({protocol_run()}), 4);
  EXPECT_EQ(*item.tuning_identities, 20);
  EXPECT_EQ(item.best, "svm-rbf");
  const EstimatorResult& svm = item.results.at(0);
  EXPECT_TRUE(item.is_best(svm));
  EXPECT_EQ(svm.parameters, (std::vector<std::pair<std::string, std::string>>{{"c", "1"}}));
  EXPECT_EQ(*svm.auc, 0.88);
  EXPECT_EQ(svm.rates.at(2), (std::pair<std::string, double>{"CMCR", 0.82}));
  EXPECT_EQ(*svm.clear.value, 0.95);
  EXPECT_EQ(svm.floor.ci->high, 0.57);
  EXPECT_EQ(svm.healthy, true);
  EXPECT_EQ(*svm.paired->p, 0.0005);
  EXPECT_EQ(*svm.suppression->reachable, 0.474);
  EXPECT_EQ(svm.tuned->search, "grid");
  ASSERT_EQ(svm.learning_curve.size(), 3u);
  EXPECT_EQ(*svm.learning_curve[1].identities, 30);
  EXPECT_EQ(svm.by_rotation.size(), 5u);
  ASSERT_EQ(svm.control.planted.size(), 3u);
  EXPECT_FALSE(svm.control.null->found);
  EXPECT_TRUE(svm.control.planted[1].found);
  EXPECT_EQ(*svm.control.smallest, 0.75);
  EXPECT_TRUE(item.results.at(1).control.empty());
  EXPECT_TRUE(item.results.at(1).unhealthy());
}

TEST(Estimate, RegressionIsRead) {
  const Estimation age = estimation(read_runs({protocol_run()}), 5);
  ASSERT_TRUE(age.regression);
  EXPECT_EQ(age.regression->unit, "years");
  EXPECT_EQ(*age.regression->chance_mae, 11.5);
  EXPECT_EQ(age.regression->best, "ridge");
  EXPECT_EQ(*age.regression->results.at(0).clear.value, 6.5);
  EXPECT_FALSE(age.regression->results.at(1).clear.value);
}

TEST(Estimate, FieldsOfTheWrongKindCountAsMissing) {
  const EstimatorResult found =
      estimation(runs_of(R"({"cells":[{"key":{"question":"estimate","technique":"x"},"values":{
    "control":[1],"regression":"no","dev":3,"results":[5,{"estimator":"knn","balanced":0.6,"healthy":"no",
    "clear":{"balanced":"x"},"floor":[],"control":{"null":3,"planted":[{"size":0.6},7],"smallest":"x"},"paired":{"p":0.1},
    "suppression":{"reachable":1},"learning_curve":[{"identities":3}],"by_rotation":["x"],"parameters":[1],"rates":"x"}]}}]})"),
                 0)
          .results.at(0);
  EXPECT_FALSE(found.healthy || found.clear.value || found.floor.value || found.paired || found.suppression);
  EXPECT_TRUE(found.control.empty() && found.learning_curve.empty() && found.by_rotation.empty());
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
