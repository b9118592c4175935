// Expected values marked "references.py" come from scikit-learn 1.2.1 through tests/learn/references.py.
#include "bauta/learn/forest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/learn/estimator.hpp"
#include "population.hpp"

namespace bauta {
namespace {

Matrix<float> normals(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix<float> x(rows, cols);
  Stream stream(seed, "forest test");
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(stream.normal());
  return x;
}

/// Two forests of many trees are two draws from one distribution: their means differ by little.
constexpr std::size_t many_trees = 4000;
constexpr double five_deviations = 5 * 0.5 / 63.2;  // of a mean of 4000 shares, each of standard deviation <= 0.5

TEST(Forest, TreeOfOneFeaturePredictsWhatScikitLearnPredicts) {
  Lcg lcg(1);
  const Matrix<float> x = lcg.matrix(40, 1);
  std::vector<double> y(40);
  for (double& value : y) value = lcg.next();
  const Forest tree = Forest::regressor(x.view(), y, {.trees = 1, .bootstrap = false});
  Matrix<float> points(10, 1);
  for (std::size_t i = 0; i < 10; ++i) points(i, 0) = static_cast<float>(-0.9 + 0.2 * static_cast<double>(i));
  const Matrix<double> values = tree.predict(points.view());
  const std::vector<double> expected = {-0.552141, -0.269216, 0.924867, -0.310336, -0.288151,  // references.py
                                        -0.527007, 0.97362,   0.94759,  -0.973545, 0.827314};
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(values(i, 0), expected[i], 1e-6);
}

// Half of the features are constant, so that these also tell how constant features count as drawn.
TEST(Forest, TwoClassesHaveTheProbabilitiesAndImportancesOfScikitLearn) {
  const Population train(2, 200, 16);
  const Population points(3, 12, 16);
  const Forest forest = Forest::classifier(train.x.view(), train.classes({0}), 2, {.trees = many_trees});
  const Matrix<double> shares = forest.predict(points.x.view());
  const std::vector<double> expected = {0.0355, 0.25155, 0.6745,  0.93275, 0.9457,  0.93165,  // references.py
                                        0.0744, 0.28985, 0.75615, 0.6764,  0.84905, 0.3875};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(shares(i, 1), expected[i], five_deviations);
    EXPECT_NEAR(shares(i, 0) + shares(i, 1), 1, 1e-12);
  }
  const std::vector<double> importances = forest.importances();
  const std::vector<double> known = {0.466768,  0.157419, 0.05781,   0.0588719,  // references.py
                                     0.0653738, 0.086402, 0.0570351, 0.0503193};
  for (std::size_t j = 0; j < known.size(); ++j) EXPECT_NEAR(importances[j], known[j], 0.01);
  for (std::size_t j = known.size(); j < 16; ++j) EXPECT_EQ(importances[j], 0);
}

TEST(Forest, ThreeClassesHaveTheProbabilitiesAndImportancesOfScikitLearn) {
  const Population train(2, 200, 16);
  const Population points(3, 6, 16);
  const Forest forest = Forest::classifier(train.x.view(), train.classes({-0.4, 0.4}), 3, {.trees = many_trees});
  const Matrix<double> shares = forest.predict(points.x.view());
  const std::vector<double> expected = {0.87155, 0.1149,  0.01355, 0.3458,  0.56005, 0.09415,  // references.py
                                        0.09455, 0.59925, 0.3062,  0.02585, 0.17135, 0.8028,
                                        0.0138,  0.125,   0.8612,  0.01365, 0.30405, 0.6823};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(shares.data()[i], expected[i], five_deviations);
  const std::vector<double> importances = forest.importances();
  const std::vector<double> known = {0.383256,  0.174887,  0.0707181, 0.0749102,  // references.py
                                     0.0783928, 0.0791869, 0.0706497, 0.0679988};
  for (std::size_t j = 0; j < known.size(); ++j) EXPECT_NEAR(importances[j], known[j], 0.01);
}

TEST(Forest, NumbersHaveTheMeansAndImportancesOfScikitLearn) {
  const Population train(2, 200, 16);
  const Population points(3, 12, 16);
  const Forest forest = Forest::regressor(train.x.view(), train.level, {.trees = many_trees});
  const Matrix<double> values = forest.predict(points.x.view());
  const std::vector<double> expected = {-1.04474,  -0.151177, 0.15669,  1.22388,  1.20516,  0.436451,  // references.py
                                        -0.586846, -0.210186, 0.371729, 0.281405, 0.375099, -0.0815475};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values(i, 0), expected[i], five_deviations);
  const std::vector<double> importances = forest.importances();
  const std::vector<double> known = {0.762565, 0.152221,  0.015393,  0.0176912,  // references.py
                                     0.011826, 0.0114523, 0.0150796, 0.0137714};
  for (std::size_t j = 0; j < known.size(); ++j) EXPECT_NEAR(importances[j], known[j], 0.01);
}

/// What a split must observe: weights of the samples (empty: 1), and how many must be left on each side.
struct Rule {
  std::vector<double> weights = {};
  std::size_t leaf = 1;

  [[nodiscard]] double weight(std::size_t i) const { return weights.empty() ? 1 : weights[i]; }
};

/// Decrease of the summed squared deviation of one-hot targets, by definition: the oracle of every split.
double best_decrease(const Matrix<float>& x, const Matrix<double>& targets, const Rule& rule,
                     std::vector<std::size_t> rows, const TreeNode& split = {},
                     std::vector<double>* of_split = nullptr) {
  const auto squares = [&](const std::vector<double>& sums, double count) {
    double total = 0;
    for (const double sum : sums) total += sum * sum / count;
    return total;
  };
  const std::size_t outputs = targets.cols();
  std::vector<double> all(outputs, 0);
  for (const std::size_t i : rows) {
    for (std::size_t c = 0; c < outputs; ++c) all[c] += rule.weight(i) * targets(i, c);
  }
  double n = 0;
  for (const std::size_t i : rows) n += rule.weight(i);
  double best = -1;
  for (std::size_t j = 0; j < x.cols(); ++j) {
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return x(a, j) < x(b, j); });
    std::vector<double> left(outputs, 0);
    double w = 0;
    for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
      for (std::size_t c = 0; c < outputs; ++c) left[c] += rule.weight(rows[k]) * targets(rows[k], c);
      w += rule.weight(rows[k]);
      if (x(rows[k], j) == x(rows[k + 1], j) || k + 1 < rule.leaf || k + 1 + rule.leaf > rows.size()) continue;
      std::vector<double> right = all;
      for (std::size_t c = 0; c < outputs; ++c) right[c] -= left[c];
      const double decrease = squares(left, w) + squares(right, n - w) - squares(all, n);
      best = std::max(best, decrease);
      if (of_split != nullptr && static_cast<std::int32_t>(j) == split.feature && x(rows[k], j) <= split.threshold &&
          split.threshold < x(rows[k + 1], j)) {
        of_split->push_back(decrease);
      }
    }
  }
  return best;
}

/// Every split of a tree on all samples and features is a best one, its threshold lies in the middle, and a leaf holds
/// what cannot be split.
void expect_best_splits(const Matrix<float>& x, const Matrix<double>& targets, const Rule& rule, const Tree& tree) {
  struct Open {
    std::uint32_t node;
    std::vector<std::size_t> rows;
  };
  std::vector<std::size_t> everyone(x.rows());
  std::iota(everyone.begin(), everyone.end(), std::size_t{0});
  std::vector<Open> stack = {{0, everyone}};
  std::size_t seen = 0;
  while (!stack.empty()) {
    const Open open = std::move(stack.back());
    stack.pop_back();
    ++seen;
    const TreeNode& node = tree.nodes[open.node];
    const bool equal = std::all_of(open.rows.begin(), open.rows.end(), [&](std::size_t i) {
      return std::ranges::equal(targets.row(i), targets.row(open.rows[0]));
    });
    if (node.feature < 0) {
      ASSERT_TRUE(equal || best_decrease(x, targets, rule, open.rows) < 0);
      continue;
    }
    ASSERT_FALSE(equal);
    std::vector<double> own;
    const double best = best_decrease(x, targets, rule, open.rows, node, &own);
    ASSERT_EQ(own.size(), 1U);
    ASSERT_NEAR(own[0], best, 1e-9 * static_cast<double>(open.rows.size()));
    Open left{node.child, {}};
    Open right{node.child + 1, {}};
    float below = -1e30F;
    float above = 1e30F;
    for (const std::size_t i : open.rows) {
      const float value = x(i, static_cast<std::size_t>(node.feature));
      (value <= node.threshold ? left : right).rows.push_back(i);
      if (value <= node.threshold) below = std::max(below, value);
      if (value > node.threshold) above = std::min(above, value);
    }
    ASSERT_NEAR(node.threshold, (static_cast<double>(below) + above) / 2, 1e-6);
    stack.push_back(std::move(left));
    stack.push_back(std::move(right));
  }
  EXPECT_EQ(seen, tree.nodes.size());
}

class ForestSplits : public testing::TestWithParam<std::tuple<std::size_t, bool, std::size_t, bool>> {};

TEST_P(ForestSplits, AreTheBestByDefinition) {
  const auto [classes, coarse, leaf, weighted] = GetParam();  // no classes: numbers
  constexpr std::size_t rows = 900, cols = 4;
  Matrix<float> x = normals(rows, cols, classes + 1);
  if (coarse) {
    for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = std::round(x.data()[i] * 3);
  }
  Stream stream(classes, "targets");
  Matrix<double> targets(rows, std::max<std::size_t>(classes, 1), 0.0);
  std::vector<std::int32_t> codes(rows);
  std::vector<double> values(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double level = x(i, 0) + stream.normal();
    if (classes == 0) {
      targets(i, 0) = values[i] = level;
    } else {
      codes[i] = std::clamp(static_cast<std::int32_t>(std::floor((level / 4 + 0.5) * static_cast<double>(classes))), 0,
                            static_cast<std::int32_t>(classes) - 1);
      targets(i, static_cast<std::size_t>(codes[i])) = 1;
    }
  }
  Rule rule{.leaf = leaf};
  ForestOptions options{.trees = 1, .features = cols, .leaf = leaf, .bootstrap = false};
  if (weighted && classes > 0) {
    for (std::size_t c = 0; c < classes; ++c) options.class_weights.push_back(0.3 + 0.7 * static_cast<double>(c % 4));
    for (const std::int32_t code : codes) rule.weights.push_back(options.class_weights[static_cast<std::size_t>(code)]);
  }
  const Forest forest = classes == 0 ? Forest::regressor(x.view(), values, options)
                                     : Forest::classifier(x.view(), codes, classes, options);
  expect_best_splits(x, targets, rule, forest.trees()[0]);
}

INSTANTIATE_TEST_SUITE_P(Targets, ForestSplits,
                         testing::Combine(testing::Values(0, 2, 3, 10, 40), testing::Bool(), testing::Values(1, 7),
                                          testing::Bool()));

TEST(Forest, MoreRowsThan16BitRanksAreSplitAsWell) {
  constexpr std::size_t rows = 70000;
  Matrix<float> x = normals(rows, 2, 5);
  std::vector<std::int32_t> codes(rows);
  // The class changes at the value of rank 66000, beyond 16 bits.
  std::vector<float> sorted(rows);
  for (std::size_t i = 0; i < rows; ++i) sorted[i] = x(i, 1);
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < rows; ++i) codes[i] = x(i, 1) > sorted[66000] ? 1 : 0;
  const Forest forest = Forest::classifier(x.view(), codes, 2, {.trees = 1, .features = 2, .bootstrap = false});
  ASSERT_EQ(forest.trees()[0].nodes.size(), 3U);
  EXPECT_EQ(forest.trees()[0].nodes[0].feature, 1);
  EXPECT_GE(forest.trees()[0].nodes[0].threshold, sorted[66000]);
  EXPECT_LT(forest.trees()[0].nodes[0].threshold, sorted[66001]);
}

TEST(Forest, NeighbouringFloatsAndBothZerosAreToldApartRightly) {
  Matrix<float> x(4, 1);
  x(0, 0) = 1;
  x(1, 0) = std::nextafter(1.0F, 2.0F);
  x(2, 0) = 0.0F;
  x(3, 0) = -0.0F;
  const std::vector<std::int32_t> codes = {0, 1, 0, 1};
  const Forest forest = Forest::classifier(x.view(), codes, 2, {.trees = 1, .bootstrap = false});
  const Matrix<double> shares = forest.predict(x.view());
  EXPECT_EQ(shares(0, 1), 0);
  EXPECT_EQ(shares(1, 1), 1);
  EXPECT_EQ(shares(2, 1), 0.5);  // 0 and -0 are one value
  EXPECT_EQ(shares(3, 1), 0.5);
}

TEST(Forest, BalancedClassesHaveTheProbabilitiesOfScikitLearn) {
  const Population train(16, 120, 6);
  const Population points(17, 5, 6);
  const auto forest = make_estimator("random-forest:weight=balanced,trees=" + std::to_string(many_trees));
  forest->fit(train.x.view(), train.classes({0.5}), 2, {});
  const std::vector<double> two = {0.42785, 0.57215, 0.9779,  0.0221, 0.671,  // references.py
                                   0.329,   0.91045, 0.08955, 0.7196, 0.2804};
  Matrix<double> p = forest->predict_proba(points.x.view());
  for (std::size_t i = 0; i < two.size(); ++i) EXPECT_NEAR(p.data()[i], two[i], five_deviations);
  forest->fit(train.x.view(), train.classes({-0.2, 0.6}), 3, {});
  const std::vector<double> three = {0.1769,  0.2119,  0.6112, 0.95905, 0.0244,  0.01655, 0.2763, 0.52795,
                                     0.19575, 0.41875, 0.5179, 0.06335, 0.32985, 0.29275, 0.3774};  // references.py
  p = forest->predict_proba(points.x.view());
  for (std::size_t i = 0; i < three.size(); ++i) EXPECT_NEAR(p.data()[i], three[i], five_deviations);
  EXPECT_EQ(forest->importances().size(), 6U);
}

TEST(Forest, FeaturesOfASplitAreRefusedIfTheyAreNone) {
  for (const char* good : {"sqrt", "log2", "all", "3", "0.25", "1"}) {
    EXPECT_NO_THROW(make_estimator(std::string("random-forest:features=") + good)) << good;
  }
  for (const char* bad : {"0", "-1", "1.5", "many", "2x", "0.0"}) {
    EXPECT_THROW(make_estimator(std::string("random-forest:features=") + bad), Error) << bad;
  }
}

TEST(Forest, IsTheSameForAnyNumberOfThreads) {
  const Population train(2, 300, 16);
  const Population points(3, 600, 16);
  set_threads(1);
  const Forest one = Forest::classifier(train.x.view(), train.classes({0}), 2, {.trees = 20, .seed = 7});
  const Matrix<double> expected = one.predict(points.x.view());
  set_threads(3);
  const Forest three = Forest::classifier(train.x.view(), train.classes({0}), 2, {.trees = 20, .seed = 7});
  const Matrix<double> found = three.predict(points.x.view());
  set_threads(0);
  EXPECT_TRUE(std::equal(expected.data(), expected.data() + expected.size(), found.data()));
  EXPECT_EQ(one.importances(), three.importances());
  const Forest other = Forest::classifier(train.x.view(), train.classes({0}), 2, {.trees = 20, .seed = 8});
  EXPECT_NE(one.importances(), other.importances());
}

TEST(Forest, OneClassOrNoUsableFeatureGivesAShareEverywhere) {
  Matrix<float> constant(4, 2, 1.0F);
  const std::vector<std::int32_t> codes = {0, 1, 1, 1};
  const Forest forest = Forest::classifier(constant.view(), codes, 3, {.trees = 5, .bootstrap = false});
  EXPECT_EQ(forest.predict(constant.view())(0, 1), 0.75);
  EXPECT_EQ(forest.predict(constant.view())(0, 2), 0);
  EXPECT_EQ(forest.importances(), (std::vector<double>{0, 0}));
  const Forest sure = Forest::classifier(constant.view(), std::vector<std::int32_t>(4, 2), 3, {.trees = 5});
  EXPECT_EQ(sure.predict(constant.view())(0, 2), 1);
}

TEST(Forest, RefusesWhatIsNotFinite) {
  Matrix<float> x(3, 2, 1.0F);
  x(1, 1) = std::nanf("");
  const std::vector<std::int32_t> codes = {0, 1, 0};
  try {
    Forest::classifier(x.view(), codes, 2, {.where = "T"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "T row 2");
    EXPECT_EQ(error.fault, Fault::input);
  }
  EXPECT_THROW(Forest::classifier(MatrixView<const float>(x.data(), 0, 2), {}, 2, {}), Error);
}

}  // namespace
}  // namespace bauta
