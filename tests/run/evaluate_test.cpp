#include "bauta/run/evaluate.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

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
