// Reading results.json: what is there, what is missing, what is unknown, what is hostile.
#include "results.hpp"

#include "../data/hostile.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/seal.hpp"
#include "fixture.hpp"

namespace bauta::report {
namespace {

TEST(Results, FixtureIsRead) {
  const Runs runs = read_runs({fixture_run()});
  ASSERT_EQ(runs.size(), 1u);
  const RunResults& run = runs[0];
  EXPECT_EQ(run.title, "How well does my mask hold?");
  EXPECT_EQ(run.asked, 22u);
  EXPECT_EQ(run.cells.size(), 21u);
  EXPECT_TRUE(run.cells[0].series.unprotected);
  EXPECT_FALSE(run.cells[1].series.unprotected);
  EXPECT_EQ(run.ranking.size(), 10u);
  ASSERT_TRUE(run.headline);
  EXPECT_EQ(run.headline->series.label, "pe-miu:block=8,cost=l2");
  EXPECT_DOUBLE_EQ(run.headline->strongest.value, 0.865);  // 0.5 + 0.5 * 0.73
}

TEST(Results, WhoChangesThemIsSeen) {
  const auto remarks = [](const Json& document) { return runs_of(document.dump())[0].remarks; };
  Json results = sealed(Json::parse(small_results));
  const auto before = remarks(results);
  results["seed"] = 77;
  ASSERT_EQ(remarks(results).size(), before.size() + 1);
  EXPECT_NE(remarks(results)[0].find("was changed"), std::string::npos);
  results.erase("digest");
  ASSERT_EQ(remarks(results).size(), before.size() + 1);
  EXPECT_NE(remarks(results)[0].find("has no digest"), std::string::npos);
}

TEST(Results, FailedAndUnknownCellsAreKept) {
  const Report report = report_in(fixture_run());
  const RunResults& run = report.runs[0];
  ASSERT_EQ(run.failed.size(), 1u);
  EXPECT_NE(run.failed[0].key.find("nfr:expansion=2"), std::string::npos);
  EXPECT_NE(run.failed[0].error.find("bins"), std::string::npos);
  ASSERT_EQ(run.rest.size(), 1u);
  EXPECT_EQ(run.rest[0]["key"]["question"], "detection");
}

TEST(Results, FieldsThatNoChapterAskedForAreKept) {
  const Report report = report_of(
      R"({"cells":[{"key":{"question":"verification","technique":"x"},"values":{"eer":0.1,"novel":{"a":1}}}],"extra":[1]})");
  const Json& rest = report.runs[0].rest;
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest[0]["results.json"].dump(), R"({"extra":[1]})");
  EXPECT_EQ(rest[1]["values"].dump(), R"({"novel":{"a":1}})");
}

TEST(Results, CompleteRunsLeaveNoRest) {
  const Json protocol = report_in(protocol_run()).runs[0].rest;
  EXPECT_TRUE(protocol.empty()) << protocol.dump();
}

TEST(Results, FieldsOfTheWrongKindCountAsMissing) {
  const Runs runs = runs_of(R"({"bauta":null,"seed":"one","headline":[],"experiment":3,"ranking":[7,{"strongest":3}],
    "cells":[null,7,{"key":{"question":"similarity"},"findings":[3,{"about":"attribute"}],"values":{}}]})");
  EXPECT_FALSE(runs[0].seed);
  EXPECT_FALSE(runs[0].headline);
  EXPECT_TRUE(runs[0].ranking.empty());
  ASSERT_EQ(runs[0].cells.size(), 1u);
  EXPECT_TRUE(runs[0].cells[0].findings.empty());
  EXPECT_EQ(runs[0].rest.size(), 2u);
}

TEST(Results, OneFindingTellsThatATechniqueProtectsNothing) {
  const Runs runs = runs_of(R"({"cells":[{"key":{"question":"verification","technique":"plain"},"values":{}},
    {"key":{"question":"estimate","technique":"plain"},"values":{},"findings":[{"about":"attribute","value":1,"unprotected":true}]},
    {"key":{"question":"verification","technique":"masked"},"values":{}}]})");
  EXPECT_TRUE(runs[0].cells[0].series.unprotected);
  EXPECT_FALSE(runs[0].cells[2].series.unprotected);
}

TEST(Results, FurtherKeyFieldsTellSeriesApart) {
  const Runs runs = runs_of(
      R"({"cells":[{"key":{"question":"verification","technique":"x","repeat":2,"adversary":"naive"},"values":{}}]})");
  const Cell& cell = runs[0].cells.at(0);
  EXPECT_EQ(cell.series.label, "x (repeat=2, adversary=naive)");
  EXPECT_EQ(cell.series_without({"adversary"}).label, "x (repeat=2)");
}

// What could not be compared is in no table, and its remark stands with the others.
TEST(Results, CellsOfWhichOnlyRemarksTellAreApart) {
  const Runs runs = runs_of(
      R"({"cells":[{"key":{"question":"similarity","technique":"x","adversary":"naive"},"findings":[],
                    "values":{"remarks":["bits against numbers"]}},
                   {"key":{"question":"similarity","technique":"x"},"findings":[],"values":{"remarks":[],"chance":1}}]})");
  EXPECT_EQ(runs[0].asked, 2U);
  ASSERT_EQ(runs[0].unanswered.size(), 1U);
  EXPECT_EQ(runs[0].unanswered[0].series.label, "x (adversary=naive)");
  EXPECT_EQ(cells_of(runs[0], {"similarity"}).size(), 1U);
}

TEST(Results, RunsOfOneNameAreToldApartByTheirPaths) {
  const TemporaryFolder folder;
  const auto first = folder.run("a/run", small_results);
  const auto second = folder.run("b/run", small_results);
  const Runs runs = read_runs({first, second});
  EXPECT_NE(runs[0].cells[0].series.label, runs[1].cells[0].series.label);
  EXPECT_EQ(runs[1].headline->series.label, runs[1].prefixed("pe-miu:block=8,cost=l2"));
  EXPECT_FALSE(runs[0].cells[0].series.beside(runs[1].cells[0].series));
  EXPECT_THROW(read_runs({first, first}), Error);
}

TEST(Results, SweepsAreReadWithTheLastAxisFastest) {
  const Sweep sweep{{{"w", {"10", "100", "1000"}}, {"rp", {"0.01", "0.5"}}}, {}};
  EXPECT_EQ(sweep.place(0), (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(sweep.place(1), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(sweep.place(4), (std::vector<std::size_t>{2, 0}));
}

TEST(Results, BadFilesAreInputErrorsThatNameTheFile) {
  const TemporaryFolder folder;
  const std::string deep(100000, '[');
  for (const std::string& text : {std::string("{\"cells\":["), std::string("[]"), std::string("{\"cells\":{}}"),
                                  std::string(), deep, std::string("{\"cells\":[],\"x\":\"\xff\"}")}) {
    try {
      read_runs({folder.run("run", text)});
      FAIL() << "accepted: " << text.substr(0, 40);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      EXPECT_NE(error.where.find("results.json"), std::string::npos);
    }
  }
  EXPECT_THROW(read_runs({folder.path / "nothing"}), Error);
}

std::string hint_for(const std::string& text) {
  const TemporaryFolder folder;
  try {
    read_runs({folder.run("run", text)});
  } catch (const Error& error) {
    return error.hint;
  }
  return "accepted";
}

TEST(Results, OtherVersionsAreRefusedWithWhatToDo) {
  EXPECT_EQ(hint_for(R"({"cells":[{"key":{"step":"verify","technique":"x"},"values":{}}]})"),
            "run 'bauta evaluate' again; its cells are computed again");
  EXPECT_EQ(hint_for(R"({"schema":3,"cells":[]})"), "it was written by a later version of bauta; use that one");
  EXPECT_EQ(hint_for(R"({"schema":2,"cells":[]})"), "accepted");
}

TEST(Results, RandomMutationsAreSurvived) {
  const std::string undamaged = read_text(protocol_run() / "results.json");
  const TemporaryFolder folder;
  test::expect_mutations_survived(
      "results.json", undamaged, [&](const std::string& bytes) { (void)report_in(folder.run("run", bytes)); },
      test::mutation_rounds(500), 43);
}

}  // namespace
}  // namespace bauta::report
