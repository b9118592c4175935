#include <algorithm>

#include "bauta/core/random.hpp"
#include "media.hpp"
#include "mfcc.hpp"

namespace bauta {
namespace {

using test::Scratch;
using test::tone;
using test::wav_of;

using Samples = std::vector<std::int16_t>;

std::optional<std::vector<float>> cepstra(const Samples& samples, const std::string& specification = "cepstra",
                                          std::uint32_t rate = 8000) {
  const Scratch scratch;
  const auto file = scratch.write("recording", wav_of(samples, rate));
  return make_extractor(specification)->extract(read_medium(file));
}

/// Noise that swells sixteen times a second, as in references.py.
Samples recording(int count) {
  Samples samples;
  std::uint64_t state = 1;
  for (int n = 0; n < count; ++n) {
    state = (1103515245 * state + 12345) % (std::uint64_t{1} << 31U);
    samples.push_back(static_cast<std::int16_t>((static_cast<int>((state >> 16U) % 8192) - 4096) * (n % 500) >> 9));
  }
  return samples;
}

void expect_every(std::size_t step, const std::vector<float>& values, const std::vector<double>& expected) {
  ASSERT_EQ(expected.size(), (values.size() + step - 1) / step);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(values[i * step], expected[i], 2e-6 * std::max(1.0, std::abs(expected[i]))) << i;
  }
}

// numpy 1.24.2 and scipy 1.10.1 (references.py).
TEST(Cepstra, AgreeWithNumpy) {
  const auto segments = cepstra(recording(4000)).value();
  EXPECT_EQ(segments.size(), 140U);
  expect_every(7, segments,
               {-11.0467139,   -0.566909262, -0.0410169174, 0.898621123,  0.741388753,  0.661699629,  0.316691058,
                0.280793195,   0.169418946,  -1.82421465,   0.0765736279, -0.249573188, -0.828440903, -0.3105841,
                -0.0383836564, -1.0848379,   0.0773041658,  0.13961224,   -0.234902919, -0.347993119});
  const auto statistics = cepstra(recording(4000), "cepstra:layout=statistics").value();
  EXPECT_EQ(statistics.size(), 80U);
  expect_every(4, statistics,
               {-11.0467139,   -0.880162673, -0.143205723, 0.0955109905, -0.0838172483,  5.25509416,     0.632802607,
                0.741388753,   0.705125282,  0.479192147,  0.222737326,  -0.00825786547, -0.00871105095, -0.017406567,
                0.00736371281, 2.48167643,   0.236917565,  0.242426768,  0.221609149,    0.169418946});
}

TEST(Cepstra, NothingInSilenceNorInAMoment) {
  EXPECT_FALSE(cepstra(Samples(4000, 0)).has_value());
  EXPECT_FALSE(cepstra(Samples(4000, 12000)).has_value()) << "a constant is no sound";
  Samples noise;
  for (int n = 0; n < 4000; ++n) noise.push_back(static_cast<std::int16_t>(n % 3 == 0));
  EXPECT_FALSE(cepstra(noise).has_value()) << "the lowest bit";
  // Squares of 3 and 4 of 32,768 are at -80.8 and -78.3 decibels.
  Samples faint, audible;
  for (int n = 0; n < 4000; ++n) {
    faint.push_back(static_cast<std::int16_t>(n % 6 < 3 ? 3 : -3));
    audible.push_back(static_cast<std::int16_t>(n % 6 < 3 ? 4 : -4));
  }
  EXPECT_FALSE(cepstra(faint).has_value());
  EXPECT_TRUE(cepstra(audible).has_value());
  // Four frames of 200 samples every 80 need 440.
  EXPECT_FALSE(cepstra(tone(1000, 439)).has_value());
  EXPECT_TRUE(cepstra(tone(1000, 440)).has_value());
  EXPECT_FALSE(cepstra({}).has_value());
}

TEST(Cepstra, LoudnessMovesC0Alone) {
  const Samples quiet = recording(4000);
  Samples loud = quiet;
  for (auto& sample : loud) sample = static_cast<std::int16_t>(sample * 4);
  const auto a = cepstra(quiet).value();
  const auto b = cepstra(loud).value();
  for (std::size_t i = 0; i < a.size(); ++i) {
    // c0 is the sum of 26 logarithms of power over the root of 26; it stands first among means, of the whole and of the
    // four parts.
    const bool mean_of_c0 = i == 0 || (i >= 60 && i % 20 == 0);
    const double shift = mean_of_c0 ? std::sqrt(26.0) * std::log(16.0) : 0;
    EXPECT_NEAR(b[i] - a[i], shift, 1e-5) << i;
  }
}

TEST(Cepstra, OfALongerRecordingOfTheSameSoundAreNearlyTheSame) {
  const auto a = cepstra(tone(700, 4000)).value();
  const auto b = cepstra(tone(700, 8000)).value();
  for (std::size_t k = 0; k < 20; ++k) EXPECT_NEAR(a[k], b[k], 0.05) << k;
}

// The same noise below 3.4 kHz at another rate sounds the same.
TEST(Cepstra, HardlyDependOnTheRateOfTheRecording) {
  Stream stream(3, "cepstra test", 0);
  std::vector<double> phases;
  for (int i = 0; i < 60; ++i) phases.push_back(stream.uniform() * 2 * std::numbers::pi);
  const auto sound = [&](double rate) {
    Samples samples;
    for (double n = 0; n < rate; ++n) {
      double sum = 0;
      for (std::size_t i = 0; i < phases.size(); ++i) {
        sum += std::sin(2 * std::numbers::pi * 55.0 * static_cast<double>(i + 1) * n / rate + phases[i]);
      }
      samples.push_back(static_cast<std::int16_t>(std::lround(1000 * sum)));
    }
    return samples;
  };
  const auto a = cepstra(sound(8000)).value();
  const auto b = cepstra(sound(44100), "cepstra", 44100).value();
  const auto c = cepstra(sound(7000), "cepstra:high=3400", 7000).value();
  const auto d = cepstra(sound(8000), "cepstra:high=3400").value();
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(a[i], b[i], 0.05) << i;
    EXPECT_NEAR(c[i], d[i], 0.3) << i;
  }
}

TEST(Cepstra, RefuseParametersThatContradictEachOther) {
  for (const char* specification : {"cepstra:coefficients=30", "cepstra:high=5000", "cepstra:low=3000,high=2000",
                                    "cepstra:low=2000,high=2000", "cepstra:high=4001", "cepstra:coefficients=27"}) {
    EXPECT_FALSE(test::error_of(Fault::usage, [&] { (void)make_extractor(specification); }).empty());
  }
  EXPECT_NO_THROW((void)make_extractor("cepstra:coefficients=26,low=3999,high=4000"));
}

// With as many coefficients as filters the DCT can be undone: what comes out are the filters' logarithms.
TEST(Mfcc, ATonePeaksInTheFilterAtItsPitch) {
  MfccOptions options;
  options.coefficients = options.filters = 26;
  const Mfcc mfcc(options);
  const double step = hertz_to_mel(4000) / 27;
  for (const double hertz : {150.0, 440.0, 1000.0, 2500.0, 3500.0}) {
    std::vector<float> samples;
    for (const std::int16_t sample : tone(hertz, 800)) samples.push_back(static_cast<float>(sample) / 32768);
    const Matrix<double> frames = mfcc.frames(samples);
    ASSERT_EQ(frames.rows(), 8U);
    std::vector<double> logarithms(26, 0.0);
    for (std::size_t m = 0; m < 26; ++m) {
      for (std::size_t k = 0; k < 26; ++k) {
        const double angle = std::numbers::pi * static_cast<double>(k) * (static_cast<double>(m) + 0.5) / 26;
        logarithms[m] += frames(3, k) * std::cos(angle) * std::sqrt((k == 0 ? 1.0 : 2.0) / 26);
      }
    }
    const auto peak = std::max_element(logarithms.begin(), logarithms.end()) - logarithms.begin();
    // Filter m stands at (m + 1) steps. The wider filters above also gather more of the window's skirt.
    EXPECT_NEAR(static_cast<double>(peak + 1), hertz_to_mel(hertz) / step, 0.75) << hertz;
  }
}

// The floor is relative to the recording, however faint it is: 1/1024 of it has 2^-20 of the power.
TEST(Mfcc, AFaintCopyDiffersInC0Alone) {
  const Mfcc mfcc(MfccOptions{});
  std::vector<float> loud, faint;
  for (const std::int16_t sample : recording(2000)) {
    loud.push_back(static_cast<float>(sample) / 32768);
    faint.push_back(loud.back() / 1024);
  }
  const Matrix<double> a = mfcc.frames(loud), b = mfcc.frames(faint);
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t t = 0; t < a.rows(); ++t) {
    for (std::size_t k = 0; k < a.cols(); ++k) {
      ASSERT_NEAR(a(t, k) - b(t, k), k == 0 ? std::sqrt(26.0) * 20 * std::log(2.0) : 0, 1e-9) << t << " " << k;
    }
  }
}

// By definition of HTK's scale 1000 Hz are 1000 mel, nearly: 2595 log10(17 / 7).
TEST(Mfcc, MelScale) {
  EXPECT_EQ(hertz_to_mel(0), 0);
  EXPECT_NEAR(hertz_to_mel(1000), 999.9855, 1e-4);
  EXPECT_NEAR(hertz_to_mel(700), 781.1728, 1e-4);  // 2595 log10 2
}

TEST(Mfcc, DeltasOfALineAreItsSlope) {
  Matrix<double> frames(7, 1);
  for (std::size_t t = 0; t < 7; ++t) frames(t, 0) = 3 * static_cast<double>(t);
  const Matrix<double> slope = deltas(frames);
  for (std::size_t t = 2; t < 5; ++t) EXPECT_DOUBLE_EQ(slope(t, 0), 3);
  // At the edge by hand: (1 * (3 - 0) + 2 * (6 - 0)) / 10.
  EXPECT_DOUBLE_EQ(slope(0, 0), 1.5);
}

}  // namespace
}  // namespace bauta
