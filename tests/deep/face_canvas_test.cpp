// The weights of the landmark network come from npm; without them its tests say that they skipped.
#include "bauta/deep/face_canvas.hpp"

#include <algorithm>
#include <cmath>

#include "../data/scratch.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/deep/face_net.hpp"
#include "face_drawing.hpp"

namespace bauta {
namespace {

constexpr std::size_t edge = FaceLandmarks::size;

class Landmarks : public testing::Test {
 protected:
  void SetUp() override {
    try {
      net = load_face_landmarks();
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  std::shared_ptr<const FaceLandmarks> net;
};

/// A grey drawing of a face in a head, moved to the right.
std::vector<float> drawing(double shift = 0) {
  std::vector<float> planes;
  for (std::size_t i = 0; i < 3 * edge * edge; ++i) {
    const double x = 64 * (static_cast<double>(i % edge) + 0.5) / edge;
    const double y = 64 * (static_cast<double>(i / edge % edge) + 0.5) / edge;
    planes.push_back(static_cast<float>(255 * test::drawn_face(x - shift, y)));
  }
  return planes;
}

// The first and the last numbers of a forward pass in numpy 1.24.2 (doubles), written from the description of the
// layers; their sum over all 136 is 75.957379. Of whole numbers that follow from where they stand.
TEST_F(Landmarks, AreThoseOfAnIndependentPass) {
  std::vector<float> planes;
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < edge * edge; ++i) {
      const std::size_t x = i % edge, y = i / edge;
      planes.push_back(static_cast<float>((x * x / 7 + 3 * y * (c + 1) + x * y / 11) % 256));
    }
  }
  const std::vector<float> places = net->find(planes);
  ASSERT_EQ(places.size(), 2 * FaceLandmarks::count);
  const std::vector<double> first = {0.398711, 0.470991, 0.48519,  0.513588, 0.512406, 0.544491,
                                     0.557888, 0.646612, 0.642139, 0.608666, 0.650826, 0.59858};
  const std::vector<double> last = {0.583512, 0.498166, 0.638513, 0.473379, 0.658005, 0.505221, 0.674019, 0.53682};
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(places[i], first[i], 1e-5) << i;
  for (std::size_t i = 0; i < last.size(); ++i) EXPECT_NEAR(places[128 + i], last[i], 1e-5) << i;
  double sum = 0;
  for (const float place : places) sum += place;
  EXPECT_NEAR(sum, 75.957379, 1e-4);
}

// Where the drawing has them: eyes 9 of 64 from the middle and 31 from the top, the mouth at 48.
TEST_F(Landmarks, FaceAndMirrorImageAgreeAboutEyesNoseAndMouth) {
  const std::optional<FacePoints> points = face_points(*net, drawing());
  ASSERT_TRUE(points);
  EXPECT_NEAR((*points)[0], (32.0 - 9) / 64, 0.04);
  EXPECT_NEAR((*points)[2], (32.0 + 9) / 64, 0.04);
  EXPECT_NEAR((*points)[1], 31.0 / 64, 0.04);
  EXPECT_NEAR((*points)[4], 0.5, 0.02);
  EXPECT_NEAR(((*points)[7] + (*points)[9]) / 2, 48.0 / 64, 0.06);
  // The drawing is its own mirror image.
  EXPECT_NEAR((*points)[0] + (*points)[2], 1, 1e-5);
  EXPECT_NEAR((*points)[6] + (*points)[8], 1, 1e-5);
  // They go with the face.
  const std::optional<FacePoints> moved = face_points(*net, drawing(4));
  ASSERT_TRUE(moved);
  for (std::size_t i = 0; i < 10; i += 2) EXPECT_NEAR((*moved)[i] - (*points)[i], 4.0 / 64, 0.03) << i;
}

TEST_F(Landmarks, WhereThereIsNoFaceNoneIsFound) {
  std::vector<float> noise(3 * edge * edge);
  Stream stream(7, "test.noise");
  for (int k = 0; k < 5; ++k) {
    for (float& value : noise) value = static_cast<float>(stream.below(256));
    EXPECT_FALSE(face_points(*net, noise));
  }
  for (const float grey : {0.0F, 128.0F, 255.0F}) {
    EXPECT_FALSE(face_points(*net, std::vector<float>(noise.size(), grey)));
  }
  std::vector<float> upside_down = drawing();
  std::reverse(upside_down.begin(), upside_down.end());
  EXPECT_FALSE(face_points(*net, upside_down));
}

TEST_F(Landmarks, WeightsOfAnotherNetworkAreRefused) {
  const std::map<std::string, TfjsTensor> weights = face_net_weights();
  test::expect_contains(test::input_error([&] { const FaceLandmarks other(weights, "weights"); }),
                        "weights: 'dense0/conv0/bias' is absent");
}

// Of a grid of 10 x 10 with points in the middle of cells: at a distance of a cell, exp(-(0.1 / 0.03)^2 / 2).
TEST(FaceCanvas, SpotsStandWhereThePointsAre) {
  const FacePoints points = {0.25F, 0.35F, 0.75F, 0.35F, 0.55F, 0.55F, 0.35F, 0.85F, 0.65F, 0.85F};
  const std::vector<float> planes = spots(points, 10);
  ASSERT_EQ(planes.size(), 300U);
  const auto at = [&](std::size_t plane, std::size_t x, std::size_t y) { return planes[plane * 100 + y * 10 + x]; };
  const double near = std::exp(-std::pow(0.1 / 0.03, 2) / 2);
  EXPECT_NEAR(at(0, 2, 3), 1, 1e-5);
  EXPECT_NEAR(at(0, 7, 3), 1, 1e-5);
  EXPECT_NEAR(at(1, 5, 5), 1, 1e-5);
  EXPECT_NEAR(at(2, 3, 8), 1, 1e-5);
  EXPECT_NEAR(at(2, 6, 8), 1, 1e-5);
  EXPECT_NEAR(at(0, 3, 3), near, 1e-5);
  EXPECT_NEAR(at(0, 2, 4), near, 1e-5);
  EXPECT_NEAR(at(0, 3, 4), near * near, 1e-5);
  EXPECT_NEAR(at(1, 2, 3), 0, 1e-5);
}

// By hand, of 4 x 4 cells and an ellipse that is a circle around the middle: of radius 0.3 it misses the corners, whose
// nearest points are sqrt(2) / 4 away.
TEST(FaceCanvas, CellsHoldAnythingOfTheEllipse) {
  const FaceRegion circle{0.5, 0.5, 0.3, 0.3};
  EXPECT_EQ(circle.cells(4), std::vector<float>({0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0}));
  // Pixels belong to it with their middles: those of the edge are 0.375 away.
  const std::vector<bool> pixels = circle.pixels(4, 4);
  EXPECT_EQ(std::count(pixels.begin(), pixels.end(), true), 4);
  EXPECT_TRUE(pixels[5] && pixels[6] && pixels[9] && pixels[10]);
}

}  // namespace
}  // namespace bauta
