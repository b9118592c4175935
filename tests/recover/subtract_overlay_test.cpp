#include <gtest/gtest.h>

#include "../data/scratch.hpp"
#include "bauta/data/npz.hpp"
#include "images.hpp"

namespace bauta {
namespace {

/// alpha of the image, and the rest of a slope whose height differs from image to image.
Image covered(const Image& image, double alpha, std::size_t number, double swing) {
  Stream stream(8, "test.overlay", number);
  const double height = swing * stream.normal();
  return drawn(image.width, image.height, 1, [&](double x, double y, std::size_t) {
    const auto pixel = static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x);
    return alpha * image.pixels[pixel] + (1 - alpha) * (40 + 2 * y + x + height);
  });
}

struct Pairs {
  Dataset clear, masked;
};

Pairs pairs_of(std::size_t first, std::size_t count, double swing, const std::string& origin) {
  std::vector<Image> images = discs(first, count), hidden;
  for (std::size_t i = 0; i < count; ++i) hidden.push_back(covered(images[i], 0.4, first + i, swing));
  return {images_of(images, 1, origin), images_of(hidden, 1, origin)};
}

// An overlay that is always the same is gone: half a grey level of rounding becomes 0.5 / 0.4 + 0.5 at most.
TEST(SubtractOverlay, AnOverlayThatIsAlwaysTheSameIsTakenAway) {
  const Pairs known = pairs_of(100, 40, 0, "others"), target = pairs_of(0, 3, 0, "target");
  const Dataset back =
      recover("subtract-overlay", target.masked, {.clear = &known.clear, .protected_clear = &known.masked});
  EXPECT_NEAR(std::stod(back.provenance->properties.at("overlay_alpha")), 0.4, 0.005);
  for (std::size_t row = 0; row < 3; ++row) {
    const Image image = image_at(target.clear, row), result = image_at(back, row);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      EXPECT_LE(std::abs(int{image.pixels[i]} - int{result.pixels[i]}), 3);
    }
  }
}

/// Behind an image and its masked form that have another size.
Pairs behind_an_odd_one(const Pairs& pairs) {
  const auto behind = [](const Dataset& data) {
    std::vector<Image> images = {disc(7, 1, 1)};
    for (std::size_t row = 0; row < data.size(); ++row) images.push_back(image_at(data, row));
    return images_of(images, 1, data.origin);
  };
  return {behind(pairs.clear), behind(pairs.masked)};
}

TEST(SubtractOverlay, PairsOfAnotherSizeThanMostAreNotLearned) {
  const Pairs known = pairs_of(100, 12, 0, "others"), odd = behind_an_odd_one(known);
  const ResolvedRecovery without = make_recovery("subtract-overlay"), with = make_recovery("subtract-overlay");
  fit_recovery(without, {.clear = &known.clear, .protected_clear = &known.masked});
  testing::internal::CaptureStderr();
  fit_recovery(with, {.clear = &odd.clear, .protected_clear = &odd.masked});
  EXPECT_NE(testing::internal::GetCapturedStderr().find("of 13 pairs, 1 are left out: they are not of 48x40x1"),
            std::string::npos);
  const FittedState expected = without->state(), state = with->state();
  for (const auto& [name, values] : expected) {
    ASSERT_EQ(state.at(name).size(), values.size()) << name;
    EXPECT_TRUE(std::equal(values.data(), values.data() + values.size(), state.at(name).data())) << name;
  }
  // A masked one of another size fails alone.
  const Dataset back = recover_dataset(with, odd.masked);
  EXPECT_NE(error_of([&] { image_at(back, 0); }).find("an image of 1x1x1, the overlay was learned for 48x40x1"),
            std::string::npos);
  EXPECT_EQ(image_at(back, 1), image_at(recover_dataset(without, known.masked), 0));
  // Likewise where the technique is known.
  const Dataset hidden = masked_images("k-rtio:alpha=0.25", odd.clear);
  const Dataset read_off =
      recover_images("subtract-overlay", hidden, {.clear = &odd.clear, .protected_clear = &hidden});
  const Image before = image_at(hidden, 1), after = image_at(read_off, 1);
  for (std::size_t i = 0; i < before.pixels.size(); ++i) {
    EXPECT_EQ(after.pixels[i], std::floor(std::clamp((before.pixels[i] - 95.625) / 0.25, 0.0, 255.0) + 0.5));
  }
}

// What differs from image to image stays, and is scaled up with the rest: 0.6 / 0.4 of 10 grey levels.
TEST(SubtractOverlay, WhatTheKeyDecidesStays) {
  const Pairs known = pairs_of(100, 200, 10, "others"), target = pairs_of(0, 40, 10, "target");
  const Dataset back =
      recover("subtract-overlay", target.masked, {.clear = &known.clear, .protected_clear = &known.masked});
  double error = 0, before = 0;
  for (std::size_t row = 0; row < 40; ++row) {
    error += squared_difference(image_at(back, row), image_at(target.clear, row)) / 40;
    before += squared_difference(image_at(target.masked, row), image_at(target.clear, row)) / 40;
  }
  EXPECT_NEAR(std::sqrt(error), 15, 3);  // the deviation of 40 draws is known to 1.7
  EXPECT_GT(before, 2 * error);
}

// Textures are even grey on average, 127.5: (masked - 0.75 * 127.5) / 0.25, held within a byte. One pair tells the
// size.
TEST(SubtractOverlay, WhoeverKnowsTheTechniqueReadsOffWhatLiesOverImages) {
  const Dataset others = images_of(discs(100, 1), 1, "others"), clear = images_of(discs(0, 2), 1, "target");
  const std::string technique = "k-rtio:alpha=0.25";
  const Dataset known = masked_images(technique, others), hidden = masked_images(technique, clear);
  const Dataset back = recover_images("subtract-overlay", hidden, {.clear = &others, .protected_clear = &known});
  EXPECT_EQ(back.provenance->properties.at("overlay_alpha"), "0.2500");
  const Image before = image_at(hidden, 1), after = image_at(back, 1);
  for (std::size_t i = 0; i < before.pixels.size(); ++i) {
    EXPECT_EQ(after.pixels[i], std::floor(std::clamp((before.pixels[i] - 95.625) / 0.25, 0.0, 255.0) + 0.5));
  }
}

TEST(SubtractOverlay, WhatWasLearnedIsReadAgain) {
  const test::Scratch scratch;
  const Pairs known = pairs_of(100, 30, 5, "others"), target = pairs_of(0, 2, 5, "target");
  const ResolvedRecovery learned = make_recovery("subtract-overlay");
  fit_recovery(learned, {.clear = &known.clear, .protected_clear = &known.masked});
  save_recovery(learned, scratch / "learned.npz");
  const ResolvedRecovery again = load_recovery(scratch / "learned.npz", "subtract-overlay");
  EXPECT_EQ(again->properties(), learned->properties());
  EXPECT_EQ(image_at(recover_dataset(again, target.masked), 1), image_at(recover_dataset(learned, target.masked), 1));
  EXPECT_NE(error_of([&] { load_recovery(scratch / "learned.npz", "subtract-overlay:alpha=0.5"); }).find("alpha=0.5"),
            std::string::npos);
  // Sizes that are none, or whose product is too large for a number; a share by which nothing can be divided.
  for (const auto& [place, value] : std::vector<std::pair<std::size_t, float>>{
           {0, 0.0F}, {0, -1.0F}, {1, 1.5F}, {1, 0x1p32F}, {2, NAN}, {3, 0.0F}, {3, NAN}}) {
    FittedState state = learned->state();
    state.at("shape")(0, place) = value;
    EXPECT_NE(error_of([&] { make_recovery("subtract-overlay")->restore(state, "there"); }).find("no learned overlay"),
              std::string::npos)
        << place << " " << value;
  }
  NpzWriter writer(scratch / "damaged.npz");
  writer.add("bauta.recovery", std::vector<std::string>{learned.parameters.resolved()});
  const FittedState state = learned->state();
  Matrix<float> overlay(1, state.at("overlay").size(), INFINITY);
  writer.add("shape", state.at("shape").view());
  writer.add("overlay", overlay.view());
  writer.commit();
  EXPECT_NE(error_of([&] { load_recovery(scratch / "damaged.npz", "subtract-overlay"); }).find("'overlay' holds what"),
            std::string::npos);
}

TEST(SubtractOverlay, SaysWhatItCannotDo) {
  const Pairs known = pairs_of(100, 4, 0, "others");
  EXPECT_NE(error_of([&] { recover("subtract-overlay", known.masked); }).find("--clear and --protected"),
            std::string::npos);
  const ResolvedRecovery learned = make_recovery("subtract-overlay");
  fit_recovery(learned, {.clear = &known.clear, .protected_clear = &known.masked});
  const Dataset larger = images_of({disc(1, 20, 20)});
  EXPECT_NE(error_of([&] { image_at(recover_dataset(learned, larger), 0); }).find("20x20x1"), std::string::npos);
  // Masked images that have nothing to do with the clear ones.
  const Dataset flat = images_of(std::vector<Image>(4, disc(1)), 1, "others");
  EXPECT_NE(error_of([&] {
              recover("subtract-overlay", flat, {.clear = &known.clear, .protected_clear = &flat});
            }).find("do not follow"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
