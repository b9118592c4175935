// PE-MIU: golden values of scipy, invariance to shuffles, decisions that float arithmetic cannot make, wrong inputs.
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bauta/compare/assignment.hpp"
#include "bauta/compare/comparator.hpp"
#include "random_templates.hpp"

namespace bauta {
namespace {

Matrix<float> all_scores(const std::string& specification, const Templates& probes, const Templates& references) {
  const auto comparator = make_comparator(specification);
  const auto p = comparator->prepare(probes, Side::probe, "probes");
  const auto r = comparator->prepare(references, Side::reference, "references");
  Matrix<float> scores(probes.rows(), references.rows());
  comparator->tile(*p, {0, probes.rows()}, *r, {0, references.rows()}, scores.view());
  return scores;
}

Templates one_row(const std::vector<float>& values) {
  Matrix<float> row(1, values.size());
  std::copy(values.begin(), values.end(), row.data());
  return Templates(std::move(row));
}

float one_score(const std::string& specification, const Templates& reference, const Templates& probe) {
  return all_scores(specification, probe, reference)(0, 0);
}

Templates shuffled_blocks(const Templates& templates, std::size_t block, std::uint64_t seed) {
  const auto from = templates.floats();
  Matrix<float> to(from.rows, from.cols);
  for (std::size_t i = 0; i < from.rows; ++i) {
    const auto order = Stream(seed, "blocks", i).permutation(from.cols / block);
    for (std::size_t e = 0; e < from.cols; ++e) to(i, e) = from(i, order[e / block] * block + e % block);
  }
  return Templates(std::move(to));
}

/// The definition, in double.
double defined_score(std::span<const float> r, std::span<const float> p, std::size_t block, bool root) {
  const std::size_t n = r.size() / block;
  Matrix<double> costs(n, n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t b = 0; b < block; ++b) {
        costs(i, j) += std::pow(static_cast<double>(r[i * block + b]) - p[j * block + b], 2);
      }
      if (root) costs(i, j) = std::sqrt(costs(i, j));
    }
  }
  std::vector<std::int32_t> columns(n);
  solve_assignment(costs.view(), columns);
  double product = 0, r_square = 0, p_square = 0;
  for (std::size_t e = 0; e < r.size(); ++e) {
    product += static_cast<double>(r[e]) * p[static_cast<std::size_t>(columns[e / block]) * block + e % block];
    r_square += static_cast<double>(r[e]) * r[e];
    p_square += static_cast<double>(p[e]) * p[e];
  }
  return product / std::sqrt(r_square * p_square);
}

Templates wave(int k) {
  Matrix<float> row(1, 128);
  for (int e = 1; e <= 128; ++e) {
    row(0, static_cast<std::size_t>(e - 1)) = static_cast<float>(std::sin(0.37 * e * (k + 1) + 0.11 * e * e));
  }
  return Templates(std::move(row));
}

// scipy 1.10.1, numpy 1.24.2:
//   def x(k): e = np.arange(1, 129); return np.sin(0.37*e*(k + 1) + 0.11*e*e).astype(np.float32).astype(float)
//   r, p = x(0).reshape(-1, block), x(1).reshape(-1, block)
//   c = ((r[:, None] - p[None])**2).sum(2)                                  # l2sq; l2 is its square root
//   s = scipy.optimize.linear_sum_assignment(c)[1]
//   (r * p[s]).sum() / np.linalg.norm(r) / np.linalg.norm(p)
TEST(PeMiu, GoldenValuesOfScipy) {
  const Templates r = wave(0);
  const Templates p = wave(1);
  EXPECT_NEAR(one_score("pe-miu:block=4", r, p), 0.725389178, 1e-6);
  EXPECT_NEAR(one_score("pe-miu:block=8", r, p), 0.497255440, 1e-6);
  EXPECT_NEAR(one_score("pe-miu", r, p), 0.187265898, 1e-6);
  EXPECT_NEAR(one_score("pe-miu:block=32", r, p), 0.002319720, 1e-6);
  EXPECT_NEAR(one_score("pe-miu:block=4,cost=l2sq", r, p), 0.755359929, 1e-6);
  EXPECT_NEAR(one_score("pe-miu:block=8,cost=l2sq", r, p), 0.503400518, 1e-6);
  EXPECT_NEAR(one_score("pe-miu:cost=l2sq", r, p), 0.187692226, 1e-6);
  EXPECT_NEAR(one_score("pe-miu:block=8,cost=dot", r, p), 0.503400518, 1e-6);
  EXPECT_NEAR(one_score("cosine", r, p), -0.064725089, 1e-6);
}

TEST(PeMiu, FollowsTheDefinitionForEveryNumberOfBlocks) {
  for (const std::size_t blocks :
       {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 15U, 16U, 17U, 32U, 40U, 48U, 63U, 64U, 65U, 80U}) {
    for (const std::size_t block : {1U, 3U, 4U}) {
      const Templates p = random_templates(5, blocks * block, 10 + blocks);
      const Templates r = random_templates(19, blocks * block, 20 + blocks);
      for (const bool root : {true, false}) {
        if (root && block == 1) continue;  // on a line most assignments tie
        const auto scores = all_scores(fmt::format("pe-miu:block={},cost={}", block, root ? "l2" : "l2sq"), p, r);
        for (std::size_t i = 0; i < p.rows(); ++i) {
          for (std::size_t j = 0; j < r.rows(); ++j) {
            const double expected = defined_score(r.floats().row(j), p.floats().row(i), block, root);
            ASSERT_NEAR(scores(i, j), expected, 1e-6) << blocks << " blocks of " << block;
          }
        }
      }
    }
  }
}

TEST(PeMiu, TwoShufflesOfOneTemplateCompareAsOne) {
  const Templates x = random_templates(12, 128, 1);
  for (const std::size_t block : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U}) {
    const auto scores =
        all_scores(fmt::format("pe-miu:block={}", block), shuffled_blocks(x, block, 2), shuffled_blocks(x, block, 3));
    for (std::size_t i = 0; i < x.rows(); ++i) EXPECT_NEAR(scores(i, i), 1, 1e-6) << block;
  }
}

TEST(PeMiu, ShufflesOfEitherSideChangeNothing) {
  const Templates p = random_templates(20, 128, 4);
  const Templates r = random_templates(20, 128, 5);
  for (const std::size_t block : {4U, 8U, 16U, 32U}) {
    const std::string name = fmt::format("pe-miu:block={}", block);
    const auto clear = all_scores(name, p, r);
    const auto shuffled = all_scores(name, shuffled_blocks(p, block, 6), shuffled_blocks(r, block, 7));
    for (std::size_t k = 0; k < clear.size(); ++k) ASSERT_NEAR(clear.data()[k], shuffled.data()[k], 1e-6) << block;
  }
}

TEST(PeMiu, IsSymmetric) {
  const Templates a = random_templates(20, 128, 8);
  for (const std::size_t block : {4U, 8U, 16U, 32U}) {
    const auto scores = all_scores(fmt::format("pe-miu:block={}", block), a, a);
    for (std::size_t i = 0; i < a.rows(); ++i) {
      for (std::size_t j = 0; j < i; ++j) ASSERT_NEAR(scores(i, j), scores(j, i), 1e-6);
    }
  }
}

TEST(PeMiu, OneBlockIsPlainCosine) {
  const Templates p = random_templates(9, 50, 9);
  const Templates r = random_templates(18, 50, 10);
  const auto aligned = all_scores("pe-miu:block=50", p, r);
  const auto plain = all_scores("cosine", p, r);
  for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_NEAR(aligned.data()[k], plain.data()[k], 1e-6);
}

TEST(PeMiu, TileShapeDoesNotChangeABit) {
  const Templates p = random_templates(7, 128, 11);
  const Templates r = random_templates(37, 128, 12);
  for (const std::size_t block : {4U, 8U, 16U, 32U}) {
    const auto comparator = make_comparator(fmt::format("pe-miu:block={}", block));
    const auto probes = comparator->prepare(p, Side::probe, "p");
    const auto references = comparator->prepare(r, Side::reference, "r");
    const auto whole = all_scores(fmt::format("pe-miu:block={}", block), p, r);
    for (std::size_t i = 0; i < p.rows(); ++i) {
      for (std::size_t j = 0; j < r.rows(); ++j) {
        Matrix<float> one(1, 1);
        comparator->tile(*probes, {i, i + 1}, *references, {j, j + 1}, one.view());
        ASSERT_EQ(one(0, 0), whole(i, j)) << block;
      }
    }
  }
}

/// A pair whose two optima change places between two neighbouring floats x; `padding` more blocks match themselves.
struct Knife {
  float x;
  std::size_t padding;

  [[nodiscard]] std::vector<float> reference() const { return with_padding({0, 0, 1, 0}); }
  [[nodiscard]] std::vector<float> probe() const { return with_padding({1.25F, 0.25F, x, 1}); }
  [[nodiscard]] std::vector<float> with_padding(std::vector<float> values) const {
    for (std::size_t k = 0; k < padding; ++k) values.insert(values.end(), {0, 10 + 3 * static_cast<float>(k)});
    return values;
  }
  /// Cost of leaving both blocks in place less that of exchanging them.
  [[nodiscard]] double balance() const {
    const auto cost = [](double a, double px, double py) { return std::hypot(a - px, py); };
    return cost(0, 1.25, 0.25) + cost(1, x, 1) - cost(1, 1.25, 0.25) - cost(0, x, 1);
  }
};

TEST(PeMiu, DecidesWhatFloatsCannot) {
  for (const std::size_t padding : {0U, 2U, 6U, 14U, 20U}) {
    float low = 0.5F;
    float high = 8;
    ASSERT_GT((Knife{low, padding}.balance()), 0);
    ASSERT_LT((Knife{high, padding}.balance()), 0);
    while (std::nextafter(low, high) < high) {
      const float middle =
          std::bit_cast<float>((std::bit_cast<std::uint32_t>(low) + std::bit_cast<std::uint32_t>(high)) / 2);
      (Knife{middle, padding}.balance() > 0 ? low : high) = middle;
    }
    const Knife exchanged{low, padding};
    const Knife in_place{high, padding};
    const float below = one_score("pe-miu:block=2", one_row(exchanged.reference()), one_row(exchanged.probe()));
    const float above = one_score("pe-miu:block=2", one_row(in_place.reference()), one_row(in_place.probe()));
    EXPECT_NEAR(below, defined_score(exchanged.reference(), exchanged.probe(), 2, true), 1e-6);
    EXPECT_NEAR(above, defined_score(in_place.reference(), in_place.probe(), 2, true), 1e-6);
    // Matching (1, 0) with x in place of 1.25 moves the inner product by x - 1.25.
    const auto squared = [](const std::vector<float>& v) {
      double sum = 0;
      for (const double value : v) sum += value * value;
      return sum;
    };
    const double step = (high - 1.25) / std::sqrt(squared(in_place.reference()) * squared(in_place.probe()));
    EXPECT_NEAR(above - below, step, 1e-6);
    EXPECT_GT(std::abs(step), 1e-5) << "the two assignments must score differently";
  }
}

TEST(PeMiu, ScaleOfBothSidesDoesNotMatter) {
  const Templates p = random_templates(6, 128, 13);
  const Templates r = random_templates(6, 128, 14);
  const auto scaled = [](const Templates& from, float factor) {
    Matrix<float> to(from.rows(), from.cols());
    for (std::size_t k = 0; k < to.size(); ++k) to.data()[k] = from.floats().data[k] * factor;
    return Templates(std::move(to));
  };
  for (const std::size_t block : {4U, 16U}) {
    const std::string name = fmt::format("pe-miu:block={}", block);
    const auto expected = all_scores(name, p, r);
    for (const float factor : {0x1.0p-80F, 0x1.0p-30F, 0x1.0p30F, 0x1.0p56F}) {
      const auto scores = all_scores(name, scaled(p, factor), scaled(r, factor));
      for (std::size_t k = 0; k < scores.size(); ++k) ASSERT_NEAR(scores.data()[k], expected.data()[k], 1e-6) << factor;
    }
    // Lengths that differ by far: the definition decides, in double.
    const auto lopsided = all_scores(name, scaled(p, 0x1.0p20F), r);
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        const Templates large = scaled(p, 0x1.0p20F);
        ASSERT_NEAR(lopsided(i, j), defined_score(r.floats().row(j), large.floats().row(i), block, true), 1e-6);
      }
    }
  }
}

TEST(PeMiu, EqualBlocksAreHarmless) {
  const Templates constant = one_row(std::vector<float>(128, 0.5F));
  std::vector<float> half_zero(128, 0.0F);
  for (std::size_t e = 0; e < 64; ++e) half_zero[e] = static_cast<float>(e % 7) - 2;
  for (const std::size_t block : {4U, 8U, 16U, 32U}) {
    const std::string name = fmt::format("pe-miu:block={}", block);
    EXPECT_NEAR(one_score(name, constant, constant), 1, 1e-6);
    const Templates sparse = one_row(half_zero);
    EXPECT_NEAR(one_score(name, shuffled_blocks(sparse, block, 1), shuffled_blocks(sparse, block, 2)), 1, 1e-6);
  }
}

TEST(PeMiu, RefusesWhatItCannotCompare) {
  const auto refused = [](const Templates& templates, const std::string& specification) {
    try {
      (void)make_comparator(specification)->prepare(templates, Side::probe, "faces.npy");
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      return error.where + ": " + error.finding;
    }
    return std::string("accepted");
  };
  const std::string uneven = refused(random_templates(2, 100, 1), "pe-miu:block=16");
  EXPECT_NE(uneven.find("100"), std::string::npos) << uneven;
  EXPECT_NE(uneven.find("16"), std::string::npos) << uneven;

  const auto with_row = [](float value) {
    Matrix<float> rows(4, 32, 1.0F);
    for (float& element : rows.row(2)) element = value;
    return Templates(std::move(rows));
  };
  EXPECT_EQ(refused(with_row(2.0F), "pe-miu"), "accepted");
  EXPECT_EQ(refused(with_row(0.0F), "pe-miu").substr(0, 16), "faces.npy row 3:");
  EXPECT_EQ(refused(with_row(std::numeric_limits<float>::quiet_NaN()), "pe-miu").substr(0, 16), "faces.npy row 3:");
  EXPECT_EQ(refused(with_row(std::numeric_limits<float>::infinity()), "pe-miu").substr(0, 16), "faces.npy row 3:");
  EXPECT_NE(refused(Templates(Matrix<std::uint8_t>(2, 32, 1)), "pe-miu"), "accepted");
  EXPECT_THROW(make_comparator("pe-miu:block=0"), Error);
  EXPECT_THROW(make_comparator("pe-miu:cost=l1"), Error);
}

}  // namespace
}  // namespace bauta
