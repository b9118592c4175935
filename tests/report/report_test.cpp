// The report on disk.
#include "bauta/report/report.hpp"

#include <cstdlib>

#include "bauta/core/error.hpp"
#include "fixture.hpp"

namespace bauta::report {
namespace {

TEST(Report, WritesPageFiguresAndTables) {
  const TemporaryFolder folder;
  const auto run = folder.run("run", read_text(fixture_run() / "results.json"));
  const auto page = write_report({run}, {});
  EXPECT_EQ(page, run / "report.html");
  EXPECT_NE(read_text(page).find("How well does my mask hold?"), std::string::npos);
  for (const char* name : {"recognition", "leakage", "attacks", "summary"}) {
    EXPECT_TRUE(std::filesystem::exists(run / "tables" / (std::string(name) + ".csv"))) << name;
    EXPECT_TRUE(std::filesystem::exists(run / "tables" / (std::string(name) + ".tex"))) << name;
    EXPECT_TRUE(Json::parse(read_text(run / "tables" / (std::string(name) + ".json")))[0].contains("technique"))
        << name;
  }
  const Json spec = Json::parse(read_text(run / "figures" / "det-target.vl.json"));
  EXPECT_NE(read_text(page).find(spec["title"].get<std::string>()), std::string::npos);
  if (std::system("command -v node > /dev/null 2>&1") != 0) GTEST_SKIP() << "node is not here to draw SVG";
  for (const auto& entry : std::filesystem::directory_iterator(run / "figures")) {
    const std::string file = entry.path().string();
    if (!file.ends_with(".vl.json")) continue;
    const std::string svg = read_text(file.substr(0, file.size() - 8) + ".svg");
    EXPECT_TRUE(svg.starts_with("<svg")) << file;
    EXPECT_EQ(svg.find("NaN"), std::string::npos) << file;
  }
}

TEST(Report, ReplacesWhatIsThereAndGoesWhereItIsTold) {
  const TemporaryFolder folder;
  const auto run = folder.run("run", small_results);
  const auto out = folder.path / "elsewhere" / "page.html";
  write_report({run}, {.out = out});
  const std::string first = read_text(out);
  EXPECT_EQ(write_report({run}, {.out = out}), out);
  EXPECT_EQ(read_text(out), first);
  EXPECT_FALSE(std::filesystem::exists(run / "report.html"));
  EXPECT_TRUE(std::filesystem::exists(folder.path / "elsewhere" / "tables" / "leakage.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder.path / "elsewhere" / "tables" / "counts.csv"));  // for people only
}

TEST(Report, NeverWritesOverWhatIsNoReport) {
  const TemporaryFolder folder;
  const auto run = folder.run("run", small_results);
  std::ofstream(folder.path / "page.html") << "<p>my own</p>";
  EXPECT_THROW(write_report({run}, {.out = folder.path / "page.html"}), Error);
  EXPECT_EQ(read_text(folder.path / "page.html"), "<p>my own</p>");
  std::filesystem::create_directories(folder.path / "mine" / "tables");
  std::ofstream(folder.path / "mine" / "tables" / "leakage.csv") << "my own";
  EXPECT_THROW(write_report({run}, {.out = folder.path / "mine" / "page.html"}), Error);
  EXPECT_EQ(read_text(folder.path / "mine" / "tables" / "leakage.csv"), "my own");
  EXPECT_FALSE(std::filesystem::exists(folder.path / "mine" / "figures"));
  EXPECT_FALSE(std::filesystem::exists(folder.path / "mine" / "page.html"));
}

TEST(Report, TwoPagesDoNotShareTheirTables) {
  const TemporaryFolder folder;
  const auto run = folder.run("run", small_results);
  write_report({run}, {.out = folder.path / "one.html"});
  EXPECT_THROW(write_report({run}, {.out = folder.path / "two.html"}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder.path / "two.html"));
  std::filesystem::remove(folder.path / "one.html");  // renamed, perhaps: its tables have nobody any more
  write_report({run}, {.out = folder.path / "two.html"});
  EXPECT_TRUE(std::filesystem::exists(folder.path / "two.html"));
  EXPECT_THROW(write_report({run}, {.out = folder.path / "three.html"}), Error);
}

TEST(Report, WithoutNodeThePageIsStillComplete) {
  const TemporaryFolder folder;
  const auto run = folder.run("run", small_results);
  const std::string path = std::getenv("PATH");
  ASSERT_EQ(setenv("PATH", "/nonexistent", 1), 0);
  testing::internal::CaptureStderr();
  write_report({run}, {});
  const std::string said = testing::internal::GetCapturedStderr();
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(said.find("'node' is not on the PATH"), std::string::npos) << said;
  EXPECT_TRUE(std::filesystem::exists(run / "report.html"));
  EXPECT_TRUE(std::filesystem::exists(run / "figures" / "attacks-gender.vl.json"));
  EXPECT_FALSE(std::filesystem::exists(run / "figures" / "attacks-gender.svg"));
}

TEST(Report, WrongUseLeavesNothingBehind) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_report({}, {}), Error);
  EXPECT_THROW(write_report({folder.path}, {}), Error);
  const auto run = folder.run("run", small_results);
  EXPECT_THROW(write_report({run}, {.out = folder.path}), Error);
  const std::string results = read_text(run / "results.json");
  EXPECT_THROW(write_report({run}, {.out = run / "results.json"}), Error);
  EXPECT_EQ(read_text(run / "results.json"), results);
  EXPECT_FALSE(std::filesystem::exists(folder.path / "figures"));
  EXPECT_FALSE(std::filesystem::exists(folder.path / "report.html"));
}

}  // namespace
}  // namespace bauta::report
