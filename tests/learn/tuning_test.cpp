#include "bauta/learn/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/learn/regressor.hpp"
#include "gaussian_process.hpp"
#include "lcg.hpp"

namespace bauta {
namespace {

// GaussianProcessRegressor(ConstantKernel(1.7) * Matern(0.6, nu=2.5), alpha=1.7 * 0.01, optimizer=None) of scikit-learn
// 1.2.1, through tests/learn/references.py.
TEST(GaussianProcess, HasThePosteriorOfScikitLearn) {
  const auto doubles = [](std::uint64_t seed, std::size_t rows) {
    const Matrix<float> source = Lcg(seed).matrix(rows, 2);
    Matrix<double> result(rows, 2);
    std::copy_n(source.data(), source.size(), result.data());
    return result;
  };
  const Matrix<double> x = doubles(40, 12);
  std::vector<double> y;
  for (std::size_t i = 0; i < 12; ++i) y.push_back(std::sin(3 * x(i, 0)) + x(i, 1) * x(i, 1));
  const auto process = GaussianProcess::fit(x.view(), y, {.length = 0.6, .variance = 1.7, .noise = 0.01});
  const Matrix<double> points = doubles(41, 4);
  const std::vector<double> means = {-0.376861, -0.637113, 0.00996792, 0.436418};
  const std::vector<double> variances = {0.292072, 0.0596743, 0.459177, 0.564238};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto found = process.predict(points.row(i));
    EXPECT_NEAR(found.mean, means[i], 1e-5);
    EXPECT_NEAR(found.variance, variances[i], 1e-5);
  }
  EXPECT_NEAR(process.log_likelihood(), -11.9871, 1e-4);
  const auto likely = GaussianProcess::most_likely(x.view(), y);
  EXPECT_GT(likely.log_likelihood(), process.log_likelihood());
}

// By hand: at the best value the improvement is half of E|N(0, s^2)| = s / sqrt(2 pi); one deviation below it is
// s (phi(1) - (1 - Phi(1))) = 0.0833155 s; without uncertainty it is what lies above.
TEST(GaussianProcess, ExpectedImprovementIsItsClosedForm) {
  EXPECT_NEAR(expected_improvement({3, 4}, 3), 2 / std::sqrt(2 * std::numbers::pi), 1e-12);
  EXPECT_NEAR(expected_improvement({1, 4}, 3), 2 * 0.0833155, 1e-6);
  EXPECT_EQ(expected_improvement({3.5, 0}, 3), 0.5);
  EXPECT_EQ(expected_improvement({2.5, 0}, 3), 0);
}

Parameter number(ParameterType type, std::string name, std::vector<std::string> grid) {
  return {std::move(name), type, grid[0], "", -100, 1e6, {}, grid};
}
Parameter real(std::string name, std::vector<std::string> grid) {
  return number(ParameterType::real, std::move(name), std::move(grid));
}
Parameter integer(std::string name, std::vector<std::string> grid) {
  return number(ParameterType::integer, std::move(name), std::move(grid));
}

Declaration declare(std::string name, std::vector<Parameter> parameters) {
  Declaration declaration;
  declaration.name = std::move(name);
  declaration.parameters = std::move(parameters);
  return declaration;
}

double value(const std::string& specification, const Declaration& declaration, const char* name) {
  return Parameters(declaration, Specification::parse(specification)).real(name);
}

/// Median over seeds of the best score.
double median_best(const Declaration& declaration, Search search, std::size_t trials,
                   const std::function<double(const std::string&)>& score) {
  std::vector<double> best;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    best.push_back(tune(declaration, {declaration.name}, {search, trials, seed}, score).score);
  }
  std::nth_element(best.begin(), best.begin() + 7, best.end());
  return best[7];
}

// Branin's function has the minimum 0.397887 at three places (closed form).
TEST(Tuning, BayesianSearchFindsTheMinimumOfBraninWhereRandomSearchDoesNot) {
  const Declaration branin = declare("branin", {real("x", {"-5", "10"}), real("y", {"0", "15"})});
  const auto score = [&](const std::string& specification) {
    const double x = value(specification, branin, "x");
    const double y = value(specification, branin, "y");
    const double pi = std::numbers::pi;
    return -(std::pow(y - 5.1 / (4 * pi * pi) * x * x + 5 / pi * x - 6, 2) + 10 * (1 - 1 / (8 * pi)) * std::cos(x) +
             10);
  };
  const double bayesian = median_best(branin, Search::bayesian, 30, score);
  const double random = median_best(branin, Search::random, 30, score);
  EXPECT_GT(bayesian, random);
  EXPECT_NEAR(bayesian, -0.397887, 0.1);
}

// A bowl in the logarithm of one parameter and in the other, with its bottom at c = 0.3 and k = 17.
TEST(Tuning, BayesianSearchFindsTheBottomOfALogScaledBowl) {
  const Declaration bowl = declare("bowl", {real("c", {"0.001", "1000"}), integer("k", {"11", "51"})});
  const auto score = [&](const std::string& specification) {
    const double c = value(specification, bowl, "c");
    const double k = value(specification, bowl, "k");
    return -std::pow(std::log10(c / 0.3), 2) - std::pow((k - 17) / 10, 2);
  };
  const double bayesian = median_best(bowl, Search::bayesian, 20, score);
  EXPECT_GT(bayesian, median_best(bowl, Search::random, 20, score));
  EXPECT_GT(bayesian, -0.01);
}

TEST(Tuning, ARangeIsDrawnEvenlyInItsLogarithm) {
  const Declaration one = declare("one", {real("c", {"0.01", "1", "100"}), real("d", {"1", "2", "9"})});
  std::size_t below_one = 0, below_five = 0;
  const auto tuned = tune(one, {"one"}, {Search::random, 400, 1}, [&](const std::string& specification) {
    const double c = value(specification, one, "c");
    const double d = value(specification, one, "d");
    EXPECT_TRUE(c >= 0.01 && c <= 100 && d >= 1 && d <= 9);
    below_one += c < 1 ? 1 : 0;
    below_five += d < 5 ? 1 : 0;
    return c;
  });
  EXPECT_EQ(tuned.trials.size(), 400U);
  EXPECT_NEAR(static_cast<double>(below_one), 200, 50);  // five deviations of 400 fair coins
  EXPECT_NEAR(static_cast<double>(below_five), 200, 50);
}

TEST(Tuning, AGridIsSearchedInOrderAndTiesGoToTheFirst) {
  const Declaration declared =
      declare("t", {real("a", {"1", "2"}),
                    {"b", ParameterType::choice, "x", "", 0, 0, {"x", "y", "z"}, {"x", "y", "z"}},
                    {"free", ParameterType::text, "f", ""}});
  const auto tuned =
      tune(declared, {"t"}, {.trials = 1}, [](const std::string& text) { return text.ends_with("=y") ? 1.0 : NAN; });
  std::vector<std::string> order;
  for (const Trial& trial : tuned.trials) order.push_back(trial.specification);
  EXPECT_EQ(order, (std::vector<std::string>{"t", "t:b=y", "t:b=z", "t:a=2", "t:a=2,b=y", "t:a=2,b=z"}));
  EXPECT_EQ(tuned.specification, "t:b=y");
  EXPECT_EQ(tuned.score, 1);
}

TEST(Tuning, WhatTheUserFixedStays) {
  const auto& svm = find_entry(estimators(), "estimator", "svm-rbf").declaration;
  for (const Search search : {Search::grid, Search::random, Search::bayesian}) {
    const auto tuned = tune(svm, Specification::parse("svm-rbf:c=7,weight=balanced"), {search, 4, 1},
                            [](const std::string& specification) {
                              EXPECT_NE(specification.find("c=7"), std::string::npos) << specification;
                              EXPECT_NE(specification.find("weight=balanced"), std::string::npos) << specification;
                              return 0;
                            });
    EXPECT_GT(tuned.trials.size(), 1U);
    EXPECT_EQ(tuned.specification, tuned.trials[0].specification);
  }
  const auto one = tune(svm, Specification::parse("svm-rbf:c=7,gamma=2"), {}, [](const std::string&) { return 3; });
  ASSERT_EQ(one.trials.size(), 1U);
  EXPECT_EQ(one.specification, "svm-rbf:c=7,gamma=2");
  EXPECT_THROW(tune(svm, Specification::parse("svm-rbf:d=7"), {}, [](const std::string&) { return 3; }), Error);
}

TEST(Tuning, NoTrialIsMadeTwiceAndSmallSpacesEnd) {
  const Declaration few = declare("few", {integer("k", {"1", "3", "5"})});
  for (const Search search : {Search::random, Search::bayesian}) {
    const auto tuned =
        tune(few, {"few"}, {search, 50, 2}, [&](const std::string& text) { return value(text, few, "k"); });
    std::set<std::string> different;
    for (const Trial& trial : tuned.trials) different.insert(trial.specification);
    EXPECT_EQ(tuned.trials.size(), 5U) << to_text(search);  // 1 to 5
    EXPECT_EQ(different.size(), 5U);
    EXPECT_EQ(tuned.specification, "few:k=5");
  }
}

TEST(Tuning, SameSeedSameTrials) {
  const auto& forest = find_entry(regressors(), "regressor", "random-forest").declaration;
  const auto score = [](const std::string& text) { return static_cast<double>(text.size() % 7); };
  for (const Search search : {Search::random, Search::bayesian}) {
    const auto run = [&](std::uint64_t seed) {
      std::string all;
      for (const Trial& trial : tune(forest, {"random-forest"}, {search, 9, seed}, score).trials) {
        all += trial.specification + " ";
      }
      return all;
    };
    EXPECT_EQ(run(1), run(1));
    EXPECT_NE(run(1), run(2));
  }
}

TEST(Tuning, TooLargeGridsAreRefused) {
  std::vector<std::string> many;
  for (int i = 1; i <= 32; ++i) many.push_back(std::to_string(i));
  const Declaration wide = declare("wide", {real("a", many), real("b", many)});
  EXPECT_THROW(tune(wide, {"wide"}, {}, [](const std::string&) { return 0; }), Error);
  EXPECT_THROW(parse_search("bayes"), Error);
  EXPECT_EQ(parse_search("bayesian"), Search::bayesian);
}

TEST(Tuning, EveryEstimatorAndRegressorHasSomethingToTuneThatItTakes) {
  const auto check = [](const Declaration& declaration, const auto& make) {
    std::size_t points = 0;
    tune(declaration, {declaration.name}, {}, [&](const std::string& specification) {
      EXPECT_NO_THROW(make(specification)) << specification;
      ++points;
      return 0;
    });
    EXPECT_GT(points, 3U) << declaration.name;
    EXPECT_LE(points, 60U) << declaration.name;
  };
  for (const auto& entry : estimators()) check(entry.declaration, [](const auto& text) { make_estimator(text); });
  for (const auto& entry : regressors()) check(entry.declaration, [](const auto& text) { make_regressor(text); });
}

}  // namespace
}  // namespace bauta
