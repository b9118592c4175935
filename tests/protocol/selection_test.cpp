// How many people are chosen, by hand.
#include "bauta/protocol/selection.hpp"

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

const std::vector<std::string> people = {"a", "b", "c", "d", "e", "f", "g"};

TEST(Selection, TwoToAllCanBeChosen) {
  EXPECT_EQ(selected({}, people, 1, 0), people);
  EXPECT_EQ(selected({.count = 2}, people, 1, 0).size(), 2U);
  EXPECT_EQ(selected({.count = 7}, people, 1, 0), people);
  // 0.3 * 7 = 2.1, 0.36 * 7 = 2.52: the nearest whole number.
  EXPECT_EQ(selected({.share = 0.3}, people, 1, 0).size(), 2U);
  EXPECT_EQ(selected({.share = 0.36}, people, 1, 0).size(), 3U);
  for (const Selection& selection : {Selection{.count = 1}, Selection{.count = 8}, Selection{.share = 0.2}}) {
    try {
      (void)selected(selection, people, 1, 0);
      ADD_FAILURE() << selection.size_text();
    } catch (const Error& error) {
      EXPECT_EQ(error.hint, "2 to 7 people can be chosen");
    }
  }
}

TEST(Selection, IsToldAsItWasAsked) {
  EXPECT_EQ((Selection{.count = 3}).size_text(), "3");
  EXPECT_EQ((Selection{.share = 0.25}).size_text(), "25 %");
  EXPECT_THROW(require_selection("best", "here"), Error);
  for (const char* way : {"random", "classification", "metadata", "distinctive", "center"}) {
    EXPECT_NO_THROW(require_selection(way, "here"));
  }
  EXPECT_FALSE(Selection{}.looks());
  EXPECT_FALSE((Selection{.by = "metadata"}).looks());
  EXPECT_TRUE((Selection{.by = "center"}).looks());
  for (const SelectedOn on : {SelectedOn::masked, SelectedOn::clear, SelectedOn::test}) {
    EXPECT_EQ(parse_selected_on(to_text(on), "here"), on);
  }
  EXPECT_THROW((void)parse_selected_on("training", "here"), Error);
}

TEST(Selection, TakesTheFirstOfAnOrder) {
  const std::vector<std::size_t> order = {6, 2, 0, 1, 3, 4, 5};
  EXPECT_EQ(selected({.by = "center", .count = 3}, people, order), (std::vector<std::string>{"a", "c", "g"}));
  EXPECT_EQ(selected({.by = "center"}, people, order), people);
}

}  // namespace
}  // namespace bauta
