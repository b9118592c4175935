// In which order people are chosen, by hand.
#include "bauta/protocol/people_order.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "small_dataset.hpp"

namespace bauta {
namespace {

Matrix<double> places(const std::vector<std::vector<double>>& rows) {
  Matrix<double> out(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], out.row(i).begin());
  return out;
}

/// The first two in ascending order: which of them was found first is nobody's business.
PeopleOrder pair_sorted(PeopleOrder order) {
  std::sort(order.begin(), order.begin() + 2);
  return order;
}

TEST(PeopleOrder, HitsDescend) {
  const std::vector<double> rates = {0.5, 1, std::nan(""), 0.75, 0};
  EXPECT_EQ(order_by_hits(rates, {}), (PeopleOrder{1, 3, 0, 4, 2}));
}

TEST(PeopleOrder, WhoAreAlikeAreDrawn) {
  const std::vector<double> alike(4, 0.5);
  const Matrix<double> nowhere(4, 2, 1.0);
  std::vector<int> first(4), center(4);
  for (std::size_t draw = 0; draw < 400; ++draw) {
    ++first[order_by_hits(alike, {7, draw})[0]];
    ++center[order_from_center(nowhere.view(), {7, draw})[0]];
  }
  // 100 each are expected, with a deviation of sqrt(400 * 3 / 16) = 8.7.
  for (const auto& counts : {first, center}) {
    for (const int count : counts) EXPECT_NEAR(count, 100, 35);
  }
  EXPECT_EQ(order_by_hits(alike, {7, 3}), order_by_hits(alike, {7, 3}));
}

TEST(PeopleOrder, DistinctivePeopleLieFarFromOthersAndNearThemselves) {
  // Means and scores: a (1, 0), 9 - 1 = 8; b (10, 0), sqrt(49 + 9) - 0 = 7.6; c (17, 0), 7 - 3 = 4.
  Matrix<float> rows(6, 2, 0);
  const float x[] = {10, 0, 17, 2, 17, 10}, y[] = {0, 0, 3, 0, -3, 0};
  const std::vector<std::uint32_t> person = {1, 0, 2, 0, 2, 1};
  for (std::size_t i = 0; i < 6; ++i) rows(i, 0) = x[i], rows(i, 1) = y[i];
  EXPECT_EQ(order_by_distinction({rows.view(), person, 3}, {}), (PeopleOrder{0, 1, 2}));
  // Somebody of whom nothing is known comes last.
  EXPECT_EQ(order_by_distinction({rows.view(), person, 4}, {}), (PeopleOrder{0, 1, 2, 3}));
}

// Scores: a at (0, 0) and (0, 4), sqrt(25 + 36) - 2 = 5.8; b, of whom there is one sample at (5, 8), sqrt(25 + 16) =
// 6.4, less the mean of 2 and 1; c at (10, 1) and (10, 3), sqrt(25 + 36) - 1 = 6.8. With a spread of 0 b would be
// second.
TEST(PeopleOrder, OneSampleDoesNotMakeDistinctive) {
  Matrix<float> rows(5, 2, 0);
  const float x[] = {0, 0, 5, 10, 10}, y[] = {0, 4, 8, 1, 3};
  const std::vector<std::uint32_t> person = {0, 0, 1, 2, 2};
  for (std::size_t i = 0; i < 5; ++i) rows(i, 0) = x[i], rows(i, 1) = y[i];
  EXPECT_EQ(order_by_distinction({rows.view(), person, 3}, {}), (PeopleOrder{2, 0, 1}));
  // Where nobody has two, who is farthest from anybody else: 10, by 6.
  const std::vector<std::uint32_t> alone = {0, 1, 2};
  Matrix<float> apart(3, 1);
  apart(0, 0) = 0, apart(1, 0) = 4, apart(2, 0) = 10;
  EXPECT_EQ(order_by_distinction({apart.view(), alone, 3}, {}).front(), 2U);
}

TEST(PeopleOrder, CenterTakesWhoIsFarthestFromTheMeanOfThoseChosen) {
  // 0 and 10 first, mean 5: 1 is 4 away, 8.5 is 3.5, 4 is 1. Then the mean is 11 / 3: 8.5 before 4. Whoever compared
  // with the one chosen last, or with the nearest, would begin with 4 or 8.5.
  EXPECT_EQ(pair_sorted(order_from_center(places({{0}, {1}, {10}, {4}, {8.5}}).view(), {})),
            (PeopleOrder{0, 2, 1, 4, 3}));
  EXPECT_EQ(pair_sorted(order_from_center(places({{0}, {std::nan("")}, {10}, {4}}).view(), {})),
            (PeopleOrder{0, 2, 3, 1}));
  // Of people's means: 1, 5 and 2.
  Matrix<float> rows(5, 1, 0);
  const float x[] = {0, 5, 2, 2, 2};
  const std::vector<std::uint32_t> person = {0, 1, 0, 2, 2};
  for (std::size_t i = 0; i < 5; ++i) rows(i, 0) = x[i];
  EXPECT_EQ(pair_sorted(order_from_center(PeopleFeatures{rows.view(), person, 3}, {})), (PeopleOrder{0, 1, 2}));
}

TEST(PeopleOrder, IsTheSameForAnyNumberOfThreads) {
  Matrix<float> rows(300, 5);
  Stream(3, "rows").normals(std::span(rows.data(), rows.size()));
  std::vector<std::uint32_t> person(300);
  for (std::size_t i = 0; i < 300; ++i) person[i] = static_cast<std::uint32_t>(i % 60);
  const PeopleFeatures features{rows.view(), person, 60};
  const auto both = [&] { return std::pair(order_by_distinction(features, {}), order_from_center(features, {})); };
  const int before = threads();
  set_threads(1);
  const auto alone = both();
  set_threads(2);
  EXPECT_EQ(alone, both());
  set_threads(before);
  for (PeopleOrder order : {alone.first, alone.second}) {
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(order[i], i);
  }
}

TEST(PeopleOrder, MetadataArePlaces) {
  // 22 people: ages 20 to 41 are numbers, brought to 0 .. 1. p00 has two samples, of 20 and 22: 21.
  std::vector<std::string> names, gender, age;
  const auto add = [&](int i, int years, const char* g) {
    names.push_back("p" + std::to_string(100 + i));
    age.push_back(std::to_string(years));
    gender.emplace_back(g);
  };
  add(0, 20, "F");
  add(0, 22, "M");
  for (int i = 1; i < 22; ++i) add(i, 20 + i, i % 2 == 0 && i < 20 ? "F" : "M");
  Dataset data = small_dataset("people", names, gender, 0);
  data.labels.add_column("age", age);
  std::vector<std::string> people = names;
  people.erase(people.begin());
  const Matrix<double> found = metadata_places(data, people, {"age", "gender"});
  ASSERT_EQ(found.cols(), 3U);
  EXPECT_DOUBLE_EQ(found(0, 0), 0);  // as is p01
  EXPECT_DOUBLE_EQ(found(1, 0), 0);
  EXPECT_DOUBLE_EQ(found(21, 0), 1);
  EXPECT_DOUBLE_EQ(found(11, 0), 0.5);  // 31 between 21 and 41
  // Two classes lie 1 apart; who is seen as both lies in the middle.
  EXPECT_NEAR(std::hypot(found(1, 1) - found(2, 1), found(1, 2) - found(2, 2)), 1, 1e-12);
  EXPECT_NEAR(std::hypot(found(0, 1) - found(2, 1), found(0, 2) - found(2, 2)), 0.5, 1e-12);
  // The farthest pair differ in both: the oldest, a man, and a woman of 22 (1 + 0.95^2) or the one of 21 who is half a
  // woman (0.25 + 1): the former.
  EXPECT_EQ(pair_sorted(order_from_center(found.view(), {}))[0], 2U);
  EXPECT_EQ(pair_sorted(order_from_center(found.view(), {}))[1], 21U);
}

TEST(PeopleOrder, WhatIsUnknownMakesNobodyStandOut) {
  Dataset data = small_dataset("people", {"a", "b", "c"}, {"F", "M", ""}, 0);
  const Matrix<double> found = metadata_places(data, {"a", "b", "c"}, {"gender"});
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(found(2, j), (found(0, j) + found(1, j)) / 2, 1e-12);
  data.labels.replace_column("gender", {"", "", ""});
  EXPECT_THROW((void)metadata_places(data, {"a", "b", "c"}, {"gender"}), Error);
  EXPECT_THROW((void)metadata_places(data, {"a", "b", "c"}, {"height"}), Error);
}

}  // namespace
}  // namespace bauta
