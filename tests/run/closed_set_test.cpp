#include <fstream>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/run/evaluate.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

class ClosedSetRun : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) /
             (std::string("bauta_closed_set_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
    write_data(40, 20);
    write(
        "[data]\ntarget = \"data\"\nattribute = \"gender\"\nkeep = { age = 0.5 }\n"
        "[protect]\ntechnique = [\"none\", \"utility-preserving:g=16,t=0.5,w=10,rp=0.05\"]\n"
        "[protocol]\nkind = \"closed-set\"\n[attack]\nrecogniser = [\"lda\"]\n"
        "[measure]\nbootstrap = 50\ntop = [1, 5]\n");
  }
  void write_data(std::size_t identities, std::size_t samples) const {
    SynthOptions options;
    options.identities = identities;
    options.samples = samples;
    options.dim = 24;
    options.attributes = {{"gender", 4, {"F", "M"}, {0.5, 0.5}}, {"age", 3, {"old", "young"}, {0.5, 0.5}}};
    fs::create_directories(folder / "data");
    write_dataset(folder / "data", synthesize_templates(options).dataset);
  }
  void write(const std::string& text) const { std::ofstream(folder / "e.toml") << text; }
  [[nodiscard]] Json run(const std::vector<std::string>& overrides = {}, const std::string& out = "run") const {
    (void)evaluate(read_experiment(folder / "e.toml", overrides), {folder / out, 1, 1 << 24});
    std::ifstream file(folder / out / "results.json");
    return Json::parse(file);
  }
  static const Json& attacker(const Json& cell, const std::string& name) {
    for (const Json& one : cell["values"]["attackers"]) {
      if (one["attacker"] == name) return one;
    }
    throw std::runtime_error(name);
  }
  fs::path folder;
};

TEST_F(ClosedSetRun, MeasuresUtilityMixtureAndLinkage) {
  const Json results = run();
  ASSERT_EQ(results["cells"].size(), 2U);
  const Json& clear = results["cells"][0];
  const Json& hidden = results["cells"][1];
  ASSERT_EQ(hidden["status"], "done") << hidden["error"];
  const Json& values = hidden["values"];
  EXPECT_EQ(values["records"], 200);  // a quarter of 800
  EXPECT_EQ(values["identities"], 40);
  EXPECT_EQ(values["exact_copies"], 0);
  EXPECT_EQ(clear["values"]["exact_copies"], 200);
  EXPECT_EQ(values["parameters"]["t_used"], 0.5);
  // Nothing is mixed in clear data: the nearest is the record itself.
  EXPECT_EQ(attacker(clear, "nearest")["mixture"], 0);
  // Planted: classes four deviations apart; the best rule is right in Phi(2) = 97.7 % of the cases.
  const Json& gender = clear["values"]["utility"]["attributes"][0];
  EXPECT_GT(gender["accuracy"].get<double>(), 0.9);
  EXPECT_EQ(gender["role"], "interest");
  const Json& age = values["utility"]["attributes"][1];
  EXPECT_EQ(age["alpha"], 0.5);
  const Json& interest = values["utility"]["attributes"][0];
  EXPECT_NEAR(values["utility"]["value"].get<double>(),
              interest["accuracy"].get<double>() + 0.5 * age["accuracy"].get<double>(), 1e-12);
  // Who knows more misses less, and guessing misses most.
  const double likelihood = attacker(hidden, "likelihood")["mixture"];
  EXPECT_LT(likelihood, attacker(hidden, "nearest")["mixture"].get<double>());
  EXPECT_LT(likelihood, attacker(hidden, "likelihood")["chance"].get<double>());
  EXPECT_GT(attacker(hidden, "likelihood")["null"]["mixture"].get<double>(), 0.95);
  const Json& survives = values["survives"];
  ASSERT_EQ(survives.size(), 2U);
  EXPECT_EQ(survives[0]["attacker"], "likelihood");
  EXPECT_EQ(survives[0]["informed"], likelihood);
  EXPECT_EQ(results["headline"]["about"], "identity");
  EXPECT_EQ(results["headline"]["technique"], hidden["key"]["technique"]);
}

TEST_F(ClosedSetRun, SweepsAreGridsInTheOrderOfTheFile) {
  write(
      "[data]\ntarget = \"data\"\nattribute = \"gender\"\nkeep = [\"age\"]\n"
      "[protect]\ntechnique = \"utility-preserving:g=8\"\n"
      "[[protect.sweep]]\nw = [10, 100]\nrp = [0.05, 0.5, 1.0]\n[[protect.sweep]]\nrq = [0, 0.1]\n"
      "[protocol]\nkind = \"closed-set\"\n[attack]\nrecogniser = \"lda\"\n[measure]\nbootstrap = 0\n");
  const Json results = run();
  const Json& sweeps = results["sweeps"];
  ASSERT_EQ(sweeps.size(), 2U);
  EXPECT_EQ(sweeps[0]["axes"][0]["name"], "w");
  EXPECT_EQ(sweeps[0]["axes"][1]["values"], (Json{"0.05", "0.5", "1"}));
  EXPECT_EQ(sweeps[0]["techniques"], (Json{"utility-preserving:g=8,w=10,rp=0.05", "utility-preserving:g=8,w=10,rp=0.5",
                                           "utility-preserving:g=8,w=10,rp=1", "utility-preserving:g=8,rp=0.05",
                                           "utility-preserving:g=8,rp=0.5", "utility-preserving:g=8,rp=1"}));
  EXPECT_EQ(sweeps[1]["techniques"],
            (Json{"utility-preserving:g=8,keep=age=0", "utility-preserving:g=8,keep=age=0.1"}));
  EXPECT_EQ(results["cells"].size(), 9U);  // the technique itself, six and two
  for (const Json& cell : results["cells"]) EXPECT_EQ(cell["status"], "done") << cell["error"];
  // Of 24 features: one for the attribute of interest, and 10 % of them for the other or none.
  const auto retained = [&](std::size_t i) { return results["cells"][i]["values"]["parameters"]["retained"]; };
  EXPECT_EQ(retained(7), 1);
  EXPECT_EQ(retained(8), 3);
  EXPECT_EQ(results["cells"][8]["values"]["parameters"]["rq"]["age"], 0.1);
}

TEST_F(ClosedSetRun, WhoHasNoClassIsJudgedNeitherInTheValueNorInItsInterval) {
  Dataset data = read_dataset(folder / "data");
  std::vector<std::string> ages = data.labels.column("age");
  for (std::size_t row = 0; row < ages.size(); row += 2) ages[row].clear();
  data.labels.replace_column("age", ages);
  write_dataset(folder / "data", data);
  const Json results = run({"measure.bootstrap=200"});
  for (const Json& cell : results["cells"]) {
    ASSERT_EQ(cell["status"], "done") << cell["error"];
    const Json& age = cell["values"]["utility"]["attributes"][1];
    EXPECT_LE(age["ci"][0].get<double>(), age["accuracy"].get<double>());
    EXPECT_GE(age["ci"][1].get<double>(), age["accuracy"].get<double>());
  }
  // Three deviations apart: the best rule is right in Phi(1.5) = 93 % of those who have a class.
  EXPECT_GT(results["cells"][0]["values"]["utility"]["attributes"][1]["accuracy"].get<double>(), 0.8);
  // What attackers reach on clear data is measured: there everybody finds the record.
  for (const Json& one : results["cells"][1]["values"]["attackers"]) {
    if (one["question"] == "record") {
      EXPECT_EQ(one["clear"]["mixture"], 0) << one["attacker"];
    }
  }
}

TEST_F(ClosedSetRun, RecordsWithoutIdentitiesAreLinkedToo) {
  write_data(300, 1);
  const Json results = run();
  const Json& values = results["cells"][1]["values"];
  EXPECT_EQ(values["one_record_per_identity"], true);
  for (const Json& one : values["attackers"]) EXPECT_EQ(one["question"], "record");
  EXPECT_EQ(values["survives"].size(), 1U);
}

TEST_F(ClosedSetRun, ResumesAndDoesNotDependOnThreads) {
  set_threads(1);
  const Json one = run();
  set_threads(3);
  const Json three = run({}, "other");
  set_threads(0);
  EXPECT_EQ(one["cells"], three["cells"]);
  const EvaluateSummary again = evaluate(read_experiment(folder / "e.toml"), {folder / "run", 1, 1 << 24});
  EXPECT_EQ(again.computed, 0U);
}

TEST_F(ClosedSetRun, MediaAreExtractedAndFailuresAreCounted) {
  // Sixty small grey pictures of fifteen people, one of them damaged.
  const fs::path media = folder / "media";
  fs::create_directories(media);
  std::ofstream labels(media / "labels.csv");
  labels << "file,identity,gender\n";
  Stream stream(1, "pictures");
  for (int i = 0; i < 60; ++i) {
    const std::string name = std::to_string(i) + ".pgm";
    std::ofstream picture(media / name, std::ios::binary);
    picture << "P5\n8 8\n255\n";
    for (int k = 0; k < (i == 7 ? 10 : 64); ++k) {
      picture.put(static_cast<char>(100 + (i % 2) * 60 + static_cast<int>(stream.below(40)) + (k == i / 4 ? 50 : 0)));
    }
    labels << name << ",p" << i / 4 << "," << (i % 2 == 0 ? "F" : "M") << "\n";
  }
  labels.close();
  EXPECT_THROW(run({"data.target=media", "data.keep={}"}), Error);  // nothing says how
  const Json results =
      run({"data.target=media", "data.keep={}", "extract.representation=[\"pixels:size=8\", \"pixels:size=4\"]",
           "protect.technique=[\"none\", \"utility-preserving:g=4\"]"});
  ASSERT_EQ(results["cells"].size(), 4U);
  for (const Json& cell : results["cells"]) {
    ASSERT_EQ(cell["status"], "done") << cell["error"];
    EXPECT_EQ(cell["values"]["failures"], 1);
  }
  EXPECT_EQ(results["cells"][2]["values"]["parameters"]["features"], 64);
  EXPECT_EQ(results["cells"][3]["values"]["parameters"]["features"], 16);
  // Other content under the same names is new data.
  std::ofstream(media / "3.pgm", std::ios::binary) << "P5\n1 1\n255\nx";
  const EvaluateSummary again =
      evaluate(read_experiment(folder / "e.toml", {"data.target=media", "data.keep={}",
                                                   "extract.representation=pixels:size=8", "protect.technique=none"}),
               {folder / "run", 1, 1 << 24});
  EXPECT_EQ(again.computed, 1U);
}

TEST_F(ClosedSetRun, VariantsReplaceWhatTheyName) {
  write(
      "[data]\ntarget = \"data\"\nattribute = \"gender\"\n[protocol]\nkind = \"closed-set\"\n"
      "[measure]\nbootstrap = 0\n[variant.second.data]\nattribute = \"age\"\n"
      "[variant.second.protect]\ntechnique = \"utility-preserving\"\n"
      "[[variant.second.protect.sweep]]\nw = [10]\nrp = [0.1]\n[variant.first]\nmeasure.top = [3]\n");
  const fs::path file = folder / "e.toml";
  EXPECT_EQ(experiment_variants(file), (std::vector<std::string>{"second", "first"}));
  EXPECT_THROW(read_experiment(file), Error);
  EXPECT_THROW(read_experiment(file, {}, "third"), Error);
  const Experiment second = read_experiment(file, {}, "second");
  EXPECT_EQ(second.setting.attributes, (std::vector<std::string>{"age"}));
  EXPECT_EQ(second.setting.keys["measure"]["bootstrap"], 0);
  ASSERT_EQ(second.sweeps.size(), 1U);
  EXPECT_EQ(second.sweeps[0].axes[0].name, "w");  // as in the file, not by the alphabet
  EXPECT_EQ(second.setting.keys["measure"]["top"].size(), 6U);
  const Experiment first = read_experiment(file, {"measure.bootstrap=7"}, "first");
  EXPECT_EQ(first.setting.attributes, (std::vector<std::string>{"gender"}));
  EXPECT_EQ(first.setting.keys["measure"]["top"], (Json{3}));
  EXPECT_EQ(first.setting.keys["measure"]["bootstrap"], 7);
}

TEST_F(ClosedSetRun, RefusesWhatHasNoPlaceInIt) {
  const auto refused = [&](const std::vector<std::string>& changes, const std::string& part) {
    try {
      (void)run(changes);
      ADD_FAILURE() << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused({"data.attacker=data"}, "data.attacker");
  refused({"data.attribute=[\"gender\", \"age\"]"}, "2 attributes");
  refused({"data.keep=[\"gender\"]"}, "attribute of interest");
  refused({"data.keep=[\"size\"]"}, "size");
  refused({"attack.similarity={rule=\"mean\"}"}, "similarity");
  refused({"protocol.test=1.5"}, "rate");
  refused({"protocol.kind=cross-database", "protect.technique=none"}, "closed set only");
  refused({"measure.top=[0]"}, "1 or more");
}

}  // namespace
}  // namespace bauta
