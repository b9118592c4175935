#include "resampled.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace bauta {
namespace {

double wave(double hertz, double seconds) {
  return 0.5 * std::sin(2 * std::numbers::pi * hertz * seconds + 0.3);
}

Recording recorded(double hertz, double rate, std::size_t count) {
  Recording recording{rate, {}};
  for (std::size_t n = 0; n < count; ++n) {
    recording.samples.push_back(static_cast<float>(wave(hertz, static_cast<double>(n) / rate)));
  }
  return recording;
}

/// Largest distance from the true wave, away from the ends.
double error_of(const std::vector<float>& samples, double rate, double hertz) {
  double largest = 0;
  for (std::size_t n = samples.size() / 4; n < samples.size() * 3 / 4; ++n) {
    largest = std::max(largest, std::abs(samples[n] - wave(hertz, static_cast<double>(n) / rate)));
  }
  return largest;
}

TEST(Resampled, AToneStaysThatTone) {
  for (const double from : {8000.0, 11025.0, 16000.0, 44100.0, 48000.0}) {
    for (const int to : {8000, 16000, 22050}) {
      const double pass = 0.85 * std::min<double>(from, to) / 2;
      for (const double hertz : {120.0, 1000.0, pass}) {
        const auto samples = resampled(recorded(hertz, from, 8000), to);
        EXPECT_LT(error_of(samples, to, hertz), 2e-3) << from << " " << to << " " << hertz;
      }
    }
  }
}

TEST(Resampled, WhatTheNewRateCannotHoldIsGone) {
  for (const double hertz : {4400.0, 6000.0, 15000.0}) {
    const auto samples = resampled(recorded(hertz, 44100, 20000), 8000);
    for (std::size_t n = samples.size() / 4; n < samples.size() * 3 / 4; ++n) EXPECT_NEAR(samples[n], 0, 2e-3);
  }
}

TEST(Resampled, AConstantStaysAndTheLengthIsThatOfTheRecording) {
  const Recording recording{44100, std::vector<float>(4411, 0.25F)};
  const auto samples = resampled(recording, 8000);
  // The last output that lies within 4410 / 44100 = 0.1 s is number 800.
  EXPECT_EQ(samples.size(), 801U);
  for (const float sample : samples) EXPECT_FLOAT_EQ(sample, 0.25F);
  EXPECT_EQ(resampled(recording, 44100), recording.samples);
  EXPECT_TRUE(resampled({44100, {}}, 8000).empty());
  EXPECT_EQ(resampled({44100, {0.5F}}, 8000), std::vector<float>{0.5F});
}

}  // namespace
}  // namespace bauta
