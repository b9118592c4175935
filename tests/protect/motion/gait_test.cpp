// Techniques for motion; expected values by hand unless another origin is named.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "../../data/scratch.hpp"
#include "../fixtures.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/protect/media.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using Floats = std::vector<float>;

Motion masked(const std::string& technique, const Motion& motion, std::size_t sample = 0) {
  return std::get<Motion>(make_protection(technique)->mask(motion, sample, {}));
}

Floats values(const std::string& technique, const Motion& motion) {
  return masked(technique, motion).positions;
}

/// One joint whose x is given; y is -x, z is 1.
Motion line(const Floats& x) {
  Motion motion{x.size(), 1, {}, 0, {"Head"}};
  for (const float value : x) motion.positions.insert(motion.positions.end(), {value, -value, 1});
  return motion;
}

Floats first_of_three(const Floats& all) {
  Floats result;
  for (std::size_t i = 0; i < all.size(); i += 3) result.push_back(all[i]);
  return result;
}

Floats x_of(const std::string& technique, const Floats& x) {
  return first_of_three(values(technique, line(x)));
}

const Motion body{1, 4, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 0, {"Head", "KneeLeft", "FootRight", "HandLeft"}};

TEST(GaitParts, KeepAndRemoveSetOthersToZero) {
  EXPECT_EQ(values("gait-keep", body), (Floats{0, 0, 0, 4, 5, 6, 7, 8, 9, 0, 0, 0}));  // legs
  EXPECT_EQ(values("gait-remove:part=legs", body), (Floats{1, 2, 3, 0, 0, 0, 0, 0, 0, 10, 11, 12}));
  EXPECT_EQ(values("gait-keep:part=left_leg+head", body), (Floats{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(values("gait-keep:part=HandLeft", body), (Floats{0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 11, 12}));
  Motion later = body;
  later.frames = 2;
  later.positions.insert(later.positions.end(), body.positions.begin(), body.positions.end());
  EXPECT_EQ(values("gait-keep:part=arms", later),
            (Floats{0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 11, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 11, 12}));
}

TEST(GaitParts, WhatIsNotThereIsRefused) {
  const auto found = [](const std::string& technique, const Motion& motion) {
    return test::error_of(Fault::usage, [&] { (void)masked(technique, motion); });
  };
  expect_contains(found("gait-keep:part=torso", body), "no joint belongs to 'torso'");
  expect_contains(found("gait-remove:part=legs+tail", body), "no joint belongs to 'tail'");
  Motion nameless = body;
  nameless.names.clear();
  expect_contains(found("gait-keep", nameless), "joints.txt");
  expect_contains(found("gait-sum-of-parts", nameless), "joints.txt");
}

TEST(GaitParts, PartsStandApart) {
  // Head is the first part, left_leg the sixth, right_leg the seventh, left_arm the fourth; x alone moves.
  EXPECT_EQ(values("gait-sum-of-parts:distance=100", body), (Floats{1, 2, 3, 504, 5, 6, 607, 8, 9, 310, 11, 12}));
}

TEST(GaitNoise, IsScaledByTheDeviationOfTheCoordinate) {
  // x is 0 and 4 in turn: deviation 2 over the sequence (population); z never moves and gets no noise. Of 40,000 draws
  // the deviation of the noise has a standard error of 3 * 2 / sqrt(80000) = 0.021, its mean one of 0.03.
  Floats x(40000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 0.0F : 4.0F;
  for (const bool normal : {true, false}) {
    const Motion result = masked(normal ? "gait-noise:scale=3" : "gait-noise:scale=3,distribution=uniform", line(x));
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double noise = double{result.positions[3 * i]} - x[i];
      mean += noise / 40000;
      square += noise * noise / 40000;
      ASSERT_EQ(result.positions[3 * i + 2], 1);
    }
    // Uniform on [0, 1): mean 1/2, deviation sqrt(1/12).
    EXPECT_NEAR(mean, normal ? 0 : 3, 0.12);
    EXPECT_NEAR(std::sqrt(square - mean * mean), normal ? 6 : 6 * std::sqrt(1.0 / 12), 0.085);
  }
  EXPECT_NE(masked("gait-noise", line({0, 4}), 0), masked("gait-noise", line({0, 4}), 1));
  EXPECT_EQ(masked("gait-noise", line({0, 4}), 1), masked("gait-noise", line({0, 4}), 1));
  EXPECT_EQ(masked("gait-noise:scale=0", line({0, 4})), line({0, 4}));
}

TEST(GaitMotion, DifferencesThenZeros) {
  EXPECT_EQ(x_of("gait-motion", {1, 2, 4, 8}), (Floats{1, 2, 4, 0}));
  EXPECT_EQ(x_of("gait-motion:d=3", {1, 2, 4, 8}), (Floats{7, 0, 0, 0}));
  EXPECT_EQ(x_of("gait-motion:d=4", {1, 2, 4, 8}), (Floats{0, 0, 0, 0}));
  EXPECT_EQ(values("gait-motion", line({1, 3})), (Floats{2, -2, 0, 0, 0, 0}));
}

TEST(GaitStatic, OnePose) {
  EXPECT_EQ(values("gait-static", line({1, 2, 6})), (Floats{3, -3, 1}));
  EXPECT_EQ(masked("gait-static:pose=first", line({1, 2, 6})), line({1}));
}

TEST(GaitResample, FramesOrFramesPerSecond) {
  EXPECT_EQ(x_of("gait-resample:frames=3", {0, 1, 2, 3, 4}), (Floats{0, 2, 4}));
  Motion motion = line({0, 1, 2, 3, 4, 5});
  expect_contains(test::error_of(Fault::usage, [&] { (void)masked("gait-resample:fps=10", motion); }), "unknown");
  motion.rate = 20;
  // int(6 * 10 / 20) = 3 frames at 0, 2.5 and 5.
  EXPECT_EQ(first_of_three(values("gait-resample:fps=10", motion)), (Floats{0, 2.5, 5}));
}

TEST(GaitCoarsen, RoundsHalvesToTheEvenSide) {
  // As numpy.around: 50, 150 and 250 lie between two hundreds.
  EXPECT_EQ(x_of("gait-coarsen-macro", {49, 50, 51, 150, 250, -50, -150, -151}),
            (Floats{0, 0, 100, 200, 200, 0, -200, -200}));
  EXPECT_EQ(x_of("gait-coarsen-macro:k=0", {0.5, 1.5, -0.5, -1.5}), (Floats{0, 2, 0, -2}));
}

// As numpy.trunc(x / 100) * 100: towards zero on both sides.
TEST(GaitCoarsen, TruncatesTowardsZero) {
  EXPECT_EQ(x_of("gait-coarsen-macro:quantize=truncate", {99, 150, 199, -99, -150, -250}),
            (Floats{0, 100, 100, 0, -100, -200}));
  EXPECT_EQ(x_of("gait-coarsen-macro:k=3,quantize=truncate", {1999, -1999}), (Floats{1000, -1000}));
}

TEST(GaitCoarsen, RemaindersAreNeverNegative) {
  EXPECT_EQ(x_of("gait-coarsen-micro", {250, 99, 100, -1, -100, -250}), (Floats{50, 99, 0, 99, 0, 50}));
}

TEST(GaitCoarsenTime, StraightLinesBetweenPosesAndTheRestAsItWas) {
  EXPECT_EQ(x_of("gait-coarsen-time:f=2", {0, 9, 4, 9, 8, 7}), (Floats{0, 2, 4, 6, 8, 7}));
  EXPECT_EQ(x_of("gait-coarsen-time:f=3", {0, 9, 9, 6}), (Floats{0, 2, 4, 6}));
  EXPECT_EQ(x_of("gait-coarsen-time", {0, 9, 4}), (Floats{0, 9, 4}));
}

TEST(GaitWindows, MeansOfWholeWindowsThenZeros) {
  // Windows of three, symmetric: (0 + 3 + 6) / 3 = 3, (3 + 6 + 0) / 3 = 3, (6 + 0 + 9) / 3 = 5.
  EXPECT_EQ(x_of("gait-remove-variations:w=1", {0, 3, 6, 0, 9}), (Floats{3, 3, 5, 0, 0}));
  // The pose in the middle of each, less that mean.
  EXPECT_EQ(x_of("gait-remove-trajectory:w=1", {0, 3, 6, 0, 9}), (Floats{0, 3, -5, 0, 0}));
  // First and last of each window alone.
  EXPECT_EQ(x_of("gait-remove-variations:w=2,mode=interpolation", {1, 7, 7, 7, 3}), (Floats{2, 0, 0, 0, 0}));
  EXPECT_EQ(x_of("gait-remove-trajectory:w=2,mode=interpolation", {1, 7, 8, 7, 3}), (Floats{6, 0, 0, 0, 0}));
  EXPECT_EQ(x_of("gait-remove-variations", {1, 2, 3, 4, 5, 6}), Floats(6, 0));  // w = 3 needs seven
}

TEST(GaitNormalize, OverTimeEachCoordinateHasUnitLength) {
  const Motion result = masked("gait-normalize", Motion{2, 1, {3, 0, -1, 4, 0, 0}, 0, {}});
  EXPECT_EQ(result.positions, (Floats{0.6F, 0, -1, 0.8F, 0, 0}));  // a zero column stays zero
}

TEST(GaitNormalize, HeightsComeFromTheDataSet) {
  const test::Scratch scratch;
  for (const char* const name : {"a.npy", "b.npy"}) write_medium(scratch / name, Motion{1, 1, {10, 20, 30}, 0, {}});
  scratch.write("labels.csv", "file,identity,height_m\na.npy,a,0.9\nb.npy,b,\n");
  ReadOptions options;
  options.templates_required = false;
  const Dataset dataset = read_dataset(scratch.path(), options);
  const auto all = [&](const std::string& technique) {
    const Dataset result = protect_media(make_protection(technique), dataset, {});
    return std::get<Motion>(result.media->load(0)).positions;
  };
  EXPECT_EQ(all("gait-normalize:over=y"), (Floats{10, 40, 30}));
  EXPECT_EQ(all("gait-normalize:over=y,axis=z"), (Floats{10, 20, 60}));
  EXPECT_EQ(all("gait-normalize:over=y,axis=x"), (Floats{20, 20, 30}));
  EXPECT_EQ(all("gait-normalize:over=axes"), (Floats{20, 40, 60}));
  const Dataset unknown = protect_media(make_protection("gait-normalize:over=y"), dataset, {});
  expect_contains(test::input_error([&] { (void)unknown.media->load(1); }), "row 2: has no height_m");
  expect_contains(test::error_of(Fault::usage, [&] { (void)all("gait-normalize:over=y,height=size"); }),
                  "has no column 'size'");
}

TEST(GaitFolder, KeepsTheNamesOfJoints) {
  const test::Scratch from, to;
  write_medium(from / "a.npy", Motion{1, 2, {1, 2, 3, 4, 5, 6}, 0, {}});
  from.write("joints.txt", "Head\nFootLeft\n");
  from.write("labels.csv", "file,identity\na.npy,a\n");
  ReadOptions options;
  options.templates_required = false;
  const auto folder =
      protect_media_to_folder(make_protection("gait-keep"), read_dataset(from.path(), options), {}, to.path());
  EXPECT_EQ(folder.failures, 0U);
  const Motion back = std::get<Motion>(read_dataset(to.path(), options).media->load(0));
  EXPECT_EQ(back.names, (std::vector<std::string>{"Head", "FootLeft"}));
  EXPECT_EQ(back.positions, (Floats{0, 0, 0, 4, 5, 6}));
}

// What is masked once more, as in a second call of the program, is as fast as the first result: of 20 frames a second
// every other one is left at 10. The file that lacks a rate has none afterwards either.
TEST(GaitFolder, KeepsTheRateOfFrames) {
  const test::Scratch from, to;
  from.write("a.csv", "time,Head_x,Head_y,Head_z\n0,0,0,0\n0.05,1,0,0\n0.1,2,0,0\n0.15,3,0,0\n0.2,4,0,0\n0.25,5,0,0\n");
  write_medium(from / "b.npy", Motion{2, 1, {1, 2, 3, 4, 5, 6}, 0, {}});
  from.write("joints.txt", "Head\n");
  from.write("labels.csv", "file,identity\na.csv,a\nb.npy,b\n");
  ReadOptions options;
  options.templates_required = false;
  const Dataset clear = read_dataset(from.path(), options);
  (void)protect_media_to_folder(make_protection("gait-keep:part=head"), clear, {}, to.path());
  const Dataset once = read_dataset(to.path(), options);
  EXPECT_NEAR(std::get<Motion>(once.media->load(0)).rate, 20, 1e-9);
  EXPECT_EQ(std::get<Motion>(once.media->load(1)).rate, 0);
  const Dataset twice = protect_media(make_protection("gait-resample:fps=10"), once, {});
  EXPECT_EQ(first_of_three(std::get<Motion>(twice.media->load(0)).positions), (Floats{0, 2.5, 5}));
  // Nor does a medium lose it that a run keeps.
  const auto stored = [&] {
    return std::get<Motion>(stored_medium(to.path(), 7, [&] { return clear.media->load(0); }));
  };
  const double made = stored().rate;
  EXPECT_EQ(stored().rate, made);
  EXPECT_NEAR(made, 20, 1e-9);
  to.write("rates.csv", "file,rate\n000001.npy,fast\n");
  expect_contains(test::input_error([&] { (void)read_dataset(to.path(), options); }), "'fast' is no number of frames");
}

}  // namespace
}  // namespace bauta
