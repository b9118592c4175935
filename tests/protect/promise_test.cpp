// What techniques promise of a data set, by sizes of its images.
#include "bauta/protect/promise.hpp"

#include <atomic>
#include <memory>
#include <set>

#include "../data/scratch.hpp"
#include "bauta/protect/media.hpp"
#include "image/images.hpp"

namespace bauta {
namespace {

using Kind = Guarantee::Kind;

constexpr ImageShape colour{224, 224, 3}, grey{224, 224, 1}, small{112, 112, 1};

Promise promised(const std::string& technique, const std::set<ImageShape>& shapes) {
  return promise_of(make_protection(technique), shapes);
}

// Each channel is released with 2, and a neighbour may differ in all three: 3 * 2 by sequential composition. 16 is a
// ninth of the 144 pixels of a block, as in the paper.
TEST(Promise, DpPixAddsUpItsChannels) {
  const Promise of_colour = promised("dp-pix:epsilon=2", {colour});
  EXPECT_EQ(of_colour.guarantee.kind, Kind::differential_privacy);
  EXPECT_EQ(of_colour.guarantee.epsilon, 6);
  EXPECT_EQ(of_colour.guarantee.delta, 0);
  EXPECT_EQ(of_colour.guarantee.pixels, 16U);
  EXPECT_EQ(to_text(of_colour.in_pixels), "block = 12, m = 16");
  EXPECT_EQ(to_text(of_colour.guarantee),
            "epsilon = 6, delta = 0 for images that differ in at most 16 pixels (2 in each of 3 channels); several of "
            "a person add up");
  EXPECT_EQ(promised("dp-pix:epsilon=2", {grey}).guarantee.epsilon, 2);
}

// Half the width has blocks of 6, and a ninth of 36 pixels is 4. What holds of every image is the larger epsilon for
// the smaller neighbourhood.
TEST(Promise, OfSeveralSizesTheWeakestCounts) {
  const Promise mixed = promised("dp-pix:epsilon=2", {small, colour});
  EXPECT_EQ(mixed.guarantee.epsilon, 6);
  EXPECT_EQ(mixed.guarantee.pixels, 4U);
  EXPECT_EQ(mixed.in_pixels, (std::map<std::string, Range>{{"block", {6, 12}}, {"m", {4, 16}}}));
  EXPECT_EQ(to_text(mixed.in_pixels), "block = 6 to 12, m = 4 to 16");
  EXPECT_EQ(to_text(promised("dp-pix:block=8,m=5", {small, colour}).in_pixels), "block = 8, m = 5");
}

// floor(0.99 * 50176) = 49674 of 224 * 224 pixels become grey, 502 are shown: a little more than a hundredth. Of three
// by two all but floor(0.99 * 6) = 5.
TEST(Promise, DpSnowShowsAPixelWithProbabilityDelta) {
  const Guarantee usual = promised("dp-snow", {colour}).guarantee;
  EXPECT_EQ(usual.kind, Kind::differential_privacy);
  EXPECT_EQ(usual.epsilon, 0);
  EXPECT_DOUBLE_EQ(usual.delta, 502.0 / 50176);
  EXPECT_EQ(usual.pixels, 1U);
  EXPECT_EQ(to_text(usual),
            "epsilon = 0, delta = 0.0100048 for images that differ in one pixel; several of a person add up");
  EXPECT_DOUBLE_EQ(promised("dp-snow", {ImageShape{3, 2, 1}, colour}).guarantee.delta, 1.0 / 6);
  EXPECT_EQ(promised("dp-snow:d=1", {colour}).guarantee.kind, Kind::none);
}

// Newton et al. 2005: one case in k, for people with one image each who are partitioned. The other form and galleries
// of several images have no such bound (S4 says so of the first).
TEST(Promise, KSameHidesAmongKWhereItPartitions) {
  const Guarantee partition = promised("k-same-select:form=partition,k=5,by=hair", {colour}).guarantee;
  EXPECT_EQ(partition.kind, Kind::k_anonymity);
  EXPECT_EQ(partition.k, 5U);
  EXPECT_EQ(to_text(partition),
            "k-anonymity, k = 5: a masked image names the right person in one case of 5 at best (of people with one "
            "image each)");
  for (const char* technique :
       {"k-same-pixel:k=5", "k-same-eigen:form=partition,k=1", "k-same-pixel:form=partition,several=galleries"}) {
    EXPECT_EQ(promised(technique, {colour}).guarantee.kind, Kind::none) << technique;
  }
}

// With defaults, on colour images. The papers prove nothing of the others, and of dp-samp nothing that holds with
// clusters learned from the image.
TEST(Promise, AllOthersSayThatThereIsNone) {
  std::set<std::string> promising;
  for (const auto& entry : protections()) {
    try {
      const Guarantee guarantee = promised(entry.declaration.name, {colour}).guarantee;
      if (guarantee.kind != Kind::none) promising.insert(entry.declaration.name);
      EXPECT_EQ(guarantee.kind == Kind::none, to_text(guarantee).starts_with("no formal guarantee"));
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::usage) << entry.declaration.name;  // it cannot do without parameters
    }
  }
  EXPECT_EQ(promising, (std::set<std::string>{"dp-pix", "dp-snow"}));
  EXPECT_EQ(to_text(promised("csn", {}).guarantee), "no formal guarantee");
}

// The values of A False Sense of Privacy for faces of 224 pixels, and half of them: 42.5 is 43; a kernel is odd.
TEST(Promise, WhatWasLeftOpenIsSaidInPixels) {
  EXPECT_EQ(to_text(promised("eye-mask", {grey}).in_pixels), "center = 85, dist = 70");
  EXPECT_EQ(to_text(promised("eye-mask", {small}).in_pixels), "center = 43, dist = 35");
  EXPECT_EQ(to_text(promised("gaussian-blur", {grey}).in_pixels), "kernel = 101");
  EXPECT_EQ(to_text(promised("block-permute", {small, grey}).in_pixels), "block = 8 to 16");
  EXPECT_EQ(to_text(promised("k-rtio", {grey}).in_pixels), "block = 18");
  EXPECT_TRUE(promised("pixelate", {grey}).in_pixels.empty());
}

TEST(Promise, SizesAreThoseOfImagesThatCanBeRead) {
  const Dataset data =
      data_of({even_image(8, 6, 3, 1), Image{}, even_image(8, 6, 3, 2), even_image(4, 6, 1, 3)}, {"a", "b", "c", "d"});
  EXPECT_EQ(image_shapes(data), (std::set<ImageShape>{{4, 6, 1}, {8, 6, 3}}));
  EXPECT_EQ(promise_on(make_protection("dp-pix:epsilon=1"), data).guarantee.epsilon, 3);
  const Dataset damaged = data_of({Image{}}, {"a"});
  EXPECT_EQ(promise_on(make_protection("dp-pix"), damaged).guarantee.kind, Kind::none);
}

/// Counts how often somebody asks for the size of an image.
class CountedShapes : public HeldImages {
 public:
  using HeldImages::HeldImages;
  [[nodiscard]] ImageShape image_shape(std::size_t row) const override {
    ++asked_;
    return HeldImages::image_shape(row);
  }
  [[nodiscard]] int asked() const { return asked_; }

 private:
  mutable std::atomic<int> asked_ = 0;
};

// Whoever writes a folder gets what its record says, and need not look at the images again.
TEST(Promise, IsComputedOnceForAFolder) {
  const test::Scratch folder;
  Dataset data = data_of({even_image(24, 24, 1, 90), even_image(12, 12, 1, 9)}, {"a", "b"});
  const auto images = std::make_shared<CountedShapes>(std::vector{even_image(24, 24, 1, 90), even_image(12, 12, 1, 9)});
  data.media = images;
  const Promise promise =
      protect_media_to_folder(make_protection("dp-pix:epsilon=2,block=6,m=4"), data, {}, folder.path()).promise;
  EXPECT_EQ(images->asked(), 2);
  EXPECT_EQ(promise.guarantee.epsilon, 2);
  EXPECT_EQ(promise.in_pixels, (std::map<std::string, Range>{{"block", {6, 6}}, {"m", {4, 4}}}));
  const test::Scratch templates;
  const Dataset numbers = dataset_of(gaussian_templates(4, 16), 2);
  EXPECT_EQ(protect_to_folder(make_protection("command:run=cp -r {in}/. {out}"), numbers, {}, templates.path())
                .promise.guarantee.remark,
            "of what others made, none is known here");
}

TEST(Promise, StandsBesideWhatWasMade) {
  const test::Scratch folder;
  const Dataset data = data_of({even_image(24, 24, 1, 90), even_image(24, 24, 1, 120)}, {"a", "b"});
  (void)protect_media_to_folder(make_protection("dp-pix:epsilon=2,block=8,m=4"), data, {}, folder.path());
  ReadOptions options;
  options.templates_required = false;
  const auto said = read_dataset(folder.path(), options).provenance->properties;
  EXPECT_EQ(said.at("guarantee"),
            "epsilon = 2, delta = 0 for images that differ in at most 4 pixels; several of a person add up");
  EXPECT_EQ(said.at("in_pixels"), "block = 8, m = 4");
  EXPECT_EQ(said.at("noise_source"), "seed");
  EXPECT_FALSE(said.contains("guarantee_before") || said.contains("noise_source_before"));
  const Dataset released = protect_dataset(make_protection("csn"), dataset_of(gaussian_templates(4, 16), 2),
                                           {.randomness = Randomness::operating_system()});
  EXPECT_EQ(released.provenance->properties.at("guarantee"), "no formal guarantee");
  EXPECT_FALSE(released.provenance->properties.contains("noise_source"));
}

// What is done to an image afterwards takes no guarantee away, and makes no noise less public. Of 576 pixels
// floor(0.99 * 576) = 570 are hidden and 6 shown: delta is 6 / 576.
TEST(Promise, OfAChainEveryGuaranteeStaysAndWhereItsNoiseCameFrom) {
  ReadOptions options;
  options.templates_required = false;
  using Properties = std::map<std::string, std::string>;
  std::vector<std::unique_ptr<test::Scratch>> folders;
  Dataset last = data_of({even_image(24, 24, 1, 90), even_image(24, 24, 1, 120)}, {"a", "b"});
  const auto then = [&](const std::string& technique, const Randomness& randomness) {
    folders.push_back(std::make_unique<test::Scratch>());
    (void)protect_media_to_folder(make_protection(technique), last, {.randomness = randomness}, folders.back()->path());
    last = read_dataset(folders.back()->path(), options);
    Properties said = last.provenance->properties;
    std::erase_if(
        said, [](const auto& one) { return !one.first.starts_with("guarantee") && !one.first.starts_with("noise"); });
    return said;
  };
  const Randomness seed = Randomness::seeded(1), system = Randomness::operating_system();
  const std::string pix =
      "epsilon = 2, delta = 0 for images that differ in at most 4 pixels; several of a person add up";
  const std::string snow =
      "epsilon = 0, delta = 0.0104167 for images that differ in one pixel; several of a person add up";
  const std::string none = "no formal guarantee";
  (void)then("dp-pix:epsilon=2,block=8,m=4", seed);
  EXPECT_EQ(then("pixelate", system),
            (Properties{{"guarantee", none}, {"guarantee_before", pix}, {"noise_source_before", "seed"}}));
  EXPECT_EQ(then("dp-snow:d=0.01", system), (Properties{{"guarantee", snow},
                                                        {"noise_source", "operating system"},
                                                        {"guarantee_before", pix + "; then " + none},
                                                        {"noise_source_before", "seed"}}));
  EXPECT_EQ(then("dp-pix:epsilon=2,block=8,m=4", seed),
            (Properties{{"guarantee", pix},
                        {"noise_source", "seed"},
                        {"guarantee_before", pix + "; then " + none + "; then " + snow},
                        {"noise_source_before", "seed; then operating system"}}));
}

}  // namespace
}  // namespace bauta
