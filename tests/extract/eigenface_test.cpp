#include <algorithm>
#include <cmath>

#include "../data/hostile.hpp"
#include "bauta/core/parallel.hpp"
#include "media.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::media_of;
using test::Scratch;

/// As in references.py: images of 4 x 4.
std::vector<std::string> images(std::size_t count) {
  std::vector<std::string> all;
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < count; ++i) {
    std::string image = "P2 4 4 255";
    for (int pixel = 0; pixel < 16; ++pixel) {
      state = (1103515245 * state + 12345) % (std::uint64_t{1} << 31U);
      image += " " + std::to_string((state >> 16U) % 256);
    }
    all.push_back(std::move(image));
  }
  return all;
}

Dataset fitted_on(const Dataset& train, const Dataset& data, const std::string& specification) {
  const ResolvedExtractor extractor = make_extractor(specification);
  fit_extractor(extractor, train);
  return extract_dataset(extractor, data);
}

// numpy 1.24.2, by singular value decomposition (references.py). Eight centred images have rank seven.
TEST(Eigenface, AgreesWithNumpyAndEndsAtTheRank) {
  const Scratch scratch;
  const Dataset media = media_of(scratch, images(8));
  const auto plain = fitted_on(media, media, "eigenface:size=4").templates;
  ASSERT_EQ(plain.cols(), 7U);
  const std::vector<double> first = {0.742003803,  -0.348396318, 0.434608614, -0.150316242,
                                     -0.364913598, 0.136151716,  0.235340736};
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(plain.floats()(0, k), first[k], 1e-6) << k;
  const auto white = fitted_on(media, media, "eigenface:size=4,whiten=yes,components=5").templates;
  ASSERT_EQ(white.cols(), 5U);
  const std::vector<double> sixth = {0.925617781, 2.04297733, -0.291070142, -1.09585795, 0.65327642};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(white.floats()(5, k), sixth[k], 1e-5) << k;
}

// One image in ten exposures: all differ in one direction, and the rounding of their pixels is none.
TEST(Eigenface, RoundingIsNoDirection) {
  const Scratch scratch;
  std::vector<std::string> exposures;
  for (int light = 1; light <= 10; ++light) {
    exposures.emplace_back("P2 4 4 255");
    for (int pixel = 1; pixel <= 16; ++pixel) exposures.back() += " " + std::to_string(light * pixel);
  }
  const Dataset media = media_of(scratch, exposures);
  EXPECT_EQ(fitted_on(media, media, "eigenface:size=4").templates.cols(), 1U);
}

TEST(Eigenface, StandardisedPixelsCountAlikeWhateverTheirContrast) {
  // The second pixel has a quarter of the contrast in `faint`: its standard scores are the same.
  const Scratch one, two;
  const Dataset strong = media_of(one, {"P2 2 2 255 10 40 9 9", "P2 2 2 255 60 80 9 7", "P2 2 2 255 200 0 9 3"});
  const Dataset faint = media_of(two, {"P2 2 2 255 10 10 9 9", "P2 2 2 255 60 20 9 7", "P2 2 2 255 200 0 9 3"});
  const std::string standardised = "eigenface:size=2,standardise=yes";
  const auto a = fitted_on(strong, strong, standardised).templates;
  const auto b = fitted_on(faint, faint, standardised).templates;
  ASSERT_EQ(a.cols(), 2U);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(a.floats()(i, k), b.floats()(i, k), 1e-5);
  }
  EXPECT_GT(std::abs(fitted_on(strong, strong, "eigenface:size=2").templates.floats()(0, 0) -
                     fitted_on(faint, faint, "eigenface:size=2").templates.floats()(0, 0)),
            0.01);
}

TEST(Eigenface, AllComponentsKeepDistancesOfPixels) {
  const Scratch scratch;
  const Dataset media = media_of(scratch, images(8));
  const Dataset faces = fitted_on(media, media, "eigenface:size=4");
  const Dataset pixels = extract_dataset(make_extractor("pixels:size=4"), media);
  const auto squared = [](MatrixView<const float> values, std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t j = 0; j < values.cols; ++j) sum += std::pow(double{values(a, j)} - values(b, j), 2);
    return sum;
  };
  for (std::size_t i = 1; i < 8; ++i) {
    EXPECT_NEAR(squared(faces.templates.floats(), 0, i), squared(pixels.templates.floats(), 0, i), 1e-5) << i;
  }
}

TEST(Eigenface, WhatItLearnedIsNamedByADigest) {
  const Scratch here, there;
  const Dataset train = media_of(here, images(8));
  auto fewer = images(9);
  fewer.erase(fewer.begin());
  const Dataset other = media_of(there, fewer);
  const auto model = [&](const Dataset& data, const std::string& specification) {
    return fitted_on(data, train, specification).provenance->properties.at("extractor_model");
  };
  const std::string once = model(train, "eigenface:size=4");
  EXPECT_EQ(once, model(train, "eigenface:size=4"));
  EXPECT_NE(once, model(other, "eigenface:size=4"));
  EXPECT_NE(once, model(train, "eigenface:size=4,components=3"));
  // The same directions about another mean, of which one value alone differs.
  const Scratch dark, light;
  const Dataset first = media_of(dark, {"P2 2 2 255 8 0 0 8", "P2 2 2 255 0 8 0 4", "P2 2 2 255 0 0 8 0"});
  const Dataset second = media_of(light, {"P2 2 2 255 8 0 0 136", "P2 2 2 255 0 8 0 132", "P2 2 2 255 0 0 8 128"});
  EXPECT_NE(model(first, "eigenface:size=2"), model(second, "eigenface:size=2"));
}

TEST(Eigenface, LearnsNothingFromImagesThatCannotBeRead) {
  const Scratch here, there;
  auto damaged = images(8);
  damaged.insert(damaged.begin() + 3, "no image");
  const Dataset media = media_of(here, images(8));
  const auto a = fitted_on(media, media, "eigenface:size=4");
  const auto b = fitted_on(media_of(there, damaged), media, "eigenface:size=4");
  EXPECT_EQ(a.provenance->properties.at("extractor_model"), b.provenance->properties.at("extractor_model"));
}

TEST(Eigenface, WhatItLearnedComesBackToTheLastBit) {
  const Scratch scratch;
  const Dataset media = media_of(scratch, images(8));
  for (const std::string more : {"", ",standardise=yes,whiten=yes"}) {
    const ResolvedExtractor fitted = make_extractor("eigenface:size=4" + more);
    fit_extractor(fitted, media);
    save_extractor(fitted, scratch / "model.npz");
    const ResolvedExtractor again = load_extractor(scratch / "model.npz", "eigenface:size=4" + more);
    EXPECT_EQ(again->model(), fitted->model());
    const Dataset a = extract_dataset(fitted, media), b = extract_dataset(again, media);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(a.templates.row_bytes(i), b.templates.row_bytes(i));
    // What it makes of a medium is what it makes of the pixels that it sees of it.
    const Dataset pixels = extract_dataset(make_extractor(fitted->base()), media);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_TRUE(std::ranges::equal(fitted->project(pixels.templates.floats().row(i)), a.templates.floats().row(i)));
    }
  }
  expect_contains(test::input_error([&] { (void)load_extractor(scratch / "model.npz", "eigenface:size=5"); }),
                  "size=4");
}

TEST(Eigenface, RandomMutationsOfWhatItLearnedAreSurvived) {
  const Scratch scratch;
  const Dataset media = media_of(scratch, images(8));
  const ResolvedExtractor fitted = make_extractor("eigenface:size=4");
  fit_extractor(fitted, media);
  save_extractor(fitted, scratch / "model.npz");
  const Medium medium = read_medium(scratch / "0");
  const test::MemoryLimit limit;
  test::expect_mutations_survived(
      "fitted extractor", test::read_bytes(scratch / "model.npz"),
      [&](const std::string& bytes) {
        (void)load_extractor(scratch.write("x.npz", bytes), "eigenface:size=4")->extract(medium);
      },
      test::mutation_rounds(1000), 44);
}

TEST(Eigenface, NeedsImagesThatDiffer) {
  const Scratch scratch;
  const Dataset media = media_of(scratch, {images(1)[0], images(1)[0], images(1)[0]});
  expect_contains(test::input_error([&] { fit_extractor(make_extractor("eigenface:size=4"), media); }), "differ");
  expect_contains(test::error_of(Fault::usage, [&] { (void)extract_dataset(make_extractor("eigenface"), media); }),
                  "has not been fitted");
}

TEST(Eigenface, SameBitsForAnyNumberOfThreads) {
  const Scratch scratch;
  const Dataset media = media_of(scratch, images(300));
  const int before = threads();
  set_threads(1);
  const Dataset one = fitted_on(media, media, "eigenface:size=4,components=9");
  set_threads(2);
  const Dataset two = fitted_on(media, media, "eigenface:size=4,components=9");
  set_threads(before);
  EXPECT_EQ(one.provenance->properties, two.provenance->properties);
  for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(one.templates.row_bytes(i), two.templates.row_bytes(i));
}

}  // namespace
}  // namespace bauta
