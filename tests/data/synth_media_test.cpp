#include "bauta/data/synth_media.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "bauta/core/parallel.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/image.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/recording.hpp"
#include "scratch.hpp"

namespace bauta {
namespace {

using test::Scratch;

Dataset read(const Scratch& scratch) {
  ReadOptions options;
  options.templates_required = false;
  return read_dataset(scratch.path(), options);
}

/// Period, in seconds, of the strongest repetition between 70 and 400 Hz.
double period_of(const Recording& recording) {
  const auto lag_power = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t n = lag; n < recording.samples.size(); ++n)
      sum += double{recording.samples[n]} * recording.samples[n - lag];
    return sum / static_cast<double>(recording.samples.size() - lag);
  };
  std::size_t best = 20;
  for (std::size_t lag = 20; lag <= 114; ++lag) {
    if (lag_power(lag) > lag_power(best)) best = lag;
  }
  return static_cast<double>(best) / recording.rate;
}

TEST(SynthVoices, AreReadAndHaveThePitchThatWasDrawn) {
  const Scratch scratch;
  const auto truth = nlohmann::json::parse(synthesize_voices(scratch.path(), {.identities = 6, .samples = 20}));
  const Dataset media = read(scratch);
  ASSERT_EQ(media.size(), 120U);
  EXPECT_EQ(media.labels.categorical("digit").counts(), std::vector<std::size_t>(10, 12));
  EXPECT_EQ(media.labels.categorical("gender").counts(), std::vector<std::size_t>(2, 60));
  for (std::size_t identity = 0; identity < 6; ++identity) {
    const double pitch = truth["speakers"][identity]["pitch_hz"];
    double sum = 0;
    for (std::size_t sample = 0; sample < 20; ++sample) {
      const Recording recording = read_recording(scratch / media.labels.column("file")[identity * 20 + sample]);
      EXPECT_EQ(recording.rate, 8000);
      EXPECT_GT(recording.samples.size(), 1600U);
      // An octave up or down is a repetition as well.
      double ratio = std::log2(pitch * period_of(recording));
      ratio -= std::round(ratio);
      sum += ratio / 20;
    }
    // The pitch of a sample varies by 5 %, and it falls from 1.1 to 0.9 times that: a tenth of an octave is 7 %.
    EXPECT_NEAR(sum, 0, 0.1) << identity;
  }
}

TEST(SynthFaces, AreReadAndSmile) {
  const Scratch scratch;
  (void)synthesize_faces(scratch.path(), {.identities = 4, .samples = 10});
  const Dataset media = read(scratch);
  ASSERT_EQ(media.size(), 40U);
  EXPECT_EQ(media.labels.categorical("expression").counts(), std::vector<std::size_t>(2, 20));
  EXPECT_EQ(media.labels.categorical("hair").counts(), std::vector<std::size_t>(2, 20));
  for (const std::string& file : media.labels.column("file")) {
    const Image image = read_image(scratch / file);
    EXPECT_EQ(image.width * image.height * image.channels, 64U * 64);
  }
}

TEST(SynthMedia, SameSeedSameBytesForAnyNumberOfThreads) {
  const Scratch one, two, other;
  const int before = threads();
  for (auto* synthesize : {&synthesize_voices, &synthesize_faces}) {
    set_threads(1);
    const std::string truth = synthesize(one.path(), {.identities = 3, .samples = 3});
    set_threads(2);
    EXPECT_EQ(truth, synthesize(two.path(), {.identities = 3, .samples = 3}));
    EXPECT_NE(truth, synthesize(other.path(), {.identities = 3, .samples = 3, .seed = 2}));
    const Dataset media = read(one);
    for (const std::string& file : media.labels.column("file")) {
      EXPECT_EQ(test::read_bytes(one / file), test::read_bytes(two / file));
      EXPECT_NE(test::read_bytes(one / file), test::read_bytes(other / file));
    }
  }
  set_threads(before);
}

TEST(SynthGaits, BodiesHaveTheirHeightAndLegsSwing) {
  const Scratch scratch;
  const auto truth = nlohmann::json::parse(synthesize_gaits(scratch.path(), {.identities = 6, .samples = 4}));
  const Dataset media = read(scratch);
  ASSERT_EQ(media.size(), 24U);
  const std::vector<double> heights = media.labels.numbers("height_m");
  for (std::size_t row = 0; row < media.size(); ++row) {
    const Motion walk = std::get<Motion>(media.media->load(row));
    ASSERT_EQ(walk.frames, 100U);
    ASSERT_EQ(walk.names.size(), 20U);
    const auto at = [&](std::size_t frame, std::size_t joint, std::size_t axis) {
      return walk.positions[(frame * 20 + joint) * 3 + axis];
    };
    double head = 0, left = 0, right = 0, both = 0;
    for (std::size_t frame = 0; frame < 100; ++frame) {
      head += at(frame, 0, 1) / 100;
      right += std::pow(at(frame, 14, 2), 2) / 100;
      left += std::pow(at(frame, 15, 2), 2) / 100;
      both += double{at(frame, 14, 2)} * at(frame, 15, 2) / 100;
    }
    // Hips to the head: trunk 0.30 and neck 0.13 of the height, each varying by a few percent.
    EXPECT_NEAR(head / (1000 * heights[row]), 0.43, 0.05);
    EXPECT_NEAR(both / std::sqrt(left * right), -1, 0.05);  // knees swing against each other
    EXPECT_GT(std::sqrt(left), 50);
  }
  const double optimum = truth["optimum_rank_1"];
  EXPECT_GT(optimum, 0.9);  // six people in twelve traits are far apart
  EXPECT_LE(optimum, 1);
}

// Among very many people the optimum falls; it is that of the traits, which a walk shows with noise of 0.35.
TEST(SynthGaits, ManyPeopleAreHardToTellApart) {
  const Scratch few, many;
  const auto optimum = [](const Scratch& scratch, std::size_t identities) {
    return nlohmann::json::parse(
               synthesize_gaits(scratch.path(), {.identities = identities, .samples = 1}))["optimum_rank_1"]
        .get<double>();
  };
  EXPECT_LT(optimum(many, 400), optimum(few, 10));
}

}  // namespace
}  // namespace bauta
