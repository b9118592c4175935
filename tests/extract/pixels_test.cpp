// Expected values are means of areas, calculated by hand.
#include "bauta/core/random.hpp"
#include "media.hpp"

namespace bauta {
namespace {

using test::Scratch;

std::vector<float> pixels(const std::string& image, const std::string& specification) {
  const Scratch scratch;
  const auto file = scratch.write("image", image);
  return make_extractor(specification)->extract(read_medium(file)).value();
}

TEST(Pixels, OfTheSameSizeAreTheImage) {
  const auto values = pixels("P2 2 2 255 0 51 102 255", "pixels:size=2");
  EXPECT_EQ(values, (std::vector<float>{0, 0.2F, 0.4F, 1}));
}

TEST(Pixels, ShrinkByAreaAlsoWhereEdgesDoNotMeet) {
  // 3 columns to 2: the middle one counts half on either side. 0 30 60 | 90 120 150 over 255, mean of the two rows.
  const auto values = pixels("P2 3 2 255 0 30 60 90 120 150", "pixels:size=2");
  const auto left = [](double a, double b) { return (a + b / 2) / 1.5 / 255; };
  ASSERT_EQ(values.size(), 4U);
  EXPECT_FLOAT_EQ(values[0], static_cast<float>(left(0, 30)));
  EXPECT_FLOAT_EQ(values[1], static_cast<float>(left(60, 30)));
  EXPECT_FLOAT_EQ(values[2], static_cast<float>(left(90, 120)));
  EXPECT_FLOAT_EQ(values[3], static_cast<float>(left(150, 120)));
  EXPECT_FLOAT_EQ(pixels("P2 3 2 255 0 30 60 90 120 150", "pixels:size=1")[0], 75.0F / 255);
}

TEST(Pixels, GrowByRepeating) {
  EXPECT_EQ(pixels("P2 2 1 255 0 255", "pixels:size=4"),
            (std::vector<float>{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
}

TEST(Pixels, ColourAndGrey) {
  EXPECT_EQ(pixels("P3 1 1 255 255 51 0", "pixels:size=1,color=rgb"), (std::vector<float>{1, 0.2F, 0}));
  EXPECT_EQ(pixels("P2 1 1 255 51", "pixels:size=1,color=rgb"), (std::vector<float>{0.2F, 0.2F, 0.2F}));
  EXPECT_FLOAT_EQ(pixels("P3 1 1 255 255 51 0", "pixels:size=1")[0], 0.299F + 0.587F * 0.2F);
}

TEST(Pixels, KeepTheMeanOfAnyImage) {
  for (std::uint64_t item = 0; item < 20; ++item) {
    Stream stream(7, "pixels test", item);
    const std::uint64_t width = 1 + stream.below(90);
    const std::uint64_t height = 1 + stream.below(90);
    std::string image = "P5 " + std::to_string(width) + " " + std::to_string(height) + " 255\n";
    double mean = 0;
    for (std::uint64_t i = 0; i < width * height; ++i) {
      const std::uint64_t value = stream.below(256);
      image.push_back(static_cast<char>(value));
      mean += static_cast<double>(value) / 255 / static_cast<double>(width * height);
    }
    const auto values = pixels(image, "pixels:size=" + std::to_string(1 + stream.below(60)));
    double sum = 0;
    for (const float value : values) {
      EXPECT_GE(value, 0);
      EXPECT_LE(value, 1);
      sum += value;
    }
    EXPECT_NEAR(sum / static_cast<double>(values.size()), mean, 1e-6);
  }
}

}  // namespace
}  // namespace bauta
