#include <algorithm>
#include <set>

#include "images.hpp"

namespace bauta {
namespace {

TEST(BlockPermute, BlocksChangePlacesAndNothingElse) {
  const Image image = noise_image(17, 11, 3);  // 4 x 2 blocks of 4; a column and three rows are left over
  const Image result = masked("block-permute:block=4", image);
  const auto before = blocks_of(image, 4), after = blocks_of(result, 4);
  ASSERT_EQ(before.size(), 8U);
  EXPECT_NE(before, after);
  EXPECT_TRUE(std::is_permutation(before.begin(), before.end(), after.begin()));
  for (std::size_t y = 0; y < 11; ++y) {
    for (std::size_t x = y < 8 ? 16 : 0; x < 17; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(result.pixels[(y * 17 + x) * 3 + c], image.pixels[(y * 17 + x) * 3 + c]);
      }
    }
  }
}

TEST(BlockPermute, EveryImageInTheSameOrder) {
  // Numbered pixels show the order; any other sample, image or data set of the seed follows it.
  const Image numbers{4, 2, 1, {0, 1, 2, 3, 4, 5, 6, 7}};
  const auto mask = make_protection("block-permute:block=1");
  const ProtectContext context{.randomness = Randomness::seeded(4, "one data set")};
  const Image order = std::get<Image>(mask->mask(numbers, 0, context));
  const Image image = noise_image(4, 2, 1);
  const Image result =
      std::get<Image>(mask->mask(image, 77, {.randomness = Randomness::seeded(4, "another data set")}));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(result.pixels[i], image.pixels[order.pixels[i]]);
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Image other = std::get<Image>(mask->mask(numbers, 0, {.randomness = Randomness::seeded(seed)}));
    orders.emplace(other.pixels.begin(), other.pixels.end());
  }
  EXPECT_EQ(orders.size(), 20U);
}

TEST(BlockPermute, BlocksGrowWithTheWidth) {
  // 16 of 224 is 8 of 112: what is no multiple of 8 stays.
  const Image image = noise_image(112, 15, 1);
  const Image result = masked("block-permute", image);
  EXPECT_TRUE(std::equal(result.pixels.begin() + 8 * 112, result.pixels.end(), image.pixels.begin() + 8 * 112));
  const auto before = blocks_of(image, 8), after = blocks_of(result, 8);
  EXPECT_TRUE(std::is_permutation(before.begin(), before.end(), after.begin()));
  EXPECT_NE(before, after);
}

}  // namespace
}  // namespace bauta
