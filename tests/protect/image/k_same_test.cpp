#include <algorithm>
#include <map>
#include <set>

#include "../../data/scratch.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/protect/media.hpp"
#include "images.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::Scratch;

/// Everybody has one image.
std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> people;
  for (std::size_t i = 0; i < count; ++i) people.push_back("person " + std::to_string(i));
  return people;
}

/// Of `count` people, of different brightness and with noise.
std::vector<Image> faces(std::size_t count, std::size_t width = 5, std::size_t height = 7, std::size_t channels = 3) {
  Stream stream(9, "test.faces");
  std::vector<Image> images;
  for (std::size_t i = 0; i < count; ++i) {
    Image image = even_image(width, height, channels, static_cast<std::uint8_t>(stream.below(180)));
    for (std::uint8_t& value : image.pixels) value = static_cast<std::uint8_t>(value + stream.below(70));
    images.push_back(std::move(image));
  }
  return images;
}

std::vector<Image> masked_all(const ResolvedProtection& technique, const Dataset& data, std::uint64_t seed = 1) {
  const Dataset masked = protect_media(technique, data, {.randomness = Randomness::seeded(seed)});
  std::vector<Image> images;
  for (std::size_t row = 0; row < data.size(); ++row) images.push_back(std::get<Image>(masked.media->load(row)));
  return images;
}

ResolvedProtection fitted(const std::string& technique, const Dataset& others) {
  ResolvedProtection resolved = make_protection(technique);
  fit_protection(resolved, others, {}, {});
  return resolved;
}

/// form=partition learns nothing.
ResolvedProtection partition(const std::string& technique) {
  return fitted(technique + ",form=partition", data_of({}, {}));
}

std::string text_of(const std::vector<std::uint8_t>& pixels) {
  return {pixels.begin(), pixels.end()};
}

/// By the pixels.
using Groups = std::map<std::string, std::vector<std::size_t>>;

/// Rows that are shown as the same image.
Groups groups_in(const std::vector<Image>& images) {
  Groups groups;
  for (std::size_t row = 0; row < images.size(); ++row) groups[text_of(images[row].pixels)].push_back(row);
  return groups;
}

/// The mean of these images, value by value, rounded half up.
std::vector<std::uint8_t> mean_pixels(const std::vector<Image>& images, const std::vector<std::size_t>& rows) {
  std::vector<std::uint8_t> mean;
  for (std::size_t j = 0; j < images[0].pixels.size(); ++j) {
    double sum = 0;
    for (const std::size_t row : rows) sum += images[row].pixels[j];
    mean.push_back(static_cast<std::uint8_t>(std::floor(sum / static_cast<double>(rows.size()) + 0.5)));
  }
  return mean;
}

TEST(KSamePartition, EveryOutputIsTheExactMeanOfKToTwoKLessOne) {
  for (const std::size_t people : {3U, 5U, 6U, 7U, 20U}) {
    const std::vector<Image> images = faces(people);
    const Dataset data = data_of(images, names(people));
    const Groups groups = groups_in(masked_all(partition("k-same-pixel:k=3"), data));
    EXPECT_EQ(groups.size(), people / 3);
    for (const auto& [pixels, rows] : groups) {
      EXPECT_GE(rows.size(), 3U);
      EXPECT_LE(rows.size(), 5U);
      EXPECT_EQ(pixels, text_of(mean_pixels(images, rows)));
    }
    const Groups coarse = groups_in(masked_all(partition("k-same-eigen:k=3,components=2"), data));
    for (const auto& [pixels, rows] : coarse) EXPECT_GE(rows.size(), 3U);
  }
}

TEST(KSamePartition, WhoLooksAlikeStandsTogether) {
  // Three clusters of four, 80 apart and 3 wide: whoever is taken first, the closest are of the same cluster.
  std::vector<Image> images;
  for (int i = 0; i < 12; ++i) images.push_back(even_image(4, 3, 1, static_cast<std::uint8_t>(i % 3 * 80 + i / 3)));
  for (const char* technique : {"k-same-pixel:k=4", "k-same-eigen:k=4"}) {
    const std::vector<Image> result = masked_all(partition(technique), data_of(images, names(12)));
    // The mean of 0, 1, 2, 3 is 1.5, which is rounded half up.
    for (int i = 0; i < 12; ++i) EXPECT_EQ(result[static_cast<std::size_t>(i)].pixels[5], i % 3 * 80 + 2) << technique;
  }
}

TEST(KSamePartition, OneIsNobodyElseAndSeedsDecideWhoComesFirst) {
  const std::vector<Image> images = faces(9);
  const Dataset data = data_of(images, names(9));
  EXPECT_EQ(masked_all(partition("k-same-pixel:k=1"), data), images);
  EXPECT_EQ(masked_all(partition("k-same-pixel:k=9"), data)[4].pixels,
            mean_pixels(images, {0, 1, 2, 3, 4, 5, 6, 7, 8}));
  const auto of_seed = [&](std::uint64_t seed) { return masked_all(partition("k-same-pixel:k=2"), data, seed); };
  EXPECT_EQ(of_seed(1), of_seed(1));
  std::set<std::string> firsts;
  for (std::uint64_t seed = 0; seed < 8; ++seed) firsts.insert(text_of(of_seed(seed)[0].pixels));
  EXPECT_GT(firsts.size(), 1U);
}

TEST(KSamePartition, SeveralImagesOfAPersonAreRefusedOrPartitionedInTurn) {
  std::vector<Image> images = faces(8);
  const std::vector<std::string> people = {"a", "a", "b", "b", "c", "c", "d", "a"};
  const Dataset data = data_of(images, people);
  expect_contains(test::input_error([&] { (void)masked_all(partition("k-same-pixel:k=2"), data); }),
                  "3 people have several images");
  testing::internal::CaptureStderr();
  const std::vector<Image> result = masked_all(partition("k-same-pixel:k=4,several=galleries"), data);
  expect_contains(testing::internal::GetCapturedStderr(), "3 people have several images");
  // All four people in one group: first images, second ones (d has only one), and a's third beside first ones again.
  for (const std::size_t row : {0U, 2U, 4U, 6U}) EXPECT_EQ(result[row].pixels, mean_pixels(images, {0, 2, 4, 6}));
  for (const std::size_t row : {1U, 3U, 5U}) EXPECT_EQ(result[row].pixels, mean_pixels(images, {1, 3, 5, 6}));
  EXPECT_EQ(result[7].pixels, mean_pixels(images, {7, 2, 4, 6}));
}

TEST(KSamePartition, WhatCannotBePartitionedIsRefused) {
  const auto refusal = [](const std::string& technique, const Dataset& data) {
    return test::input_error([&] { (void)masked_all(partition(technique), data); });
  };
  expect_contains(refusal("k-same-pixel:k=4", data_of(faces(3), names(3))), "3 people cannot stand in groups of k=4");
  std::vector<Image> images = faces(4);
  images[2] = noise_image(6, 7, 3);
  expect_contains(refusal("k-same-pixel:k=4", data_of(images, names(4))),
                  "3 people cannot stand in groups of k=4; 1 images are left out: they are not of 5 x 7 pixels");
  Dataset classes = data_of(faces(6), names(6));
  classes.labels.add_column("kind", {"x", "x", "x", "x", "y", "x"});
  expect_contains(refusal("k-same-select:k=2,by=kind", classes), "1 people with kind 'y'");
}

TEST(KSamePartition, DamagedImagesAndFailedRowsAreInNoGroup) {
  std::vector<Image> images = faces(7);
  images[1].pixels.clear();
  Dataset data = data_of(images, names(7));
  data.labels.add_column("failed", {"0", "0", "0", "0", "0", "1", "0"});
  const Dataset masked = protect_media(partition("k-same-pixel:k=5"), data, {});
  expect_contains(test::input_error([&] { (void)masked.media->load(1); }), "is damaged");
  expect_contains(test::input_error([&] { (void)masked.media->load(5); }), "in no group");
  EXPECT_EQ(std::get<Image>(masked.media->load(0)).pixels, mean_pixels(images, {0, 2, 3, 4, 6}));
}

TEST(KSamePartition, ImagesOfAnotherSizeThanMostFailAlone) {
  std::vector<Image> images = faces(7);
  images[0] = noise_image(6, 7, 3);
  images[4] = noise_image(1, 1, 3);
  for (const char* technique : {"k-same-pixel:k=5", "k-same-eigen:k=5"}) {
    const Dataset masked = protect_media(partition(technique), data_of(images, names(7)), {});
    expect_contains(test::input_error([&] { (void)masked.media->load(0); }), "6 x 7 pixels, where others have 5 x 7");
    expect_contains(test::input_error([&] { (void)masked.media->load(4); }), "1 x 1 pixels, where others have 5 x 7");
    const Image all = std::get<Image>(masked.media->load(1));
    if (std::string(technique).starts_with("k-same-pixel")) {
      EXPECT_EQ(all.pixels, mean_pixels({images[1], images[2], images[3], images[5], images[6]}, {0, 1, 2, 3, 4}));
    }
    for (const std::size_t row : {2U, 3U, 5U, 6U}) EXPECT_EQ(std::get<Image>(masked.media->load(row)), all);
  }
  // Of two sizes that are as frequent, the first counts.
  images = {noise_image(6, 7, 3), images[1], images[2], noise_image(6, 7, 3)};
  const Dataset masked = protect_media(partition("k-same-pixel:k=2"), data_of(images, names(4)), {});
  EXPECT_EQ(std::get<Image>(masked.media->load(3)), images[0]);  // the mean of two equal ones
  expect_contains(test::input_error([&] { (void)masked.media->load(1); }), "5 x 7 pixels, where others have 6 x 7");
}

TEST(KSameSelect, ClassesStayApart) {
  const std::vector<Image> images = faces(24);
  Dataset data = data_of(images, names(24));
  std::vector<std::string> kinds;
  for (int i = 0; i < 24; ++i) kinds.emplace_back(i == 3 ? "" : i % 3 == 0 ? "x" : "y");
  data.labels.add_column("kind", kinds);
  const Dataset masked = protect_media(partition("k-same-select:k=3,by=kind"), data, {});
  expect_contains(test::input_error([&] { (void)masked.media->load(3); }), "its class is not known");
  std::map<std::string, std::set<std::string>> shown;
  for (std::size_t row = 0; row < 24; ++row) {
    if (row != 3) shown[text_of(std::get<Image>(masked.media->load(row)).pixels)].insert(kinds[row]);
  }
  for (const auto& [pixels, classes] : shown) EXPECT_EQ(classes.size(), 1U);
  EXPECT_EQ(shown.size(), 2U + 5U);  // 7 in groups of 3 and 4, 16 in four of 3 and one of 4
  EXPECT_THROW((void)make_protection("k-same-select"), Error);
}

/// Eight images of six pixels that have nothing in common but arithmetic; the first two are one person's, and so are
/// the sixth and the seventh.
Image numbered(int i) {
  Image image{3, 2, 1, {}};
  for (int j = 0; j < 6; ++j)
    image.pixels.push_back(static_cast<std::uint8_t>((i * i * 37 + j * 101 + i * j * 59 + i * 17) % 256));
  return image;
}

Dataset numbered_background() {
  std::vector<Image> images;
  for (int i = 1; i <= 8; ++i) images.push_back(numbered(i));
  return data_of(images, {"p0", "p0", "p1", "p2", "p3", "p4", "p4", "p5"});
}

TEST(KSameBackground, AsNumpyComputesIt) {
  // numpy 1.24.2: z-scores (population), SVD, three components, cosine; images 1, 4 and 5 are taken, for the second of
  // p0 would come before the fifth. Means are 120, 151.5, 55, 86.5, 118, 85.5.
  const Dataset others = numbered_background(), probe = data_of({numbered(20)}, {"somebody"});
  EXPECT_EQ(masked_all(fitted("k-same-pixel:k=4,components=3", others), probe)[0].pixels,
            (std::vector<std::uint8_t>{120, 152, 55, 87, 118, 86}));
  EXPECT_EQ(masked_all(fitted("k-same-eigen:k=4,components=3", others), probe)[0].pixels,
            (std::vector<std::uint8_t>{146, 192, 65, 98, 128, 101}));
  // Who is in the background themselves is averaged with others: images 4, 5 and 7 for p0.
  testing::internal::CaptureStderr();
  const auto own = masked_all(fitted("k-same-pixel:k=4,components=3", others), data_of({numbered(20)}, {"p0"}));
  expect_contains(testing::internal::GetCapturedStderr(), "1 of 1 people are among those it learned from");
  EXPECT_EQ(own[0].pixels, (std::vector<std::uint8_t>{142, 134, 62, 118, 110, 102}));
}

TEST(KSameBackground, ImagesOfAnotherSizeThanMostAreNotLearned) {
  // As above, behind two images that do not count.
  std::vector<Image> images = {noise_image(1, 1, 1), noise_image(2, 3, 1)};
  for (int i = 1; i <= 8; ++i) images.push_back(numbered(i));
  const Dataset others = data_of(images, {"q0", "q1", "p0", "p0", "p1", "p2", "p3", "p4", "p4", "p5"});
  testing::internal::CaptureStderr();
  const ResolvedProtection made = fitted("k-same-pixel:k=4,components=3", others);
  expect_contains(testing::internal::GetCapturedStderr(),
                  "k-same-pixel: of what it learns from, 2 images are left out: they are not of 3 x 2 pixels");
  EXPECT_EQ(masked_all(made, data_of({numbered(20)}, {"somebody"}))[0].pixels,
            (std::vector<std::uint8_t>{120, 152, 55, 87, 118, 86}));
}

TEST(KSameBackground, WhatWasLearnedIsKept) {
  const Scratch scratch;
  const Dataset others = data_of(faces(30, 4, 5, 3), names(30)), probes = data_of(faces(3, 4, 5, 3), {"x", "y", "z"});
  for (const char* technique : {"k-same-pixel:k=5", "k-same-eigen:k=5"}) {
    const ResolvedProtection made = fitted(technique, others);
    const std::filesystem::path file = scratch / (made.declaration->name + ".npz");
    save_protection(made, file);
    const ResolvedProtection again = load_protection(file, technique);
    EXPECT_EQ(again.model, made.model);
    EXPECT_EQ(masked_all(again, probes), masked_all(made, probes));
    EXPECT_EQ(std::filesystem::status(file).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
}

TEST(KSameBackground, OneColumnOrRowIsAnImage) {
  for (const auto& [width, height] : {std::pair{1, 6}, {6, 1}}) {
    const auto people = faces(8, static_cast<std::size_t>(width), static_cast<std::size_t>(height));
    const ResolvedProtection made = fitted("k-same-pixel:k=3", data_of(people, names(8)));
    EXPECT_EQ(error_of([&] { make_protection("k-same-pixel:k=3")->restore(made->state(), "file"); }), "no error");
  }
}

TEST(KSameBackground, DamagedModelsAreRefused) {
  const ResolvedProtection made = fitted("k-same-pixel:k=3", numbered_background());
  const auto refused = [&](const std::string& name, float value) {
    FittedState state = made->state();
    state.at(name)(0, 0) = value;
    return error_of([&] { make_protection("k-same-pixel:k=3")->restore(state, "file"); }) != "no error";
  };
  EXPECT_FALSE(refused("images", 5));
  EXPECT_TRUE(refused("images", 0.5));
  EXPECT_TRUE(refused("images", 1e9F));
  EXPECT_TRUE(refused("people", -1));
  EXPECT_TRUE(refused("classes", std::nanf("")));
  EXPECT_TRUE(refused("shape", 4));
  for (const char* name : {"shape", "images", "people", "classes", "coordinates", "mean", "scale", "components"}) {
    FittedState state = made->state();
    state.erase(name);
    EXPECT_NE(error_of([&] { make_protection("k-same-pixel:k=3")->restore(state, "file"); }), "no error") << name;
  }
}

TEST(KSameBackground, FewPeopleOtherSizesAndUnknownClassesAreRefused) {
  const std::vector<Image> images = faces(6);
  expect_contains(test::input_error([&] {
                    (void)fitted("k-same-pixel:k=4", data_of(images, {"a", "a", "a", "b", "b", "b"}));
                  }),
                  "2 people, and each image is averaged with 3 others");
  const ResolvedProtection made = fitted("k-same-pixel:k=4", data_of(images, names(6)));
  const Dataset other = data_of({noise_image(7, 5, 3), images[0]}, {"x", "y"});
  const Dataset masked = protect_media(made, other, {});
  expect_contains(test::input_error([&] { (void)masked.media->load(0); }), "7 x 5 pixels");
  // A grey image among coloured ones is averaged as a coloured one.
  const Dataset grey = protect_media(made, data_of({even_image(5, 7, 1, 100)}, {"x"}), {});
  const Dataset coloured = protect_media(made, data_of({even_image(5, 7, 3, 100)}, {"x"}), {});
  EXPECT_EQ(grey.media->load(0), coloured.media->load(0));
  Dataset nameless = data_of(images, names(6));
  nameless.identity_column.clear();
  EXPECT_NE(error_of([&] { (void)fitted("k-same-pixel:k=2", nameless); }), "no error");
}

TEST(KSameBackground, OnlyTheClassOfTheSampleStandsBesideIt) {
  // Class x is bright, y dark: the mean of a bright sample with others of its class is bright.
  std::vector<Image> images;
  std::vector<std::string> kinds;
  for (int i = 0; i < 10; ++i) {
    images.push_back(even_image(3, 3, 1, static_cast<std::uint8_t>(i % 2 == 0 ? 200 + i : 10 + i)));
    images.back().pixels[static_cast<std::size_t>(i) % 9] = 100;
    kinds.emplace_back(i % 2 == 0 ? "x" : "y");
  }
  Dataset others = data_of(images, names(10));
  others.labels.add_column("kind", kinds);
  const ResolvedProtection made = fitted("k-same-select:k=4,by=kind", others);
  Dataset probes =
      data_of({even_image(3, 3, 1, 90), even_image(3, 3, 1, 90), even_image(3, 3, 1, 90)}, {"a", "b", "c"});
  probes.labels.add_column("kind", {"x", "y", ""});
  const Dataset masked = protect_media(made, probes, {});
  EXPECT_GT(mean_of(std::get<Image>(masked.media->load(0))), 150);
  EXPECT_LT(mean_of(std::get<Image>(masked.media->load(1))), 60);
  expect_contains(test::input_error([&] { (void)masked.media->load(2); }), "no value of 'kind'");
}

TEST(KSameBackground, TheImagesToLearnFromAreDrawnAndThreadsDoNotMatter) {
  const Dataset others = data_of(faces(40), names(40)), probe = data_of(faces(2), {"x", "y"});
  const auto made = [&](std::uint64_t seed) {
    ResolvedProtection resolved = make_protection("k-same-eigen:k=3,most=12,components=5");
    fit_protection(resolved, others, {}, {.randomness = Randomness::seeded(seed)});
    return resolved;
  };
  EXPECT_EQ(made(1)->state().at("images").rows(), 12U);
  EXPECT_EQ(made(1).model, made(1).model);
  EXPECT_NE(made(1).model, made(2).model);
  const int before = threads();
  set_threads(1);
  const std::string alone = made(1).model;
  const auto images = masked_all(made(1), probe);
  set_threads(2);
  EXPECT_EQ(made(1).model, alone);
  EXPECT_EQ(masked_all(made(1), probe), images);
  set_threads(before);
}

}  // namespace
}  // namespace bauta
