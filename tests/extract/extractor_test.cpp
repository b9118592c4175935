#include "bauta/extract/extractor.hpp"

#include <filesystem>

#include "bauta/data/media_source.hpp"
#include "media.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::media_of;
using test::Scratch;

using Values = std::vector<float>;

Values row_of(const Dataset& dataset, std::size_t row) {
  const auto values = dataset.templates.floats().row(row);
  return {values.begin(), values.end()};
}

TEST(ExtractDataset, DamagedFilesFailAndAreCounted) {
  const Scratch scratch;
  const Dataset media = media_of(scratch, {"P2 1 1 255 51", "no image", "P2 1 1 255 255"});
  const Dataset result = extract_dataset(make_extractor("pixels:size=1"), media);
  EXPECT_EQ(result.size(), 3U);
  EXPECT_EQ(result.labels.column("failed"), (std::vector<std::string>{"0", "1", "0"}));
  EXPECT_EQ(result.labels.column("identity"), media.labels.column("identity"));
  EXPECT_EQ(row_of(result, 0), Values{0.2F});
  EXPECT_EQ(row_of(result, 1), Values{0});
  EXPECT_EQ(row_of(result, 2), Values{1});
  ASSERT_FALSE(result.remarks.empty());
  expect_contains(result.remarks.back(), "1 of 3 samples failed");
  expect_contains(result.remarks.back(), "row 2 (is no image");
}

TEST(ExtractDataset, ThreeOfManyFailuresAreTold) {
  const Scratch scratch;
  const Dataset result = extract_dataset(make_extractor("pixels:size=1"),
                                         media_of(scratch, {"P2 1 1 255 51", "no", "no", "P2 1 1 255 51", "no", "no"}));
  const std::string remark = result.remarks.back();
  expect_contains(remark, "4 of 6 samples failed, e.g. row 2 (");
  expect_contains(remark, "), row 3 (");
  expect_contains(remark, "), row 5 (");
  EXPECT_EQ(remark.find("row 6"), std::string::npos);
  EXPECT_EQ(result.provenance->properties.at("extraction_failures"), "4");
}

TEST(ExtractDataset, WithoutAFailureThereIsNoRemark) {
  const Scratch scratch;
  EXPECT_TRUE(extract_dataset(make_extractor("pixels:size=1"), media_of(scratch, {"P2 1 1 255 51"})).remarks.empty());
}

TEST(FeatureRows, AreZeroWhereSamplesFailedAndOfOneLength) {
  const ResolvedExtractor pixels = make_extractor("pixels");
  const Matrix<float> rows = feature_rows(pixels, {{{}, "failed"}, {{1, 2}, ""}, {{}, "failed"}, {{3, 4}, ""}}, "data");
  ASSERT_EQ(rows.rows(), 4U);
  ASSERT_EQ(rows.cols(), 2U);
  EXPECT_EQ(Values(rows.data(), rows.data() + 8), (Values{0, 0, 1, 2, 0, 0, 3, 4}));
  EXPECT_EQ(feature_rows(pixels, {{{}, "failed"}}, "data").rows(), 0U);
  const auto uneven = [&](std::size_t first) {
    return test::input_error([&] { (void)feature_rows(pixels, {{{1, 2}, ""}, {{1, 2, 3}, ""}}, "data", first); });
  };
  expect_contains(uneven(0), "data row 2: pixels gives 3 features, of others 2");
  expect_contains(uneven(40), "data row 42");
}

TEST(ExtractDataset, TellsHowTheTemplatesWereMade) {
  const Scratch scratch;
  const Dataset result = extract_dataset(make_extractor("pixels:size=2"), media_of(scratch, {"P2 1 1 255 51"}));
  ASSERT_TRUE(result.provenance.has_value());
  EXPECT_EQ(result.provenance->technique, "");
  EXPECT_EQ(result.provenance->properties.at("extractor"), "pixels:size=2,color=grey");
  EXPECT_FALSE(result.provenance->properties.contains("extractor_model"));
}

TEST(ExtractDataset, SamplesMarkedAsFailedStayFailed) {
  const Scratch scratch;
  Dataset media = media_of(scratch, {"P2 1 1 255 51", "P2 1 1 255 51"});
  media.labels.add_column("failed", {"1", ""});
  const Dataset result = extract_dataset(make_extractor("pixels:size=1"), media);
  EXPECT_EQ(result.labels.column("failed"), (std::vector<std::string>{"1", "0"}));
  EXPECT_EQ(row_of(result, 0), Values{0});
}

TEST(ExtractDataset, AMissingFileIsAnError) {
  const Scratch scratch;
  for (const std::string missing : {"0", "1"}) {
    Dataset media = media_of(scratch, {"P2 1 1 255 51", "P2 1 1 255 51"});
    std::filesystem::remove(scratch / missing);
    const std::string text = test::input_error([&] { (void)extract_dataset(make_extractor("pixels"), media); });
    expect_contains(text, missing == "0" ? "row 1" : "row 2");
    // Unless the sample is known to have failed.
    media.labels.add_column("failed", {missing == "0" ? "1" : "0", missing == "1" ? "1" : "0"});
    EXPECT_EQ(extract_dataset(make_extractor("pixels"), media).labels.column("failed"), media.labels.column("failed"));
  }
}

TEST(ExtractDataset, AMediumOfAnotherKindIsAnError) {
  const Scratch scratch;
  const Dataset media = media_of(scratch, {"P2 1 1 255 51", test::wav_of({1, 2, 3})});
  expect_contains(test::input_error([&] { (void)extract_dataset(make_extractor("pixels"), media); }),
                  "row 2: pixels: takes images, this is a recording");
}

TEST(ExtractDataset, MediaComeFromTheirSourceNotFromTheFolder) {
  class Grey : public MediaSource {
    [[nodiscard]] std::size_t size() const override { return 2; }
    [[nodiscard]] Medium load(std::size_t row) const override {
      return Image{1, 1, 1, {static_cast<std::uint8_t>(row == 0 ? 51 : 255)}};
    }
  };
  Dataset media;
  media.labels = LabelTable("data", 2);
  media.media = std::make_shared<Grey>();
  const Dataset result = extract_dataset(make_extractor("pixels:size=1"), media.select({1, 0}));
  EXPECT_EQ(row_of(result, 0), Values{1});
  EXPECT_EQ(row_of(result, 1), Values{0.2F});
}

TEST(ExtractDataset, NothingAtAllIsAnError) {
  const Scratch scratch;
  const Dataset media = media_of(scratch, {"no image", ""});
  const std::string text = test::input_error([&] { (void)extract_dataset(make_extractor("pixels"), media); });
  expect_contains(text, "nothing from any of 2 files");
  expect_contains(text, "the first: is no image");
}

TEST(ExtractDataset, TemplatesHaveNoMedia) {
  Dataset templates;
  templates.origin = "data";
  templates.labels = LabelTable("data", 1);
  expect_contains(test::input_error([&] { (void)extract_dataset(make_extractor("pixels"), templates); }), "`file`");
}

TEST(MakeExtractor, AnUnknownNameSuggestsTheNearest) {
  expect_contains(test::error_of(Fault::usage, [] { (void)make_extractor("pixel"); }), "pixels");
}

}  // namespace
}  // namespace bauta
