// Recoveries of media: on demand, in any order the same, and what they say of data that they cannot take.
#include "bauta/recover/media.hpp"

#include <gtest/gtest.h>

#include "../data/scratch.hpp"
#include "bauta/core/parallel.hpp"
#include "images.hpp"

namespace bauta {
namespace {

TEST(MediaRecovery, TheDeclaredMediumDecides) {
  EXPECT_FALSE(undoes_media(*make_recovery("ridge").declaration));
  EXPECT_TRUE(undoes_media(*make_recovery("deblur").declaration));
  const Dataset templates = dataset_of(gaussian_templates(4, 3));
  EXPECT_NE(error_of([&] { recover("average-media", templates); }).find("holds templates"), std::string::npos);
  EXPECT_NE(error_of([&] { recover("average", images_of(discs(0, 2))); }).find("takes templates"), std::string::npos);
}

TEST(MediaRecovery, UndoesTheSameOnOneThreadAndOnTwo) {
  const Dataset masked = masked_images("dp-snow:d=0.05", images_of(discs(0, 24)));
  const Dataset back = recover_images("interpolate", masked);
  std::vector<Image> results[2];
  for (const int count : {1, 2}) {
    set_threads(count);
    auto& images = results[count - 1];
    images.resize(masked.size());
    parallel_for(masked.size(), [&](std::size_t i, int) { images[i] = image_at(back, i); });
  }
  set_threads(0);
  EXPECT_EQ(results[0], results[1]);
}

TEST(MediaRecovery, AFolderHasLabelsARecordAndMarksOfWhatFailed) {
  const test::Scratch scratch;
  std::vector<Image> images = discs(0, 3);
  images[1] = {};
  const Dataset masked = masked_images("gaussian-blur:kernel=5", images_of(images));
  const Dataset back = recover_images("deblur", masked);
  const MaskedFolder written = write_media_folder(back, scratch.path(), "recover");
  EXPECT_EQ(written.failures, 1U);
  ReadOptions options;
  options.templates_required = false;
  const Dataset read = read_dataset(scratch.path(), options);
  EXPECT_EQ(read.labels.column("identity"), masked.labels.column("identity"));
  EXPECT_EQ(read.failed(), std::vector<bool>({false, true, false}));
  EXPECT_EQ(image_at(read, 2), image_at(back, 2));
  EXPECT_EQ(read.provenance->technique, "none");
  EXPECT_EQ(read.provenance->properties.at("recovered_from"), "gaussian-blur:kernel=5,unit=pixels");
}

// A record that names what is in no catalogue, or too little, is none.
TEST(MediaRecovery, ARecordTellsWhatMasked) {
  Dataset data = images_of(discs(0, 1));
  EXPECT_FALSE(recorded_protection(data));
  data.provenance = Provenance{"no-such-technique", "", {}};
  EXPECT_FALSE(recorded_protection(data));
  data.provenance = Provenance{"gaussian-blur:kernel=5", "", {}};
  EXPECT_EQ((*recorded_protection(data))->known_mask({9, 9, 1}).blur.size(), 5U);
}

}  // namespace
}  // namespace bauta
