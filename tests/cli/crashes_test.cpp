// What made the program fall over once: each ends with a status of its own and one message.
#include <cmath>
#include <fstream>
#include <regex>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include "../training.hpp"
#include "program.hpp"

namespace bauta {
namespace {

class Crashes : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("good/labels.csv", "identity,gender\na,F\na,F\nb,M\nb,M\n");
    write("good/templates.npy", npy("<f4", "(4, 2)", floats({1, 0, 1, 0.1F, 0, 1, 0.1F, 1})));
  }
  void expect_end(const std::string& arguments, int status, const std::string& said) const {
    const CommandResult outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << arguments << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.err.find("internal"), std::string::npos) << outcome.err;
  }
};

TEST_F(Crashes, ProbesOfAnotherWidth) {
  write("good/probes.npy", npy("<f4", "(4, 1)", floats({1, 0, 1, 0.1F})));
  expect_end("verify good", 2, "probes of 1");
}

TEST_F(Crashes, ParametersThatAreNoNumbersInThePrecisionOfTemplates) {
  expect_end("protect esn:distance=1e39 good --out x", 2, "1e39 is outside of");
}

/// Options of a command that take whole numbers, from its help.
std::vector<std::string> whole_number_options(const std::string& help) {
  std::vector<std::string> names;
  const std::regex option("\n +(?:-[a-z],)?(--[a-z-]+) U?INT");
  for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found) {
    names.push_back((*found)[1]);
  }
  return names;
}

// Of all commands and options, also of those that are still to come: --bootstrap -1 asked for 2^64 draws, --threads
// 100000 for as many stacks, and --seed -1 was taken for another number.
TEST_F(Crashes, WholeNumbersOfEveryOption) {
  std::size_t checked = 0;
  for (const std::string command :
       {"verify good", "attack similarity --attacker good --target good --attribute gender",
        "attack estimate --train good --test good --attribute gender",
        "attack online csn --attacker good --target good --attribute gender", "identify --enrol good --probe good",
        "inspect good", "protect csn good --out x", "recover average good --out x", "synth templates --out x",
        "synth voice --out x", "synth faces --out x", "unlinkability good good", "evaluate e.toml", "demo --out x",
        "extract pixels good --out x"}) {
    for (const std::string& option : whole_number_options(run(command + " --help").out)) {
      for (const char* value : {"-1", "99999999999999999999", "1.5", "1e3", "0x10", "3x", "''"}) {
        const CommandResult outcome = run(command + " " + option + " " + value);
        EXPECT_EQ(outcome.status, 2) << command << " " << option << " " << value << "\n" << outcome.err;
        EXPECT_NE(outcome.err.find(option), std::string::npos) << outcome.err;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 7U * 30);
  expect_end("verify good --threads 100000", 2, "--threads");
  EXPECT_EQ(run("verify good --bootstrap 0 --seed 18446744073709551615").status, 0);
}

TEST_F(Crashes, CountsInExperimentFiles) {
  for (const char* count : {"-1", "9000000000000000000", "1.5"}) {
    write("e.toml", std::string("[data]\ntarget = \"good\"\n[measure]\nbootstrap = ") + count + "\n");
    expect_end("evaluate e.toml --out run", 2, "bootstrap");
  }
}

TEST_F(Crashes, NamesThatAreNotUtf8) {
  std::filesystem::copy(folder / "good", folder / "p\xff");
  expect_end("protect csn p\xff --out x --json", 2, "argument 3: is not UTF-8");
  expect_end("protect csn good --out x\xff --json", 2, "is not UTF-8");
}

TEST_F(Crashes, OutputThatIsLost) {
  for (const char* command : {"list", "--help", "verify good --bootstrap 0 --json", "verify good --bootstrap 0"}) {
    for (const char* where : {" 1>/dev/full", " 1>&-"}) {
      // The last redirection counts, so the one of run() must come before.
      const std::string err = (folder / "said").string();
      const std::string line = "cd '" + folder.string() + "' && '" BAUTA_PROGRAM "' " + command + where + " 2> " + err;
      const int status = std::system(line.c_str());
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << line << " " << status;
      EXPECT_EQ(read(err).find("error: stdout: cannot be written: "), 0U) << line << "\n" << read(err);
    }
  }
}

// What is printed must not end up in the first file that is opened.
TEST_F(Crashes, ClosedStreamsAreNotTakenByFiles) {
  const std::string line = "cd '" + folder.string() + "' && '" BAUTA_PROGRAM "' protect csn good --out ";
  (void)std::system((line + "closed <&- >&- 2>&-").c_str());
  ASSERT_EQ(std::system((line + "open > /dev/null").c_str()), 0);
  for (const char* name : {"templates.npy", "labels.csv", "dataset.toml"}) {
    EXPECT_EQ(read(folder / "closed" / name), read(folder / "open" / name)) << name;
  }
}

TEST_F(Crashes, FilesWithoutEnd) {
  expect_end("evaluate /dev/zero --out run", 2, "neither a file nor a pipe");
  expect_end("verify --scores /dev/zero", 2, "neither a file nor a pipe");
  write("large.toml", std::string(1 << 20, '#'));
  expect_end("evaluate large.toml --out run", 2, "larger than");
}

TEST_F(Crashes, KeysThatAreNoSecret) {
  write("key", "0f1c77aa3b5e9d2468c0e1f3b7a5d9c2143658a7b9c8d0e2f41a3c5e7f90b1d3");
  ASSERT_EQ(::chmod((folder / "key").c_str(), 0644), 0);
  expect_end("protect biohash:keyfile=key good --out x", 2, "by others");
  ASSERT_EQ(::chmod((folder / "key").c_str(), 0600), 0);
  const CommandResult secret = run("protect biohash:keyfile=key good --out secret");
  EXPECT_EQ(secret.status, 0);
  EXPECT_EQ(secret.err.find("public"), std::string::npos) << secret.err;
  write("key", "the quick brown fox jumps, 2 dog");
  expect_end("protect biohash:keyfile=key good --out x", 2, "no key");
  expect_end("protect biohash good --out seeded", 0, "warning: biohash: its key comes from the seed and is public");
  const CommandResult released = run("protect csn good --out plain");
  EXPECT_EQ(released.err.find("public"), std::string::npos) << released.err;
}

// Killed between its evidence and its data, a release refused to write over its own evidence.
TEST_F(Crashes, AReleaseThatWasKilled) {
  SKIP_WITHOUT_TRAINING();
  std::string labels = "identity,gender\n";
  std::vector<float> values;
  for (int i = 0; i < 48; ++i) {
    labels += "p" + std::to_string(i / 2) + (i % 4 < 2 ? ",F\n" : ",M\n");
    // No mean of whole numbers, which may be another record's by chance.
    for (int j = 0; j < 3; ++j) values.push_back(std::sin(static_cast<float>(1 + i * 7 + j * 13)));
  }
  write("people/labels.csv", labels);
  write("people/templates.npy", npy("<f4", "(48, 3)", floats(values)));
  const std::string release =
      "protect utility-preserving:ranking=fisher,g=4,w=10 people --attribute gender --release --out released";
  write("released-evidence/.bauta-provisional", "");
  write("released-evidence/results.json", "{}");
  EXPECT_EQ(run(release).status, 0) << run(release).err;
  EXPECT_FALSE(std::filesystem::exists(folder / "released-evidence/.bauta-provisional"));
  EXPECT_TRUE(std::filesystem::exists(folder / "released-evidence/evidence.html"));
  EXPECT_EQ(run(release).status, 2);
}

}  // namespace
}  // namespace bauta
