// BioHash against projections that are computed another way, and what its choices do.
#include <gtest/gtest.h>

#include "../fixtures.hpp"
#include "orthonormal.hpp"

namespace bauta {
namespace {

// The vectors again from the same draws, by Gram-Schmidt in double, whose R has a positive diagonal by construction.
// Bits whose projection is further from the threshold than rounding must be the same; those are nearly all.
TEST(BioHash, BitsAreThoseOfGramSchmidt) {
  constexpr std::size_t d = 24;
  constexpr std::size_t length = 17;
  const Templates input = gaussian_templates(300, d);
  for (const std::string entries : {"uniform01", "gaussian"}) {
    Stream stream = key_stream("biohash");
    const auto vectors =
        gram_schmidt(length, d, [&] { return entries == "gaussian" ? stream.normal() : stream.uniform(); });
    for (const std::string threshold : {"mean", "zero"}) {
      const Templates output =
          make_protection("biohash:length=17,entries=" + entries + ",threshold=" + threshold)->protect(input, 0, {});
      ASSERT_EQ(output.kind(), ElementKind::bits);
      ASSERT_EQ(output.cols(), length);
      std::size_t decided = 0;
      for (std::size_t i = 0; i < input.rows(); ++i) {
        const std::vector<double> y = product(vectors, input.floats().row(i));
        const double level = threshold == "mean" ? mean_of(y) : 0;
        const std::vector<float> bits = row_of(output, i);
        for (std::size_t j = 0; j < length; ++j) {
          if (std::abs(y[j] - level) < 1e-5) continue;
          ++decided;
          ASSERT_EQ(bits[j], y[j] > level ? 1 : 0) << i << ' ' << j << ' ' << entries << ' ' << threshold;
        }
      }
      EXPECT_GT(decided, input.rows() * length * 99 / 100);
    }
  }
}

// Hand calculation: in one dimension the only vector is (1), since uniform entries are positive; the mean of one
// projection is itself, which is not above itself.
TEST(BioHash, InOneDimensionTheThresholdDecides) {
  Matrix<float> values(2, 1);
  values(0, 0) = 3;
  values(1, 0) = -3;
  const Templates input(std::move(values));
  const Templates zero = make_protection("biohash:threshold=zero")->protect(input, 0, {});
  EXPECT_EQ(zero.words()(0, 0), 1u);
  EXPECT_EQ(zero.words()(1, 0), 0u);
  const Templates mean = make_protection("biohash:threshold=mean")->protect(input, 0, {});
  EXPECT_EQ(mean.words()(0, 0), 0u);
  EXPECT_EQ(mean.words()(1, 0), 0u);
}

TEST(BioHash, DoesNotDependOnTheLengthOfTheTemplate) {
  const Templates input = gaussian_templates(300, 32);
  for (const char* specification : {"biohash", "biohash:threshold=zero"}) {
    const ResolvedProtection resolved = make_protection(specification);
    const Templates bits = resolved->protect(input, 0, {});
    // Powers of two scale floats exactly; other factors may move a projection across the threshold by rounding.
    for (const float factor : {0.125F, 1024.0F}) {
      EXPECT_TRUE(same_bits(bits, resolved->protect(scaled(input, factor), 0, {}))) << factor;
    }
    EXPECT_LE(differing(bits, resolved->protect(scaled(input, 3.7F), 0, {})), 2u);
  }
}

// Uniform entries have a mean, so the first vector points the same way under every key and its bit links them; those of
// later vectors, and all from normal entries, agree by chance. 2,000 pairs: standard deviation 0.011.
TEST(BioHash, UniformEntriesLinkTheFirstBit) {
  constexpr std::size_t n = 2000;
  const Templates input = gaussian_templates(n, 32);
  const auto agreements = [&](const std::string& entries) {
    const auto enrolled = [&](const std::string& service) {
      ProtectContext context;
      for (std::size_t i = 0; i < n; ++i) context.subjects.push_back(service + std::to_string(i));
      return make_protection("biohash:length=6,regime=secret,threshold=zero,entries=" + entries)
          ->protect(input, 0, context);
    };
    const Templates a = enrolled("first");
    const Templates b = enrolled("second");
    std::vector<double> equal(6);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t bit = 0; bit < 6; ++bit) equal[bit] += (row_of(a, i)[bit] == row_of(b, i)[bit]) / double{n};
    }
    return equal;
  };
  const std::vector<double> uniform = agreements("uniform01");
  EXPECT_GT(uniform[0], 0.7);
  EXPECT_NEAR(uniform[5], 0.5, 3.3 * 0.0112);
  EXPECT_NEAR(agreements("gaussian")[0], 0.5, 3.3 * 0.0112);
}

TEST(BioHash, MoreBitsThanFeaturesAreRefusedWithBothNumbers) {
  const Dataset dataset = dataset_of(gaussian_templates(2, 16), 1);
  const std::string error = error_of([&] { protect_dataset(make_protection("biohash:length=17"), dataset, {}); });
  EXPECT_NE(error.find("17"), std::string::npos);
  EXPECT_NE(error.find("16"), std::string::npos);
  EXPECT_EQ(protect_dataset(make_protection("biohash"), dataset, {}).templates.cols(), 16u);
}

}  // namespace
}  // namespace bauta
