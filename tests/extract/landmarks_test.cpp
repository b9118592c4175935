// Geometry on points that are given; expected values by hand.
#include "landmarks.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

std::vector<Point> random_points(std::uint64_t item) {
  Stream stream(4, "landmarks test", item);
  std::vector<Point> points(68);
  for (Point& point : points) point = {100 * stream.uniform(), 100 * stream.uniform()};
  return points;
}

// 62 points at (4, 4), one eye's six at (1, 4), the other's at (7, 4): the mean is (4, 4), squares 12 * 9, and their
// root mean square 3 * sqrt(12 / 68).
TEST(Landmarks, EyesOnALine) {
  std::vector<Point> points(68, {4, 4});
  for (std::size_t k = 36; k < 42; ++k) points[k] = {1, 4};
  for (std::size_t k = 42; k < 48; ++k) points[k] = {7, 4};
  const std::vector<float> coordinates = landmark_coordinates(points);
  ASSERT_EQ(coordinates.size(), 136U);
  EXPECT_FLOAT_EQ(coordinates[72], static_cast<float>(-std::sqrt(68.0 / 12)));
  EXPECT_FLOAT_EQ(coordinates[84], static_cast<float>(std::sqrt(68.0 / 12)));
  EXPECT_NEAR(coordinates[73], 0, 1e-6);
  EXPECT_NEAR(coordinates[0], 0, 1e-6);
}

TEST(Landmarks, PlaceSizeAndTurnMakeNoDifferenceAShapeDoes) {
  const std::vector<Point> points = random_points(1);
  std::vector<Point> moved = points;
  const double angle = 0.7;
  for (Point& point : moved) {
    point = {3 * (std::cos(angle) * point.x - std::sin(angle) * point.y) - 40,
             3 * (std::sin(angle) * point.x + std::cos(angle) * point.y) + 9};
  }
  const std::vector<float> one = landmark_coordinates(points), other = landmark_coordinates(moved);
  double squares = 0, sum = 0, eyes = 0;
  for (std::size_t k = 0; k < 136; ++k) {
    EXPECT_NEAR(one[k], other[k], 1e-5);
    squares += double{one[k]} * one[k];
    sum += one[k];
  }
  for (std::size_t k = 36; k < 42; ++k) eyes += double{one[2 * k + 13]} - one[2 * k + 1];
  EXPECT_NEAR(squares, 68, 1e-4);
  EXPECT_NEAR(sum, 0, 1e-4);
  EXPECT_NEAR(eyes, 0, 1e-5);  // level
  // A mirror image is another shape.
  for (Point& point : moved) point.x = -point.x;
  const std::vector<float> mirrored = landmark_coordinates(moved);
  double difference = 0;
  for (std::size_t k = 0; k < 136; ++k) difference += std::abs(double{one[k]} - mirrored[k]);
  EXPECT_GT(difference, 1);
}

TEST(Landmarks, PointsThatCoincideHaveNoShape) {
  EXPECT_TRUE(landmark_coordinates(std::vector<Point>(68, {5, 5})).empty());
  std::vector<Point> one_eyed = random_points(2);
  for (std::size_t k = 36; k < 48; ++k) one_eyed[k] = {1, 1};
  EXPECT_TRUE(landmark_coordinates(one_eyed).empty());
}

}  // namespace
}  // namespace bauta
