#include "bauta/run/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/data/synth_templates.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

class Evaluate : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) /
             (std::string("bauta_evaluate_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
    SynthOptions options;
    options.identities = 60;
    options.samples = 2;
    options.dim = 16;
    options.attributes = {{"gender", 4, {"F", "M"}, {0.5, 0.5}}};
    const Dataset all = synthesize_templates(options).dataset;
    for (const bool attacker : {true, false}) {
      std::vector<std::size_t> rows;
      for (std::size_t i = attacker ? 0 : 60; i < (attacker ? 60U : 120U); ++i) rows.push_back(i);
      const fs::path part = folder / (attacker ? "attacker" : "target");
      fs::create_directories(part);
      write_dataset(part, all.select(rows));
    }
    write("e.toml", text);
  }
  void write(const std::string& name, const std::string& content) const { std::ofstream(folder / name) << content; }
  [[nodiscard]] Json results() const {
    std::ifstream file(folder / "run/results.json");
    return Json::parse(file);
  }
  [[nodiscard]] EvaluateSummary run(const std::vector<std::string>& overrides = {}) const {
    return evaluate(read_experiment(folder / "e.toml", overrides), {folder / "run", 1, 1 << 24});
  }

  const std::string text =
      "[data]\ntarget = \"target\"\nattacker = \"attacker\"\nattribute = \"gender\"\n"
      "[protect]\ntechnique = [\"none\", \"pe-miu:block=4\"]\n"
      "[attack]\nsimilarity = { rule = [\"mean\"], n = [1, 3] }\n"
      "[measure]\nbootstrap = 20\n";
  fs::path folder;
};

TEST_F(Evaluate, WritesTheGridAndItsHeadline) {
  const EvaluateSummary summary = run();
  EXPECT_EQ(summary.cells, 6U);  // two techniques times (verify target, verify attacker, similarity)
  EXPECT_EQ(summary.failed, 0U);
  const Json json = results();
  EXPECT_EQ(json["seed"], 1);
  EXPECT_EQ(json["techniques"], Json::parse(R"([{"technique": "pe-miu:block=4",
      "guarantee": {"kind": "none", "text": "no formal guarantee"}, "in_pixels": {}, "in_pixels_text": ""}])"));
  EXPECT_EQ(json["cells"].size(), 6U);
  EXPECT_EQ(json["cells"][2]["key"],
            (Json{{"question", "similarity"}, {"technique", "none"}, {"attribute", "gender"}}));
  EXPECT_EQ(json["cells"][5]["values"]["results"].size(), 2U);
  EXPECT_EQ(json["headline"]["technique"], "pe-miu:block=4");
  EXPECT_EQ(json["headline"]["on_clear"]["value"], json["cells"][2]["values"]["best"]["balanced"]);
  // Every rule is a finding, and the strongest of all stands in the headline with an interval that allows for the
  // choice.
  EXPECT_EQ(json["cells"][5]["findings"].size(), 2U);
  EXPECT_EQ(json["headline"]["strongest"]["value"], json["cells"][5]["values"]["best"]["balanced"]);
  EXPECT_TRUE(json["headline"]["ci"].is_array());
  EXPECT_FALSE(json["cells"][5]["findings"][0].contains("draws"));
}

// Each role goes through the program by itself: 60 targets and 60 people of the attackers. It writes all rows but the
// last (16 floats, 64 bytes) and breaks off, or says itself that it could not do the third.
TEST_F(Evaluate, TemplatesThatATechniqueLostAreListedHoweverOftenTheRunIsStopped) {
  write("crash.sh", "echo run >> " + (folder / "log").string() +
                        "\ncp \"$1\"/templates.npy \"$2\"\ntruncate -s -64 \"$2\"/templates.npy\n"
                        "head -c 64 /dev/zero >> \"$2\"/templates.npy\nkill -9 $$\n");
  write(
      "mark.sh",
      "cp \"$1\"/templates.npy \"$2\"\n"
      "awk 'NR == 1 {print \"id,failed\"} NR > 1 {print $1 \",\" (NR == 4)}' \"$1\"/labels.csv > \"$2\"/labels.csv\n");
  const std::string crash = "command:run=sh crash.sh {in} {out}", mark = "command:run=sh mark.sh {in} {out}";
  const Experiment experiment =
      read_experiment(folder / "e.toml", {"protect.technique=[\"" + crash + "\", \"" + mark + "\"]"});
  const EvaluateOptions options{.out = folder / "run", .memory = 1 << 24, .keep_steps = true};
  EXPECT_EQ(evaluate(experiment, options).failed, 0U);
  const auto contents = [&](const std::string& name) {
    std::stringstream all;
    all << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return all.str();
  };
  std::map<std::string, Json> found;  // by role and reason
  const Json lost = results()["lost"];
  for (const Json& entry : lost) {
    EXPECT_EQ(entry["failed"], 1);
    EXPECT_EQ(entry["samples"], 60);
    EXPECT_EQ(entry["extractor"], "");
    EXPECT_FALSE(entry["unprotected"]);
    EXPECT_FALSE(entry.contains("rotation"));
    EXPECT_TRUE(entry["data"].get<std::string>().ends_with(entry["role"].get<std::string>()));
    ASSERT_EQ(entry["reasons"].size(), 1U);
    found[entry["role"].get<std::string>() + ": " + entry["reasons"][0]["reason"].get<std::string>()] =
        entry["reasons"][0]["rows"];
  }
  const std::string killed = ": the program was ended by signal 9 before it wrote this sample";
  EXPECT_EQ(found, (std::map<std::string, Json>{{"attacker" + killed, {60}},
                                                {"target" + killed, {60}},
                                                {"attacker: nothing was made of it", {3}},
                                                {"target: nothing was made of it", {3}}}));
  EXPECT_EQ(contents("log"), "run\nrun\n");
  const std::string before = contents("run/results.json");
  // Killed after the templates were masked, before any cell was done; then after the first.
  for (const bool one_is_done : {false, true}) {
    bool first = true;
    for (const auto& cell : fs::directory_iterator(folder / "run/cells")) {
      if (!one_is_done || !first) fs::remove(cell.path());
      first = false;
    }
    fs::remove(folder / "run/results.json");
    (void)evaluate(experiment, options);
    EXPECT_EQ(contents("run/results.json"), before);
  }
  EXPECT_EQ(contents("log"), "run\nrun\n");  // the program did not run again
}

// A data set that was masked elsewhere, where two failed. Nobody asks for some of its people by themselves: it is
// masked whole, and has no role.
TEST_F(Evaluate, SamplesThatFailedElsewhereAreListedByTheirRowsInTheData) {
  Dataset made = read_dataset(folder / "target");
  std::vector<bool> failed(made.size());
  failed[6] = failed[41] = true;
  made.mark_failed(failed);
  fs::create_directories(folder / "made");
  write_dataset(folder / "made", made);
  write("e.toml",
        "[data]\ntarget = \"target\"\n[protect]\ntechnique = [\"none\", \"precomputed:path=made\"]\n"
        "[measure]\nbootstrap = 20\n");
  EXPECT_EQ(run().failed, 0U);
  const Json lost = results()["lost"];
  ASSERT_EQ(lost.size(), 1U) << lost;
  EXPECT_EQ(lost[0]["samples"], 60);
  EXPECT_EQ(lost[0]["failed"], 2);
  EXPECT_FALSE(lost[0].contains("role"));
  EXPECT_EQ(lost[0]["reasons"], Json::parse(R"([{"reason": "nothing was made of it", "rows": [7, 42]}])"));
  fs::remove(folder / "run/results.json");
  EXPECT_EQ(run().computed, 0U);
  EXPECT_EQ(results()["lost"], lost);
}

// A clear reference adds cells and changes none; where it cannot be compared its cell says why.
TEST_F(Evaluate, VerificationWithClearReferences) {
  (void)run();
  const Json before = results();
  const EvaluateSummary summary = run(
      {"measure.reference=[\"masked\", \"clear\"]", "protect.technique=[\"none\", \"pe-miu:block=4\", \"biohash\"]"});
  EXPECT_EQ(summary.cells, 11U);
  EXPECT_EQ(summary.failed, 0U);
  const Json after = results();
  for (const Json& cell : before["cells"]) {
    EXPECT_NE(std::find(after["cells"].begin(), after["cells"].end(), cell), after["cells"].end()) << cell["key"];
  }
  std::size_t found = 0;
  for (const Json& cell : after["cells"]) {
    if (!cell["key"].contains("reference")) continue;
    ++found;
    if (cell["key"]["technique"] == "biohash") {
      EXPECT_TRUE(cell["findings"].empty());
      EXPECT_NE(cell["values"]["remarks"][0].get<std::string>().find("no comparator takes both"), std::string::npos);
      continue;
    }
    ASSERT_EQ(cell["status"], "done") << cell["error"];
    const Json& finding = cell["findings"][0];
    EXPECT_EQ(finding["about"], "identity");
    EXPECT_EQ(finding["axes"]["reference"], "clear");
    // The ceiling is what the same people reach unprotected.
    EXPECT_EQ(finding["clear"]["value"], before["cells"][0]["values"]["eer"]);
  }
  EXPECT_EQ(found, 2U);
}

// Numbers against bits: whoever asks, that is the answer, and no failure.
TEST_F(Evaluate, WhatCannotBeComparedIsRemarkedOnByEveryQuestion) {
  const std::vector<std::string> asked = {"protect.technique=biohash:length=8",
                                          "protocol.adversary=[\"naive\", \"parrot-50\", \"parrot\"]",
                                          "attack.estimator=knn", "attack.decision=[0.1]", "attack.controls=false"};
  EXPECT_EQ(run(asked).failed, 0U);
  std::map<std::string, std::size_t> remarked;
  const Json found = results();
  for (const Json& cell : found["cells"]) {
    const std::string adversary = cell["key"].value("adversary", "");
    if (adversary.empty() || adversary == "parrot") {
      EXPECT_FALSE(cell["findings"].empty()) << cell["key"];
      continue;
    }
    EXPECT_EQ(cell["status"], "done");
    EXPECT_TRUE(cell["findings"].empty()) << cell["key"];
    EXPECT_EQ(cell["values"],
              (Json{{"remarks",
                     {"16 float32 per template against 8 bits: no comparator takes both, and who learned "
                      "from one kind cannot read the other"}}}));
    ++remarked[cell["key"]["question"]];
  }
  EXPECT_EQ(remarked, (std::map<std::string, std::size_t>{{"similarity", 2}, {"decisions", 2}, {"estimate", 2}}));
  EXPECT_EQ(run(asked).computed, 0U);
}

// Attackers and targets that were never alike are a fault of the data.
TEST_F(Evaluate, DataOfOtherLengthsIsAFault) {
  Dataset longer = read_dataset(folder / "attacker");
  Matrix<float> rows(longer.size(), 17);
  for (std::size_t i = 0; i < rows.size(); ++i) rows.data()[i] = std::sin(static_cast<float>(i));
  longer.templates = Templates(std::move(rows));
  write_dataset(folder / "attacker", longer);
  const EvaluateSummary summary = run({"protect.technique=none", "measure.verification=false"});
  EXPECT_EQ(summary.cells, 1U);
  EXPECT_EQ(summary.failed, 1U);
}

// Known samples against those to be named, and a recovery that learned from other people; both only where asked for.
TEST_F(Evaluate, AClosedSetVerifiesAndRecoversWhereAskedTo) {
  SynthOptions options;
  options.identities = 80;
  options.samples = 8;
  options.dim = 16;
  options.attributes = {{"gender", 4, {"F", "M"}, {0.5, 0.5}}};
  const Dataset all = synthesize_templates(options).dataset;
  for (const bool known : {true, false}) {
    std::vector<std::size_t> rows(known ? 160 : 480);
    std::iota(rows.begin(), rows.end(), std::size_t{known ? 0U : 160U});
    fs::create_directories(folder / (known ? "known" : "others"));
    write_dataset(folder / (known ? "known" : "others"), all.select(rows));
  }
  const std::string asked =
      "[data]\ntarget = \"known\"\nbackground = \"others\"\nattribute = \"gender\"\n"
      "[protect]\ntechnique = [\"none\", \"random-projection\"]\n[protocol]\nkind = \"closed-set\"\n";
  write("e.toml", asked + "[measure]\nbootstrap = 20\n");
  (void)run();
  const Json unasked = results();
  for (const Json& cell : unasked["cells"]) EXPECT_NE(cell["key"]["question"], "verification");
  write("e.toml", asked +
                      "[attack]\nrecovery = \"ridge\"\nrecogniser = \"nearest\"\n[measure]\nbootstrap = 20\n"
                      "reference = [\"masked\", \"clear\"]\nunlinkability = true\n");
  (void)run();
  const Json answered = results();
  std::map<std::string, Json> cells;
  for (const Json& cell : answered["cells"]) {
    const Json& key = cell["key"];
    ASSERT_EQ(cell["status"], "done") << key << cell["error"];
    cells[key["question"].get<std::string>() + " " + key["technique"].get<std::string>() + " " +
          key.value("reference", "")] = cell;
  }
  const Json& clear = cells.at("verification none ");
  EXPECT_EQ(clear["key"]["data"], "probe");
  EXPECT_EQ(clear["values"]["mated"], 20 * 6 * 2);  // a quarter of eight samples are probes
  EXPECT_EQ(cells.at("verification random-projection ")["findings"][0]["about"], "recognition");
  const Json& searched = cells.at("verification random-projection clear");
  EXPECT_EQ(searched["findings"][0]["clear"]["value"], clear["values"]["eer"]);
  EXPECT_EQ(cells.at("unlinkability random-projection ")["values"]["identities"], 20);
  // A linear map is undone by regression: what comes back is recognised nearly as clear data is.
  const Json& recovered = cells.at("recovery random-projection ")["values"]["recognition"];
  EXPECT_NEAR(recovered["recovered"]["eer"], recovered["clear"]["eer"].get<double>(), 0.1);
  // A second split brings comparisons of its own; whoever was undone is the same.
  (void)run({"protocol.repeats=2"});
  const Json repeated = results();
  for (const Json& cell : repeated["cells"]) {
    ASSERT_EQ(cell["status"], "done") << cell["key"] << cell["error"];
    if (cell["key"]["question"] == "verification") {
      EXPECT_EQ(cell["values"]["mated"], 2 * 20 * 6 * 2);
      EXPECT_EQ(cell["values"]["identities"], 20);
    }
    if (cell["key"]["question"] == "recovery") {
      EXPECT_EQ(cell["values"]["samples"], 160);
    }
  }
}

TEST_F(Evaluate, ComputesOnlyWhatIsNew) {
  EXPECT_EQ(run().computed, 6U);
  EXPECT_EQ(run().computed, 0U);
  // Another bootstrap touches every cell, another n only the attacks, a further technique only its own cells.
  EXPECT_EQ(run({"attack.similarity.n=[1]"}).computed, 2U);
  EXPECT_EQ(run({"protect.technique=[\"none\", \"csn\"]"}).computed, 3U);
  EXPECT_EQ(run({"measure.bootstrap=21"}).computed, 6U);
  EXPECT_EQ(run().computed, 0U);
}

TEST_F(Evaluate, OverridesTakePlainWordsOfAnyLanguage) {
  for (const char* title : {"Éva", "\"Éva\""}) {
    EXPECT_EQ(read_experiment(folder / "e.toml", {std::string("report.title=") + title}).title, "Éva");
  }
}

TEST_F(Evaluate, ADamagedCellIsComputedAgain) {
  EXPECT_EQ(run().computed, 6U);
  const std::string before = results().dump();
  std::ofstream(fs::directory_iterator(folder / "run/cells")->path()) << "{\"key\": ";
  EXPECT_EQ(run().computed, 1U);
  EXPECT_EQ(results().dump(), before);
}

// What lies in a run's folder counts only as it was written, and under the name that it was written to.
TEST_F(Evaluate, AnEditedCellIsNotBelieved) {
  EXPECT_EQ(run().computed, 6U);
  const std::string before = results().dump();
  std::vector<fs::path> cells;
  for (const auto& entry : fs::directory_iterator(folder / "run/cells")) cells.push_back(entry.path());
  const auto text_of = [](const fs::path& path) {
    std::stringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
  };
  std::ofstream(cells[0]) << "{}";
  std::string edited = text_of(cells[1]);
  char& digit = edited[edited.find("\"value\": 0.") + 11];
  digit = digit == '1' ? '2' : '1';
  std::ofstream(cells[1]) << edited;
  std::ofstream(cells[2]) << text_of(cells[3]);  // a cell that answers another question
  EXPECT_EQ(run().computed, 3U);
  EXPECT_EQ(results().dump(), before);
}

// Such a run ended in a crash, waited for ever, took all memory, or could not go on.
TEST_F(Evaluate, WhatIsNoCellIsReplaced) {
  EXPECT_EQ(run().computed, 6U);
  const std::string before = results().dump();
  std::vector<fs::path> cells;
  for (const auto& entry : fs::directory_iterator(folder / "run/cells")) cells.push_back(entry.path());
  for (const fs::path& cell : cells) fs::remove(cell);
  std::ofstream(cells[0]) << R"({"digest":"x","cell":)" << std::string(200000, '[') << std::string(200000, ']') << "}";
  ASSERT_EQ(::mkfifo(cells[1].c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", cells[2]);
  fs::create_directories(cells[3] / "inner");
  fs::create_symlink("/no/such/file", cells[4]);
  testing::internal::CaptureStderr();
  EXPECT_EQ(run().computed, 6U);
  const std::string said = testing::internal::GetCapturedStderr();
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NE(said.find(cells[i].string() + " was changed from outside"), std::string::npos) << i;
  }
  EXPECT_EQ(run().computed, 0U);
  EXPECT_EQ(results().dump(), before);
  for (const fs::path& cell : cells) EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(cell)));
}

TEST_F(Evaluate, OfFewDrawsThereIsARemark) {
  const auto said = [&](const std::string& draws) {
    testing::internal::CaptureStderr();
    (void)run({"measure.bootstrap=" + draws, "protect.technique=[\"none\"]"});
    const std::string warned = testing::internal::GetCapturedStderr();
    const std::string remarks = results()["remarks"].dump();
    const std::string remark = "intervals of " + draws + " draws";
    EXPECT_EQ(warned.find(remark) != std::string::npos, remarks.find(remark) != std::string::npos) << draws;
    EXPECT_EQ(warned.find(remark), warned.rfind(remark)) << draws;
    return remarks.find(remark) != std::string::npos;
  };
  EXPECT_TRUE(said("2"));
  EXPECT_TRUE(said("99"));
  EXPECT_FALSE(said("100"));
  EXPECT_FALSE(said("0"));
}

// Where a key lies is nobody's business, nor is a digest of it: whoever has the results could try keys until one fits.
// The file stands for what is in it; a new one gives new answers.
TEST_F(Evaluate, AKeyIsCalledByNothingThatItHolds) {
  const auto key = [&](const std::string& name, const std::string& digit) {
    write(name, digit + "f1c77aa3b5e9d2468c0e1f3b7a5d9c2143658a7b9c8d0e2f41a3c5e7f90b1d3");
    fs::permissions(folder / name, fs::perms::owner_read | fs::perms::owner_write);
    return (folder / name).string();
  };
  const auto with_key = [&](const std::string& place) {
    return run({"protect.technique=[\"biohash:length=8,keyfile=" + place + "\"]", "attack.similarity={ n = [1] }"});
  };
  const std::string place = key("first.key", "a");
  EXPECT_EQ(with_key(place).computed, 3U);
  const Json first = results();
  EXPECT_EQ(first.dump().find("first.key"), std::string::npos);
  EXPECT_EQ(first.dump().find(file_digest(place).substr(0, 12)), std::string::npos);
  EXPECT_NE(first["cells"][0]["key"]["technique"].get<std::string>().find("keyfile=#"), std::string::npos);
  EXPECT_EQ(with_key(place).computed, 0U);
  EXPECT_EQ(results(), first);
  EXPECT_EQ(with_key(key("first.key", "b")).computed, 3U);
  EXPECT_NE(results()["cells"][0]["values"]["eer"], first["cells"][0]["values"]["eer"]);
}

TEST_F(Evaluate, ChangedDataIsNewData) {
  EXPECT_EQ(run().computed, 6U);
  std::string labels;
  {
    std::stringstream buffer;
    buffer << std::ifstream(folder / "target/labels.csv").rdbuf();
    labels = buffer.str();
  }
  labels.replace(labels.find("F"), 1, "M");
  std::ofstream(folder / "target/labels.csv") << labels;
  EXPECT_EQ(run().computed, 4U);  // the attacker's own recognition is untouched
}

// What the first removes in the end, the second would still read.
TEST_F(Evaluate, OneAtATimeWorksInAFolder) {
  (void)run();
  const int other = ::open((folder / "run").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  try {
    (void)run();
    ADD_FAILURE() << "two work in one folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::environment);
    EXPECT_NE(std::string(error.what()).find("another evaluation is at work"), std::string::npos) << error.what();
  }
  ::close(other);
  EXPECT_EQ(run().computed, 0U);
}

TEST_F(Evaluate, RefusesAFolderThatIsNoRun) {
  fs::create_directories(folder / "run");
  std::ofstream(folder / "run/thesis.tex") << "x";
  EXPECT_THROW((void)run(), Error);
  EXPECT_FALSE(fs::exists(folder / "run/cells"));
}

TEST_F(Evaluate, ChecksEverythingBeforeComputing) {
  EXPECT_THROW((void)run({"protect.technique=[\"none\", \"pe-miu:block=5\"]"}), Error);
  EXPECT_FALSE(fs::exists(folder / "run"));
  EXPECT_THROW((void)run({"data.attribute=gendre"}), Error);
  EXPECT_THROW((void)run({"data.attacker=target"}), Error);  // the leak guard
  for (const char* bad : {"measure.bootstap=1", "measure.fmr=[]", "protocol.kind=PEP-TF-3-1-1", "attack.estimator=knnn",
                          "attack.recogniser=x", "nonsense", "measure.bootstrap=-1"}) {
    EXPECT_THROW((void)run({bad}), Error) << bad;
  }
}

}  // namespace
}  // namespace bauta
