// What a mask costs, in a run: media are decoded and masked once for it and for those who attack them.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "../captured.hpp"
#include "../data/scratch.hpp"
#include "bauta/data/likeness.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/synth_media.hpp"
#include "bauta/run/evaluate.hpp"
#include "bauta/run/experiment.hpp"
#include "media_walk.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;
using test::Scratch;

class CostRun : public testing::Test {
 protected:
  EvaluateSummary run(const std::vector<std::string>& overrides = {}) {
    const EvaluateSummary summary = test::captured(
        log, [&] { return evaluate(read_experiment(scratch / "e.toml", overrides), {.out = scratch / "run"}); });
    std::ifstream file(scratch / "run/results.json");
    results = Json::parse(file);
    return summary;
  }
  [[nodiscard]] Json cell(const std::string& question, const std::string& technique) const {
    for (const Json& one : results["cells"]) {
      if (one["key"]["question"] == question && one["key"]["technique"] == technique) return one;
    }
    return nullptr;
  }

  const Scratch scratch;
  std::string log;
  Json results;
};

// Expected: what the two functions of data/ give for the same images, masked here once more. One of the images is
// damaged and is a probe or is enrolled; gender is read from masked images beside it, in the same run.
TEST_F(CostRun, OfImagesIsTheMeanOverProbes) {
  fs::create_directories(scratch / "faces");
  (void)synthesize_faces(scratch / "faces", {.identities = 6, .samples = 8});
  scratch.write(
      "e.toml",
      "[data]\ntarget = \"faces\"\nattribute = \"hair\"\n[protect]\ntechnique = [\"none\", \"pixelate\", \"csn\"]\n"
      "[extract]\nrepresentation = [\"pixels:size=8\"]\n[protocol]\nkind = \"closed-set\"\nrepeats = 2\n"
      "[attack]\nrecogniser = \"nearest\"\n[measure]\ncost = \"likeness\"\nbootstrap = 10\n");
  ReadOptions options;
  options.templates_required = false;
  const Dataset faces = read_dataset(scratch / "faces", options);
  const std::string damaged = faces.labels.column("file")[5];
  scratch.write("faces/" + damaged, "no image");
  const EvaluateSummary summary = run();
  EXPECT_EQ(summary.failed, 0U);
  EXPECT_EQ(summary.decoded, 6U * 8U);
  EXPECT_NE(log.find("1 of 48 failed, e.g. row 6 (is no image, recording or motion in a known format)"),
            std::string::npos)
      << log;
  EXPECT_TRUE(cell("cost", "none").is_null());
  EXPECT_TRUE(cell("cost", "csn").is_null());
  EXPECT_FALSE(cell("utility", "pixelate").is_null());
  const Json values = cell("cost", "pixelate")["values"];
  double low = 1, high = 0;
  const auto mask = media_mask(make_protection("pixelate"), faces, {});
  for (std::size_t row = 0; row < faces.size(); ++row) {
    if (row == 5) continue;
    const Medium clear = faces.media->load(row);
    const double value = ssim(std::get<Image>(clear), std::get<Image>(mask(clear, row)));
    low = std::min(low, value);
    high = std::max(high, value);
  }
  EXPECT_GE(values["ssim"]["quantiles"][0]["value"].get<double>(), low - 1e-6);
  EXPECT_LE(values["ssim"]["quantiles"][4]["value"].get<double>(), high + 1e-6);
  EXPECT_GT(values["ssim"]["mean"].get<double>(), low);
  EXPECT_LT(values["ssim"]["mean"].get<double>(), high);
  EXPECT_EQ(values["rotations"], 2);
}

// Nobody attacks and nothing is learned: media are compared with each other, and with what they were.
TEST_F(CostRun, NeedsNobodyElse) {
  fs::create_directories(scratch / "faces");
  (void)synthesize_faces(scratch / "faces", {.identities = 4, .samples = 3});
  scratch.write("e.toml",
                "[data]\ntarget = \"faces\"\n[protect]\ntechnique = [\"none\", \"pixelate\"]\n"
                "[extract]\nrepresentation = \"pixels:size=8\"\n[measure]\ncost = \"likeness\"\nbootstrap = 10\n");
  const EvaluateSummary summary = run();
  EXPECT_EQ(summary.failed, 0U);
  EXPECT_EQ(summary.decoded, 12U);
  EXPECT_EQ(cell("cost", "pixelate")["values"]["samples"], 12);
  EXPECT_FALSE(cell("verification", "pixelate").is_null());
}

TEST_F(CostRun, OfMotions) {
  fs::create_directories(scratch / "gait");
  (void)synthesize_gaits(scratch / "gait", {.identities = 4, .samples = 4});
  scratch.write("e.toml",
                "[data]\ntarget = \"gait\"\n[protect]\ntechnique = [\"gait-noise:scale=0.001\"]\n"
                "[extract]\nrepresentation = [\"flatten:frames=10\"]\n[protocol]\nkind = \"closed-set\"\n"
                "[attack]\nrecogniser = \"nearest\"\n[measure]\ncost = \"likeness\"\nbootstrap = 10\n");
  EXPECT_EQ(run().failed, 0U);
  const Json values = cell("cost", "gait-noise:scale=0.001")["values"];
  EXPECT_EQ(values["kind"], "motion");
  EXPECT_GT(values["displacement"]["mean"].get<double>(), 0);
  EXPECT_GT(values["correlation"]["mean"].get<double>(), 0);
  EXPECT_LE(values["correlation"]["mean"].get<double>(), 1);
}

// It knows the clear medium, which attackers do not: nobody sees media by it.
TEST_F(CostRun, IsNoRepresentation) {
  fs::create_directories(scratch / "faces");
  (void)synthesize_faces(scratch / "faces", {.identities = 4, .samples = 3});
  scratch.write("e.toml",
                "[data]\ntarget = \"faces\"\n[protect]\ntechnique = \"pixelate\"\n"
                "[extract]\nrepresentation = \"likeness\"\n[protocol]\nkind = \"closed-set\"\n"
                "[attack]\nrecogniser = \"nearest\"\n[measure]\nbootstrap = 10\n");
  const EvaluateSummary summary = run();
  EXPECT_GT(summary.cells, 0U);
  EXPECT_EQ(summary.failed, summary.cells);
  EXPECT_NE(results["cells"][0]["error"].dump().find("compares masked media with clear ones"), std::string::npos);
}

/// Two images, of which the clear form of one is lost.
class OneLost : public MediaSource {
 public:
  [[nodiscard]] std::size_t size() const override { return 2; }
  [[nodiscard]] Medium load(std::size_t row) const override {
    if (row == 1) throw_input("row 2", "is damaged");
    return Image{12, 12, 1, std::vector<std::uint8_t>(144, 50)};
  }
};

// A masked medium that lies there already is compared with a clear one that cannot be read: the sample failed, and
// whoever needs no clear one sees it.
TEST(CostWalk, WhoComparesNeedsBothForms) {
  const Scratch scratch;
  for (const char* name : {"masked", "likeness", "pixels"}) fs::create_directories(scratch / name);
  Dataset data;
  data.origin = "test";
  data.labels = LabelTable("test", 2);
  data.media = std::make_shared<OneLost>();
  for (std::size_t row = 0; row < 2; ++row) {
    const Medium medium = Image{12, 12, 1, std::vector<std::uint8_t>(144, 60)};
    write_medium(scratch / "masked" / stored_name(row, medium), medium);
  }
  const ResolvedExtractor likeness = make_extractor("likeness"), pixels = make_extractor("pixels:size=1");
  std::vector<Showing> showings(1);
  showings[0].rows = {0, 1};
  showings[0].mask = media_mask(make_protection("pixelate"), data.select({0}), {});
  showings[0].folder = scratch / "masked";
  showings[0].onlookers.push_back({&likeness, TemplateBatches(scratch / "likeness")});
  showings[0].onlookers.push_back({&pixels, TemplateBatches(scratch / "pixels")});
  walk_media(data, showings);
  TemplateBatches(scratch / "likeness").join("test");
  TemplateBatches(scratch / "pixels").join("test");
  const StoredTemplates compared = read_templates(scratch / "likeness");
  EXPECT_FLOAT_EQ(compared.templates.floats().row(0)[0], 100);  // (60 - 50)^2
  EXPECT_EQ(compared.reasons, (std::vector<std::string>{"", "is damaged"}));
  EXPECT_EQ(read_templates(scratch / "pixels").reasons, (std::vector<std::string>{"", ""}));
}

}  // namespace
}  // namespace bauta
