// What the record of a release says of how its media were masked.
#include <algorithm>

#include <gtest/gtest.h>

#include "../data/scratch.hpp"
#include "../protect/image/images.hpp"
#include "bauta/core/row_ranges.hpp"
#include "bauta/run/release.hpp"

namespace bauta {
namespace {

/// Of eight images, some of which are damaged, behind textures that a key draws.
Released released_overlays(const std::vector<std::size_t>& damaged, const test::Scratch& out) {
  const test::Scratch clear;
  std::vector<std::string> files;
  for (std::size_t row = 0; row < 8; ++row) {
    files.push_back(std::to_string(row) + ".png");
    write_medium(clear / files.back(), even_image(6, 6, 1, 200));
    if (std::ranges::count(damaged, row) > 0) clear.write(files.back(), "no image");
  }
  Dataset data = data_of(std::vector<Image>(8), std::vector<std::string>(8, "p"));
  data.media = file_media(clear.path(), files);
  return release_to_folder(make_protection("k-rtio:block=2"), data, {}, out.path());
}

TEST(ReleasedRecord, OverlaysHaveAName) {
  const test::Scratch one, two;
  const auto first = released_overlays({}, one).provenance.properties;
  EXPECT_EQ(first.at("overlay_name").size(), 16U);
  EXPECT_NE(released_overlays({}, two).provenance.properties.at("overlay_name"), first.at("overlay_name"));
  EXPECT_FALSE(first.contains("masked_as"));
  EXPECT_FALSE(first.contains("rows"));  // where they stood in the data is nobody's business
}

// Six records of eight: number n of them was masked as the n-th of the numbers that the record names.
TEST(ReleasedRecord, NumbersUnderWhichMediaWereMaskedAreToldWhereTheyAreOthers) {
  bool gap = false;
  for (int attempt = 0; attempt < 20 && !gap; ++attempt) {
    const test::Scratch out;
    const auto properties = released_overlays({2, 5}, out).provenance.properties;
    // The order is secret: both may have been the last.
    if (!properties.contains("masked_as")) continue;
    const auto numbers = rows_in_ranges(properties.at("masked_as"), 6);
    ASSERT_TRUE(numbers) << properties.at("masked_as");
    EXPECT_TRUE(std::ranges::is_sorted(*numbers));
    EXPECT_LT(numbers->back(), 8U);
    EXPECT_GT(numbers->back(), 5U);
    gap = true;
  }
  EXPECT_TRUE(gap);  // by chance not once: (1/28)^20
}

}  // namespace
}  // namespace bauta
