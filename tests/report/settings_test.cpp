// Settings along sweeps, from findings alone: which figures there are, what they carry, and that they can be drawn.
#include <cstdlib>
#include <set>

#include "closed_set_fixture.hpp"
#include "settings/mixture.hpp"
#include "svg.hpp"

namespace bauta::report {
namespace {

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

TEST(Settings, FiguresAreNamedByWhatIsVaried) {
  EXPECT_EQ(figure_names(closed_set_report()),
            (Names{"mixture-tradeoff", "sweep-g", "sweep-w-and-g", "linkage-guesses", "linkage-beliefs",
                   "identification", "identification-guesses", "identification-beliefs"}));
}

TEST(Settings, OneAxisHasEveryPurposeAndAttackerAndTheLevels) {
  const Figure figure = figure_of(closed_set_report(), "sweep-g");
  EXPECT_EQ(figure.title, "By g");
  EXPECT_NE(figure.caption.find("The rest stays at t\u00a0=\u00a00.5."), std::string::npos) << figure.caption;
  EXPECT_NE(figure.caption.find("on clear data they find nobody either: broken (informed)."), std::string::npos);
  EXPECT_EQ(figure.spec["facet"]["sort"], (Json{"Accuracy", "Mixture: identification", "Mixture: linkage"}));
  const std::vector<Json> digit = rows_where(figure, "line", "digit");
  EXPECT_EQ(values(digit, "y"), (std::vector<double>{0.9, 0.88, 0.85}));
  EXPECT_EQ(values(digit, "x"), (std::vector<double>{8, 32, 128}));
  EXPECT_EQ(digit[0]["clear"], 0.95);
  EXPECT_EQ(digit[0]["chance"], 0.1);
  // Levels are the leading purpose's.
  EXPECT_EQ(rows_where(figure, "line", "gender").size(), 3u);
  EXPECT_FALSE(rows_where(figure, "line", "gender")[0].contains("chance"));
  const std::vector<Json> informed = rows_where(figure, "line", "likelihood (informed)");
  EXPECT_EQ(values(informed, "y"), (std::vector<double>{0.4, 0.6, 0.8}));
  EXPECT_EQ(informed[0]["low"], 0.35);
  EXPECT_EQ(informed[0]["chance"], 0.95);
  EXPECT_EQ(informed[0]["clear"], 0.02);
  EXPECT_EQ(informed[0]["hollow"], false);
  EXPECT_EQ(rows_where(figure, "line", "nearest (uninformed)").at(0)["hollow"], true);
  EXPECT_EQ(rows_where(figure, "line", "mlp (naive)").at(0)["hollow"], true);
  EXPECT_EQ(values(rows_where(figure, "line", "mlp (parrot)"), "y"), (std::vector<double>{0.5, 0.7, 0.9}));
  // A broken attacker's level on clear data is no ceiling.
  EXPECT_FALSE(rows_where(figure, "line", "broken (informed)").at(0).contains("clear"));
}

TEST(Settings, FurtherAxesAreSeriesAndMissingCellsAreGaps) {
  const Figure figure = figure_of(closed_set_report(), "sweep-w-and-g");
  EXPECT_EQ(rows_where(figure, "panel", "Accuracy of digit").size(), 3u);
  std::vector<Json> informed;
  for (const Json& row : rows_where(figure, "panel", "Mixture: linkage")) {
    if (row["hollow"] == false) informed.push_back(row);
  }
  EXPECT_EQ(values(informed, "x"), (std::vector<double>{10, 10, 100}));
  EXPECT_EQ(values(informed, "y"), (std::vector<double>{0.4, 0.6, 0.8}));
  EXPECT_EQ(informed[1]["line"], "g = 32");
}

TEST(Settings, TradeoffJoinsTheClaimWithWhatIsLeft) {
  const Figure figure = figure_of(closed_set_report(), "mixture-tradeoff");
  std::vector<Json> settings, clear;
  for (const Json& row : rows_where(figure, "panel", "Mixture: linkage")) {
    (row.contains("clear") ? clear : settings).push_back(row);
  }
  EXPECT_EQ(values(settings, "claimed"), (std::vector<double>{0.93, 0.94, 0.95}));
  EXPECT_EQ(values(settings, "informed"), (std::vector<double>{0.4, 0.6, 0.8}));
  EXPECT_EQ(values(settings, "y"), (std::vector<double>{0.9, 0.88, 0.85}));
  EXPECT_EQ(settings[0]["line"], "varying g");
  ASSERT_EQ(clear.size(), 1u);
  EXPECT_EQ(clear[0]["clear"], 0.02);
  EXPECT_EQ(clear[0]["y"], 0.95);
}

TEST(Settings, RepresentationsAreComparedAndTheirOwnSweepsFolded) {
  Json results = closed_set_results();
  for (Json cell : Json(results["cells"])) {
    cell["key"]["representation"] = "spectra";
    results["cells"].push_back(cell);
  }
  const Report report = closed_set_report(results);
  EXPECT_TRUE(figure_of(report, "sweep-g-spectra").secondary);
  EXPECT_FALSE(figure_of(report, "sweep-g").secondary);
  EXPECT_EQ(figure_of(report, "sweep-g").title, "By g, cepstra");
  std::set<std::string> lines;
  for (const Json& row : rows_of(figure_of(report, "sweep-representations"))) lines.insert(row["line"]);
  EXPECT_EQ(lines, (std::set<std::string>{"cepstra", "spectra"}));
  EXPECT_EQ(rows_where(figure_of(report, "mixture-tradeoff"), "line", "spectra").size(), 6u);
  EXPECT_NE(to_csv(table_of(report, "linkage")).find("\"mask:g=8,t=0.5\",,spectra,"), std::string::npos);
  EXPECT_NE(to_html(table_of(report, "linkage")).find("(spectra)"), std::string::npos);
}

TEST(Settings, SomeOfThePeopleAreASettingOfTheirOwn) {
  Json results = closed_set_results();
  for (Json cell : Json(results["cells"])) {
    cell["key"].update({{"selection", "random"}, {"identities", "3"}});
    results["cells"].push_back(cell);
  }
  Json entry = results["ranking"][0];
  entry["people"] = "3, random";
  entry["strongest"]["axes"].update({{"identities", "3"}, {"selection", "random"}});
  results["ranking"].push_back(entry);
  const Report report = closed_set_report(results);
  EXPECT_NE(to_csv(table_of(report, "linkage")).find("\"mask:g=8,t=0.5\",\"selection=random, identities=3\",cepstra,"),
            std::string::npos);
  EXPECT_EQ(rows_where(figure_of(report, "sweep-g"), "line", "digit").size(), 3u);  // everybody
  const Table leakage = table_of(report, "leakage");
  ASSERT_EQ(leakage.rows.size(), 3u);
  EXPECT_TRUE(leakage.rows[0].marked);
  const Table some = table_of(report, "leakage-some");  // folded away where there are many
  ASSERT_EQ(some.rows.size(), 1u);
  EXPECT_EQ(some.rows[0].cells[0].text, "mask:g=8,t=0.5 (identities=3, selection=random)");
  EXPECT_FALSE(some.rows[0].marked);
}

TEST(Settings, AKindOfAttackersWithoutRowsHasNoLayer) {
  const auto filters = [](const Json& results) {
    std::set<std::string> out;
    const Report report = closed_set_report(results);
    const Json layers = figure_of(report, "linkage-guesses").spec["spec"]["layer"];
    for (const Json& layer : layers) {
      if (layer.contains("transform")) out.insert(layer["transform"][0]["filter"].get<std::string>());
    }
    return out;
  };
  Json results = closed_set_results();
  EXPECT_EQ(filters(results), (std::set<std::string>{"!datum.hollow", "datum.hollow"}));
  for (Json& cell : results["cells"]) {
    if (cell["key"]["question"] != "linkage" || cell["key"]["technique"] == "none") continue;
    for (Json* list : {&cell["findings"], &cell["values"]["attackers"]}) list->erase(list->begin() + 1, list->end());
  }
  EXPECT_EQ(filters(results), (std::set<std::string>{"datum.hollow"}));
}

TEST(Settings, WithoutASweepAllSettingsHaveTheirGuesses) {
  Json results = closed_set_results();
  results.erase("sweeps");
  const Report report = closed_set_report(results);
  EXPECT_EQ(figure_names(report),
            (Names{"mixture-tradeoff", "linkage-guesses", "identification", "identification-guesses"}));
  EXPECT_EQ(rows_where(figure_of(report, "linkage-guesses"), "line", "g=32,t=0.5").size(), 4u);
}

TEST(Settings, RunsAreToldApart) {
  const TemporaryFolder folder;
  const std::string text = closed_set_results().dump();
  const Report report = make_report(read_runs({folder.run("voice", text), folder.run("faces", text)}));
  EXPECT_EQ(figure_of(report, "sweep-g-voice").title, "voice: By g");
  EXPECT_EQ(figure_of(report, "linkage-beliefs-faces").spec["title"],
            "faces: Distance of beliefs from guessing, linkage");
  const Names all = figure_names(report);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST(Settings, AreDrawn) {
  if (std::system("command -v node > /dev/null 2>&1") != 0) GTEST_SKIP() << "node is not here to draw SVG";
  const Report report = closed_set_report();
  const std::map<std::string, std::string> drawn = render_svg(report.figures());
  ASSERT_EQ(drawn.size(), report.figures().size());
  for (const auto& [name, svg] : drawn) {
    EXPECT_TRUE(svg.starts_with("<svg")) << name;
    EXPECT_EQ(svg.find("NaN"), std::string::npos) << name;
  }
  EXPECT_NE(drawn.at("sweep-g").find(">clear data<"), std::string::npos);
  EXPECT_NE(drawn.at("sweep-g").find(">chance<"), std::string::npos);
  EXPECT_NE(drawn.at("linkage-beliefs").find(">certainty<"), std::string::npos);
}

TEST(Settings, WithoutFindingsNothingIsDrawn) {
  EXPECT_TRUE(report_of(R"({"cells":[{"key":{"question":"linkage","technique":"x"},"values":{}}],
    "sweeps":[{"axes":[{"name":"g","values":["1"]}],"techniques":["x"]}]})")
                  .figures()
                  .empty());
}

TEST(Sweeps, ThatDoNotFitTheirAxesAreToldAndNotDrawn) {
  const Report report = report_of(
      R"({"cells":[],"sweeps":[{"axes":[{"name":"t","values":["1","2"]}],"techniques":["a"]},7,null,{"axes":"t"}]})");
  EXPECT_TRUE(report.runs[0].sweeps.empty());
  EXPECT_NE(report.runs[0].rest.dump().find("does not fit"), std::string::npos);
}

}  // namespace
}  // namespace bauta::report
