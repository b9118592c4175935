#include <gtest/gtest.h>

#include "../data/scratch.hpp"
#include "images.hpp"

namespace bauta {
namespace {

constexpr const char* small = "reversal:size=16,width=4,epochs=12,batch=8,rate=0.01";

/// Darker and flatter: 30 + a third.
std::vector<Image> dimmed(const std::vector<Image>& images) {
  std::vector<Image> results = images;
  for (Image& image : results) {
    for (std::uint8_t& value : image.pixels) value = static_cast<std::uint8_t>(30 + value / 3);
  }
  return results;
}

struct Pairs {
  Dataset clear, masked;
};

Pairs pairs_of(std::size_t first, std::size_t count, const std::string& origin) {
  const std::vector<Image> images = discs(first, count, 16, 16);
  return {images_of(images, 2, origin), images_of(dimmed(images), 2, origin)};
}

TEST(Reversal, LearnsTheWayBackFromOtherPeople) {
  const Pairs known = pairs_of(100, 80, "others"), target = pairs_of(0, 10, "target");
  const Knowledge knowledge{.clear = &known.clear, .protected_clear = &known.masked};
  const Dataset back = recover(small, target.masked, knowledge);
  for (std::size_t row = 0; row < 10; ++row) {
    // Off by tens of grey levels before, by few after.
    EXPECT_LT(psnr(image_at(target.masked, row), image_at(target.clear, row)), 20);
    EXPECT_GT(psnr(image_at(back, row), image_at(target.clear, row)), 24);
  }
  EXPECT_GT(std::stod(back.provenance->properties.at("reversal_psnr")), 22);
}

TEST(Reversal, WhatWasLearnedIsReadAgain) {
  const test::Scratch scratch;
  const std::string quick = "reversal:size=16,width=2,epochs=1,batch=8";
  const Pairs known = pairs_of(100, 20, "others"), target = pairs_of(0, 2, "target");
  const ResolvedRecovery learned = make_recovery(quick);
  fit_recovery(learned, {.clear = &known.clear, .protected_clear = &known.masked});
  save_recovery(learned, scratch / "learned.npz");
  // The same seed gives the same bits.
  const ResolvedRecovery twice = make_recovery(quick);
  fit_recovery(twice, {.clear = &known.clear, .protected_clear = &known.masked});
  EXPECT_EQ(image_at(recover_dataset(twice, target.masked), 1), image_at(recover_dataset(learned, target.masked), 1));
  const ResolvedRecovery again = load_recovery(scratch / "learned.npz", quick);
  EXPECT_EQ(image_at(recover_dataset(again, target.masked), 1), image_at(recover_dataset(learned, target.masked), 1));
  EXPECT_EQ(again->properties(), learned->properties());
  FittedState state = learned->state();
  state.erase("up1");
  EXPECT_NE(error_of([&] { make_recovery(quick)->restore(state, "there"); }).find("up1"), std::string::npos);
  for (const float epochs : {-1.0F, 1e30F, NAN}) {
    state = learned->state();
    state.at("report")(0, 0) = epochs;
    EXPECT_NE(error_of([&] { make_recovery(quick)->restore(state, "there"); }).find("no learned reversal"),
              std::string::npos)
        << epochs;
  }
  state = learned->state();
  state["up1"] = Matrix<float>(3, 10, 0.0F);
  EXPECT_NE(error_of([&] { make_recovery(quick)->restore(state, "there"); }).find("do not fit"), std::string::npos);
}

// Of five pairs the first is grey, and most are coloured.
TEST(Reversal, MostPairsDecideAboutColour) {
  std::vector<Image> images = {disc(0, 16, 16, 1)};
  for (std::size_t i = 1; i < 5; ++i) images.push_back(disc(i, 16, 16, 3));
  const Dataset clear = images_of(images, 1, "others"), masked = images_of(dimmed(images), 1, "others");
  const ResolvedRecovery learned = make_recovery("reversal:size=8,width=1,epochs=1,validation=0");
  fit_recovery(learned, {.clear = &clear, .protected_clear = &masked});
  EXPECT_EQ(image_at(recover_dataset(learned, images_of({disc(9, 16, 16, 3)})), 0).channels, 3U);
}

// By hand: half of the values are 0 and half are 255, and 51 and 153 where they are masked: mean 1/2 and deviation 1/2,
// mean 0.4 and deviation 0.2.
TEST(Reversal, LearnsAtOneLevel) {
  const auto halves = [](double low, double high) {
    const Image image = drawn(8, 8, 1, [&](double x, double, std::size_t) { return x < 4 ? low : high; });
    return images_of({image, image, image, image}, 1, "others");
  };
  const Dataset clear = halves(0, 255), masked = halves(51, 153);
  const ResolvedRecovery learned = make_recovery("reversal:size=8,width=1,epochs=1,validation=0");
  fit_recovery(learned, {.clear = &clear, .protected_clear = &masked});
  const FittedState state = learned->state();
  const Matrix<float>& report = state.at("report");
  EXPECT_FLOAT_EQ(report(0, 2), 0.4F);
  EXPECT_FLOAT_EQ(report(0, 3), 0.2F);
  EXPECT_FLOAT_EQ(report(0, 4), 0.5F);
  EXPECT_FLOAT_EQ(report(0, 5), 0.5F);
}

// Images of other sizes and shapes than those that were learned from come back in their own.
TEST(Reversal, ImagesKeepTheirSize) {
  const Pairs known = pairs_of(100, 8, "others");
  const Dataset target = images_of({disc(1, 40, 24, 3), disc(2, 5, 7)});
  const Dataset back =
      recover("reversal:size=8,width=1,epochs=1", target, {.clear = &known.clear, .protected_clear = &known.masked});
  EXPECT_EQ(image_at(back, 0).width, 40U);
  EXPECT_EQ(image_at(back, 0).height, 24U);
  EXPECT_EQ(image_at(back, 1).width, 5U);
  EXPECT_EQ(image_at(back, 1).height, 7U);
}

TEST(Reversal, SaysWhatItCannotDo) {
  EXPECT_NE(error_of([] { make_recovery("reversal:size=20"); }).find("take 16"), std::string::npos);
  const Dataset target = images_of(discs(0, 2));
  EXPECT_NE(error_of([&] { recover("reversal", target); }).find("--clear and --protected"), std::string::npos);
  const Dataset damaged = images_of({Image{}, Image{}}, 1, "damaged");
  EXPECT_NE(error_of([&] {
              recover("reversal", target, {.clear = &damaged, .protected_clear = &damaged});
            }).find("no image can be read"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
