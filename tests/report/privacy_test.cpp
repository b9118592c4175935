// Privacy against recognition: what the plot of strongest attackers carries.
#include <set>

#include "fixture.hpp"

namespace bauta::report {
namespace {

std::vector<Json> part(const Figure& figure, const std::string& name) {
  return rows_where(figure, "part", name);
}

TEST(TradeoffFigure, PointsCirclesAndChance) {
  const Report report = report_in(protocol_run());
  ASSERT_EQ(figure_names(report, "tradeoff"), (Names{"tradeoff-gender", "tradeoff-age"}));
  const Figure gender = figure_of(report, "tradeoff-gender");
  const std::vector<Json> technique = part(gender, "technique");
  ASSERT_EQ(technique.size(), 1u);
  EXPECT_EQ(technique[0]["x"], 0.08);
  EXPECT_EQ(technique[0]["y"], 0.2);
  EXPECT_EQ(part(gender, "clear").at(0)["x"], 0.04);
  EXPECT_EQ(part(gender, "clear").at(0)["y"], 0.05);
  EXPECT_EQ(part(gender, "chance").at(0)["y"], 0.5);
  EXPECT_EQ(part(gender, "gain").at(0)["size"], 2);
  EXPECT_TRUE(part(gender, "loss").empty());
  std::set<std::string> texts;
  for (const char* side : {"label-left", "label-right"}) {
    for (const Json& row : part(gender, side)) texts.insert(row["text"].get<std::string>());
  }
  EXPECT_EQ(texts, (std::set<std::string>{"chance", "csn:s=0.3 · svm-rbf", "unprotected · logistic"}));
  const Figure age = figure_of(report, "tradeoff-age");
  EXPECT_NE(age.caption.find("PIC is undefined for csn:s=0.3."), std::string::npos) << age.caption;
  EXPECT_TRUE(part(age, "gain").empty());
}

TEST(TradeoffFigure, LinesHaveThePicThatTheyName) {
  const Figure figure = figure_of(report_in(protocol_run()), "tradeoff-gender");
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

// A technique with these errors; 0.1 and `recognition_clear` on clear data.
Figure figure_with(double attribute, double recognition, const Json& pic, double recognition_clear = 0.02) {
  const Json entry = {
      {"technique", "x"},
      {"about", "attribute"},
      {"attribute", "a"},
      {"strongest", {{"about", "attribute"}, {"attacker", "knn"}, {"value", 1 - attribute}, {"unit", "rate"}}},
      {"on_clear", {{"value", 0.9}}},
      {"pic", {{"value", pic}, {"recognition", {{"clear", recognition_clear}, {"protected", recognition}}}}}};
  return figure_of(report_of(Json({{"cells", Json::array()}, {"ranking", {entry}}}).dump()), "tradeoff-a");
}

TEST(TradeoffFigure, LossesAreDrawnDifferentlyAndTenfoldErrorsLogarithmically) {
  const Figure near = figure_with(0.2, 0.1, -3);
  EXPECT_TRUE(part(near, "gain").empty());
  EXPECT_EQ(part(near, "loss").at(0)["size"], 3);
  EXPECT_EQ(near.spec["encoding"]["x"]["scale"]["type"], "linear");
  const Figure far = figure_with(0.2, 0.3, -13);
  EXPECT_EQ(far.spec["encoding"]["x"]["scale"]["type"], "log");
  EXPECT_EQ(far.spec["encoding"]["y"]["scale"]["type"], "linear");
  // No error has no place on a logarithmic axis.
  EXPECT_EQ(figure_with(0.2, 0, 2).spec["encoding"]["x"]["scale"]["type"], "linear");
}

TEST(TradeoffFigure, WithoutErrorsOnClearDataThereAreNoLines) {
  const Figure figure = figure_with(0.3, 0.1, nullptr, 0);
  EXPECT_TRUE(part(figure, "line").empty());
  EXPECT_EQ(part(figure, "technique").size(), 1u);
}

// The attacker's own level stands where nobody else's is known, and nothing is drawn against the clear data of others.
TEST(TradeoffFigure, PeopleChosenBehindTheMaskHaveNoClearPlace) {
  const Json entry =
      Json::parse(R"({"technique":"x","about":"attribute","attribute":"a","people":"50 %, center on masked",
    "strongest":{"about":"attribute","attacker":"knn","value":0.7,"unit":"rate","chance":0.5,"clear":{"value":0.75}},
    "suppression":{"value":0.0667,"reachable":0.3333},
    "pic":{"value":null,"undefined":"people were chosen behind the mask",
           "recognition":{"measure":"EER","clear":null,"protected":0.15}}})");
  const Report report = report_of(Json({{"cells", Json::array()}, {"ranking", {entry}}}).dump());
  const Figure figure = figure_of(report, "tradeoff-a");
  EXPECT_TRUE(part(figure, "clear").empty());
  EXPECT_TRUE(part(figure, "line").empty());
  EXPECT_EQ(part(figure, "technique").at(0)["x"], 0.15);
  const Json record = table_of(report, "privacy").rows.at(0).record;
  EXPECT_EQ(record["recognition_error"], 0.15);
  EXPECT_TRUE(record["recognition_error_clear"].is_null());
  EXPECT_NEAR(record["attribute_error_clear"].get<double>(), 0.25, 1e-12);
  EXPECT_EQ(record["pic_undefined"], "people were chosen behind the mask");
}

}  // namespace
}  // namespace bauta::report
