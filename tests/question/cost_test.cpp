#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/question/question.hpp"

namespace bauta {
namespace {

/// Media of one kind that nobody looks at.
class Unseen : public MediaSource {
 public:
  Unseen(std::size_t size, std::string kind) : size_(size), kind_(std::move(kind)) {}
  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] Medium load(std::size_t) const override { return Image{}; }
  [[nodiscard]] std::string_view kind(std::size_t row) const override {
    if (row == 0) throw_input("row 1", "is damaged");
    return kind_;
  }

 private:
  std::size_t size_;
  std::string kind_;
};

/// What an instrument made of clear and of masked media.
class MeasuredViews : public Views {
 public:
  MeasuredViews(const std::vector<std::string>& people, const std::string& kind) {
    data_.origin = "people";
    data_.labels = LabelTable("people", people.size());
    data_.labels.add_column("identity", people);
    data_.identity_column = "identity";
    data_.media = std::make_shared<Unseen>(people.size(), kind);
    arrangement_ = cross_database({.target = &data_});
  }
  /// No row: it failed.
  Dataset seen(const std::vector<std::vector<float>>& rows) const {
    Dataset data = data_;
    data.media = nullptr;
    std::size_t width = 0;
    for (const auto& row : rows) width = std::max(width, row.size());
    Matrix<float> values(rows.size(), width, 0.0F);
    std::vector<bool> failed;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy(rows[i].begin(), rows[i].end(), values.row(i).begin());
      failed.push_back(rows[i].empty());
    }
    data.templates = Templates(std::move(values));
    data.mark_failed(failed);
    return data;
  }
  std::vector<std::vector<float>> masked_rows, clear_rows;
  bool templates = false;

  [[nodiscard]] const Arrangement& arrangement() const override { return arrangement_; }
  [[nodiscard]] Dataset clear(Role, std::size_t) const override { return templates ? seen(clear_rows) : data_; }
  [[nodiscard]] Dataset view(const Recipe& recipe, std::size_t) override {
    return seen(recipe.form.clear() ? clear_rows : masked_rows);
  }
  [[nodiscard]] std::string digest(const Recipe&) const override { return {}; }
  [[nodiscard]] const ResolvedProtection& technique(const std::string&, std::size_t, const Representation&) override {
    throw_usage("cost", "needs no technique");
  }
  [[nodiscard]] Json remember(const Json&, const std::vector<Recipe>&, const std::function<Json()>& compute) override {
    return compute();
  }
  [[nodiscard]] std::uint64_t seed() const override { return 1; }
  [[nodiscard]] std::uint64_t memory() const override { return 1 << 20; }

 private:
  Dataset data_;
  Arrangement arrangement_;
};

const Question& cost() {
  for (const auto& question : questions()) {
    if (question->declaration().name == "cost") return *question;
  }
  throw_usage("cost", "is not in the catalogue");
}

Setting asking(Json instruments) {
  Setting setting{.techniques = {"none", "gaussian-blur"}, .attributes = {}};
  setting.keys = {{"measure", {{"cost", std::move(instruments)}, {"bootstrap", 200}}}};
  return setting;
}

Answer answer_of(MeasuredViews& views, const std::string& instrument, const std::string& technique = "gaussian-blur") {
  const std::vector<Asked> cells = cost().ask(asking({instrument}), views, technique);
  EXPECT_EQ(cells.size(), 1U);
  return cost().answer(cells.at(0), views);
}

// By hand: errors of 65.025 and 650.25 are 30 and 20 dB at a peak of 255; the unchanged image has no ratio, the fourth
// failed. SSIM: (0.9 + 0.5 + 1) / 3.
TEST(Cost, MeansOfImagesWithoutThoseThatAreUnchanged) {
  MeasuredViews views({"a", "b", "c", "c"}, "image");
  views.masked_rows = {{65.025F, 0.9F}, {650.25F, 0.5F}, {0, 1}, {}};
  const Answer answer = answer_of(views, "likeness");
  const Json& values = answer.values;
  EXPECT_NEAR(values["psnr"]["mean"], 25, 1e-5);
  EXPECT_EQ(values["psnr"]["samples"], 2);
  EXPECT_EQ(values["unchanged"], 1);
  EXPECT_EQ(values["samples"], 4);
  EXPECT_EQ(values["failures"], 1);
  EXPECT_NEAR(values["ssim"]["mean"], 0.8, 1e-6);
  EXPECT_NEAR(values["ssim"]["quantiles"][2]["value"], 0.9, 1e-6);   // the median
  EXPECT_NEAR(values["ssim"]["quantiles"][0]["value"], 0.54, 1e-6);  // numpy's: 0.5 + 0.1 of the way to 0.9
  ASSERT_EQ(answer.findings.size(), 2U);
  EXPECT_EQ(answer.findings[0].measure, "SSIM");
  EXPECT_EQ(answer.findings[0].counts.at("identities"), 3U);
  EXPECT_EQ(answer.findings[1].unit, "dB");
}

// By hand: two samples each of two people, means 0.2 and 0.6: the variance of the mean over people is 0.08 / 2 / 2 ...
// = 0.04, and Student's quantile of one degree of freedom 12.7062: 0.4 -+ 2.54.
TEST(Cost, SamplesOfOnePersonStandOrFallTogether) {
  MeasuredViews views({"a", "a", "b", "b"}, "image");
  views.masked_rows = {{1, 0.2F}, {1, 0.2F}, {1, 0.6F}, {1, 0.6F}};
  const Json ci = answer_of(views, "likeness").values["ssim"]["ci"];
  EXPECT_NEAR(ci[0], 0.4 - 0.2 * 12.706205, 1e-4);
  EXPECT_NEAR(ci[1], 0.4 + 0.2 * 12.706205, 1e-4);
}

TEST(Cost, OfMotionsIsDisplacementAndCorrelation) {
  MeasuredViews views({"a", "b"}, "motion");
  views.masked_rows = {{2, 0.5F}, {4, 1}};
  const Answer answer = answer_of(views, "likeness", "gait-noise");
  EXPECT_DOUBLE_EQ(answer.values["displacement"]["mean"], 3);
  EXPECT_DOUBLE_EQ(answer.values["correlation"]["mean"], 0.75);
  EXPECT_EQ(answer.findings[0].measure, "correlation of trajectories");
  EXPECT_EQ(answer.findings[1].worse, Worse::higher);
}

/// Eyes at (30, 40) and (60, 40), everything else at (45, 60); all of it moved by (x, y).
std::vector<float> face(float x, float y) {
  std::vector<float> features = {1};
  for (std::size_t i = 0; i < 68; ++i) {
    const bool left = i >= 36 && i < 42, right = i >= 42 && i < 48;
    features.push_back((left ? 30.0F : right ? 60.0F : 45.0F) + x);
    features.push_back((left || right ? 40.0F : 60.0F) + y);
  }
  return features;
}

// By hand: of four faces, of which one is not found clear and one cannot be read masked, two are found masked, and one
// of them moved by (3, 4): 5 pixels of 30 between the eyes.
TEST(Cost, FacesThatAreStillFoundAndHowFarTheyMoved) {
  const std::vector<float> none(137, 0.0F);
  MeasuredViews views({"a", "b", "c", "d", "e"}, "image");
  views.clear_rows = {face(0, 0), face(0, 0), none, face(0, 0), {}};
  views.masked_rows = {face(3, 4), none, face(0, 0), {}, {}};
  const Answer answer = answer_of(views, "face-points");
  EXPECT_DOUBLE_EQ(answer.values["found_clear"]["rate"], 0.75);
  EXPECT_DOUBLE_EQ(answer.values["found"]["rate"], 0.5);
  EXPECT_NEAR(answer.values["landmarks"]["mean"], 5.0 / 30, 1e-6);
  EXPECT_EQ(answer.values["landmarks"]["samples"], 1);
  EXPECT_EQ(answer.findings[0].unit, "rate");
  ASSERT_TRUE(answer.findings[0].clear);
  EXPECT_DOUBLE_EQ(answer.findings[0].clear->value, 0.75);
}

TEST(Cost, IsAskedOfMaskedMediaAndOfNothingElse) {
  MeasuredViews views({"a", "b"}, "image");
  EXPECT_TRUE(cost().ask(asking(Json::array()), views, "gaussian-blur").empty());
  EXPECT_TRUE(cost().ask(asking({"likeness"}), views, "none").empty());
  EXPECT_TRUE(cost().ask(asking({"likeness"}), views, "biohash").empty());  // masks templates
  EXPECT_EQ(cost().ask(asking({"likeness", "face-points:upsample=1"}), views, "gaussian-blur").size(), 2U);
  MeasuredViews voices({"a", "b"}, "voice");
  EXPECT_THROW((void)cost().ask(asking({"likeness"}), voices, "command:run=x"), Error);
  MeasuredViews gaits({"a", "b"}, "motion");
  EXPECT_THROW((void)cost().ask(asking({"face-points"}), gaits, "gait-noise"), Error);
  views.templates = true;
  views.clear_rows = {{1}, {2}};
  EXPECT_THROW((void)cost().ask(asking({"likeness"}), views, "gaussian-blur"), Error);
  const Key key = cost().declaration().keys.front();
  EXPECT_NO_THROW((void)key.check("likeness", "measure.cost"));
  EXPECT_NO_THROW((void)key.check("face-points:upsample=1", "measure.cost"));
  EXPECT_THROW((void)key.check("pixels", "measure.cost"), Error);
  EXPECT_THROW((void)key.check("face-points:upsamples=1", "measure.cost"), Error);
}

}  // namespace
}  // namespace bauta
