// Geometry on points that are given; expected values by hand.
#include "face_graph.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"

namespace bauta {
namespace {

std::vector<Point> random_points(std::uint64_t item, std::size_t count = 68) {
  Stream stream(3, "face graph test", item);
  std::vector<Point> points(count);
  // On a grid of 1/16, so that moving and doubling them is exact.
  for (Point& point : points) {
    point = {static_cast<double>(stream.below(4096)) / 16, static_cast<double>(stream.below(4096)) / 16};
  }
  return points;
}

template <class Map>
std::vector<Point> mapped(std::vector<Point> points, Map map) {
  for (Point& point : points) point = map(point);
  return points;
}

TEST(FaceGraph, LengthsOfTheTriangleOf345) {
  // Squares 9 + 16 + 25 = 50, root of their mean sqrt(50 / 3).
  const std::vector<Point> triangle = {{0, 0}, {3, 0}, {0, 4}};
  const double scale = std::sqrt(50.0 / 3);
  const std::vector<float> edges = face_graph(triangle);
  ASSERT_EQ(edges.size(), 3U);
  EXPECT_FLOAT_EQ(edges[0], static_cast<float>(3 / scale));
  EXPECT_FLOAT_EQ(edges[1], static_cast<float>(4 / scale));
  EXPECT_FLOAT_EQ(edges[2], static_cast<float>(5 / scale));
}

TEST(FaceGraph, HasAnEdgeForEachPairOf68) {
  const std::vector<float> edges = face_graph(random_points(0));
  EXPECT_EQ(edges.size(), 2278U);
  double squares = 0;
  for (const float edge : edges) squares += static_cast<double>(edge) * edge;
  EXPECT_NEAR(squares / 2278, 1, 1e-6);
}

TEST(FaceGraph, DoesNotChangeABitWhenMovedDoubledMirroredOrTurnedByARightAngle) {
  for (std::uint64_t item = 0; item < 50; ++item) {
    const std::vector<Point> points = random_points(item);
    const std::vector<float> edges = face_graph(points);
    EXPECT_EQ(edges, face_graph(mapped(points, [](Point p) { return Point{p.x + 37.25, p.y - 1024.5}; })));
    EXPECT_EQ(edges, face_graph(mapped(points, [](Point p) { return Point{4 * p.x, 4 * p.y}; })));
    EXPECT_EQ(edges, face_graph(mapped(points, [](Point p) { return Point{-p.y, p.x}; })));
    EXPECT_EQ(edges, face_graph(mapped(points, [](Point p) { return Point{-p.x, p.y}; })));
  }
}

TEST(FaceGraph, DoesNotChangeUnderAnySimilarity) {
  for (std::uint64_t item = 0; item < 50; ++item) {
    Stream stream(4, "face graph similarity", item);
    const double angle = 2 * std::numbers::pi * stream.uniform();
    const double scale = 0.01 + 100 * stream.uniform();
    const double x = 1000 * stream.uniform();
    const std::vector<Point> points = random_points(item);
    const std::vector<float> edges = face_graph(points);
    const std::vector<float> turned = face_graph(mapped(points, [&](Point p) {
      return Point{x + scale * (std::cos(angle) * p.x - std::sin(angle) * p.y),
                   scale * (std::sin(angle) * p.x + std::cos(angle) * p.y) - x};
    }));
    for (std::size_t i = 0; i < edges.size(); ++i) ASSERT_NEAR(edges[i], turned[i], 1e-6);
  }
}

TEST(FaceGraph, ChangesWhenAFaceIsStretched) {
  const std::vector<Point> points = random_points(1);
  const std::vector<float> edges = face_graph(points);
  const std::vector<float> stretched = face_graph(mapped(points, [](Point p) { return Point{1.1 * p.x, p.y}; }));
  double largest = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) largest = std::max(largest, std::abs(0.0 + edges[i] - stretched[i]));
  EXPECT_GT(largest, 0.02);
}

TEST(FaceGraph, OfOnePointManyTimesIsNothing) {
  EXPECT_TRUE(face_graph(std::vector<Point>(68, Point{5, 5})).empty());
}

}  // namespace
}  // namespace bauta
