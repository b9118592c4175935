#include "images.hpp"

namespace bauta {
namespace {

/// Pixels that stayed; all others must be grey in every channel.
std::size_t kept(const Image& image, const Image& result) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < image.width * image.height; ++i) {
    const auto* const before = image.pixels.data() + i * image.channels;
    const auto* const after = result.pixels.data() + i * image.channels;
    if (std::equal(before, before + image.channels, after)) {
      ++count;
    } else {
      for (std::size_t c = 0; c < image.channels; ++c) EXPECT_EQ(after[c], 127);
    }
  }
  return count;
}

/// Without a pixel that is grey already.
Image bright(std::size_t width, std::size_t height) {
  Image image = noise_image(width, height, 3);
  for (std::uint8_t& value : image.pixels) value = static_cast<std::uint8_t>(128 + value / 2);
  return image;
}

TEST(DpSnow, DIsTheShareThatIsKept) {
  const Image image = bright(30, 20);
  // floor(0.99 * 600) = 594 become grey.
  EXPECT_EQ(kept(image, masked("dp-snow", image)), 6U);
  // floor(0.8 * 600) in floats of 64 bits: 480.
  EXPECT_EQ(kept(image, masked("dp-snow:d=20%", image)), 120U);
  EXPECT_EQ(kept(image, masked("dp-snow:d=0", image)), 0U);
  EXPECT_EQ(masked("dp-snow:d=1", image), image);
}

TEST(DpSnow, SharesAreTheDecimalsThatWereGiven) {
  // floor(0.1 * 10) is 1; in floats of 64 bits 1 - 0.9 is less than 0.1.
  EXPECT_EQ(kept(bright(5, 2), masked("dp-snow:d=0.9", bright(5, 2))), 9U);
  // A percent of 100 pixels is a pixel.
  for (std::size_t percent = 0; percent <= 100; ++percent) {
    const std::string technique = "dp-snow:d=" + std::to_string(percent) + "%";
    EXPECT_EQ(kept(bright(10, 10), masked(technique, bright(10, 10))), percent) << technique;
  }
  EXPECT_EQ(kept(bright(11, 9), masked("dp-snow:d=0.99", bright(11, 9))), 99U);  // floor(0.99) hides none
  EXPECT_EQ(kept(bright(11, 9), masked("dp-snow:d=0.98", bright(11, 9))), 98U);  // floor(1.98) hides one
}

TEST(DpSnow, EveryPixelIsKeptAsOftenAsAnyOther) {
  // 4,000 samples of 6 pixels of which 3 stay: each 2,000 times, standard deviation sqrt(4000 / 4) = 31.6.
  const Image image = bright(3, 2);
  const auto mask = make_protection("dp-snow:d=0.5");
  std::vector<double> times(6, 0);
  for (std::size_t sample = 0; sample < 4000; ++sample) {
    const Image result = std::get<Image>(mask->mask(image, sample, {}));
    for (std::size_t i = 0; i < 6; ++i) times[i] += result.pixels[3 * i] != 127;
  }
  for (const double count : times) EXPECT_NEAR(count, 2000, 4 * 31.6);
}

}  // namespace
}  // namespace bauta
