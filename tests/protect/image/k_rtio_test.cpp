#include <algorithm>
#include <map>
#include <numeric>

#include "../../data/scratch.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/protect/media.hpp"
#include "images.hpp"

namespace bauta {
namespace {

using test::Scratch;

/// k-rtio with these images to lay over others.
ResolvedProtection with_overlays(const Scratch& scratch, const std::vector<Image>& overlays, const std::string& more) {
  for (std::size_t i = 0; i < overlays.size(); ++i) {
    write_medium(scratch / (std::to_string(i) + ".png"), overlays[i]);
  }
  return make_protection("k-rtio:" + more + ",overlays=" + scratch.path().string());
}

Image masked(const ResolvedProtection& technique, const Image& image, std::size_t sample = 0,
             const ProtectContext& context = {}) {
  return std::get<Image>(technique->mask(image, sample, context));
}

TEST(KRtio, AlphaWeighsTheImageItself) {
  const Scratch scratch;
  const Image image = even_image(9, 5, 3, 50);
  // 0.4 * 50 + 0.6 * 200, and with the weights exchanged it would be 110.
  EXPECT_EQ(masked(with_overlays(scratch, {even_image(9, 5, 3, 200)}, "block=2"), image), even_image(9, 5, 3, 140));
  EXPECT_EQ(masked(make_protection("k-rtio:alpha=1"), noise_image(9, 5, 3)), noise_image(9, 5, 3));
  EXPECT_EQ(masked(make_protection("k-rtio:alpha=0"), image),
            masked(make_protection("k-rtio:alpha=0"), noise_image(9, 5, 3)));
}

TEST(KRtio, WholeBlocksOfTheOverlayChangePlacesAndNothingElse) {
  const Scratch scratch;
  const Image overlay = noise_image(17, 11, 3);  // 4 x 2 blocks of 4; a column and three rows are left over
  const Image result = masked(with_overlays(scratch, {overlay}, "alpha=0,k=1,block=4"), even_image(17, 11, 3, 9));
  const auto before = blocks_of(overlay, 4), after = blocks_of(result, 4);
  ASSERT_EQ(after.size(), 8U);
  EXPECT_NE(before, after);
  EXPECT_TRUE(std::is_permutation(before.begin(), before.end(), after.begin()));
  for (std::size_t y = 0; y < 11; ++y) {
    for (std::size_t i = (y < 8 ? 16 : 0) * 3; i < std::size_t{17 * 3}; ++i) {
      EXPECT_EQ(result.pixels[y * 17 * 3 + i], overlay.pixels[y * 17 * 3 + i]);
    }
  }
}

// Columns that are twice as wide: three quarters and a quarter of the two next to each centre, the outermost as they
// are.
TEST(KRtio, OverlaysOfTheSameHeightAreStretched) {
  const Scratch scratch;
  const Image narrow{4, 2, 1, {0, 40, 80, 120, 0, 40, 80, 120}};
  const Image result = masked(with_overlays(scratch, {narrow}, "alpha=0,k=1,block=8"), even_image(8, 2, 1, 9));
  const std::vector<int> rows = {0, 10, 30, 50, 70, 90, 110, 120, 0, 10, 30, 50, 70, 90, 110, 120};
  EXPECT_EQ(std::vector<int>(result.pixels.begin(), result.pixels.end()), rows);
}

TEST(KRtio, TheMeanOfTheOverlaysCounts) {
  // Two overlays of 0 and 255, two draws: both 0 or both 255 in a quarter of the images each, else their mean, which is
  // rounded half up. 400 images: 100 and 200 +- 4 standard deviations (8.7 and 10).
  const Scratch scratch;
  const ResolvedProtection technique =
      with_overlays(scratch, {even_image(2, 2, 1, 0), even_image(2, 2, 1, 255)}, "alpha=0,k=2,block=1");
  std::map<int, int> times;
  for (std::size_t sample = 0; sample < 400; ++sample) {
    ++times[masked(technique, even_image(2, 2, 1, 77), sample).pixels[0]];
  }
  EXPECT_EQ(times.size(), 3U);
  EXPECT_NEAR(times[0], 100, 35);
  EXPECT_NEAR(times[128], 200, 40);
  EXPECT_NEAR(times[255], 100, 35);
}

TEST(KRtio, ValuesAreRoundedHalfUpOrTruncated) {
  const Scratch scratch;
  const Image black = even_image(3, 2, 1, 0), image{3, 2, 1, {1, 2, 3, 253, 254, 255}};
  const Image rounded = masked(with_overlays(scratch, {black}, "alpha=0.5,block=1"), image);
  EXPECT_EQ(rounded.pixels, (std::vector<std::uint8_t>{1, 1, 2, 127, 127, 128}));
  const Image truncated = masked(with_overlays(scratch, {black}, "alpha=0.5,block=1,quantize=truncate"), image);
  EXPECT_EQ(truncated.pixels, (std::vector<std::uint8_t>{0, 1, 1, 126, 127, 127}));
}

TEST(KRtio, KeyAndSampleDecideAndNothingElse) {
  const Image image = noise_image(20, 30, 3);
  const ResolvedProtection technique = make_protection("k-rtio");
  const Image first = masked(technique, image, 3);
  (void)masked(technique, image, 8);  // who is masked before does not matter
  EXPECT_EQ(masked(technique, image, 3), first);
  EXPECT_EQ(masked(make_protection("k-rtio"), image, 3), first);
  EXPECT_NE(masked(technique, image, 4), first);
  EXPECT_NE(masked(technique, image, 3, {.randomness = Randomness::seeded(2)}), first);
  // Sample 3 of another data set is another image under the same key.
  EXPECT_NE(masked(technique, image, 3, {.randomness = Randomness::seeded(1, "other data")}), first);
  EXPECT_NE(masked(make_protection("k-rtio:regime=application"), image, 3), first);
  EXPECT_NE(masked(make_protection("k-rtio:regime=application"), image, 3),
            masked(make_protection("k-rtio:regime=application,application=1"), image, 3));
  const KeyFile one('a'), other('k');
  EXPECT_EQ(masked(make_protection("k-rtio:keyfile=" + one.path()), image, 3),
            masked(make_protection("k-rtio:keyfile=" + one.path()), image, 3));
  EXPECT_NE(masked(make_protection("k-rtio:keyfile=" + one.path()), image, 3),
            masked(make_protection("k-rtio:keyfile=" + other.path()), image, 3));
}

/// The image behind a masked one (alpha 0.4, k 2, blocks of 3) as whoever holds the key and the record finds it: which
/// overlay, and in which order its blocks stand, is drawn from the key in the order of Rajabi et al.
Image undone(const Image& hidden, const std::vector<Image>& overlays, const SecretKey& key, const std::string& name,
             std::size_t number) {
  std::vector<double> sum(hidden.pixels.size(), 0);
  for (int j = 0; j < 2; ++j) {
    Stream stream(key.derive("k-rtio", "stolen"), "overlay " + std::to_string(j) + " of " + name, number);
    const Image& overlay = overlays[stream.below(overlays.size())];
    const std::size_t across = hidden.width / 3, blocks = across * (hidden.height / 3);
    const std::vector<std::size_t> order = stream.permutation(blocks);
    Image moved = overlay;
    for (std::size_t to = 0; to < blocks; ++to) {
      for (std::size_t y = 0; y < 3; ++y) {
        for (std::size_t x = 0; x < 3; ++x) {
          moved.pixels[(to / across * 3 + y) * hidden.width + to % across * 3 + x] =
              overlay.pixels[(order[to] / across * 3 + y) * hidden.width + order[to] % across * 3 + x];
        }
      }
    }
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += 0.5 * moved.pixels[i];
  }
  Image image = hidden;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    image.pixels[i] = static_cast<std::uint8_t>(std::clamp((hidden.pixels[i] - 0.6 * sum[i]) / 0.4 + 0.5, 0.0, 255.0));
  }
  return image;
}

// Also where everything else comes from the operating system.
TEST(KRtio, HoldersOfTheKeyGetNearlyTheImageBack) {
  const Scratch scratch, out;
  const std::vector<Image> overlays = {noise_image(10, 7, 1), even_image(10, 7, 1, 90),
                                       masked(make_protection("block-permute:block=2"), noise_image(10, 7, 1))};
  const KeyFile file('k');
  const ResolvedProtection technique = with_overlays(scratch, overlays, "k=2,block=3,keyfile=" + file.path());
  const Image clear = masked(make_protection("pixelate:cells=4"), noise_image(10, 7, 1));
  (void)protect_media_to_folder(technique, data_of({clear, clear, clear}, {"a", "b", "c"}),
                                {.randomness = Randomness::operating_system()}, out.path());
  ReadOptions options;
  options.templates_required = false;
  const Dataset hidden = read_dataset(out.path(), options);
  const std::string name = hidden.provenance->properties.at("overlay_name");
  const SecretKey key = SecretKey::from_file(file.path());
  for (std::size_t row = 0; row < 3; ++row) {
    const Image image = std::get<Image>(hidden.media->load(row));
    const std::size_t number = std::stoul(hidden.labels.column("file")[row]);
    EXPECT_EQ(number, row + 1);
    const auto differences = [&](const Image& back) {
      std::vector<int> found;
      for (std::size_t i = 0; i < back.pixels.size(); ++i) {
        found.push_back(std::abs(int{back.pixels[i]} - int{clear.pixels[i]}));
      }
      return found;
    };
    // Half a grey level of rounding is 1.25 of the image, and half a level more.
    EXPECT_LE(std::ranges::max(differences(undone(image, overlays, key, name, number))), 2);
    // Another number is another image, more than 20 levels away on average, though not every one: there are three
    // overlays, and one of them is even.
    int others = 0;
    for (std::size_t other = 4; other < 40; ++other) {
      const std::vector<int> found = differences(undone(image, overlays, key, name, other));
      others += std::accumulate(found.begin(), found.end(), 0.0) / 70 > 20;
    }
    EXPECT_GT(others, 5);
  }
}

TEST(KRtio, SecretKeysBelongToSubjects) {
  const Image image = noise_image(8, 8, 1);
  const ResolvedProtection secret = make_protection("k-rtio:regime=secret");
  const ProtectContext ab{.subjects = {"a", "b"}}, bb{.subjects = {"b", "b"}};
  EXPECT_EQ(masked(secret, image, 1, ab), masked(secret, image, 1, bb));
  EXPECT_NE(masked(secret, image, 0, ab), masked(secret, image, 0, bb));
  Dataset nameless = dataset_of(gaussian_templates(2, 4), 1);
  EXPECT_NE(error_of([&] { (void)secret->among(nameless, {}, {}); }).find("needs the subject"), std::string::npos);
}

TEST(KRtio, OverlaysAreStretchedToTheImage) {
  const Scratch scratch;
  // A grey ramp over two pixels, on four: centres at -0.25, 0.25, 0.75 and 1.25 of its own, held at the ends.
  const ResolvedProtection ramp = with_overlays(scratch, {Image{2, 1, 1, {0, 200}}}, "alpha=0,k=1,block=8");
  const Image wide = masked(ramp, even_image(4, 2, 3, 1));
  for (std::size_t i = 0; i < wide.pixels.size(); ++i) {
    EXPECT_EQ(wide.pixels[i], (std::vector<int>{0, 50, 150, 200})[i / 3 % 4]);
  }
  // The same downwards, and 40 more on the right.
  const Scratch slopes;
  const ResolvedProtection slope = with_overlays(slopes, {Image{2, 2, 1, {0, 40, 200, 240}}}, "alpha=0,k=1,block=8");
  EXPECT_EQ(masked(slope, even_image(2, 4, 1, 1)).pixels,
            (std::vector<std::uint8_t>{0, 40, 50, 90, 150, 190, 200, 240}));
  const Scratch colours;
  // 0.299 * 100 + 0.587 * 50 + 0.114 * 200 = 82.05.
  const ResolvedProtection colour = with_overlays(colours, {Image{1, 1, 3, {100, 50, 200}}}, "alpha=0,k=1");
  EXPECT_EQ(masked(colour, even_image(3, 2, 1, 1)), even_image(3, 2, 1, 82));
}

TEST(KRtio, FoldersThatHoldNoOverlaysAreRefused) {
  const Scratch empty, text;
  text.write("a.png", "no image");
  const Dataset data = dataset_of(gaussian_templates(2, 4), 1);
  const auto refusal = [&](const Scratch& scratch) {
    return error_of([&] { (void)make_protection("k-rtio:overlays=" + scratch.path().string())->among(data, {}, {}); });
  };
  EXPECT_NE(refusal(empty), "no error");
  EXPECT_NE(refusal(text).find("a.png"), std::string::npos);
}

/// The mean of what lies over an image, of 300 samples.
std::vector<double> mean_overlay(const ResolvedProtection& technique, const Image& shape) {
  std::vector<double> means(shape.pixels.size(), 0);
  for (std::size_t sample = 0; sample < 300; ++sample) {
    const Image result = masked(technique, shape, sample);
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += result.pixels[i] / 300.0;
  }
  return means;
}

TEST(KRtio, AnInformedAttackerKnowsTheMeanOfTheOverlay) {
  const Scratch scratch;
  const Image shape = even_image(9, 5, 1, 0);  // 2 x 1 blocks of 4, a column and a row are left over
  const ResolvedProtection folder =
      with_overlays(scratch,
                    {noise_image(9, 5, 1), even_image(9, 5, 1, 10),
                     masked(make_protection("block-permute:block=2"), noise_image(9, 5, 1))},
                    "alpha=0,k=3,block=4");
  const ResolvedProtection textures = make_protection("k-rtio:alpha=0,k=3,block=4");
  for (const auto& [technique, near] : {std::pair{&folder, 16.0}, {&textures, 11.0}}) {
    // Standard deviation of the mean of three overlays: at most 74 / sqrt(3) for bytes drawn evenly and 64 / sqrt(3)
    // for textures; of 300 images 2.5 and 2.1 (four and more of them are allowed).
    const KnownOverlay expected = (*technique)->known_mask({shape.width, shape.height, shape.channels}).overlay.value();
    EXPECT_EQ(expected.own, 0);
    const std::vector<double> means = mean_overlay(*technique, shape);
    ASSERT_EQ(expected.overlay.size(), means.size());
    for (std::size_t i = 0; i < means.size(); ++i) EXPECT_NEAR(means[i], expected.overlay[i], near) << i;
  }
}

TEST(KRtio, TexturesAreSmoothAndUseTheRange) {
  const Image result = masked(make_protection("k-rtio:alpha=0,k=1,block=64"), even_image(64, 48, 3, 0));
  double steps = 0, spread = 0;
  for (std::size_t y = 0; y < 48; ++y) {
    for (std::size_t x = 1; x < 64; ++x) {
      steps += std::abs(result.pixels[(y * 64 + x) * 3] - result.pixels[(y * 64 + x - 1) * 3]);
      spread += std::abs(result.pixels[(y * 64 + x) * 3] - 127.5);
    }
  }
  EXPECT_LT(steps, spread / 3);
  EXPECT_GT(spread / (48 * 63), 15);
}

// Points of the grids vary with a deviation of 64, all wavelengths together. Between them lie means of four, whose
// variance is 4/9 of that on average over the cell: the integral of ((1 - t)^2 + t^2) squared. Cutting off at 0 and 255
// takes 2 % of it away (4,000 textures, numpy 1.24.2: 1,782 instead of 1,820; of 1,000 the standard error is 1.3 %).
TEST(KRtio, TexturesVaryAsMuchAsTheirGrids) {
  double sum = 0;
  constexpr int textures = 1000;
  for (std::uint64_t seed = 1; seed <= textures; ++seed) {
    const auto technique = make_protection("k-rtio:alpha=0,k=1,block=64");
    const Image result =
        std::get<Image>(technique->mask(even_image(64, 64, 1, 0), 0, {.randomness = Randomness::seeded(seed)}));
    for (const std::uint8_t value : result.pixels) sum += (value - 127.5) * (value - 127.5) / (64 * 64 * textures);
  }
  EXPECT_NEAR(sum, 1782, 0.05 * 1782);
}

}  // namespace
}  // namespace bauta
