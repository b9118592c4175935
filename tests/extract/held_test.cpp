// What extractors make of small media, as it was on 2026-11-16.
#include "../held.hpp"

#include "bauta/core/random.hpp"
#include "face_frame.hpp"
#include "media.hpp"
#include "resampled.hpp"

namespace bauta {
namespace {

using test::Scratch;

/// A tone that swells and falls, under noise.
std::vector<std::int16_t> voice(std::size_t count, double rate) {
  Stream stream(2, "held voice");
  std::vector<std::int16_t> samples = test::tone(310, count, 6000, rate);
  for (std::size_t n = 0; n < count; ++n) {
    const double loudness = 0.2 + static_cast<double>(n % 1500) / 1500;
    samples[n] = static_cast<std::int16_t>(loudness * samples[n] + 900 * stream.normal());
  }
  return samples;
}

std::string image(std::uint64_t item, std::size_t width, std::size_t height, bool colour) {
  Stream stream(3, "held image", item);
  std::string file = (colour ? "P6 " : "P5 ") + std::to_string(width) + " " + std::to_string(height) + " 255\n";
  for (std::size_t i = 0; i < width * height * (colour ? 3 : 1); ++i)
    file.push_back(static_cast<char>(stream.below(256)));
  return file;
}

std::vector<float> values_of(const Dataset& data) {
  const MatrixView<const float> values = data.templates.floats();
  std::vector<float> all;
  for (std::size_t i = 0; i < values.rows; ++i) all.insert(all.end(), values.row(i).begin(), values.row(i).end());
  return all;
}

TEST(HeldExtractors, OfVoices) {
  test::expect_held(
      {
          {"cepstra", 0.125871736},
          {"cepstra:layout=statistics,rate=16000", -1.68991129},
          {"cepstra:coefficients=9,filters=18,low=120,high=3100,range=40", 0.532609771},
      },
      [](const std::string& extractor) {
        const Scratch scratch;
        return values_of(extract_dataset(
            make_extractor(extractor),
            test::media_of(scratch, {test::wav_of(voice(5000, 8000)), test::wav_of(voice(9000, 11025), 11025)})));
      });
}

TEST(HeldExtractors, OfOtherRates) {
  test::expect_held({{"8000", 0.012403789}, {"16000", 0.00989781254}, {"44100", -0.00179258286}},
                    [](const std::string& rate) {
                      Recording recording{11025, {}};
                      for (const std::int16_t sample : voice(700, 11025))
                        recording.samples.push_back(static_cast<float>(sample) / 32768);
                      return resampled(recording, std::stoi(rate));
                    });
}

TEST(HeldExtractors, OfImages) {
  test::expect_held(
      {
          {"pixels:size=5", 0.0883879948},
          {"pixels:size=12,color=rgb", -0.214153199},
          {"eigenface:size=6,components=4", 0.254055505},
          {"eigenface:size=6,standardise=yes,whiten=yes", -0.0925552866},
      },
      [](const std::string& specification) {
        const Scratch scratch;
        std::vector<std::string> images;
        for (std::uint64_t item = 0; item < 9; ++item) images.push_back(image(item, 7 + item, 11, item % 2 == 0));
        const Dataset media = test::media_of(scratch, images);
        const ResolvedExtractor extractor = make_extractor(specification);
        if (extractor.declaration->learns) fit_extractor(extractor, media);
        return values_of(extract_dataset(extractor, media));
      });
}

// Pixels 16 to 100 and 28 to 112 of a crop of 112, as in the paper's frame; twice that of one of 224.
TEST(HeldExtractors, TheFixedBoxOfAnAlignedFace) {
  Declaration declaration;
  declaration.name = "any";
  declaration.parameters = FaceFrame::parameters();
  const FaceFrame frame(Parameters(declaration, Specification::parse("any:frame=aligned")));
  for (const double scale : {1.0, 2.0}) {
    const auto edge = static_cast<std::size_t>(112 * scale);
    const Box box = frame.face({edge, edge, 1, std::vector<std::uint8_t>(edge * edge)}).value();
    EXPECT_DOUBLE_EQ(box.left, 16 * scale);
    EXPECT_DOUBLE_EQ(box.top, 28 * scale);
    EXPECT_DOUBLE_EQ(box.right, 101 * scale - 1);
    EXPECT_DOUBLE_EQ(box.bottom, 113 * scale - 1);
  }
}

}  // namespace
}  // namespace bauta
