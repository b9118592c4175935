#include "bauta/data/resized.hpp"

#include <gtest/gtest.h>

#include "bauta/data/subject_codes.hpp"

namespace bauta {
namespace {

// By hand: 51 / 255 = 0.2 and so on; red, green and blue of two pixels, each four times.
TEST(Resized, PlanesAreTheSameValuesChannelAfterChannel) {
  const Image image{2, 1, 3, {51, 102, 153, 204, 255, 0}};
  const std::vector<float> expected = {0.2F, 0.8F, 0.2F, 0.8F, 0.4F, 1.0F, 0.4F, 1.0F, 0.6F, 0.0F, 0.6F, 0.0F};
  const std::vector<float> planes = resized_planes(image, 2, 3);
  ASSERT_EQ(planes.size(), expected.size());
  for (std::size_t i = 0; i < planes.size(); ++i) EXPECT_FLOAT_EQ(planes[i], expected[i]) << i;
}

// By hand: the middles of four pixels lie at -1/4, 1/4, 3/4 and 5/4 of the way between those of two; beyond the outer
// ones values stay. One row is the mean of two.
TEST(Stretched, LiesBetweenTheMiddlesOfPixels) {
  const std::vector<float> planes = {0, 4, 8, 12, 100, 100, 100, 100};
  const std::vector<float> expected = {4, 100, 5, 100, 7, 100, 8, 100};
  EXPECT_EQ(stretched(planes, 2, 4, 1), expected);
  EXPECT_EQ(stretched(std::vector<float>{0, 4, 8, 12}, 2, 2, 2), (std::vector<float>{0, 4, 8, 12}));
}

TEST(SubjectCodes, SamplesWithoutANameAreOfSomebodyElseEach) {
  Dataset data;
  data.labels = LabelTable("test", 5);
  EXPECT_EQ(subject_codes(data), (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
  data.labels.add_column("who", {"b", "", "a", "b", ""});
  data.identity_column = "who";
  const std::vector<std::int32_t> codes = subject_codes(data);
  ASSERT_EQ(codes.size(), 5U);
  EXPECT_EQ(codes[0], codes[3]);
  EXPECT_NE(codes[0], codes[2]);
  EXPECT_NE(codes[1], codes[4]);
  for (const std::size_t nameless : {1U, 4U}) {
    for (const std::size_t named : {0U, 2U}) EXPECT_NE(codes[nameless], codes[named]);
  }
}

}  // namespace
}  // namespace bauta
