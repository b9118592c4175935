#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "../../data/scratch.hpp"
#include "../fixtures.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/protect/media.hpp"

namespace bauta {
namespace {

using test::expect_contains;

class HeldMotions : public MediaSource {
 public:
  explicit HeldMotions(std::vector<Motion> motions) : motions_(std::move(motions)) {}
  [[nodiscard]] std::size_t size() const override { return motions_.size(); }
  [[nodiscard]] Medium load(std::size_t row) const override { return motions_[row]; }

 private:
  std::vector<Motion> motions_;
};

Dataset data_of(const std::vector<Motion>& motions) {
  Dataset data;
  data.origin = "test data";
  data.labels = LabelTable("test data", motions.size());
  data.labels.add_column("identity", std::vector<std::string>(motions.size(), "x"));
  data.media = std::make_shared<HeldMotions>(motions);
  return data;
}

struct Sine {
  double amplitude, cycles, phase;
};

/// Two joints: the x of the first and the z of the second swing as sines about a posture; `pace`: how far all go along
/// y in a frame.
Motion walker(const Sine& first, const Sine& second, double pace = 0, std::size_t frames = 100) {
  Motion motion{frames, 2, {}, 0, {}};
  for (std::size_t t = 0; t < frames; ++t) {
    const auto swing = [&](const Sine& sine) {
      return sine.amplitude *
             std::sin(2 * std::numbers::pi * sine.cycles * static_cast<double>(t) / static_cast<double>(frames) +
                      sine.phase);
    };
    const double way = pace * static_cast<double>(t);
    for (const double value : {5 + swing(first), way + 1, 2.0, -4.0, way + 7, 3 + swing(second)}) {
      motion.positions.push_back(static_cast<float>(value));
    }
  }
  return motion;
}

ResolvedProtection fitted(const std::string& technique, const std::vector<Motion>& motions) {
  ResolvedProtection resolved = make_protection(technique);
  fit_protection(resolved, data_of(motions), {}, {});
  return resolved;
}

void expect_same(const Motion& motion, const Motion& expected, double near) {
  ASSERT_EQ(motion.positions.size(), expected.positions.size());
  for (std::size_t i = 0; i < motion.positions.size(); ++i) {
    EXPECT_NEAR(motion.positions[i], expected.positions[i], near) << i;
  }
}

Motion masked(const ResolvedProtection& technique, const Motion& motion) {
  return std::get<Motion>(technique->mask(motion, 0, {}));
}

// Sines of whole cycles are uncorrelated over the frames, so that the principal components are the two directions and
// the model has no error: what comes out follows by hand from means of amplitudes and cycles.
const Motion one = walker({10, 1, 0.3}, {4, 2, 1}), other = walker({20, 3, 0.9}, {6, 4, 2});

TEST(GaitEqualize, AmplitudesBecomeTheMean) {
  const ResolvedProtection technique = fitted("gait-equalize:what=amplitude", {one, other});
  expect_same(masked(technique, one), walker({15, 1, 0.3}, {5, 2, 1}), 2e-3);
  expect_same(masked(technique, other), walker({15, 3, 0.9}, {5, 4, 2}), 2e-3);
}

TEST(GaitEqualize, FrequenciesBecomeTheMean) {
  const ResolvedProtection technique = fitted("gait-equalize:what=frequency", {one, other});
  expect_same(masked(technique, one), walker({10, 2, 0.3}, {4, 3, 1}), 2e-3);
  expect_same(masked(fitted("gait-equalize", {one, other}), other), walker({15, 2, 0.9}, {5, 3, 2}), 2e-3);
}

TEST(GaitEqualize, WhoIsTheMeanStaysAndTheWayIsTakenOff) {
  expect_same(masked(fitted("gait-equalize", {one}), one), one, 2e-3);
  // Both go 3 a frame along y: the middle of the way, at 49.5 frames, is where they stay.
  Motion still = one;
  for (std::size_t i = 1; i < still.positions.size(); i += 3) still.positions[i] += 3 * 49.5F;
  expect_same(masked(fitted("gait-equalize", {one}), walker({10, 1, 0.3}, {4, 2, 1}, 3)), still, 2e-3);
}

TEST(GaitEqualize, FrequenciesBetweenWholeCyclesAreFound) {
  // 2.37 cycles in 200 frames: the sine is fitted, not read off a grid. Its mean is not 0, which bends it a little.
  const Motion motion = walker({10, 2.37, 0.4}, {0, 1, 0}, 0, 200);
  const ResolvedProtection technique = fitted("gait-equalize:components=1", {motion});
  EXPECT_NEAR(technique->state().at("means")(0, 1) * 200, 2.37, 0.05);
  EXPECT_NEAR(technique->state().at("means")(0, 0), 10, 0.5);
}

TEST(GaitEqualize, NothingFasterThanACycleInFourFramesIsASwing) {
  const Motion motion = walker({10, 40, 0.4}, {0, 1, 0});  // 0.4 cycles a frame
  EXPECT_LE(fitted("gait-equalize:components=1", {motion})->state().at("means")(0, 1), 0.25F);
}

TEST(GaitEqualize, StillAndShortMotionsAreSurvivedOrRefused) {
  const ResolvedProtection technique = fitted("gait-equalize", {one, other});
  const Motion still = walker({0, 1, 0}, {0, 1, 0});
  expect_same(masked(technique, still), still, 1e-5);
  expect_contains(test::input_error([&] { (void)masked(technique, walker({1, 1, 0}, {1, 1, 0}, 0, 7)); }), "7 frames");
  expect_contains(test::input_error([&] { (void)fitted("gait-equalize", {still}); }), "nobody who moves");
}

TEST(GaitEqualize, WhatWasLearnedIsKeptAndThreadsDoNotMatter) {
  const test::Scratch scratch;
  const int before = threads();
  set_threads(1);
  const ResolvedProtection technique = fitted("gait-equalize:what=both", {one, other, one});
  set_threads(2);
  EXPECT_EQ(fitted("gait-equalize:what=both", {one, other, one}).model, technique.model);
  set_threads(before);
  save_protection(technique, scratch / "model.npz");
  EXPECT_EQ(masked(load_protection(scratch / "model.npz", "gait-equalize"), one), masked(technique, one));
  FittedState state = technique->state();
  state.at("means")(0, 0) = -1;
  EXPECT_NE(error_of([&] { make_protection("gait-equalize")->restore(state, "file"); }), "no error");
}

}  // namespace
}  // namespace bauta
