#include "bauta/data/scattered_pixels.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

KnownPixel known(std::int32_t x, std::int32_t y, float value) {
  return {x, y, {value}};
}

TEST(ScatteredPixels, TheShortDiagonalOfARhombusIsAnEdge) {
  // The circle through (0,2), (4,0), (4,4) has its centre at (2.5, 2) and leaves (8,2) out, so the edge is x = 4.
  const std::vector<float> all =
      interpolated(9, 5, 1, {known(0, 2, 0), known(4, 0, 8), known(8, 2, 0), known(4, 4, 8)});
  for (std::size_t y = 0; y < 5; ++y) EXPECT_FLOAT_EQ(all[y * 9 + 4], 8);
  EXPECT_FLOAT_EQ(all[2 * 9 + 2], 4);
  EXPECT_FLOAT_EQ(all[2 * 9 + 7], 2);
  EXPECT_FLOAT_EQ(all[0], 0);  // (0,0) is 2 from (0,2) and 4 from (4,0)
  EXPECT_FLOAT_EQ(all[3], 8);  // (3,0)
  EXPECT_FLOAT_EQ(all[4 * 9 + 8], 0);
}

TEST(ScatteredPixels, PlanesStayPlanes) {
  Stream stream(5, "planes");
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t width = 2 + stream.below(40), height = 2 + stream.below(40);
    const double slope_x = stream.normal(), slope_y = stream.normal();
    const auto plane = [&](std::size_t x, std::size_t y) {
      return static_cast<float>(slope_x * static_cast<double>(x) + slope_y * static_cast<double>(y) + 3);
    };
    // The corners make the hull the whole image; on a grid many points lie on one line or one circle.
    std::set<std::pair<std::size_t, std::size_t>> places = {
        {0, 0}, {width - 1, 0}, {0, height - 1}, {width - 1, height - 1}};
    for (std::size_t i = stream.below(width * height); i > 0; --i) {
      places.emplace(stream.below(width), stream.below(height));
    }
    std::vector<KnownPixel> points;
    for (const auto& [x, y] : places) {
      points.push_back(known(static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), plane(x, y)));
    }
    const std::vector<float> all = interpolated(width, height, 1, points);
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width; ++x) ASSERT_NEAR(all[y * width + x], plane(x, y), 1e-4) << x << " " << y;
    }
  }
}

TEST(ScatteredPixels, AnInnerPointIsJoinedToTheCorners) {
  // The circle through (4,4), (8,0), (8,8) has its centre at (8,4) and leaves all others out: (4,4) to (8,8) is an
  // edge.
  const std::vector<float> all = interpolated(
      9, 9, 1, {known(0, 0, 0), known(8, 0, 0), known(0, 8, 0), known(8, 8, 0), known(3, 3, 6), known(4, 4, 2)});
  EXPECT_FLOAT_EQ(all[3 * 9 + 3], 6);
  EXPECT_FLOAT_EQ(all[4 * 9 + 4], 2);
  EXPECT_FLOAT_EQ(all[6 * 9 + 6], 1);  // halfway from (4,4) to the corner (8,8)
  EXPECT_FLOAT_EQ(all[0 * 9 + 4], 0);  // on the hull
}

TEST(ScatteredPixels, OutsideOfTheHullTheNearestCounts) {
  Stream stream(6, "nearest");
  for (int trial = 0; trial < 20; ++trial) {
    // On one line there is no triangle at all.
    std::vector<KnownPixel> points;
    std::set<std::int32_t> columns;
    for (int i = 0; i < 4; ++i) columns.insert(static_cast<std::int32_t>(stream.below(21)));
    for (const std::int32_t x : columns) points.push_back(known(x, x, static_cast<float>(x)));
    const std::vector<float> all = interpolated(21, 25, 1, points);
    for (std::int32_t y = 0; y < 25; ++y) {
      for (std::int32_t x = 0; x < 21; ++x) {
        double least = 1e9;
        for (const KnownPixel& point : points) least = std::min(least, std::hypot(point.x - x, point.y - y));
        const auto said = static_cast<std::int32_t>(all[static_cast<std::size_t>(y * 21 + x)]);
        ASSERT_DOUBLE_EQ(std::hypot(said - x, said - y), least);
      }
    }
  }
  EXPECT_EQ(interpolated(2, 2, 1, {known(1, 0, 5)}), (std::vector<float>{5, 5, 5, 5}));
}

}  // namespace
}  // namespace bauta
