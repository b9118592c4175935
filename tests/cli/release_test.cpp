// Releases as users make them.
#include "program.hpp"

namespace bauta {
namespace {

class ReleaseCommand : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    ASSERT_EQ(run("synth templates --identities 60 --samples 4 --dim 20 --axis-aligned --attribute mood:leak=4 "
                  "--attribute mouth:leak=4 --out people")
                  .status,
              0);
  }
};

TEST_F(ReleaseCommand, WritesDataAndEvidenceAndWarns) {
  const std::string command = "protect utility-preserving:g=8 people --release --attribute mood --keep mouth=5% --out ";
  const CommandResult outcome = run(command + "public");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: Not anonymous"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("evidence: public-evidence/evidence.html"), std::string::npos) << outcome.out;
  const std::string page = read(folder / "public-evidence/evidence.html");
  for (const char* part : {"Not anonymous", "What is not promised", "Who attacks", "Exact copies of originals"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  const Json evidence = Json::parse(read(folder / "public-evidence/evidence.json"));
  EXPECT_EQ(evidence["exact_copies"], 0);
  EXPECT_EQ(evidence["verdict"].get<std::string>().rfind("Not anonymous", 0), 0U);
  EXPECT_FALSE(evidence["cells"].empty());
  EXPECT_EQ(read(folder / "public/labels.csv").substr(0, 14), "id,mood,mouth\n");
  ASSERT_EQ(run(command + "again --evidence elsewhere --json").json()["traceable"], true);
  EXPECT_TRUE(std::filesystem::exists(folder / "elsewhere/evidence.html"));
  EXPECT_FALSE(std::filesystem::exists(folder / "again-evidence"));
  EXPECT_NE(read(folder / "public/templates.npy"), read(folder / "again/templates.npy"));
  EXPECT_EQ(run("inspect public").status, 0);
}

TEST_F(ReleaseCommand, RefusesWhatWouldGiveRecordsAway) {
  for (const std::string flags : {":g=1 people", ":g=8 people --enrolments 2", ":g=8 people --keep identity=1%"}) {
    const CommandResult outcome = run("protect utility-preserving" + flags + " --release --attribute mood --out public");
    EXPECT_EQ(outcome.status, 2) << flags << outcome.err;
    EXPECT_NE(outcome.err.find("error: "), std::string::npos) << outcome.err;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      EXPECT_EQ(entry.path().filename(), "people") << flags;  // nothing is left behind
    }
  }
}

TEST_F(ReleaseCommand, SharesMayBePercent) {
  const std::string technique = "protect utility-preserving:g=8,rp=";
  ASSERT_EQ(run(technique + "10% people --attribute mood --keep mouth=5% --out percent").status, 0);
  ASSERT_EQ(run(technique + "0.1 people --attribute mood --keep mouth=0.05 --out plain").status, 0);
  EXPECT_EQ(read(folder / "percent/templates.npy"), read(folder / "plain/templates.npy"));
  EXPECT_EQ(read(folder / "percent/dataset.toml"), read(folder / "plain/dataset.toml"));
  EXPECT_EQ(run(technique + "0.1 people --attribute mood --keep mouth=101% --out x").status, 2);
  EXPECT_EQ(run(technique + "0.1 people --attribute mood --keep mouth=% --out x").status, 2);
}

TEST_F(ReleaseCommand, TargetMixtureIsReachedOrRefusedWithNumbers) {
  const CommandResult found =
      run("protect utility-preserving:rp=0.05,t=0.6 people --attribute mood --target-mixture 0.5 --out masked");
  ASSERT_EQ(found.status, 0) << found.err;
  EXPECT_NE(found.out.find("chosen"), std::string::npos) << found.out;
  const CommandResult refused = run(
      "protect utility-preserving:g=2,w=100,rp=1 people --release --attribute mood --target-mixture 0.99 --out public");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--target-mixture 0.99: is not reached: the best of 3 settings is g=2,t="),
            std::string::npos)
      << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "public"));
  EXPECT_EQ(run("protect pe-miu people --target-mixture 0.9 --out x").status, 2);
}

}  // namespace
}  // namespace bauta
