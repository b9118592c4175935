// MLP-Hash against a perceptron computed another way, and what its output layer does.
#include <gtest/gtest.h>

#include "../fixtures.hpp"
#include "orthonormal.hpp"

namespace bauta {
namespace {

constexpr std::size_t d = 12;

/// Weights again from the same draws: orthonormal columns where a layer widens, orthonormal rows where it does not.
std::vector<Vectors> layers_again(std::size_t length) {
  Stream stream = key_stream("mlp-hash");
  const auto draw = [&] { return stream.normal(); };
  return {transposed(gram_schmidt(d, 2 * d, draw)), gram_schmidt(2 * d, 2 * d, draw), gram_schmidt(2 * d, 2 * d, draw),
          length <= 2 * d ? gram_schmidt(length, 2 * d, draw) : transposed(gram_schmidt(2 * d, length, draw))};
}

TEST(MlpHash, BitsAreThoseOfAPerceptronInDouble) {
  const Templates input = gaussian_templates(200, d);
  for (const std::size_t length : {d, std::size_t{7}, std::size_t{40}}) {
    const std::vector<Vectors> layers = layers_again(length);
    for (const std::string output : {"relu", "linear"}) {
      const Templates bits =
          make_protection("mlp-hash:length=" + std::to_string(length) + ",output=" + output)->protect(input, 0, {});
      ASSERT_EQ(bits.cols(), length);
      std::size_t decided = 0;
      for (std::size_t i = 0; i < input.rows(); ++i) {
        std::vector<double> values(input.floats().row(i).begin(), input.floats().row(i).end());
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
          values = product(layers[layer], values);
          if (layer + 1 == layers.size() && output == "linear") break;
          for (double& value : values) value = std::max(value, 0.0);
        }
        const double level = mean_of(values);
        const std::vector<float> row = row_of(bits, i);
        for (std::size_t j = 0; j < length; ++j) {
          if (std::abs(values[j] - level) < 1e-5) continue;
          ++decided;
          ASSERT_EQ(row[j], values[j] > level ? 1 : 0) << i << ' ' << j << ' ' << length << ' ' << output;
        }
      }
      EXPECT_GT(decided, input.rows() * length * 99 / 100);
    }
  }
}

// A rectified output has a mean of at least that of the linear one and of zero, so it sets a part of the same bits.
TEST(MlpHash, RectifiedOutputsSetFewerBits) {
  const Templates input = gaussian_templates(100, 32);
  const Templates relu = make_protection("mlp-hash:output=relu")->protect(input, 0, {});
  const Templates linear = make_protection("mlp-hash:output=linear")->protect(input, 0, {});
  std::size_t fewer = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(relu.words()(i, 0) & ~linear.words()(i, 0), 0u);
    fewer += relu.words()(i, 0) != linear.words()(i, 0);
  }
  EXPECT_GT(fewer, 50u);
}

TEST(MlpHash, DoesNotDependOnTheLengthOfTheTemplate) {
  const Templates input = gaussian_templates(300, 32);
  const ResolvedProtection resolved = make_protection("mlp-hash");
  const Templates bits = resolved->protect(input, 0, {});
  EXPECT_TRUE(same_bits(bits, resolved->protect(scaled(input, 0.125F), 0, {})));
  EXPECT_LE(differing(bits, resolved->protect(scaled(input, 3.7F), 0, {})), 2u);
}

}  // namespace
}  // namespace bauta
