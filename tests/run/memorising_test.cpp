// A technique that learns images by heart, in a run.
#include <gtest/gtest.h>

#include "../data/scratch.hpp"
#include "bauta/data/synth_media.hpp"
#include "bauta/run/evaluate.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

TEST(MemorisingTechnique, LeavesNobodysImagesBehind) {
  const test::Scratch scratch;
  fs::create_directories(scratch / "faces");
  (void)synthesize_faces(scratch / "faces", {.identities = 12, .samples = 4});
  scratch.write("e.toml",
                "[data]\ntarget = { path = \"faces\", only = \"hair=dark\" }\n"
                "fit = { path = \"faces\", only = \"hair=light\" }\n"
                "[protect]\ntechnique = [\"none\", \"k-same-pixel:k=3\"]\n"
                "[protocol]\nkind = \"closed-set\"\nadversary = [\"naive\", \"parrot\"]\n"
                "[extract]\nrepresentation = [\"pixels:size=8\"]\n"
                "[attack]\nrecogniser = [\"nearest\"]\n[measure]\nbootstrap = 10\n");
  const EvaluateSummary summary = evaluate(read_experiment(scratch / "e.toml"), {.out = scratch / "run"});
  EXPECT_GT(summary.computed, 0U);
  EXPECT_EQ(summary.failed, 0U);
  for (const auto& entry : fs::recursive_directory_iterator(scratch / "run")) {
    const std::string kind = entry.path().extension().string();
    EXPECT_TRUE(kind != ".npz" && kind != ".png" && kind != ".npy") << entry.path();
  }
}

}  // namespace
}  // namespace bauta
