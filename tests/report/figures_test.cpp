// Figures: which there are and what data they carry.
#include "bauta/report/figures.hpp"

#include <set>

#include "bauta/report/figure_style.hpp"
#include "bauta/report/page.hpp"
#include "fixture.hpp"

namespace bauta::report {
namespace {

std::vector<std::string> names(const std::vector<Figure>& figures) {
  std::vector<std::string> out;
  for (const Figure& figure : figures) out.push_back(figure.name);
  return out;
}

TEST(Figures, FixtureHasAllOfThem) {
  const std::vector<RunResults> runs = read_runs({fixture_run()});
  EXPECT_EQ(names(curve_figures(runs)),
            (std::vector<std::string>{"roc-target", "det-target", "roc-attacker", "det-attacker"}));
  EXPECT_EQ(names(score_figures(runs)),
            (std::vector<std::string>{"scores-target", "attribute-scores-age-group-target",
                                      "attribute-scores-gender-target", "scores-attacker"}));
  EXPECT_EQ(names(attack_figures(runs)), (std::vector<std::string>{"attacks-gender", "attacks-age-group"}));
  EXPECT_FALSE(curve_figures(runs)[0].secondary);
  EXPECT_TRUE(curve_figures(runs)[3].secondary);
}

TEST(Figures, DataIsInlineAndNothingIsLoaded) {
  const Report report = make_report(read_runs({fixture_run()}));
  for (const Figure& figure : report.all_figures()) {
    EXPECT_FALSE(figure.spec["data"]["values"].empty()) << figure.name;
    EXPECT_EQ(figure.spec.dump().find("\"url\""), std::string::npos) << figure.name;
    EXPECT_FALSE(figure.alt.empty()) << figure.name;
  }
}

TEST(Figures, DensitiesAreCountsPerWidthOverThePeak) {
  // Mated: 30 in [0,1), 10 in [1,3): densities 0.75 and 0.125. Non-mated: 0 and 8: densities 0 and 0.5. Peak 0.75.
  const std::vector<Figure> figures = score_figures(runs_of(R"({"cells":[{"key":{"step":"verify","technique":"x"},
    "values":{"histogram":{"edges":[0,1,3],"mated":[30,10],"non_mated":[0,8]}}}]})"));
  ASSERT_EQ(figures.size(), 1u);
  std::vector<double> found;
  for (const Json& row : figures[0].spec["data"]["values"]) found.push_back(row["density"].get<double>());
  EXPECT_EQ(found, (std::vector<double>{1, 0.166667, 0.166667, 0, 0.666667, 0.666667}));
}

TEST(Figures, EmptyHistogramsAndCurvesDrawNothing) {
  const std::vector<RunResults> runs = runs_of(R"({"cells":[{"key":{"step":"verify","technique":"x"},
    "values":{"det":[],"histogram":{"edges":[0,1],"mated":[0],"non_mated":[0]},"attribute_scores":[{"attribute":"a"}]}},
    {"key":{"step":"similarity","technique":"x","attribute":"a"},"values":{"results":[]}}]})");
  EXPECT_TRUE(curve_figures(runs).empty());
  EXPECT_TRUE(score_figures(runs).empty());
  EXPECT_TRUE(attack_figures(runs).empty());
}

TEST(Figures, PerfectSeparationIsNamedWhereDetCannotShowIt) {
  const std::vector<Figure> figures = curve_figures(runs_of(R"({"cells":[{"key":{"step":"verify","technique":"perfect"},
    "values":{"eer":0,"det":[{"threshold":0,"fmr":1,"fnmr":0},{"threshold":0.5,"fmr":0,"fnmr":0},{"threshold":1,"fmr":0,"fnmr":1}]}}]})"));
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_NE(figures[1].caption.find("Not drawn, because no threshold leaves both errors possible: perfect."),
            std::string::npos);
}

TEST(Figures, NamesStayApartWhereSlugsCollide) {
  const Report report = make_report(runs_of(R"({"cells":[
    {"key":{"step":"similarity","technique":"x","attribute":"a b"},"values":{"results":[{"rule":"vote","n":1,"balanced":0.6}]}},
    {"key":{"step":"similarity","technique":"x","attribute":"a-b"},"values":{"results":[{"rule":"vote","n":1,"balanced":0.6}]}}]})"));
  EXPECT_EQ(names(report.successes), (std::vector<std::string>{"attacks-a-b", "attacks-a-b-2"}));
}

TEST(Figures, LooksDifferEvenWhereColoursRepeat) {
  RunResults run;
  std::vector<std::string> labels;
  for (int i = 0; i < 20; ++i) {
    labels.push_back("t" + std::to_string(i));
    AttributeAttack attack;
    attack.series.technique = attack.series.label = labels.back();
    run.attacks.push_back(attack);
  }
  const SeriesStyle style({run});
  std::set<std::string> looks;
  const Json colors = style.color(labels)["scale"]["range"];
  const Json shapes = style.shape(labels)["scale"]["range"];
  for (std::size_t i = 0; i < labels.size(); ++i) {
    looks.insert(colors[i].get<std::string>() + shapes[i].get<std::string>());
  }
  EXPECT_EQ(looks.size(), labels.size());
  EXPECT_EQ(style.color({"something clear"})["scale"]["range"][0], "currentColor");
}

}  // namespace
}  // namespace bauta::report
