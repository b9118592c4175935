#include <numbers>

#include <gtest/gtest.h>

#include "images.hpp"

namespace bauta {
namespace {

// A cosine that fits between mirrored borders is only made flatter by a blur: by exp(-(sigma w)^2 / 2) for a Gaussian,
// up to where the kernel ends. kernel=9: sigma 1.7; w = pi / 8 in both directions leaves 0.8^2 = 0.64 of it. Rounding
// errors of a wave come in waves, too: more noise than rounding alone is expected.
TEST(Deblur, ACosineComesBackToTheRounding) {
  const auto wave = [](double x, double y, std::size_t) {
    return 128 + 90 * std::cos(std::numbers::pi * x / 8) * std::cos(std::numbers::pi * y / 8);
  };
  for (const auto& [width, height] : {std::pair{65, 49}, std::pair{17, 33}}) {  // periods of 16 end at both borders
    const Image image = drawn(static_cast<std::size_t>(width), static_cast<std::size_t>(height), 1, wave);
    const Dataset masked = masked_images("gaussian-blur:kernel=9", images_of({image}));
    const Image back = image_at(recover_images("deblur:noise=4", masked), 0);
    EXPECT_GT(squared_difference(image, image_at(masked, 0)), 150);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      EXPECT_LE(std::abs(int{image.pixels[i]} - int{back.pixels[i]}), 2) << i;
    }
  }
}

TEST(Deblur, ABlurOfOnePixelIsNone) {
  const Dataset masked = masked_images("gaussian-blur:kernel=1", images_of({disc(1, 33, 20, 3)}));
  EXPECT_EQ(image_at(recover_images("deblur", masked), 0), image_at(masked, 0));
  EXPECT_EQ(image_at(masked, 0), disc(1, 33, 20, 3));
}

/// An image whose cosines have the powers that are expected: `contrast` in all, falling with the square of the
/// frequency.
class NaturalImage {
 public:
  NaturalImage(std::size_t width, std::size_t height, double contrast) : width_(width), powers_(width * height) {
    double sum = 0;
    for (std::size_t i = 1; i < powers_.size(); ++i) {
      const double x = static_cast<double>(i % width) / static_cast<double>(width - 1);
      const double y = static_cast<double>(i / width) / static_cast<double>(height - 1);
      sum += powers_[i] = 1 / (x * x + y * y);
    }
    for (double& power : powers_) power *= contrast * contrast * static_cast<double>(powers_.size() - 1) / sum;
    std::vector<double> heights(powers_.size());
    for (std::size_t i = 1; i < powers_.size(); ++i) {
      Stream stream(9, "test.cosines", i);
      // A cosine has half the square of its height, except for those that are 1 or -1 everywhere.
      const double along = i % width == 0 || i % width == width - 1 ? 1 : 2;
      const double down = i / width == 0 || i / width == height - 1 ? 1 : 2;
      heights[i] = std::sqrt(along * down * powers_[i] / static_cast<double>(powers_.size())) * stream.normal();
    }
    image_ = drawn(width, height, 1, [&](double x, double y, std::size_t) {
      double value = 128;
      for (std::size_t i = 1; i < heights.size(); ++i) {
        value += heights[i] * wave(static_cast<double>(i % width), x, width) *
                 wave(static_cast<double>(i / width), y, height);
      }
      return value;
    });
  }

  [[nodiscard]] const Image& image() const { return image_; }
  /// Mean over all cosines of `error(power, what the blur leaves)`.
  [[nodiscard]] double expected(const std::vector<float>& kernel,
                                const std::function<double(double, double)>& error) const {
    double sum = 0;
    const std::size_t height = powers_.size() / width_;
    for (std::size_t i = 1; i < powers_.size(); ++i) {
      sum += error(powers_[i], left(kernel, i % width_, width_) * left(kernel, i / width_, height));
    }
    return sum / static_cast<double>(powers_.size());
  }

 private:
  static double wave(double k, double x, std::size_t size) {
    return std::cos(std::numbers::pi * k * x / static_cast<double>(size - 1));
  }
  static double left(const std::vector<float>& kernel, std::size_t k, std::size_t size) {
    double sum = 0;
    for (std::size_t t = 0; t < kernel.size(); ++t) {
      const double away = static_cast<double>(t) - static_cast<double>(kernel.size() / 2);
      sum += kernel[t] * wave(static_cast<double>(k), away, size);
    }
    return sum;
  }

  std::size_t width_;
  std::vector<double> powers_;
  Image image_;
};

// Closed form: a blur costs (1 - left)^2 of each power; what the best linear filter cannot bring back is
// noise * power / (left^2 * power + noise), with 1/12 of rounding before and another 1/12 after it. 24.3 dB
// become 27.2 (the same sums in numpy 1.24).
TEST(Deblur, ComesAsNearAsItCan) {
  const NaturalImage natural(48, 32, 30);
  const Dataset masked = masked_images("gaussian-blur:kernel=9", images_of({natural.image()}));
  const std::vector<float> kernel = make_protection("gaussian-blur:kernel=9")->known_mask({48, 32, 1}).blur;
  const double blurred =
      natural.expected(kernel, [](double power, double left) { return (1 - left) * (1 - left) * power; });
  const double sharp =
      natural.expected(kernel, [](double power, double left) { return power / 12 / (left * left * power + 1.0 / 12); });
  EXPECT_NEAR(squared_difference(natural.image(), image_at(masked, 0)), blurred, 0.15 * blurred);
  const double found = squared_difference(natural.image(), image_at(recover_images("deblur:contrast=30", masked), 0));
  EXPECT_NEAR(found, sharp + 1.0 / 12, 0.15 * sharp);
  EXPECT_LT(found, 0.6 * blurred);
}

TEST(Deblur, TheKernelFollowsTheWidthOfEachImage) {
  const Image narrow = disc(1, 40, 40), wide = disc(1, 80, 40);
  const Dataset masked = masked_images("gaussian-blur:kernel=20,unit=percent", images_of({narrow, wide}));
  const Dataset back = recover_images("deblur:noise=2", masked);
  EXPECT_GT(psnr(image_at(back, 0), narrow), psnr(image_at(masked, 0), narrow) + 5);
  EXPECT_GT(psnr(image_at(back, 1), wide), psnr(image_at(masked, 1), wide) + 5);
}

TEST(Deblur, SaysWhatItCannotDo) {
  const Dataset plain = images_of(discs(0, 1));
  EXPECT_NE(error_of([&] { recover_images("deblur", plain); }).find("dataset.toml"), std::string::npos);
  EXPECT_NE(error_of([&] { recover_images("deblur", masked_images("dp-snow", plain)); }).find("no blur"),
            std::string::npos);
  const Dataset line = masked_images("gaussian-blur:kernel=3", images_of({disc(1, 9, 1)}));
  EXPECT_NE(error_of([&] { image_at(recover_images("deblur", line), 0); }).find("9x1"), std::string::npos);
}

}  // namespace
}  // namespace bauta
