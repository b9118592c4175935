// Figures of anonymised settings: which there are, what data they carry, and that they can be drawn.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "anonymity/style.hpp"
#include "anonymity_fixture.hpp"
#include "svg.hpp"

namespace bauta::report {
namespace {

Report anonymity_report(const Json& results = Json::parse(anonymity_results)) {
  return report_of(results.dump());
}

Figure named(const Report& report, const std::string& name) {
  return figure_of(report, name);
}

std::vector<double> values(const std::vector<Json>& rows, const char* field) {
  std::vector<double> out;
  for (const Json& row : rows) out.push_back(row[field].get<double>());
  return out;
}

std::string axis_type(const Names& texts) {
  return ParameterAxis("x", texts).type();
}

TEST(ParameterAxis, SpacesValuesEvenly) {
  EXPECT_EQ(axis_type({"8", "32", "128"}), "log");
  EXPECT_EQ(axis_type({"10", "100", "1000"}), "log");
  EXPECT_EQ(axis_type({"0.001", "0.01", "0.1", "0.5", "1"}), "log");
  EXPECT_EQ(axis_type({"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"}), "linear");
  EXPECT_EQ(axis_type({"0", "0.5", "1"}), "linear");
  EXPECT_EQ(axis_type({"0", "0.001", "0.01", "0.1", "0.5"}), "ordinal");  // zero has no logarithm
  EXPECT_EQ(axis_type({"10", "inf"}), "ordinal");
  EXPECT_EQ(axis_type({"prose", "printed"}), "ordinal");
  EXPECT_EQ(axis_type({"1", "100"}), "log");
  EXPECT_EQ(axis_type({"0.5", "0.6"}), "linear");
  EXPECT_EQ(axis_type({"5"}), "ordinal");
  EXPECT_EQ(axis_type({"5", "5", "6"}), "ordinal");
  EXPECT_EQ(ParameterAxis("x", {"0", "a"}).at(1), "a");
  EXPECT_EQ(ParameterAxis("x", {"8", "32", "128"}).at(1), 32);
}

TEST(AnonymityFigures, NamesFollowTheFirstAxis) {
  EXPECT_EQ(figure_names(anonymity_report()),
            (Names{"anonymity-tradeoff", "anonymity-w", "anonymity-g", "anonymity-top-identity", "anonymity-kl"}));
}

TEST(AnonymityFigures, OneAxisHasEveryAttackerAndTheLevels) {
  const Figure figure = named(anonymity_report(), "anonymity-g");
  EXPECT_EQ(figure.title, "Set size g (the paper's Fig. 3)");
  EXPECT_NE(figure.caption.find("The rest stays at t\u00a0=\u00a00.5, w\u00a0=\u00a010."), std::string::npos);
  EXPECT_NE(figure.caption.find("on clear data they find nobody either: broken (informed)."), std::string::npos);
  EXPECT_EQ(figure.spec["facet"]["sort"], (Json{"Accuracy of digit", "Mixture: Which person?"}));
  const std::vector<Json> accuracy = rows_where(figure, "panel", "Accuracy of digit");
  EXPECT_EQ(values(accuracy, "y"), (std::vector<double>{0.9, 0.88, 0.85}));
  EXPECT_EQ(values(accuracy, "x"), (std::vector<double>{8, 32, 128}));
  EXPECT_EQ(accuracy[0]["clear"], 0.95);
  EXPECT_EQ(accuracy[0]["chance"], 0.1);
  const std::vector<Json> informed = rows_where(figure, "line", "likelihood (informed)");
  EXPECT_EQ(values(informed, "y"), (std::vector<double>{0.4, 0.6, 0.8}));
  EXPECT_EQ(informed[0]["low"], 0.35);
  EXPECT_EQ(informed[0]["chance"], 0.95);
  EXPECT_EQ(informed[0]["clear"], 0.02);
  EXPECT_EQ(informed[0]["hollow"], false);
  const std::vector<Json> claimed = rows_where(figure, "line", "nearest (uninformed)");
  EXPECT_EQ(values(claimed, "y"), (std::vector<double>{0.93, 0.94, 0.95}));
  EXPECT_EQ(claimed[0]["hollow"], true);
  // A broken attacker's level on clear data is no ceiling.
  EXPECT_FALSE(rows_where(figure, "line", "broken (informed)").at(0).contains("clear"));
  EXPECT_EQ(rows_where(figure, "line", "gender").size(), 0u);
}

TEST(AnonymityFigures, AdditionalAttributesStandInTheSweepOfTheirShare) {
  Json results = Json::parse(anonymity_results);
  results["sweeps"] = {
      {{"axes", {{{"name", "rq"}, {"values", {"0.1"}}}}}, {"techniques", {"utility-preserving:g=8,t=0.5"}}}};
  const Figure figure = named(anonymity_report(results), "anonymity-rq");
  EXPECT_EQ(figure.title, "Share for additional attributes, rq (the paper's Fig. 5)");
  EXPECT_EQ(values(rows_where(figure, "line", "gender"), "y"), (std::vector<double>{0.8}));
  EXPECT_EQ(values(rows_where(figure, "line", "digit"), "y"), (std::vector<double>{0.9}));
}

TEST(AnonymityFigures, FurtherAxesAreSeriesAndMissingCellsAreGaps) {
  const Figure figure = named(anonymity_report(), "anonymity-w");
  // w = 100, g = 8 failed and has no cell.
  EXPECT_EQ(rows_where(figure, "panel", "Accuracy of digit").size(), 3u);
  const std::vector<Json> informed = rows_where(figure, "panel", "Mixture: Which person? (informed)");
  EXPECT_EQ(values(informed, "x"), (std::vector<double>{10, 10, 100}));
  EXPECT_EQ(values(informed, "y"), (std::vector<double>{0.4, 0.6, 0.8}));
  EXPECT_EQ(informed[1]["line"], "g = 32");
  EXPECT_EQ(values(rows_where(figure, "panel", "Mixture: Which person? (uninformed)"), "y"),
            (std::vector<double>{0.93, 0.94, 0.95}));
}

TEST(AnonymityFigures, GuessesAndBeliefs) {
  const Report figures = anonymity_report();
  const Figure top = named(figures, "anonymity-top-identity");
  std::vector<Json> eight;
  for (const Json& row : rows_where(top, "panel", "Informed attackers")) {
    if (row["line"] == "g = 8") eight.push_back(row);
  }
  EXPECT_EQ(values(eight, "x"), (std::vector<double>{1, 5}));
  EXPECT_EQ(values(eight, "y"), (std::vector<double>{0.4, 0.2}));
  EXPECT_EQ(values(eight, "guess"), (std::vector<double>{0.95, 0.75}));
  const Figure kl = named(figures, "anonymity-kl");
  const std::vector<Json> beliefs = rows_where(kl, "line", "likelihood (informed)");
  EXPECT_EQ(values(beliefs, "y"), (std::vector<double>{0.5, 0.25, 0.125}));
  EXPECT_NEAR(beliefs[0]["certain"].get<double>(), 2.99573, 1e-5);  // ln 20
  EXPECT_TRUE(rows_where(kl, "line", "nearest (uninformed)").empty());
}

TEST(AnonymityFigures, WithoutASweepOfSizesAllSettingsAreShown) {
  Json results = Json::parse(anonymity_results);
  results.erase("sweeps");
  const Report figures = anonymity_report(results);
  EXPECT_EQ(figure_names(figures), (Names{"anonymity-tradeoff", "anonymity-top-identity"}));
  EXPECT_EQ(rows_where(named(figures, "anonymity-top-identity"), "line", "utility-preserving:g=32,t=0.5").size(), 4u);
}

TEST(AnonymityFigures, TradeoffJoinsTheClaimWithWhatIsLeft) {
  const Figure figure = named(anonymity_report(), "anonymity-tradeoff");
  std::vector<Json> settings, clear;
  for (const Json& row : figure.spec["data"]["values"]) (row.contains("clear") ? clear : settings).push_back(row);
  EXPECT_EQ(values(settings, "claimed"), (std::vector<double>{0.93, 0.94, 0.95}));
  EXPECT_EQ(values(settings, "informed"), (std::vector<double>{0.4, 0.6, 0.8}));
  EXPECT_EQ(values(settings, "y"), (std::vector<double>{0.9, 0.88, 0.85}));
  EXPECT_EQ(settings[0]["line"], "varying g");
  ASSERT_EQ(clear.size(), 1u);
  EXPECT_EQ(clear[0]["clear"], 0.02);
  EXPECT_EQ(clear[0]["y"], 0.95);
}

TEST(AnonymityFigures, RepresentationsAreComparedAndTheirOwnSweepsFolded) {
  Json results = Json::parse(anonymity_results);
  Json second = results["cells"];
  for (Json& cell : second) {
    cell["key"]["representation"] = "spectra";
    results["cells"].push_back(cell);
  }
  const Report figures = anonymity_report(results);
  EXPECT_TRUE(named(figures, "anonymity-g-spectra").secondary);
  EXPECT_FALSE(named(figures, "anonymity-g").secondary);
  EXPECT_EQ(named(figures, "anonymity-g").title, "Set size g (the paper's Fig. 3), cepstra");
  const Figure compared = named(figures, "anonymity-representations");
  EXPECT_EQ(compared.spec["facet"]["sort"].size(), 3u);
  std::set<std::string> lines;
  for (const Json& row : compared.spec["data"]["values"]) lines.insert(row["line"].get<std::string>());
  EXPECT_EQ(lines, (std::set<std::string>{"cepstra", "spectra"}));
  EXPECT_EQ(rows_where(named(figures, "anonymity-tradeoff"), "line", "spectra").size(), 3u);
}

TEST(AnonymityFigures, RunsAreToldApart) {
  const TemporaryFolder folder;
  const Report figures =
      make_report(read_runs({folder.run("voice", anonymity_results), folder.run("faces", anonymity_results)}));
  EXPECT_EQ(named(figures, "anonymity-g-voice").title, "voice: Set size g (the paper's Fig. 3)");
  EXPECT_EQ(named(figures, "anonymity-kl-faces").spec["title"],
            "faces: Distance of beliefs from guessing (the paper's Fig. 7)");
  const Names all = figure_names(figures);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST(AnonymityFigures, AreDrawn) {
  if (std::system("command -v node > /dev/null 2>&1") != 0) GTEST_SKIP() << "node is not here to draw SVG";
  const Report figures = anonymity_report();
  const std::map<std::string, std::string> drawn = render_svg(figures.figures());
  ASSERT_EQ(drawn.size(), figures.figures().size());
  for (const auto& [name, svg] : drawn) {
    EXPECT_TRUE(svg.starts_with("<svg")) << name;
    EXPECT_EQ(svg.find("NaN"), std::string::npos) << name;
  }
  EXPECT_NE(drawn.at("anonymity-g").find(">clear data<"), std::string::npos);
  EXPECT_NE(drawn.at("anonymity-g").find(">chance<"), std::string::npos);
  EXPECT_NE(drawn.at("anonymity-kl").find(">certainty<"), std::string::npos);
}

TEST(AnonymityFigures, EmptySettingsDrawNothing) {
  EXPECT_TRUE(report_of(R"({"cells":[{"key":{"question":"anonymity","technique":"x"},"values":{}}],
    "sweeps":[{"axes":[{"name":"g","values":["1"]}],"techniques":["x"]}]})")
                  .figures()
                  .empty());
}

}  // namespace
}  // namespace bauta::report
