// Random projection keeps inner products under one key and none under different keys.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "../fixtures.hpp"

namespace bauta {
namespace {

/// The projection itself, transposed: row j is the image of the j-th unit vector.
Templates images_of_unit_vectors(const std::string& specification, std::size_t dim, std::uint64_t seed) {
  Matrix<float> identity(dim, dim, 0.0F);
  for (std::size_t j = 0; j < dim; ++j) identity(j, j) = 1;
  return make_protection(specification)
      ->protect(Templates(std::move(identity)), 0, {.randomness = Randomness::seeded(seed)});
}

TEST(RandomProjection, GaussianEntriesHaveVarianceOneOverLength) {
  const Templates images = images_of_unit_vectors("random-projection:length=100", 200, 1);
  double sum = 0;
  double squares = 0;
  for (std::size_t j = 0; j < 200; ++j) {
    for (const float value : images.floats().row(j)) {
      sum += value;
      squares += double{value} * value;
    }
  }
  const double n = 200 * 100;
  EXPECT_NEAR(sum / n, 0, 3.3 * 0.1 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 0.01, 3.3 * 0.01 * std::sqrt(2 / n));
}

TEST(RandomProjection, InnerProductsAreKeptOnAverageOverKeys) {
  const Templates input = gaussian_templates(2, 32);
  const double expected = dot_product(input.floats().row(0), input.floats().row(1));
  for (const char* specification : {"random-projection:length=16", "random-projection:length=16,matrix=orthonormal"}) {
    constexpr int keys = 2000;
    double mean = 0;
    double square = 0;
    const ResolvedProtection resolved = make_protection(specification);
    for (int key = 0; key < keys; ++key) {
      const Templates output =
          resolved->protect(input, 0, {.randomness = Randomness::seeded(static_cast<std::uint64_t>(key))});
      const double product = dot_product(output.floats().row(0), output.floats().row(1));
      mean += product / keys;
      square += product * product / keys;
    }
    EXPECT_NEAR(mean, expected, 3.3 * std::sqrt((square - mean * mean) / keys)) << specification;
    // It varies: a projection to half the dimension cannot keep every product.
    EXPECT_GT(square - mean * mean, 0.1) << specification;
  }
}

TEST(RandomProjection, OrthonormalRowsAreOrthonormal) {
  const Templates images = images_of_unit_vectors("random-projection:length=24,matrix=orthonormal", 64, 5);
  for (std::size_t a = 0; a < 24; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double product = 0;
      for (std::size_t j = 0; j < 64; ++j) product += double{images.floats()(j, a)} * images.floats()(j, b);
      EXPECT_NEAR(product, a == b ? 64.0 / 24 : 0, 1e-6) << a << ' ' << b;
    }
  }
}

TEST(RandomProjection, SquareOrthonormalProjectionIsARotationOfEitherSign) {
  const Templates input = gaussian_templates(6, 16);
  const Templates output = make_protection("random-projection:matrix=orthonormal")->protect(input, 0, {});
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      EXPECT_NEAR(dot_product(output.floats().row(a), output.floats().row(b)),
                  dot_product(input.floats().row(a), input.floats().row(b)), 1e-4);
    }
  }
  // Haar measure is symmetric: the image of a unit vector in one dimension is +1 or -1 with equal chance.
  int positive = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const float image = images_of_unit_vectors("random-projection:matrix=orthonormal", 1, seed).floats()(0, 0);
    ASSERT_EQ(std::abs(image), 1);
    positive += image > 0;
  }
  EXPECT_NEAR(positive, 500, 3.3 * std::sqrt(250.0));
}

TEST(RandomProjection, UnderDifferentKeysMatedPairsLookLikeStrangers) {
  constexpr std::size_t rows = 2000;
  constexpr std::size_t dim = 64;
  const Templates input = gaussian_templates(rows, dim);
  const ResolvedProtection first = make_protection("random-projection:regime=application,application=1");
  const ResolvedProtection second = make_protection("random-projection:regime=application,application=2");
  const Templates a = first->protect(input, 0, {});
  const Templates b = second->protect(input, 0, {});
  double mated = 0;
  double non_mated = 0;
  double unchanged = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    mated += cosine(a.floats().row(i), b.floats().row(i)) / rows;
    non_mated += cosine(a.floats().row(i), b.floats().row((i + 1) % rows)) / rows;
    unchanged += cosine(a.floats().row(i), a.floats().row(i)) / rows;
  }
  // Under fixed keys the mated mean is trace(A'B) / 64, whose standard deviation over keys is 1/64; the mean of
  // strangers is 0, and one cosine of independent directions has the variance 1/64.
  EXPECT_NEAR(mated, 0, 3.3 / 64);
  EXPECT_NEAR(non_mated, 0, 3.3 / std::sqrt(64.0 * rows));
  EXPECT_NEAR(unchanged, 1, 1e-6);
}

TEST(RandomProjection, MoreOrthonormalRowsThanDimensionsAreRefusedWithBothNumbers) {
  const Dataset dataset = dataset_of(gaussian_templates(2, 16), 1);
  const std::string error = error_of(
      [&] { protect_dataset(make_protection("random-projection:length=17,matrix=orthonormal"), dataset, {}); });
  EXPECT_NE(error.find("17"), std::string::npos);
  EXPECT_NE(error.find("16"), std::string::npos);
  EXPECT_EQ(protect_dataset(make_protection("random-projection:length=17"), dataset, {}).templates.cols(), 17u);
}

}  // namespace
}  // namespace bauta
