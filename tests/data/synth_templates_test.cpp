// The planted truth must be the truth: moments, Bayes accuracies and the EER of the optimal comparison are checked
// against closed forms, an independent tool and Monte Carlo on the drawn population itself.
#include "bauta/data/synth_templates.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "chi_square_sum.hpp"

namespace bauta {
namespace {

using nlohmann::json;

// scipy 1.10.1, norm.isf(0.0005): the two-sided 99.9 % quantile.
constexpr double quantile_999 = 3.2905267;

/// Whether the Wilson 99.9 % interval of hits / trials covers `rate`.
bool wilson_covers(double rate, double hits, double trials) {
  const double z2 = quantile_999 * quantile_999;
  const double centre = (hits + z2 / 2) / (trials + z2);
  const double half = quantile_999 / (trials + z2) * std::sqrt(hits * (trials - hits) / trials + z2 / 4);
  return std::abs(rate - centre) <= half;
}

double projection(std::span<const float> x, const json& direction) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += x[j] * direction[j].get<double>();
  return sum;
}

std::string usage_error(const SynthOptions& options) {
  try {
    synthesize_templates(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::usage);
    return error.what();
  }
  return "no error";
}

TEST(ChiSquareSum, DifferenceOfTwoWithTwoDegreesOfFreedomIsLaplace) {
  // X - Y of two chi-squares with 2 degrees of freedom has the density exp(-|z|/2) / 4.
  const ChiSquareSum sum({1, -1}, 2);
  for (const double z : {-30.0, -3.0, -0.1, 0.0, 0.7, 11.0}) {
    const double exact = z < 0 ? std::exp(z / 2) / 2 : 1 - std::exp(-z / 2) / 2;
    const Bounded found = sum.cdf(z);
    EXPECT_LE(std::abs(found.value - exact), found.error) << z;
    EXPECT_LT(found.error, 1e-8);
  }
  EXPECT_EQ(sum.cdf(1e6).value, 1);
  EXPECT_EQ(sum.cdf(-1e6).value, 0);
}

TEST(ChiSquareSum, BoundHoldsWhereFewTermsAreWorthLittle) {
  // One degree of freedom decays slowest; X - Y is symmetric, so P(X - Y <= 0) = 1/2 and F(z) + F(-z) = 1.
  const ChiSquareSum sum({1, -1}, 1);
  EXPECT_LE(std::abs(sum.cdf(0).value - 0.5), sum.cdf(0).error);
  EXPECT_LE(std::abs(sum.cdf(2).value + sum.cdf(-2).value - 1), 2 * sum.cdf(2).error);
  EXPECT_LT(sum.cdf(0).error, 1e-4);
}

TEST(BayesOptimum, ClosedForms) {
  const double two[] = {0.5, 0.5};
  // Phi(1/2), Phi(1): tables of the normal distribution.
  EXPECT_NEAR(bayes_optimum(1, two).accuracy, 0.6914624612740131, 1e-12);
  EXPECT_NEAR(bayes_optimum(2, two).balanced, 0.8413447460685429, 1e-12);
  // scipy 1.10.1: integral of max_k p_k phi(x - m_k); the balanced value is (4 Phi(0.75) - 1) / 3.
  const double three[] = {0.6, 0.3, 0.1};
  EXPECT_NEAR(bayes_optimum(1.5, three).accuracy, 0.7463112939101766, 1e-12);
  EXPECT_NEAR(bayes_optimum(1.5, three).balanced, 0.6978301968308424, 1e-12);
  const double unbalanced[] = {0.9, 0.1};
  EXPECT_NEAR(bayes_optimum(1, unbalanced).accuracy, 0.9013363061001572, 1e-12);
}

TEST(BayesOptimum, AClassThatNeverWinsAndALeakOfNothing) {
  // The rare middle class has no interval: 0.98 Phi(0.8) (scipy 1.10.1, and the integral of the maximum agrees).
  const double rare[] = {0.49, 0.02, 0.49};
  EXPECT_NEAR(bayes_optimum(0.8, rare).accuracy, 0.7723817093882713, 1e-12);
  const double shares[] = {0.2, 0.5, 0.3};
  EXPECT_DOUBLE_EQ(bayes_optimum(0, shares).accuracy, 0.5);
  EXPECT_DOUBLE_EQ(bayes_optimum(0, shares).balanced, 1.0 / 3);
  EXPECT_DOUBLE_EQ(bayes_optimum(100, shares).accuracy, 1);
}

TEST(VerificationOptimum, AgreesWithAnIndependentIntegral) {
  struct Case {
    std::size_t dimensions;
    double correlation;
    double eer;
  };
  // Two dimensions: root of exp(z/2)/2 = 1 - b/(a+b) exp(z/(2b)), a = 1/(1+r), b = 1/(1-r). Others: scipy 1.10.1, quad
  // over chi2.pdf * chi2.cdf and brentq.
  for (const Case& known : {Case{2, 0.5, 0.3619142054813}, Case{3, 0.5, 0.326271791925}, Case{17, 0.36, 0.218784243109},
                            Case{128, 0.2, 0.125194379120}, Case{128, 0.36, 0.015485431710}}) {
    const VerificationOptimum optimum = verification_optimum(known.dimensions, known.correlation);
    EXPECT_NEAR(optimum.eer.value, known.eer, optimum.eer.error + 1e-11) << known.dimensions;
    EXPECT_LT(optimum.eer.error, 1e-8) << known.dimensions;
  }
}

TEST(VerificationOptimum, NothingToRecognise) {
  EXPECT_EQ(verification_optimum(128, 0).eer.value, 0.5);
  EXPECT_EQ(verification_optimum(0, 0.5).auc.value, 0.5);
  // Without identities, two equal classes collide in half of the non-mated pairs.
  const double two[] = {0.5, 0.5};
  EXPECT_DOUBLE_EQ(informed_eer(8, 0, two), 0.25);
}

TEST(VerificationOptimum, MonteCarloOfTheOptimalScore) {
  SynthOptions options;
  options.identities = 20000;
  options.samples = 2;
  options.dim = 16;
  options.identity_strength = 1;
  options.attributes.clear();
  const SynthPopulation population = synthesize_templates(options);
  const MatrixView<const float> x = population.dataset.templates.floats();
  const json truth = json::parse(population.truth)["verification"];
  ASSERT_TRUE(truth["is_optimum"].get<bool>());

  const auto score = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    double difference = 0;
    for (std::size_t k = 0; k < x.cols; ++k) {
      sum += std::pow(double{x(i, k)} + x(j, k), 2);
      difference += std::pow(double{x(i, k)} - x(j, k), 2);
    }
    return sum / 3 - difference;  // 1 + 2 * strength^2 = 3
  };
  // Pairs that share no sample are independent: identity i with itself, and with its neighbour.
  std::vector<double> mated;
  std::vector<double> non_mated;
  for (std::size_t i = 0; i < options.identities; ++i) mated.push_back(score(2 * i, 2 * i + 1));
  for (std::size_t i = 0; i + 1 < options.identities; i += 2) {
    non_mated.push_back(score(2 * i, 2 * i + 2));
    non_mated.push_back(score(2 * i + 1, 2 * i + 3));
  }
  std::sort(mated.begin(), mated.end());
  std::sort(non_mated.begin(), non_mated.end());
  // At the empirical quantile of one error, the other must cover the same rate.
  const double eer = truth["eer"].get<double>();
  const double trials = static_cast<double>(mated.size());
  const double threshold = mated[static_cast<std::size_t>(eer * trials)];
  const auto above = non_mated.end() - std::lower_bound(non_mated.begin(), non_mated.end(), threshold);
  // Both rates vary: half the trials carry the variance of their difference.
  EXPECT_TRUE(wilson_covers(eer, static_cast<double>(above) / 2, trials / 2));

  double wins = 0;
  for (std::size_t i = 0; i < mated.size(); ++i) {
    wins += static_cast<double>(std::lower_bound(non_mated.begin(), non_mated.end(), mated[i]) - non_mated.begin());
  }
  // The standard error of the AUC is at most sqrt(AUC (1 - AUC) / min(mated, non-mated)).
  const double auc = truth["auc"].get<double>();
  EXPECT_NEAR(wins / trials / trials, auc, quantile_999 * std::sqrt(auc * (1 - auc) / trials));

  const auto mean_and_variance = [](const std::vector<double>& values) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double variance = 0;
    for (const double value : values) variance += (value - mean) * (value - mean) / static_cast<double>(values.size());
    return std::pair(mean, variance);
  };
  const auto [m1, v1] = mean_and_variance(mated);
  const auto [m0, v0] = mean_and_variance(non_mated);
  EXPECT_NEAR((m1 - m0) / std::sqrt((v1 + v0) / 2), truth["d_prime"].get<double>(), 0.06);
}

TEST(VerificationOptimum, LeakingAttributesAreBracketed) {
  // The exact optimum where an attribute leaks has no closed form, but its scores can be drawn: the Gaussian ratio in
  // the free dimensions plus the ratio of Gaussian mixtures along the leaking one. The informed comparison is drawn
  // beside it.
  SynthOptions options;
  options.identities = 20000;
  options.samples = 2;
  options.dim = 6;
  options.identity_strength = 1;
  options.axis_aligned = true;
  options.attributes = {{"sex", 2, {"F", "M"}, {0.3, 0.7}}, {"group", 0, {"a", "b"}, {0.3, 0.7}}};
  const SynthPopulation population = synthesize_templates(options);
  const json truth = json::parse(population.truth)["verification"];
  EXPECT_FALSE(truth["is_optimum"].get<bool>());
  EXPECT_EQ(truth["dimensions"].get<int>(), 5);  // the attribute that leaks nothing costs no dimension

  const MatrixView<const float> x = population.dataset.templates.floats();
  const std::vector<std::string>& sex = population.dataset.labels.column("sex");
  // Two samples of one identity: variance 2, covariance 1; so the sum has variance 6 and the difference 2 (both 4 if
  // not).
  const auto gaussian_ratio = [](double a, double b) {
    return (a + b) * (a + b) * (1.0 / 8 - 1.0 / 12) - (a - b) * (a - b) * (1.0 / 4 - 1.0 / 8) +
           std::log(4 / std::sqrt(12.0));
  };
  const auto density = [](double a, double mean) { return std::exp(-(a - mean) * (a - mean) / 4); };
  const double means[] = {-std::sqrt(2.0), std::sqrt(2.0)};
  const double shares[] = {0.3, 0.7};
  std::vector<double> best[2];  // non-mated, mated
  std::vector<double> informed[2];
  const auto compare = [&](std::size_t i, std::size_t j, bool mated) {
    double free_part = 0;
    for (std::size_t k = 1; k < x.cols; ++k) free_part += gaussian_ratio(x(i, k), x(j, k));
    double same = 0;
    double one = 0;
    double other = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      const double p = density(x(i, 0), means[c]);
      const double q = density(x(j, 0), means[c]);
      same += shares[c] * p * q * std::exp(gaussian_ratio(x(i, 0) - means[c], x(j, 0) - means[c]));
      one += shares[c] * p;
      other += shares[c] * q;
    }
    best[mated].push_back(free_part + std::log(same / (one * other)));
    const std::size_t c = sex[i] == "M";
    informed[mated].push_back(sex[i] != sex[j] ? -1e9
                                               : free_part - std::log(shares[c]) +
                                                     gaussian_ratio(x(i, 0) - means[c], x(j, 0) - means[c]));
  };
  for (std::size_t i = 0; i < options.identities; ++i) compare(2 * i, 2 * i + 1, true);
  for (std::size_t i = 0; i + 1 < options.identities; i += 2) {
    compare(2 * i, 2 * i + 2, false);
    compare(2 * i + 1, 2 * i + 3, false);
  }
  const auto empirical_eer = [](std::vector<double>* scores) {
    std::sort(scores[0].begin(), scores[0].end(), std::greater<>());
    std::sort(scores[1].begin(), scores[1].end());
    std::size_t errors = 0;
    while (scores[1][errors] < scores[0][errors]) ++errors;
    return static_cast<double>(errors) / static_cast<double>(scores[0].size());
  };
  const double low = truth["optimum_eer_bounds"][0].get<double>();
  const double high = truth["optimum_eer_bounds"][1].get<double>();
  const double tolerance = quantile_999 * std::sqrt(0.25 / 20000);
  EXPECT_NEAR(empirical_eer(informed), low, tolerance);
  const double optimum = empirical_eer(best);
  EXPECT_GT(optimum, low + tolerance);  // the bracket is wider than the sampling error, on both sides
  EXPECT_LT(optimum, high - tolerance);
}

class Population : public ::testing::Test {
 protected:
  static SynthOptions options() {
    SynthOptions chosen;
    chosen.identities = 30000;
    chosen.samples = 1;
    chosen.dim = 6;
    chosen.identity_strength = 0.5;
    chosen.attributes = {{"sex", 1.5, {"F", "M"}, {0.3, 0.7}}, {"age", 1, {"old", "mid", "young"}, {0.2, 0.3, 0.5}}};
    return chosen;
  }
};

TEST_F(Population, MomentsAreThoseOfTheModel) {
  const SynthOptions chosen = options();
  const SynthPopulation population = synthesize_templates(chosen);
  const json truth = json::parse(population.truth);
  const MatrixView<const float> x = population.dataset.templates.floats();
  const double deviation = std::sqrt(1.25);
  EXPECT_DOUBLE_EQ(truth["sample_deviation"].get<double>(), deviation);
  for (const json& attribute : truth["attributes"]) {
    const Categorical classes = population.dataset.labels.categorical(attribute["name"].get<std::string>());
    const std::size_t count = classes.classes.size();
    for (std::size_t k = 0; k < count; ++k) {
      const std::string name = attribute["classes"][k].get<std::string>();
      const auto code = std::find(classes.classes.begin(), classes.classes.end(), name) - classes.classes.begin();
      double n = 0;
      double sum = 0;
      double squares = 0;
      for (std::size_t i = 0; i < x.rows; ++i) {
        if (classes.codes[i] != code) continue;
        const double p = projection(x.row(i), attribute["direction"]);
        ++n;
        sum += p;
        squares += p * p;
      }
      EXPECT_NEAR(n / static_cast<double>(x.rows), attribute["proportions"][k].get<double>(), 1e-4);
      const double position =
          deviation * attribute["leak"].get<double>() * (static_cast<double>(k) - (static_cast<double>(count) - 1) / 2);
      EXPECT_NEAR(sum / n, position, quantile_999 * deviation / std::sqrt(n)) << name;
      const double variance = squares / n - sum / n * sum / n;
      EXPECT_NEAR(variance, 1.25, quantile_999 * 1.25 * std::sqrt(2 / n)) << name;
    }
  }
  const json& first = truth["attributes"][0]["direction"];
  const json& second = truth["attributes"][1]["direction"];
  double overlap = 0;
  double norm = 0;
  for (std::size_t j = 0; j < first.size(); ++j) {
    overlap += first[j].get<double>() * second[j].get<double>();
    norm += first[j].get<double>() * first[j].get<double>();
  }
  EXPECT_NEAR(overlap, 0, 1e-14);
  EXPECT_NEAR(norm, 1, 1e-14);
}

TEST_F(Population, TheBayesClassifierReachesTheClosedForm) {
  for (const double outliers : {0.0, 0.2}) {
    SynthOptions chosen = options();
    chosen.outliers = outliers;
    const SynthPopulation population = synthesize_templates(chosen);
    const json truth = json::parse(population.truth);
    const MatrixView<const float> x = population.dataset.templates.floats();
    const double deviation = truth["sample_deviation"].get<double>();
    for (const json& attribute : truth["attributes"]) {
      const std::vector<std::string>& labels = population.dataset.labels.column(attribute["name"].get<std::string>());
      const auto names = attribute["classes"].get<std::vector<std::string>>();
      const auto shares = attribute["proportions"].get<std::vector<double>>();
      double hits = 0;
      std::vector<double> balanced_hits(names.size());
      std::vector<double> members(names.size());
      for (std::size_t i = 0; i < x.rows; ++i) {
        const double p = projection(x.row(i), attribute["direction"]) / deviation;
        std::size_t best = 0;
        std::size_t nearest = 0;
        const auto mean = [&](std::size_t k) {
          return attribute["leak"].get<double>() *
                 (static_cast<double>(k) - (static_cast<double>(names.size()) - 1) / 2);
        };
        const auto posterior = [&](std::size_t k) { return std::log(shares[k]) - (p - mean(k)) * (p - mean(k)) / 2; };
        for (std::size_t k = 1; k < names.size(); ++k) {
          if (posterior(k) > posterior(best)) best = k;
          if (std::abs(p - mean(k)) < std::abs(p - mean(nearest))) nearest = k;
        }
        const auto actual = static_cast<std::size_t>(std::find(names.begin(), names.end(), labels[i]) - names.begin());
        hits += best == actual;
        balanced_hits[actual] += nearest == actual;
        ++members[actual];
      }
      double balanced = 0;
      double variance = 0;
      for (std::size_t k = 0; k < names.size(); ++k) {
        const double recall = balanced_hits[k] / members[k];
        const auto count = static_cast<double>(names.size());
        balanced += recall / count;
        variance += recall * (1 - recall) / members[k] / count / count;
      }
      const double n = static_cast<double>(x.rows);
      if (outliers == 0) {
        EXPECT_TRUE(wilson_covers(attribute["bayes_accuracy"].get<double>(), hits, n)) << hits / n;
        EXPECT_NEAR(balanced, attribute["bayes_balanced_accuracy"].get<double>(), quantile_999 * std::sqrt(variance));
      } else {
        // The clean rule is the lower end of the accuracy bounds; the balanced accuracy is exact.
        const json& bounds = attribute["with_outliers"]["bayes_accuracy_bounds"];
        EXPECT_TRUE(wilson_covers(bounds[0].get<double>(), hits, n)) << hits / n;
        EXPECT_LT(bounds[0].get<double>(), bounds[1].get<double>());
        EXPECT_NEAR(balanced, attribute["with_outliers"]["bayes_balanced_accuracy"].get<double>(),
                    quantile_999 * std::sqrt(variance));
      }
    }
  }
}

TEST(SynthTemplates, ALeakOfZeroPlantsNothing) {
  SynthOptions options;
  options.identities = 20;
  options.attributes = {{"sex", 0, {"F", "M"}, {0.5, 0.5}}};
  const SynthPopulation with = synthesize_templates(options);
  options.attributes.clear();
  const SynthPopulation without = synthesize_templates(options);
  EXPECT_EQ(std::memcmp(with.dataset.templates.floats().data, without.dataset.templates.floats().data,
                        with.dataset.size() * options.dim * sizeof(float)),
            0);
  EXPECT_EQ(with.dataset.labels.names(), (std::vector<std::string>{"id", "identity", "sex"}));
}

TEST(SynthTemplates, AClassBelongsToTheIdentityAndProportionsAreKept) {
  SynthOptions options;
  options.identities = 10;
  options.samples = 3;
  options.dim = 2;
  options.axis_aligned = true;
  options.attributes = {{"group", 1, {"a", "b", "c"}, {0.15, 0.25, 0.6}}};
  const SynthPopulation population = synthesize_templates(options);
  const std::vector<std::string>& identity = population.dataset.labels.column("identity");
  const std::vector<std::string>& group = population.dataset.labels.column("group");
  for (std::size_t row = 1; row < population.dataset.size(); ++row) {
    if (identity[row] == identity[row - 1]) {
      EXPECT_EQ(group[row], group[row - 1]);
    }
  }
  // 1.5, 2.5 and 6 of 10 identities: the largest remainder, the earlier class on a tie, gets the one that is left.
  EXPECT_EQ(population.dataset.labels.categorical("group").counts(), (std::vector<std::size_t>{6, 6, 18}));
  EXPECT_EQ(json::parse(population.truth)["attributes"][0]["direction"], json({1.0, 0.0}));
}

TEST(SynthTemplates, OutliersReplaceTheirShareAndLeaveTheRest) {
  SynthOptions options;
  options.identities = 1000;
  options.dim = 8;
  const SynthPopulation clean = synthesize_templates(options);
  options.outliers = 0.1;
  const SynthPopulation mixed = synthesize_templates(options);
  const std::vector<std::string>& flags = mixed.dataset.labels.column("outlier");
  const MatrixView<const float> a = clean.dataset.templates.floats();
  const MatrixView<const float> b = mixed.dataset.templates.floats();
  double outliers = 0;
  double squares = 0;
  for (std::size_t row = 0; row < a.rows; ++row) {
    if (flags[row] == "1") {
      ++outliers;
      for (const float value : b.row(row)) squares += double{value} * value;
    } else {
      ASSERT_TRUE(std::equal(a.row(row).begin(), a.row(row).end(), b.row(row).begin())) << row;
    }
  }
  EXPECT_TRUE(wilson_covers(0.1, outliers, 10000));
  const json truth = json::parse(mixed.truth);
  EXPECT_EQ(truth["outlier_count"].get<double>(), outliers);
  const double variance = 25 * (1 + 0.75 * 0.75);
  const double values = outliers * 8;
  EXPECT_NEAR(squares / values, variance, quantile_999 * variance * std::sqrt(2 / values));
}

TEST(SynthTemplates, SameBitsOnAnyNumberOfThreads) {
  SynthOptions options;
  options.outliers = 0.05;
  const int before = threads();
  set_threads(1);
  const SynthPopulation one = synthesize_templates(options);
  set_threads(2);
  const SynthPopulation two = synthesize_templates(options);
  set_threads(before);
  EXPECT_EQ(one.truth, two.truth);
  EXPECT_EQ(std::memcmp(one.dataset.templates.floats().data, two.dataset.templates.floats().data,
                        one.dataset.size() * options.dim * sizeof(float)),
            0);
  options.seed = 2;
  const SynthPopulation other = synthesize_templates(options);
  EXPECT_NE(one.dataset.templates.floats()(0, 0), other.dataset.templates.floats()(0, 0));
}

TEST(SynthTemplates, ImpossibleOptionsAreNamedWithTheirNumbers) {
  SynthOptions options;
  options.dim = 1;
  options.attributes = {{.name = "a"}, {.name = "b"}};
  EXPECT_NE(usage_error(options).find("1 dimensions cannot hold 2"), std::string::npos);
  options = {};
  options.identities = 1;
  EXPECT_NE(usage_error(options).find("is 1"), std::string::npos);
  options = {};
  options.outliers = 1;
  EXPECT_NE(usage_error(options).find("outliers"), std::string::npos);
  options = {};
  options.attributes[0].leak = -1;
  EXPECT_NE(usage_error(options).find("leak is -1"), std::string::npos);
  options = {};
  options.attributes[0].proportions = {0.5, 0.4};
  EXPECT_NE(usage_error(options).find("0.9"), std::string::npos);
  options.attributes[0].proportions = {0.999, 0.001};
  EXPECT_NE(usage_error(options).find("none of 100 identities"), std::string::npos);
  options.attributes[0].proportions = {1.0};
  EXPECT_NE(usage_error(options).find("2 classes and 1 proportions"), std::string::npos);
  options = {};
  options.attributes[0].name = "identity";
  EXPECT_NE(usage_error(options).find("taken"), std::string::npos);
  options = {};
  options.identities = std::size_t{1} << 40;
  options.samples = std::size_t{1} << 30;
  EXPECT_THROW(synthesize_templates(options), Error);
}

TEST(SynthTemplates, AttributesAreWrittenAsText) {
  const SynthAttribute plain = parse_synth_attribute("sex");
  EXPECT_EQ(plain.leak, 1);
  EXPECT_EQ(plain.proportions, (std::vector<double>{0.5, 0.5}));
  const SynthAttribute named = parse_synth_attribute("sex:leak=1.5,classes=F/M,proportions=0.25/0.75");
  EXPECT_EQ(named.leak, 1.5);
  EXPECT_EQ(named.classes, (std::vector<std::string>{"F", "M"}));
  EXPECT_EQ(named.proportions, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(parse_synth_attribute("age:classes=12").classes.back(), "c11");
  EXPECT_THROW(parse_synth_attribute("sex:classes=1"), Error);
  EXPECT_THROW(parse_synth_attribute("sex:classes=0"), Error);
  EXPECT_THROW(parse_synth_attribute("sex:leak=-2"), Error);
  EXPECT_THROW(parse_synth_attribute("sex:proportions=x/y"), Error);
}

}  // namespace
}  // namespace bauta
