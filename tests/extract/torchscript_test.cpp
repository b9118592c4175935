// Networks are those of tests/deep/write_scripts.cpp; expected values are calculated by hand.
#include <cstdlib>

#include "../data/hostile.hpp"
#include "media.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::Scratch;
using test::wav_of;

class TorchScriptExtractor : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    networks = std::make_unique<Scratch>();
    const std::string command = "'" BAUTA_WRITE_SCRIPTS "' '" + networks->path().string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  static void TearDownTestSuite() { networks.reset(); }

  static std::string specification(const std::string& network, const std::string& further = {}) {
    return "torchscript:path=" + (*networks / network).string() + (further.empty() ? "" : ",") + further;
  }
  [[nodiscard]] std::optional<std::vector<float>> features(const std::string& medium, const std::string& network,
                                                           const std::string& further = {}) const {
    return test::unconfined(specification(network, further))->extract(read_medium(scratch.write("medium", medium)));
  }

  inline static std::unique_ptr<Scratch> networks;
  Scratch scratch;
};

TEST_F(TorchScriptExtractor, AveragesAVoiceOverTime) {
  // Sums and differences of the pairs (0.5, 0) and (-1, 0.25): means of 0.5, -0.75 and of 0.5, -1.25.
  const std::string recording = wav_of({16384, 0, -32768, 8192}, 16000);
  EXPECT_EQ(features(recording, "frames.pt", "medium=voice"), (std::vector<float>{-0.125F, -0.375F}));
  // With mean 0 and deviation 1 the sum is 0.
  const auto normal = features(wav_of({100, 200, 300, 0}, 16000), "tuple.pt", "normalise=yes").value();
  EXPECT_NEAR(normal.at(0), 0, 1e-6);
  EXPECT_EQ(normal.size(), 1U);
}

// x (1, 2, 3; 4, 5, 6): of 0.5 and 0.25 as they are, of 1 and -1 where they are brought to mean 0 and deviation 1.
TEST_F(TorchScriptExtractor, SamplesAreShownAsTheyAreOrNormalised) {
  const std::string recording = wav_of({16384, 8192}, 16000);
  EXPECT_EQ(features(recording, "linear.pt"), (std::vector<float>{1.5F, 2.25F, 3}));
  const auto normal = features(recording, "linear.pt", "normalise=yes").value();
  ASSERT_EQ(normal.size(), 3U);
  for (const float value : normal) EXPECT_NEAR(value, -3, 1e-6);
}

// Five samples at half the rate are nine, the last of which lies where the fifth did: they add up to 9 x 0.25.
TEST_F(TorchScriptExtractor, SoundsAreBroughtToTheRateThatIsAskedFor) {
  const std::string recording = wav_of({8192, 8192, 8192, 8192, 8192}, 8000);
  EXPECT_NEAR(features(recording, "tuple.pt").value().at(0), 2.25, 1e-5);
  EXPECT_NEAR(features(recording, "tuple.pt", "rate=8000").value().at(0), 1.25, 1e-5);
}

TEST_F(TorchScriptExtractor, NothingInSilence) {
  EXPECT_FALSE(features(wav_of({0, 0}, 16000), "frames.pt", "medium=voice").has_value());
  EXPECT_FALSE(features(wav_of({5, 5}, 16000), "frames.pt", "normalise=yes").has_value());
}

TEST_F(TorchScriptExtractor, ShowsAnImageAsPlanes) {
  // Planes less 100, 50, 0 and halved.
  const std::string image = "P3 2 1 255 100 50 8 120 90 8";
  const auto means = features(image, "planes.pt", "medium=image,size=2,mean=100/50/0,scale=0.5").value();
  ASSERT_EQ(means.size(), 3U);
  EXPECT_NEAR(means[0], 5, 1e-5);
  EXPECT_NEAR(means[1], 10, 1e-5);
  EXPECT_NEAR(means[2], 4, 1e-5);
  // Sums and differences of neighbours: row by row of red, of green, of blue, and no means over anything.
  const auto pairs =
      features("P3 2 2 255 1 20 90 4 30 70 9 50 10 16 70 0", "frames.pt", "medium=image,size=2,mean=0,scale=1").value();
  const std::vector<float> expected = {5, -3, 25, -7, 50, -10, 120, -20, 160, 20, 10, 10};
  ASSERT_EQ(pairs.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(pairs[i], expected[i], 1e-4) << i;
}

TEST_F(TorchScriptExtractor, GivesTheSameInAProcessOfItsOwn) {
  const auto medium = read_medium(scratch.write("medium", wav_of({16384, 8192}, 16000)));
  const ResolvedExtractor confined = make_extractor(specification("linear.pt"));
  EXPECT_EQ(confined->extract(medium), (std::vector<float>{1.5F, 2.25F, 3}));
  EXPECT_EQ(confined->model(), test::unconfined(specification("linear.pt"))->model());
}

TEST_F(TorchScriptExtractor, WhatTheNetworkRefusesIsAFailureOfThatSample) {
  const Dataset media = test::media_of(scratch, {wav_of({1, 2, 3, 4}, 16000), wav_of({1, 2, 3}, 16000)});
  const Dataset result = extract_dataset(make_extractor(specification("frames.pt")), media);
  EXPECT_EQ(result.labels.column("failed"), (std::vector<std::string>{"0", "1"}));
  expect_contains(result.remarks.back(), "refuses its input");
  // The place of the network is nobody's business; what it was is told by a digest.
  expect_contains(result.provenance->properties.at("extractor"), "torchscript:path=frames.pt,medium=voice");
  EXPECT_EQ(result.provenance->properties.at("extractor_model").size(), 32U);
}

TEST_F(TorchScriptExtractor, RefusesWhatIsNoTemplate) {
  const auto image = read_medium(scratch.write("medium", "P2 1 1 255 7"));
  const auto nan = test::unconfined(specification("nan.pt", "medium=image,size=1"));
  EXPECT_EQ(extract_medium(nan, image, "media", 0).reason, "gives a feature that is not a finite number");
  expect_contains(test::error_of(Fault::usage, [] { (void)make_extractor("torchscript"); }), "path=FILE");
  expect_contains(test::input_error([] { (void)make_extractor("torchscript:path=/no/such/file"); }), "/no/such/file");
  const std::string sound = wav_of({1, 2, 3, 4}, 16000);
  expect_contains(test::input_error([&] { (void)features(sound, "pair.pt"); }), "2 x 2");
  expect_contains(test::input_error([&] { (void)features(sound, "nothing.pt"); }), "1 x 0");
}

TEST_F(TorchScriptExtractor, OneThatNeverEndsFailsThatSampleAlone) {
  const test::Setting limit("BAUTA_MODEL_SECONDS", "2");
  const Dataset media =
      test::media_of(scratch, {wav_of({100, 200}, 16000), wav_of({32000, 1}, 16000), wav_of({300, 400}, 16000)});
  const Dataset result = extract_dataset(make_extractor(specification("endless.pt")), media);
  EXPECT_EQ(result.labels.column("failed"), (std::vector<std::string>{"0", "1", "0"}));
  expect_contains(result.remarks.back(), "took longer than 2 s");
  EXPECT_EQ(result.templates.floats().row(2)[0], 300.0F / 32768);
}

#ifndef BAUTA_SANITIZED  // addresses are not bounded there
TEST_F(TorchScriptExtractor, OneThatWantsTooMuchMemoryIsRefused) {
  const Dataset media = test::media_of(scratch, {wav_of({1, 2}, 16000)});
  const auto greedy = make_extractor(specification("greedy.pt"));
  expect_contains(test::input_error([&] { (void)extract_dataset(greedy, media); }), "memory");
}
#endif

TEST_F(TorchScriptExtractor, RandomMutationsAreSurvived) {
  const auto medium = read_medium(scratch.write("medium", wav_of({1, 2, 3, 4}, 16000)));
  test::expect_mutations_survived(
      "torchscript", test::read_bytes(*networks / "linear.pt"),
      [&](const std::string& bytes) {
        const auto file = scratch.write("x.pt", bytes);
        (void)make_extractor("torchscript:path=" + file.string())->extract(medium);
      },
      test::mutation_rounds(5), 42);
}

}  // namespace
}  // namespace bauta
