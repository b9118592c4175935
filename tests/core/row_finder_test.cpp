#include "bauta/core/row_finder.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace bauta {
namespace {

Templates floats(std::size_t cols, const std::vector<float>& values) {
  Matrix<float> rows(values.size() / cols, cols);
  std::copy(values.begin(), values.end(), rows.data());
  return Templates(std::move(rows));
}

TEST(RowFinder, FindsTheFirstEqualRowThatIsNotLeftOut) {
  const Templates rows = floats(2, {1, 2, 3, 4, 3, 4}), asked = floats(2, {3, 4, 4, 3});
  EXPECT_EQ(RowFinder(rows, {false, false, false}).first_equal(asked, 0), 1U);
  EXPECT_EQ(RowFinder(rows, {false, true, false}).first_equal(asked, 0), 2U);
  EXPECT_EQ(RowFinder(rows, {false, true, true}).first_equal(asked, 0), std::nullopt);
  EXPECT_EQ(RowFinder(rows, {false, false, false}).first_equal(asked, 1), std::nullopt);
}

// As numbers, not as bytes; a row longer than what is hashed at once, whose end alone differs.
TEST(RowFinder, NumbersAreEqualWhateverTheirSignOfZero) {
  EXPECT_EQ(RowFinder(floats(2, {-0.0F, 1}), {false}).first_equal(floats(2, {0.0F, 1}), 0), 0U);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(RowFinder(floats(1, {nan}), {false}).first_equal(floats(1, {nan}), 0), std::nullopt);
  std::vector<float> values(2 * 1300, 0.5F);
  values.back() = -0.0F;
  const Templates rows = floats(1300, values);
  values.back() = 0;
  const Templates asked = floats(1300, values);
  const RowFinder finder(rows, {false, false});
  EXPECT_EQ(finder.first_equal(asked, 0), 0U);
  EXPECT_EQ(finder.first_equal(asked, 1), 1U);
}

TEST(RowFinder, OfAnotherKindOrWidthNoneIsEqual) {
  Matrix<std::uint8_t> codes(2, 3, 0);
  codes(1, 2) = 7;
  const Templates rows(std::move(codes));
  const RowFinder finder(rows, {false, false});
  EXPECT_EQ(finder.first_equal(rows, 1), 1U);
  EXPECT_EQ(finder.first_equal(Templates(Matrix<std::uint8_t>(1, 2, 0)), 0), std::nullopt);
  EXPECT_EQ(finder.first_equal(floats(3, {0, 0, 0}), 0), std::nullopt);
  EXPECT_EQ(finder.first_equal(Templates(Matrix<std::uint64_t>(1, 1, 0), 3), 0), std::nullopt);
  const Templates bits(Matrix<std::uint64_t>(1, 2, 5), 100);
  EXPECT_EQ(RowFinder(bits, {false}).first_equal(bits, 0), 0U);
}

}  // namespace
}  // namespace bauta
