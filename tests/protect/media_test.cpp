// Media through every protection that masks them.
#include "bauta/protect/media.hpp"

#include "../data/scratch.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"
#include "image/images.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::Scratch;

Dataset read_media(const Scratch& scratch) {
  ReadOptions options;
  options.templates_required = false;
  return read_dataset(scratch.path(), options);
}

/// Twelve images of four people, in sub-folders.
Dataset images_in(const Scratch& scratch) {
  std::string labels = "file,identity\n";
  for (int i = 0; i < 12; ++i) {
    const std::string name = "p" + std::to_string(i / 3) + "/" + std::to_string(i) + ".png";
    Image image = noise_image(8, 8, 3);
    image.pixels[0] = static_cast<std::uint8_t>(20 * i);
    std::filesystem::create_directories((scratch / name).parent_path());
    write_medium(scratch / name, image);
    labels += name + ",p" + std::to_string(i / 3) + "\n";
  }
  scratch.write("labels.csv", labels);
  return read_media(scratch);
}

/// The same number of motions, of seven frames.
Dataset motions_in(const Scratch& scratch) {
  std::string labels = "file,identity,height_m\n";
  for (int i = 0; i < 12; ++i) {
    const std::string name = std::to_string(i) + ".npy";
    Motion motion{7, 3, std::vector<float>(7 * 9), 0, {}};
    Stream(2, "motion", static_cast<std::uint64_t>(i)).normals(std::span(motion.positions));
    write_medium(scratch / name, motion);
    labels += name + ",p" + std::to_string(i / 3) + ",1.7\n";
  }
  scratch.write("joints.txt", "Head\nKneeLeft\nKneeRight\n");
  scratch.write("labels.csv", labels);
  return read_media(scratch);
}

Dataset media_for(const std::string& technique, const Scratch& scratch) {
  return make_protection(technique).declaration->medium == "motion" ? motions_in(scratch) : images_in(scratch);
}

class EveryMask : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMask, MasksOnDemandInAnyOrderTheSame) {
  const Scratch scratch;
  const Dataset dataset = media_for(GetParam(), scratch);
  const Dataset masked = protect_media(make_protection(GetParam()), dataset, {});
  const MediaMask again = media_mask(make_protection(GetParam()), dataset, {});
  for (std::size_t row = dataset.size(); row-- > 0;) {
    const Medium expected = again(dataset.media->load(row), row);
    EXPECT_EQ(masked.media->load(row), expected);
    EXPECT_EQ(masked.media->digest(row), digest(expected));
  }
  EXPECT_EQ(masked.select({5, 2}).media->load(1), masked.media->load(2));
  EXPECT_EQ(masked.provenance->technique, make_protection(GetParam()).parameters.resolved());
}

TEST_P(EveryMask, AFolderHoldsTheSameUnderNamesThatTellNothing) {
  const Scratch from, to;
  const Dataset dataset = media_for(GetParam(), from);
  const ResolvedProtection technique = make_protection(GetParam());
  const MaskedFolder folder = protect_media_to_folder(technique, dataset, {}, to.path());
  EXPECT_EQ(folder.failures, 0U);
  const Dataset back = read_media(to);
  const Dataset masked = protect_media(technique, dataset, {});
  ASSERT_EQ(back.size(), dataset.size());
  EXPECT_EQ(back.labels.column("identity"), dataset.labels.column("identity"));
  EXPECT_EQ(back.labels.column("file")[11], technique.declaration->medium == "motion" ? "000012.npy" : "000012.png");
  EXPECT_EQ(back.provenance->technique, masked.provenance->technique);
  for (std::size_t row = 0; row < back.size(); ++row) EXPECT_EQ(back.media->load(row), masked.media->load(row));
}

INSTANTIATE_TEST_SUITE_P(All, EveryMask,
                         ::testing::Values("none", "gaussian-blur:kernel=5", "pixelate:cells=3",
                                           "pixelate:mode=bilinear_ref", "eye-mask", "block-permute:block=3",
                                           "dp-pix:block=3", "dp-snow:d=0.3", "dp-samp:m=1,k=2,threshold=200",
                                           "k-rtio:block=3", "gait-keep", "gait-remove", "gait-noise", "gait-motion",
                                           "gait-static", "gait-resample:frames=4", "gait-coarsen-macro:k=0",
                                           "gait-coarsen-micro:n=1", "gait-coarsen-time:f=3",
                                           "gait-remove-variations:w=1", "gait-remove-trajectory:w=2", "gait-normalize",
                                           "gait-normalize:over=y", "gait-sum-of-parts"));

TEST(ProtectMedia, DamagedMediaAreCountedAndStayRows) {
  const Scratch from, to;
  const Dataset dataset = images_in(from);
  from.write("p1/4.png", "damaged");
  const MaskedFolder folder = protect_media_to_folder(make_protection("pixelate"), dataset, {}, to.path());
  EXPECT_EQ(folder.failures, 1U);
  expect_contains(folder.remarks.at(0), "row 5 (is no image");
  const Dataset back = read_media(to);
  EXPECT_EQ(back.size(), 12U);
  EXPECT_EQ(back.labels.column("failed")[4], "1");
  EXPECT_EQ(back.labels.column("failed")[5], "0");
}

TEST(ProtectMedia, TheFirstMayBeDamagedAndThreeAreTold) {
  const Scratch from, to;
  const Dataset dataset = images_in(from);
  for (const int damaged : {0, 1, 3, 4, 11}) {
    from.write("p" + std::to_string(damaged / 3) + "/" + std::to_string(damaged) + ".png", "damaged");
  }
  const MaskedFolder folder = protect_media_to_folder(make_protection("pixelate"), dataset, {}, to.path());
  EXPECT_EQ(folder.failures, 5U);
  const std::string remark = folder.remarks.at(0);
  expect_contains(remark, "5 of 12 media");
  for (const char* row : {"row 1 (", "row 2 (", "row 4 ("}) expect_contains(remark, row);
  EXPECT_EQ(remark.find("row 5 ("), std::string::npos);
}

TEST(ProtectMedia, TheDeclaredMediumDecides) {
  const Scratch scratch;
  const Dataset media = images_in(scratch);
  const Dataset templates = dataset_of(gaussian_templates(4, 16), 2);
  for (const auto& technique : {"csn", "pixelate"}) {
    const ResolvedProtection resolved = make_protection(technique);
    const Dataset& wrong = masks_media(*resolved.declaration, media) ? templates : media;
    expect_contains(test::error_of(Fault::usage, [&] { require_medium(*resolved.declaration, wrong); }),
                    &wrong == &media ? "bauta extract" : "name data with media");
    EXPECT_THROW((void)protect_dataset(resolved, wrong, {}), Error) << technique;
    EXPECT_THROW((void)protect_media(resolved, wrong, {}), Error) << technique;
  }
  EXPECT_TRUE(masks_media(*make_protection("none").declaration, media));
  EXPECT_FALSE(masks_media(*make_protection("none").declaration, templates));
}

TEST(ProtectMedia, RecordingsAreNoImages) {
  const Scratch scratch;
  write_medium(scratch / "a.wav", Recording{8000, {0, 0.5F}});
  scratch.write("labels.csv", "file,identity\na.wav,a\n");
  expect_contains(test::input_error([&] { (void)protect_media(make_protection("pixelate"), read_media(scratch), {}); }),
                  "row 1: pixelate: takes images, this is a recording");
}

}  // namespace
}  // namespace bauta
