#include "bauta/core/row_ranges.hpp"

#include <gtest/gtest.h>

namespace bauta {
namespace {

using Rows = std::vector<std::size_t>;

TEST(RowRanges, RowsThatFollowEachOtherAreOne) {
  EXPECT_EQ(row_ranges({}), "");
  EXPECT_EQ(row_ranges({0}), "1");
  EXPECT_EQ(row_ranges({0, 1, 2}), "1-3");
  EXPECT_EQ(row_ranges({1, 2, 3, 9, 4, 5, 5}), "2-4,10,5-6,6");
}

TEST(RowRanges, AreReadAgain) {
  for (const Rows& rows : {Rows{}, Rows{0}, Rows{0, 1, 2}, Rows{1, 2, 3, 9, 4, 5, 5}}) {
    EXPECT_EQ(rows_in_ranges(row_ranges(rows), rows.size()), rows);
  }
  // Texts of others: no rows, other numbers of rows, more than memory holds.
  for (const char* text : {"", "0", "1-2", "3-1", "1,", "x", "1-", "-1", "1--2", "1 ", "99999999999999999999",
                           "1-18446744073709551615", "1,1,1,1"}) {
    EXPECT_EQ(rows_in_ranges(text, 3), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace bauta
