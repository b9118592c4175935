// Releases as users make them.
#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

#include "../training.hpp"
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
  SKIP_WITHOUT_TRAINING();
  const std::string command = "protect utility-preserving:g=8 people --release --attribute mood --keep mouth=5% --out ";
  const CommandResult outcome = run(command + "public");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: Not anonymous"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("evidence: public-evidence/evidence.html"), std::string::npos) << outcome.out;
  const std::string page = read(folder / "public-evidence/evidence.html");
  for (const char* part : {"Not anonymous", "What is not promised", "Who attacks", "Exact copies of originals",
                           "<dt>g, t, w, rp, rq</dt><dd>Of a technique that mixes records: size of the random set,"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  const Json evidence = Json::parse(read(folder / "public-evidence/evidence.json"));
  EXPECT_EQ(evidence["exact_copies"], 0);
  EXPECT_EQ(evidence["verdict"].get<std::string>().rfind("Not anonymous", 0), 0U);
  EXPECT_FALSE(evidence["cells"].empty());
  EXPECT_EQ(read(folder / "public/labels.csv").substr(0, 14), "id,mood,mouth\n");
  ASSERT_EQ(run(command + "again --evidence elsewhere --json").json()["traceable"], true);
  for (const char* inside : {"third", "third/evidence", "./third/../third/evidence"}) {
    EXPECT_EQ(run(command + "third --evidence " + inside).status, 2) << inside;
    EXPECT_FALSE(std::filesystem::exists(folder / "third"));
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "elsewhere/evidence.html"));
  EXPECT_FALSE(std::filesystem::exists(folder / "again-evidence"));
  EXPECT_NE(read(folder / "public/templates.npy"), read(folder / "again/templates.npy"));
  EXPECT_EQ(run("inspect public").status, 0);
}

TEST_F(ReleaseCommand, RefusesWhatWouldGiveRecordsAway) {
  for (const std::string flags : {":g=1 people", ":g=8 people --enrolments 2", ":g=8 people --keep identity=1%"}) {
    const CommandResult outcome =
        run("protect utility-preserving" + flags + " --release --attribute mood --out public");
    EXPECT_EQ(outcome.status, 2) << flags << outcome.err;
    EXPECT_NE(outcome.err.find("error: "), std::string::npos) << outcome.err;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      EXPECT_EQ(entry.path().filename(), "people") << flags;  // nothing is left behind
    }
  }
}

// The defect that this ends: a column of names that is not called one.
TEST_F(ReleaseCommand, NamesAreNotPublishedUnderAnotherTitle) {
  SKIP_WITHOUT_TRAINING();
  std::istringstream before(read(folder / "people/labels.csv"));
  std::string labels, line;
  for (std::size_t row = 0; std::getline(before, line); ++row) {
    labels += line + (row == 0 ? ",name" : ",Ann Smith " + std::to_string((row - 1) / 4)) + "\n";
  }
  write("people/labels.csv", labels);
  const std::string command =
      "protect utility-preserving:g=8 people --release --attribute mood --keep name=0 --out public";
  const CommandResult refused = run(command);
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("60 of 60 combinations of their values belong to fewer than 5 people each, 60 people in "
                             "all; alone: 60 of 60 values of 'name'"),
            std::string::npos)
      << refused.err;
  // Nobody searches first.
  EXPECT_EQ(run(command + " --target-mixture 0.999").err, refused.err);
  EXPECT_EQ((refused.err + refused.out).find("Smith"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "public"));
  EXPECT_FALSE(std::filesystem::exists(folder / "public-evidence"));
  const CommandResult general = run(command + " --rare generalise --k 4");
  ASSERT_EQ(general.status, 0) << general.err;
  EXPECT_EQ(read(folder / "public/labels.csv").find("Smith"), std::string::npos);
  EXPECT_NE(general.out.find("60 belonged to fewer: 240 values were generalised"), std::string::npos) << general.out;
  const std::string page = read(folder / "public-evidence/evidence.html");
  EXPECT_NE(page.find("60 combinations belonged to fewer than 4 people each"), std::string::npos);
  EXPECT_EQ(page.find("Smith"), std::string::npos);
  const Json evidence = Json::parse(read(folder / "public-evidence/evidence.json"));
  EXPECT_EQ(evidence["rare"], "generalise");
  EXPECT_EQ(evidence["labels"]["rare_people"], 60);
  EXPECT_GE(evidence["labels"]["smallest"], 4);
}

TEST_F(ReleaseCommand, NobodyIsOverlookedBecauseTheirNamesAre) {
  const CommandResult mistyped = run("protect csn people --identity identitty --release --keep mood --out public");
  EXPECT_EQ(mistyped.status, 2);
  EXPECT_NE(mistyped.err.find("has no column 'identitty'"), std::string::npos) << mistyped.err;
  // Sixty people with four samples each are not 240.
  const std::string unnamed = "protect csn people --identity none --release --keep mood --out public";
  const CommandResult contradicted = run(unnamed);
  EXPECT_EQ(contradicted.status, 2);
  EXPECT_NE(contradicted.err.find("column 'identity' names 60 people in 240 samples"), std::string::npos)
      << contradicted.err;
  // Nor because another column tells samples apart.
  const CommandResult samples = run("protect csn people --identity id --release --keep mood --out public");
  EXPECT_EQ(samples.status, 2);
  EXPECT_NE(samples.err.find("--identity id: column 'identity' names 60 people in 240 samples"), std::string::npos)
      << samples.err;
  std::string labels = read(folder / "people/labels.csv");
  ASSERT_EQ(labels.find("identity"), labels.rfind("identity"));
  labels.replace(labels.find("identity"), 8, "whatever");
  write("people/labels.csv", labels);
  EXPECT_EQ(run(unnamed).status, 0) << run(unnamed).err;
}

TEST_F(ReleaseCommand, NoTechniqueWritesNamesOrColumnsThatNobodyAskedFor) {
  const CommandResult plain = run("protect csn people --release --out noisy");
  ASSERT_EQ(plain.status, 0) << plain.err;
  EXPECT_EQ(read(folder / "noisy/labels.csv").substr(0, 10), "id\n000001\n");
  EXPECT_NE(plain.out.find("no labels are released"), std::string::npos) << plain.out;
  const CommandResult kept = run("protect csn people --release --keep mood,mouth --out kept --json");
  ASSERT_EQ(kept.status, 0) << kept.err;
  EXPECT_EQ(read(folder / "kept/labels.csv").substr(0, 14), "id,mood,mouth\n");
  EXPECT_EQ(kept.json()["labels"]["combinations"], 4);
  for (const std::string flags : {"--keep identity", "--keep nothing", "--keep mood --k 1", "--enrolments 2"}) {
    EXPECT_EQ(run("protect csn people --release --out x " + flags).status, 2) << flags;
  }
  EXPECT_EQ(run("protect csn people --keep mood --out x").status, 2);
  EXPECT_EQ(run("protect csn people --k 3 --out x").status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
}

// Names of files are numbers of the new order: 0001.pgm of the first person is not the first in it, but by chance.
TEST_F(ReleaseCommand, MediaLeaveTheirNamesAtHome) {
  ASSERT_EQ(run("synth faces --identities 12 --samples 4 --out faces").status, 0);
  const CommandResult outcome = run("protect pixelate:cells=4 faces --release --out public");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  ASSERT_EQ(run("protect pixelate:cells=4 faces --out masked").status, 0);
  const std::string labels = read(folder / "public/labels.csv");
  EXPECT_EQ(labels.substr(0, 8), "id,file\n");
  EXPECT_EQ(std::count(labels.begin(), labels.end(), '\n'), 49);
  EXPECT_NE(labels.find("000048,000048.png"), std::string::npos) << labels;
  std::size_t in_place = 0;
  std::multiset<std::string> before, after;
  for (int i = 1; i <= 48; ++i) {
    char name[16];
    std::snprintf(name, sizeof name, "%06d.png", i);
    before.insert(read(folder / "masked" / name));
    after.insert(read(folder / "public" / name));
    in_place += read(folder / "masked" / name) == read(folder / "public" / name);
  }
  EXPECT_EQ(before, after);
  EXPECT_LT(in_place, 24U);  // one on average
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
  EXPECT_NE(refused.err.find("--target-mixture 0.99: is not reached: the best of 2 settings is g=2,t="),
            std::string::npos)
      << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "public"));
  EXPECT_EQ(run("protect pe-miu people --target-mixture 0.9 --out x").status, 2);
}

}  // namespace
}  // namespace bauta
