// Who a sample is of, and whether that is certain.
#include "bauta/protocol/subjects.hpp"

#include <gtest/gtest.h>

#include "small_dataset.hpp"

namespace bauta {
namespace {

TEST(Subjects, AreNumberedByNameAndThoseWithoutOneComeAfter) {
  Dataset data = small_dataset("x", {"b", "", "a", "b", ""}, {"F", "F", "F", "F", "F"}, 0);
  const Subjects subjects = subjects_of(data);
  EXPECT_EQ(subjects.of_row, (std::vector<std::size_t>{1, 2, 0, 1, 3}));
  EXPECT_EQ(subjects.count, 4U);
  data.identity_column.clear();
  EXPECT_EQ(subjects_of(data).of_row, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(subjects_of(data).count, 5U);
}

// Rows 0, 2 and 4 are alike, of a, b and a; rows 1 and 3 are alike, both of c.
TEST(Subjects, AllCopiesOfASampleUnderTwoNamesAreUncertain) {
  Dataset data = small_dataset("x", {"a", "c", "b", "c", "a", "d"}, {"F", "F", "F", "F", "F", "F"}, 100);
  Matrix<float> rows(6, 1);
  for (std::size_t row = 0; row < 6; ++row) rows(row, 0) = row == 5 ? 7.0F : static_cast<float>(row % 2);
  data.templates = Templates(std::move(rows));
  const auto uncertain = [&] { return under_two_names(data, subjects_of(data)); };
  EXPECT_EQ(uncertain(), (std::vector<bool>{true, false, true, false, true, false}));
  // What failed is nobody's template.
  data.labels.add_column("failed", {"", "", "1", "", "", ""});
  EXPECT_EQ(uncertain(), std::vector<bool>(6, false));
  // Codes of two people may coincide.
  data.labels.replace_column("failed", std::vector<std::string>(6));
  EXPECT_EQ(uncertain()[0], true);
  data.templates = Templates(Matrix<std::uint8_t>(6, 1, 0));
  EXPECT_EQ(uncertain(), std::vector<bool>(6, false));
  data.templates = Templates();
  EXPECT_EQ(uncertain(), std::vector<bool>(6, false));
}

}  // namespace
}  // namespace bauta
