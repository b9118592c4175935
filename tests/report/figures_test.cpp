// Figures: what all of them keep to, and those of the similarity attack.
#include <set>

#include "figure_style.hpp"
#include "fixture.hpp"

namespace bauta::report {
namespace {

TEST(Figures, DataIsInlineAndNothingIsLoaded) {
  const Report report = report_in(fixture_run());
  for (const Figure* figure : report.figures()) {
    EXPECT_FALSE(figure->spec["data"]["values"].empty()) << figure->name;
    EXPECT_EQ(figure->spec.dump().find("\"url\""), std::string::npos) << figure->name;
    EXPECT_FALSE(figure->alt.empty()) << figure->name;
  }
}

TEST(Figures, NamesStayApartWhereSlugsCollide) {
  const Report report = report_of(R"({"cells":[
    {"key":{"question":"similarity","technique":"x","attribute":"a b"},"values":{"results":[{"rule":"vote","n":1,"balanced":0.6}]}},
    {"key":{"question":"similarity","technique":"x","attribute":"a-b"},"values":{"results":[{"rule":"vote","n":1,"balanced":0.6}]}}]})");
  EXPECT_EQ(figure_names(report), (Names{"attacks-a-b", "attacks-a-b-2"}));
}

TEST(Figures, LooksDifferEvenWhereColoursRepeat) {
  RunResults run;
  Names labels;
  for (int i = 0; i < 20; ++i) {
    labels.push_back("t" + std::to_string(i));
    Cell cell;
    cell.series.technique = cell.series.label = labels.back();
    run.cells.push_back(cell);
  }
  const SeriesStyle style(Runs{run});
  std::set<std::string> looks;
  const Json colors = style.color(labels)["scale"]["range"];
  const Json shapes = style.shape(labels)["scale"]["range"];
  for (std::size_t i = 0; i < labels.size(); ++i) {
    looks.insert(colors[i].get<std::string>() + shapes[i].get<std::string>());
  }
  EXPECT_EQ(looks.size(), labels.size());
  EXPECT_EQ(style.color({"something clear"})["scale"]["range"][0], "currentColor");
}

TEST(SimilarityFigure, StandsBetweenChanceAndTheBestOnClearData) {
  const Report report = report_of(small_results);
  ASSERT_EQ(figure_names(report, "attacks"), (Names{"attacks-gender"}));
  const std::vector<Json> rows = rows_where(figure_of(report, "attacks-gender"), "technique", "pe-miu:block=8,cost=l2");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1]["balanced"], 0.7);
  EXPECT_EQ(rows[1]["low"], 0.62);
  EXPECT_EQ(rows[1]["chance"], 0.5);
  EXPECT_EQ(rows[1]["ceiling"], 0.9);
}

TEST(SimilarityFigure, ManyTechniquesBecomeRows) {
  std::string cells;
  for (int i = 0; i < 9; ++i) {
    cells += std::string(i ? "," : "") + R"({"key":{"question":"similarity","technique":"t)" + std::to_string(i) +
             R"(","attribute":"a"},"values":{"chance":0.5,"results":[{"rule":"vote","n":1,"balanced":0.6}]}})";
  }
  const Figure many = figure_of(report_of(R"({"cells":[)" + cells + "]}"), "attacks-a");
  EXPECT_EQ(many.spec["spec"]["layer"].back()["encoding"]["y"]["field"], "technique");
  EXPECT_EQ(many.spec["spec"]["layer"].back()["encoding"]["y"]["sort"].size(), 9u);
  EXPECT_EQ(rows_of(many)[0]["count"], "n = 1");
}

TEST(SimilarityFigure, NothingGuessedDrawsNothing) {
  EXPECT_TRUE(
      report_of(
          R"({"cells":[{"key":{"question":"similarity","technique":"x","attribute":"a"},"values":{"results":[]}}]})")
          .figures()
          .empty());
}

}  // namespace
}  // namespace bauta::report
