// What was made elsewhere, in whole runs: of one data set it does not become another's.
#include <fstream>

#include <gtest/gtest.h>

#include "../data/scratch.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/run/evaluate.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

class PrecomputedRun : public testing::Test {
 protected:
  /// Other people each, with the same ids.
  PrecomputedRun() {
    for (const std::uint64_t seed : {1, 2}) {
      SynthOptions options;
      options.identities = 30;
      options.samples = 2;
      options.dim = 8;
      options.seed = seed;
      options.attributes = {{"gender", 4, {"F", "M"}, {0.5, 0.5}}};
      Dataset data = synthesize_templates(options).dataset;
      std::vector<std::string> names, parts;
      for (const std::string& name : data.labels.column("identity")) {
        names.push_back(std::to_string(seed) + name);
        parts.emplace_back(std::stoul(name.substr(name.find_first_of("0123456789"))) % 3 == 0 ? "evaluation" : "other");
      }
      data.labels.replace_column("identity", names);
      data.labels.add_column("part", parts);
      const fs::path folder = scratch / ("T" + std::to_string(seed));
      fs::create_directories(folder);
      write_dataset(folder, data);
    }
  }
  [[nodiscard]] EvaluateSummary run(const std::string& data, const std::string& technique,
                                    const std::string& more = "") {
    scratch.write("e.toml", "[data]\nattribute = \"gender\"\n" + data + "\n[protect]\ntechnique = [\"none\", \"" +
                                technique + "\"]\n" + more + "[measure]\nbootstrap = 20\n");
    return evaluate(read_experiment(scratch / "e.toml"), {scratch / "run", 1, 1 << 24});
  }
  [[nodiscard]] Json results() const { return Json::parse(test::read_bytes(scratch / "run/results.json")); }

  const std::string both = "target = \"T1\"\nattacker = \"T2\"", attack = "[attack]\nsimilarity = { n = [1] }\n";
  const test::Scratch scratch;
};

TEST_F(PrecomputedRun, OtherPeopleGetNothingByTheirOrderNorByTheSameIds) {
  for (const char* made : {"precomputed:path=T1/templates.npy", "precomputed:path=T1"}) {
    const std::string refusal = test::error_of(Fault::input, [&] { (void)run(both, made, attack); });
    EXPECT_NE(refusal.find("T2"), std::string::npos) << refusal;
    EXPECT_FALSE(fs::exists(scratch / "run/results.json"));  // nothing was computed
  }
  // The target by itself is what it was made of, which the results say.
  EXPECT_EQ(run("target = \"T1\"", "precomputed:path=T1/templates.npy").failed, 0U);
  EXPECT_NE(results()["remarks"].dump().find("samples are taken in the order of"), std::string::npos);
}

TEST_F(PrecomputedRun, PartsOfOneDataSetGetTheirOwn) {
  const auto part = [](const std::string& name) { return "{ path = \"T1\", only = \"part=" + name + "\" }"; };
  const std::string parts = "target = " + part("evaluation") + "\nattacker = " + part("other");
  for (const char* made : {"precomputed:path=T1/templates.npy", "precomputed:path=T1"}) {
    EXPECT_EQ(run(parts, made, attack).failed, 0U) << made;
  }
  EXPECT_EQ(run("target = \"T1@1/2\"\nattacker = \"T1@2/2\"", "precomputed:path=T1/templates.npy", attack).failed, 0U);
  EXPECT_EQ(run("target = \"T1\"", "precomputed:path=T1/templates.npy",
                "[protocol]\nkind = \"PEP-TF-3-1-1\"\n[attack]\nestimator = \"logistic\"\n")
                .failed,
            0U);
}

TEST_F(PrecomputedRun, ContentsTellOtherPeopleApart) {
  Matrix<float> all(120, 8);
  for (std::size_t i = 0; i < 2; ++i) {
    const Templates own = read_dataset(scratch / ("T" + std::to_string(i + 1))).templates;
    for (std::size_t row = 0; row < 60; ++row) std::ranges::copy(own.floats().row(row), all.row(60 * i + row).begin());
  }
  write_npy(scratch / "all.npy", Templates(std::move(all)));
  EXPECT_EQ(run(both, "precomputed:path=all.npy,clear=all.npy", attack).failed, 0U);
}

}  // namespace
}  // namespace bauta
