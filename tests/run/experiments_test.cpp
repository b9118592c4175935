// The experiments that come with the program: every file and variant is read, and one is run in small.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "bauta/run/evaluate.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

fs::path experiments() {
  return fs::path(BAUTA_SOURCE_DIR) / "experiments";
}

TEST(Experiments, EveryFileAndVariantIsRead) {
  std::size_t read = 0;
  for (const auto& file : fs::directory_iterator(experiments())) {
    std::vector<std::string> variants = experiment_variants(file.path());
    if (variants.empty()) variants.emplace_back();
    for (const std::string& variant : variants) {
      EXPECT_NO_THROW((void)read_experiment(file.path(), {}, variant)) << file.path() << " " << variant;
      ++read;
    }
  }
  EXPECT_GE(read, 10U);
}

TEST(Experiments, AnonymisedGaitsInSmall) {
  const char* root = std::getenv("BAUTA_DATA");
  const fs::path data =
      (root != nullptr ? fs::path(root) : fs::path(BAUTA_SOURCE_DIR) / "../shared/data") / "gait-kinect";
  if (!fs::exists(data)) GTEST_SKIP() << "no data: set BAUTA_DATA to the folder that holds gait-kinect";
  const fs::path out = fs::path(testing::TempDir()) / "bauta_gaits_in_small";
  fs::remove_all(out);
  const Experiment experiment =
      read_experiment(experiments() / "s4.toml",
                      {"data.target=" + data.string() + "@1/5", "protect.technique=[\"none\", \"gait-keep:part=legs\"]",
                       "protocol.repeats=2", "protocol.identities=[1.0, 5]", "measure.bootstrap=20"},
                      "quick");
  const EvaluateSummary summary = evaluate(experiment, {out, 1, 1 << 24});
  EXPECT_EQ(summary.failed, 0U);
  std::ifstream file(out / "results.json");
  const Json results = Json::parse(file);
  std::set<std::string> questions;
  for (const Json& cell : results["cells"]) questions.insert(cell["key"]["question"]);
  // People are known from other samples than those that are judged; nobody holds the originals.
  EXPECT_EQ(questions, (std::set<std::string>{"identification"}));
}

}  // namespace
}  // namespace bauta
