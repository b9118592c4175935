#include <gtest/gtest.h>

#include "../data/scratch.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/protect/media.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

class Motions : public MediaSource {
 public:
  explicit Motions(std::vector<Motion> all) : all_(std::move(all)) {}

  [[nodiscard]] std::size_t size() const override { return all_.size(); }
  [[nodiscard]] Medium load(std::size_t row) const override { return all_[row]; }

 private:
  std::vector<Motion> all_;
};

/// One joint, whose coordinates swing around ten times what they swing by: 1, 2, and `swing`, by which each of six
/// walkers swings 3 more than the one before.
Dataset walkers(const std::string& origin, std::size_t count, double swing) {
  std::vector<Motion> all;
  for (std::size_t i = 0; i < count; ++i) {
    Motion motion{4000, 1, {}, 0, {}};
    for (std::size_t t = 0; t < motion.frames; ++t) {
      const double phase = std::sqrt(2.0) * std::sin(0.1 * static_cast<double>(t + i));  // of deviation 1
      for (const double wide : {1.0, 2.0, swing + 3.0 * static_cast<double>(i % 6)})
        motion.positions.push_back(static_cast<float>(10 * wide + wide * phase));
    }
    all.push_back(std::move(motion));
  }
  Dataset data;
  data.origin = origin;
  data.labels = LabelTable(origin, count);
  data.media = std::make_shared<Motions>(std::move(all));
  return data;
}

Dataset masked(const std::string& technique, const Dataset& data) {
  return protect_media(make_protection(technique), data, {.randomness = Randomness::seeded(3)});
}

// Noise of 10 deviations makes sqrt(1 + 100) of one, and moves no mean; of 4,000 frames a deviation is known to 1.1 %.
TEST(RescaleNoise, BringsSpreadsBack) {
  const Dataset others = walkers("others", 6, 1), hidden = masked("gait-noise:scale=10", others);
  const Dataset back = recover("rescale-noise", masked("gait-noise:scale=10", walkers("target", 1, 7)),
                               {.clear = &others, .protected_clear = &hidden});
  EXPECT_NEAR(std::stod(back.provenance->properties.at("noise_factor")), std::sqrt(101), 0.1);
  EXPECT_NEAR(std::stod(back.provenance->properties.at("noise_shift")), 0, 0.15);
  const auto motion = std::get<Motion>(back.media->load(0));
  double sum = 0, square = 0;
  for (std::size_t t = 0; t < motion.frames; ++t) {
    sum += motion.positions[3 * t + 2] / 4000.0;
    square += motion.positions[3 * t + 2] * motion.positions[3 * t + 2] / 4000.0;
  }
  EXPECT_NEAR(std::sqrt(square - sum * sum), 7, 0.3);
  EXPECT_NEAR(sum, 70, 4);  // 70 deviations of noise over sqrt(4000)
}

// The mean of a coordinate of deviation s is off by 1000 s / sqrt(4000): variance 250 s^2. Means of the others, 10, 40
// ... 160, have variance 2625 around 85: of what is found 2625 / (2625 + 250 s^2) is believed, the rest is 85. Level
// and shift of the noise are known from 180 means: to 11 %, and to 1.2 s.
TEST(RescaleNoise, WhatIsUncertainIsDrawnTowardsOtherPeople) {
  const Dataset others = walkers("others", 60, 1), hidden = masked("gait-noise:scale=1000", others);
  const Dataset target = masked("gait-noise:scale=1000", walkers("target", 6, 7));
  const Dataset back = recover("rescale-noise", target, {.clear = &others, .protected_clear = &hidden});
  const auto mean = [](const Dataset& data, std::size_t row, std::size_t coordinate) {
    const auto motion = std::get<Motion>(data.media->load(row));
    double sum = 0;
    for (std::size_t t = 0; t < motion.frames; ++t) sum += motion.positions[3 * t + coordinate] / 4000.0;
    return sum;
  };
  double moved = 0;
  for (std::size_t row = 0; row < 6; ++row) {
    const double deviation = 7 + 3.0 * static_cast<double>(row), away = mean(target, row, 2) - 85;
    const double trust = 2625 / (2625 + 250 * deviation * deviation);
    EXPECT_NEAR(mean(back, row, 2), 85 + trust * away, trust * (4 * deviation + 0.35 * std::abs(away)));
    EXPECT_NEAR(mean(back, row, 0), 10, 0.1);  // everybody has the same
    moved = std::max(moved, std::abs(away) / deviation);
  }
  EXPECT_GT(moved, 15);  // so that neither all nor nothing of it would pass
}

// Uniform noise between 0 and 1, 10 deviations of it: sqrt(1 + 100 / 12), and means move by 5.
TEST(RescaleNoise, BringsMeansBack) {
  const std::string technique = "gait-noise:scale=10,distribution=uniform";
  const Dataset others = walkers("others", 6, 1), hidden = masked(technique, others);
  const Dataset back = recover("rescale-noise", masked(technique, walkers("target", 1, 7)),
                               {.clear = &others, .protected_clear = &hidden});
  EXPECT_NEAR(std::stod(back.provenance->properties.at("noise_factor")), std::sqrt(1 + 100.0 / 12), 0.05);
  EXPECT_NEAR(std::stod(back.provenance->properties.at("noise_shift")), 5, 0.05);
  const auto motion = std::get<Motion>(back.media->load(0));
  double sum = 0;
  for (std::size_t t = 0; t < motion.frames; ++t) sum += motion.positions[3 * t + 2] / 4000.0;
  EXPECT_NEAR(sum, 70, 1.5);
}

/// One joint that swings by `factor` about 0, 2 and 10, and by one, two and three times `moved` further.
Dataset swinging(const std::string& origin, float factor, float moved) {
  Motion motion{2, 1, {}, 0, {}};
  for (const float side : {-1.0F, 1.0F}) {
    for (const float middle : {0 + moved, 2 + 2 * moved, 10 + 3 * moved}) {
      motion.positions.push_back(middle + factor * side);
    }
  }
  Dataset data;
  data.origin = origin;
  data.labels = LabelTable(origin, 1);
  data.media = std::make_shared<Motions>(std::vector<Motion>{motion});
  return data;
}

// By hand: deviations are 1 and 3, means move by 1, 2 and 3 of them, whose variance is 2/3. As means of one walker do
// not vary, all that is found is drawn towards them.
TEST(RescaleNoise, WhatWasLearnedIsExactAndReadAgain) {
  const test::Scratch scratch;
  const Dataset clear = swinging("clear", 1, 0), hidden = swinging("hidden", 3, 1);
  const ResolvedRecovery learned = make_recovery("rescale-noise");
  fit_recovery(learned, {.clear = &clear, .protected_clear = &hidden});
  EXPECT_EQ(learned->properties().at("noise_factor"), "3.0000");
  EXPECT_EQ(learned->properties().at("noise_shift"), "2.0000");
  const FittedState state = learned->state();
  const std::vector<float> noise(state.at("noise").data(), state.at("noise").data() + state.at("noise").size());
  EXPECT_EQ(noise, (std::vector<float>{3, 2, 2.0F / 3}));
  save_recovery(learned, scratch / "learned.npz");
  const ResolvedRecovery again = load_recovery(scratch / "learned.npz", "rescale-noise");
  for (const ResolvedRecovery& recovery : {learned, again}) {
    EXPECT_EQ(std::get<Motion>(recover_dataset(recovery, hidden).media->load(0)).positions,
              std::get<Motion>(clear.media->load(0)).positions);
  }
  for (const std::string name : {"noise", "people"}) {
    FittedState damaged = learned->state();
    damaged.erase(name);
    EXPECT_NE(error_of([&] { make_recovery("rescale-noise")->restore(damaged, "there"); }), "no error") << name;
    damaged[name] = Matrix<float>(4, 1, 1.0F);
    EXPECT_NE(error_of([&] { make_recovery("rescale-noise")->restore(damaged, "there"); }), "no error") << name;
  }
}

TEST(RescaleNoise, SaysWhatItCannotDo) {
  const Dataset some = walkers("some", 2, 1), still = [] {
    Dataset data = walkers("still", 1, 1);
    data.media = std::make_shared<Motions>(std::vector<Motion>{{2, 1, std::vector<float>(6, 1.0F), 0, {}}});
    return data;
  }();
  EXPECT_NE(error_of([&] { recover("rescale-noise", some); }).find("--clear and --protected"), std::string::npos);
  EXPECT_NE(
      error_of([&] { recover("rescale-noise", some, {.clear = &still, .protected_clear = &still}); }).find("move"),
      std::string::npos);
  const Dataset moving = swinging("moving", 1, 0), halted = swinging("halted", 0, 1);
  EXPECT_NE(
      error_of([&] { recover("rescale-noise", some, {.clear = &moving, .protected_clear = &halted}); }).find("move"),
      std::string::npos);
  EXPECT_NE(error_of([&] { recover("average-media", some); }).find("image"), std::string::npos);
}

}  // namespace
}  // namespace bauta
