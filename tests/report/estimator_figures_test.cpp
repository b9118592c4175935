// Figures of estimators, trade-off and protocol: what data they carry.
#include <algorithm>
#include <cmath>
#include <set>

#include "bauta/report/figure_style.hpp"
#include "bauta/report/figures.hpp"
#include "fixture.hpp"

namespace bauta::report {
namespace {

std::vector<Json> part(const Figure& figure, const std::string& name) {
  std::vector<Json> out;
  for (const Json& row : figure.spec["data"]["values"]) {
    if (row.value("part", "") == name) out.push_back(row);
  }
  return out;
}

std::vector<Json> rows_of(const Figure& figure) {
  return figure.spec["data"]["values"].get<std::vector<Json>>();
}

TEST(TradeoffFigure, PointsCirclesAndChance) {
  const std::vector<Figure> figures = tradeoff_figures(read_runs({protocol_run()}));
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "tradeoff-gender");
  const std::vector<Json> technique = part(figures[0], "technique");
  ASSERT_EQ(technique.size(), 1u);
  EXPECT_EQ(technique[0]["x"], 0.08);
  EXPECT_EQ(technique[0]["y"], 0.2);
  EXPECT_EQ(part(figures[0], "clear").at(0)["x"], 0.04);
  EXPECT_EQ(part(figures[0], "clear").at(0)["y"], 0.05);
  EXPECT_EQ(part(figures[0], "chance").at(0)["y"], 0.5);
  EXPECT_EQ(part(figures[0], "gain").at(0)["size"], 2);
  EXPECT_TRUE(part(figures[0], "loss").empty());
  std::set<std::string> texts;
  for (const char* side : {"label-left", "label-right"}) {
    for (const Json& row : part(figures[0], side)) texts.insert(row["text"].get<std::string>());
  }
  EXPECT_EQ(texts, (std::set<std::string>{"chance", "csn:s=0.3 · svm-rbf", "unprotected · logistic"}));
  EXPECT_NE(figures[1].caption.find("PIC is undefined for csn:s=0.3."), std::string::npos) << figures[1].caption;
  EXPECT_TRUE(part(figures[1], "gain").empty());
}

TEST(TradeoffFigure, LinesHaveThePicThatTheyName) {
  const Figure figure = tradeoff_figures(read_runs({protocol_run()})).at(0);
  std::set<double> levels;
  for (const Json& row : part(figure, "line")) {
    // Definition: AE'/AE - RE'/RE with AE = 0.05 and RE = 0.04 on clear data.
    const double pic = row["y"].get<double>() / 0.05 - row["x"].get<double>() / 0.04;
    EXPECT_NEAR(pic, row["level"].get<double>(), 1e-3);
    levels.insert(row["level"].get<double>());
  }
  EXPECT_TRUE(levels.contains(0));
  EXPECT_GE(levels.size(), 3u);
  std::set<std::string> names;
  for (const char* side : {"value-above", "value-beside"}) {
    for (const Json& row : part(figure, side)) names.insert(row["text"].get<std::string>());
  }
  EXPECT_EQ(names.size(), levels.size());
  EXPECT_TRUE(names.contains("PIC 0"));
}

std::string privacy_cell(const char* technique, double attribute, double recognition, const char* pic) {
  return std::string(R"({"key":{"step":"privacy","technique":")") + technique +
         R"(","attribute":"a"},"values":{"estimator":"knn","attribute_error":)" + std::to_string(attribute) +
         R"(,"attribute_error_clear":0.1,"recognition_error":)" + std::to_string(recognition) +
         R"(,"recognition_error_clear":0.02,"pic":)" + pic + "}}";
}

TEST(TradeoffFigure, LosesAreDrawnDifferentlyAndTenfoldErrorsLogarithmically) {
  const Figure near = tradeoff_figures(runs_of(R"({"cells":[)" + privacy_cell("x", 0.2, 0.1, "-3") + "]}")).at(0);
  EXPECT_TRUE(part(near, "gain").empty());
  EXPECT_EQ(part(near, "loss").at(0)["size"], 3);
  EXPECT_EQ(near.spec["encoding"]["x"]["scale"]["type"], "linear");
  const Figure far = tradeoff_figures(runs_of(R"({"cells":[)" + privacy_cell("x", 0.2, 0.3, "-13") + "]}")).at(0);
  EXPECT_EQ(far.spec["encoding"]["x"]["scale"]["type"], "log");
  EXPECT_EQ(far.spec["encoding"]["y"]["scale"]["type"], "linear");
  const Figure none = tradeoff_figures(runs_of(R"({"cells":[)" + privacy_cell("x", 0.2, 0, "2") + "]}")).at(0);
  EXPECT_EQ(none.spec["encoding"]["x"]["scale"]["type"], "linear");  // no error has no place on a logarithmic axis
}

TEST(TradeoffFigure, WithoutErrorsOnClearDataThereAreNoLines) {
  const Figure figure =
      tradeoff_figures(runs_of(R"({"cells":[{"key":{"step":"privacy","technique":"x","attribute":"a"},"values":{
    "attribute_error":0.3,"attribute_error_clear":0.1,"recognition_error":0.1,"recognition_error_clear":0}}]})"))
          .at(0);
  EXPECT_TRUE(part(figure, "line").empty());
  EXPECT_EQ(part(figure, "technique").size(), 1u);
}

std::string protocol_text(const char* kind) {
  return std::string(R"({"cells":[],"protocol":{"kind":")") + kind +
         R"(","text":"P","folds":5,"train":3,"dev":1,"test":1,"rotations":5}})";
}

TEST(ProtocolFigure, ShowsWhatTheProtectionLearnsFrom) {
  for (const auto& [kind, dashed] : {std::pair{"PEP-TF", 0u}, {"PEP-LBL", 2u}, {"PEP-LBS", 2u}}) {
    const Figure figure = protocol_figures(runs_of(protocol_text(kind))).at(0);
    EXPECT_EQ(part(figure, "dashed").size(), dashed) << kind;
    std::set<std::string> bold;
    for (const Json& row : part(figure, "bold")) bold.insert(row["text"].get<std::string>());
    for (const char* name : {"D_train", "D_dev", "D_test", "T_train", "T_dev", "T_test", "Protection", "Training",
                             "Tuning", "Evaluation"}) {
      EXPECT_TRUE(bold.contains(name)) << kind << " " << name;
    }
    std::set<std::string> plain;
    for (const Json& row : part(figure, "text")) plain.insert(row["text"].get<std::string>());
    EXPECT_TRUE(plain.contains("3 folds"));
    EXPECT_EQ(plain.contains("D_test alone, split again"), std::string(kind) == "PEP-LBS");
  }
  EXPECT_TRUE(protocol_figures(runs_of(small_results)).empty());
}

TEST(ProtocolFigure, EveryFoldIsForOneThingInEachRotation) {
  const Figure figure = protocol_figures(runs_of(protocol_text("PEP-TF"))).at(0);
  std::size_t folds = 0, tests = 0;
  for (const Json& row : part(figure, "box")) {
    if (row["fill"] != 0.55) continue;
    ++folds;
    tests += row["color"] == "#009E73" ? 1 : 0;
  }
  EXPECT_EQ(folds, 25u);
  EXPECT_EQ(tests, 5u);
}

TEST(ProtocolFigure, NonsenseIsDrawnWithoutHarm) {
  for (const char* text :
       {R"({"cells":[],"protocol":{"kind":"odd"}})",
        R"({"cells":[],"protocol":{"kind":"PEP-TF","train":-3,"dev":1e9,"test":0.5,"rotations":1e9}})"}) {
    EXPECT_EQ(protocol_figures(runs_of(text)).size(), 1u);
  }
}

TEST(EstimatorFigures, UnhealthyOnesAreToldApart) {
  const std::vector<Figure> figures = estimator_figures(read_runs({protocol_run()}));
  ASSERT_EQ(figures.size(), 2u);
  std::size_t unhealthy = 0;
  for (const Json& row : rows_of(figures[0])) {
    unhealthy += row["health"] == "unhealthy" ? 1 : 0;
    EXPECT_FALSE(row["health"] == "unhealthy" && row["best"] == true);
  }
  EXPECT_EQ(unhealthy, 2u);
  EXPECT_NE(figures[0].caption.find("Hollow marks are unhealthy"), std::string::npos);
  EXPECT_EQ(figures[1].caption.find("Hollow"), std::string::npos);
}

TEST(EstimatorFigures, LearningCurvesAreLogarithmicInPeople) {
  const std::vector<Figure> figures = learning_figures(read_runs({protocol_run()}));
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(rows_of(figures[0]).size(), 3u);
  EXPECT_EQ(rows_of(figures[0])[1]["identities"], 30);
  EXPECT_EQ(rows_of(figures[0])[1]["low"], 0.65);
  EXPECT_EQ(figures[0].spec["spec"]["layer"].back()["encoding"]["x"]["scale"]["type"], "log");
}

TEST(EstimatorFigures, ControlsStandAtTheirSize) {
  const std::vector<Figure> figures = control_figures(read_runs({protocol_run()}));
  ASSERT_EQ(figures.size(), 1u);
  // Similarity: null and two leaks; svm-rbf: null and three.
  const std::vector<Json> rows = rows_of(figures[0]);
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

TEST(EstimatorFigures, ManyTechniquesBecomeRows) {
  std::string cells;
  for (int i = 0; i < 9; ++i) {
    cells += std::string(i ? "," : "") + R"({"key":{"step":"similarity","technique":"t)" + std::to_string(i) +
             R"(","attribute":"a"},"values":{"chance":0.5,"results":[{"rule":"vote","n":1,"balanced":0.6}]}})";
  }
  const Figure many = attack_figures(runs_of(R"({"cells":[)" + cells + "]}")).at(0);
  EXPECT_EQ(many.spec["spec"]["layer"].back()["encoding"]["y"]["field"], "technique");
  EXPECT_EQ(many.spec["spec"]["layer"].back()["encoding"]["y"]["sort"].size(), 9u);
  EXPECT_EQ(rows_of(many)[0]["count"], "n = 1");
}

TEST(EstimatorFigures, OldRunsDrawNoneOfThem) {
  const std::vector<RunResults> runs = runs_of(small_results);
  EXPECT_TRUE(estimator_figures(runs).empty() && learning_figures(runs).empty() && control_figures(runs).empty() &&
              tradeoff_figures(runs).empty() && protocol_figures(runs).empty());
}

}  // namespace
}  // namespace bauta::report
