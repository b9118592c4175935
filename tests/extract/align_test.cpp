// Faces brought to one place. Real ones are where BAUTA_DATA points to; skipped where weights or data are absent.
#include "bauta/extract/align.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"
#include "eyes.hpp"
#include "media.hpp"
#include "weights.hpp"

namespace bauta {
namespace {

using test::error_of;
using test::expect_contains;
using test::Scratch;

/// Where a place of the square comes from.
Point from(const ImageCut& cut, double x, double y) {
  return {cut.left + x * cut.across - y * cut.down, cut.top + x * cut.down + y * cut.across};
}

// By hand: in a square of 90 the eyes come to (30, 43.2) and (60, 43.2); landmarks count from the middle of a pixel.
TEST(Align, EyesComeToTheirPlaces) {
  for (const auto& [left, right] : {std::pair{Point{10, 20}, Point{40, 20}},
                                    {Point{100, 50}, Point{120, 90}},
                                    {Point{3.5, 60.25}, Point{80.75, 10}}}) {
    const ImageCut cut = level_eyes(left, right, 90);
    const Point first = from(cut, 30, 43.2), second = from(cut, 60, 43.2);
    EXPECT_NEAR(first.x, left.x + 0.5, 1e-9);
    EXPECT_NEAR(first.y, left.y + 0.5, 1e-9);
    EXPECT_NEAR(second.x, right.x + 0.5, 1e-9);
    EXPECT_NEAR(second.y, right.y + 0.5, 1e-9);
  }
}

TEST(Align, TheLeftEyeIsTheLeftOneAsSeen) {
  const Eyes eyes = eyes_of({{60, 10}, {70, 12}, {20, 8}, {30, 10}, {45, 40}});
  EXPECT_EQ(eyes.left.x, 25);
  EXPECT_EQ(eyes.left.y, 9);
  EXPECT_EQ(eyes.right.x, 65);
  EXPECT_EQ(eyes.right.y, 11);
}

bool lacks_weights() {
  try {
    (void)find_weights("", "shape_predictor_5_face_landmarks.dat");
    (void)find_weights("", "shape_predictor_68_face_landmarks.dat");
    (void)face_module();
    return false;
  } catch (const Error&) {
    return true;
  }
}

TEST(Align, WithoutAFaceNothingIsLeft) {
  if (lacks_weights()) GTEST_SKIP() << "no weights";
  const Scratch scratch, out;
  const Dataset media =
      test::media_of(scratch, {"P5 100 100 255\n" + std::string(10000, 'x'), "no image", "P5 1 1 255\nx"});
  const std::string text = error_of(Fault::input, [&] { (void)write_aligned(media, {}, out.path()); });
  expect_contains(text, "none of 3 images could be aligned");
  expect_contains(text, "no face was found");
}

TEST(FacePoints, NoFaceIsAnAnswer) {
  if (lacks_weights()) GTEST_SKIP() << "no weights";
  const auto extractor = make_extractor("face-points");
  const auto features = extractor->extract(Image{120, 100, 1, std::vector<std::uint8_t>(12000, 90)});
  ASSERT_TRUE(features);
  EXPECT_EQ(*features, std::vector<float>(137, 0.0F));
}

TEST(LikenessExtractor, NeedsBothSides) {
  const auto extractor = make_extractor("likeness");
  const Image image{12, 12, 1, std::vector<std::uint8_t>(144, 90)};
  EXPECT_THROW((void)extractor->extract(image), Error);
  EXPECT_TRUE(extractor->compares());
  EXPECT_EQ(*extractor->extract_beside(image, image), (std::vector<float>{0, 1}));
  const Medium clear = image;
  const Extracted other =
      extract_medium(extractor, Image{13, 12, 1, std::vector<std::uint8_t>(156, 90)}, "test", 0, &clear);
  expect_contains(other.reason, "cannot be compared");
}

std::filesystem::path faces() {
  const char* root = std::getenv("BAUTA_DATA");
  return std::filesystem::path(root != nullptr ? root : BAUTA_SOURCE_DIR "/../shared/data") / "faces-lfw";
}

/// A face turned, at another size, in a larger grey picture.
Image turned(const Image& face, double angle, double scale) {
  const std::size_t side = 320;
  const double across = std::cos(angle) / scale, down = std::sin(angle) / scale;
  const double middle = static_cast<double>(side) / 2;
  ImageCut cut{.across = across, .down = down};
  cut.left = 56 - (middle * across - middle * down);
  cut.top = 56 - (middle * down + middle * across);
  return cut_square(face, cut, side);
}

// Whatever the turn and the size, eyes are found level and in their places again, within two pixels of 112.
TEST(Align, TurnedFacesComeBackLevel) {
  if (lacks_weights() || !std::filesystem::exists(faces() / "labels.csv")) GTEST_SKIP() << "no weights, or no faces";
  ReadOptions options;
  options.templates_required = false;
  options.only = "part=evaluation";
  const Dataset all = read_dataset(faces(), options);
  const Scratch scratch, one, two;
  const std::vector<double> angles = {-0.25, 0, 0.15, 0.25}, scales = {1.2, 1.6, 2, 1.4};
  std::string labels = "file,identity,failed\n";
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const std::string name = std::to_string(i) + ".png";
    write_medium(scratch / name, turned(std::get<Image>(all.media->load(20 * i)), angles[i], scales[i]));
    labels += name + ",p" + name + ",0\n";
  }
  scratch.write("empty.png", "");
  scratch.write("labels.csv", labels + "empty.png,nobody,0\n");
  options.only.clear();
  const Dataset media = read_dataset(scratch.path(), options);
  const AlignedFolder made = write_aligned(media, {}, one.path());
  EXPECT_EQ(made.failures, 1U);
  const Dataset aligned = read_dataset(one.path(), options);
  EXPECT_EQ(aligned.labels.column("failed"), (std::vector<std::string>{"0", "0", "0", "0", "1"}));
  EXPECT_EQ(aligned.labels.column("identity"), media.labels.column("identity"));
  const auto landmarks = face_module().load_landmarks(find_weights("", "shape_predictor_5_face_landmarks.dat"));
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const Medium square = aligned.media->load(i);
    const auto& image = std::get<Image>(square);
    ASSERT_EQ(image.width, 112U);
    ASSERT_EQ(image.height, 112U);
    const auto face = face_module().largest_face(image, 0);
    ASSERT_TRUE(face) << i;
    const auto [left, right] = eyes_of(landmarks->find_fine(image, *face));
    EXPECT_NEAR(left.x, 112.0 / 3, 2) << i;
    EXPECT_NEAR(right.x, 2 * 112.0 / 3, 2) << i;
    EXPECT_NEAR(left.y, 0.48 * 112, 2) << i;
    EXPECT_NEAR(right.y, 0.48 * 112, 2) << i;
  }
  // One thread makes the same files.
  const int before = threads();
  set_threads(1);
  (void)write_aligned(media, {}, two.path());
  set_threads(before);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    EXPECT_EQ(test::read_bytes(one / made.files[i]), test::read_bytes(two / made.files[i])) << i;
  }
}

}  // namespace
}  // namespace bauta
