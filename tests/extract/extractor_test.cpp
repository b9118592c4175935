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
  const Dataset media = media_of(scratch, {"P2 1 1 255 51", "P2 1 1 255 51"});
  std::filesystem::remove(scratch / "1");
  const std::string text = test::input_error([&] { (void)extract_dataset(make_extractor("pixels"), media); });
  expect_contains(text, "row 2");
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
  expect_contains(test::input_error([&] { (void)extract_dataset(make_extractor("pixels"), media); }),
                  "nothing from any of 2 files");
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
