// Index-of-max hashing against codes computed another way, and how often codes agree by chance.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "../fixtures.hpp"
#include "orthonormal.hpp"

namespace bauta {
namespace {

TEST(IomGrp, CodesAreThoseOfProjectionsInDouble) {
  constexpr std::size_t d = 20;
  constexpr std::size_t m = 150;  // more hashes than are projected at a time
  constexpr std::size_t q = 9;
  const Templates input = gaussian_templates(280, d);
  const Templates codes = make_protection("iom-grp:m=150,q=9")->protect(input, 0, {});
  ASSERT_EQ(codes.kind(), ElementKind::code8);
  ASSERT_EQ(codes.cols(), m);
  Stream stream = key_stream("iom-grp");
  Vectors projections(m * q, std::vector<double>(d));
  for (auto& projection : projections) {
    for (double& value : projection) value = static_cast<float>(stream.normal());
  }
  std::size_t decided = 0;
  for (std::size_t i = 0; i < input.rows(); ++i) {
    const std::vector<double> values = product(projections, input.floats().row(i));
    for (std::size_t hash = 0; hash < m; ++hash) {
      std::vector<double> group(values.begin() + static_cast<std::ptrdiff_t>(hash * q),
                                values.begin() + static_cast<std::ptrdiff_t>((hash + 1) * q));
      const auto expected = std::max_element(group.begin(), group.end()) - group.begin();
      std::sort(group.begin(), group.end());
      if (group[q - 1] - group[q - 2] < 1e-5) continue;
      ++decided;
      ASSERT_EQ(codes.codes()(i, hash), expected) << i << ' ' << hash;
    }
  }
  EXPECT_GT(decided, input.rows() * m * 99 / 100);
}

TEST(IomUrp, CodesAreTheFirstLargestProductsOfPermutedEntries) {
  constexpr std::size_t d = 30;
  constexpr std::size_t m = 25;
  for (const std::size_t p : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    for (const std::size_t k : {std::size_t{2}, std::size_t{30}}) {
      const Templates input = gaussian_templates(280, d);
      const Templates codes =
          make_protection("iom-urp:m=25,p=" + std::to_string(p) + ",k=" + std::to_string(k))->protect(input, 0, {});
      Stream stream = key_stream("iom-urp");
      for (std::size_t hash = 0; hash < m; ++hash) {
        std::vector<std::vector<std::size_t>> orders;
        for (std::size_t factor = 0; factor < p; ++factor) orders.push_back(stream.permutation(d));
        for (std::size_t i = 0; i < input.rows(); ++i) {
          std::vector<float> products(k, 1.0F);
          for (std::size_t j = 0; j < k; ++j) {
            for (const auto& order : orders) products[j] *= input.floats()(i, order[j]);
          }
          const auto expected = std::max_element(products.begin(), products.end()) - products.begin();
          ASSERT_EQ(codes.codes()(i, hash), expected) << i << ' ' << hash << ' ' << p << ' ' << k;
        }
      }
    }
  }
}

// Equal features give equal products: all tie, and the first wins.
TEST(IomUrp, TiesGoToTheFirst) {
  const Templates codes =
      make_protection("iom-urp:m=50,k=8")->protect(repeated_row(std::vector<float>(16, 2.0F), 1), 0, {});
  for (const std::uint8_t code : codes.codes().row(0)) EXPECT_EQ(code, 0);
}

class Iom : public ::testing::TestWithParam<const char*> {};

TEST_P(Iom, DoesNotDependOnTheLengthOfTheTemplate) {
  const Templates input = gaussian_templates(300, 32);
  const ResolvedProtection resolved = make_protection(GetParam());
  const Templates codes = resolved->protect(input, 0, {});
  for (const float factor : {0.125F, 1024.0F}) {
    EXPECT_TRUE(same_bits(codes, resolved->protect(scaled(input, factor), 0, {}))) << factor;
  }
  // Other factors round: products or projections that are nearly equal may change places.
  EXPECT_LE(differing(codes, resolved->protect(scaled(input, 3.7F), 0, {})), 4u);
  // The product of two entries does not change when both change their sign.
  EXPECT_EQ(same_bits(codes, resolved->protect(scaled(input, -1), 0, {})), resolved.declaration->name == "iom-urp");
}

// Under independent keys every code is equally likely, whatever the template: of n comparisons 1/8 agree, with the
// standard deviation sqrt(1/8 7/8 / n).
TEST_P(Iom, CodesUnderDifferentKeysAgreeByChance) {
  constexpr std::size_t rows = 400;
  ProtectContext context;
  for (std::size_t i = 0; i < rows; ++i) context.subjects.push_back(std::to_string(i));
  const Templates input = gaussian_templates(1, 32).select(std::vector<std::size_t>(rows, 0));
  const Templates codes = make_protection(std::string(GetParam()) + ",regime=secret")->protect(input, 0, context);
  double equal = 0;
  for (std::size_t i = 0; i + 1 < rows; i += 2) {
    for (std::size_t j = 0; j < codes.cols(); ++j) equal += codes.codes()(i, j) == codes.codes()(i + 1, j);
  }
  const double n = rows / 2.0 * static_cast<double>(codes.cols());
  EXPECT_NEAR(equal / n, 1.0 / 8, 3.3 * std::sqrt(7.0 / 64 / n));
}

INSTANTIATE_TEST_SUITE_P(Both, Iom, ::testing::Values("iom-grp:m=60,q=8", "iom-urp:m=60,k=8"));

TEST(IomUrp, MoreProductsThanFeaturesAreRefusedWithBothNumbers) {
  const Dataset dataset = dataset_of(gaussian_templates(2, 16), 1);
  const std::string error = error_of([&] { protect_dataset(make_protection("iom-urp:k=17"), dataset, {}); });
  EXPECT_NE(error.find("17"), std::string::npos);
  EXPECT_NE(error.find("16"), std::string::npos);
  EXPECT_NE(error_of([] { make_protection("iom-urp:k=257"); }), "no error");
  EXPECT_NE(error_of([] { make_protection("iom-grp:q=257"); }), "no error");
}

}  // namespace
}  // namespace bauta
