// D_sys from bins, by hand and in its null distribution.
#include "bauta/measure/unlinkability.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace bauta {
namespace {

TEST(Unlinkability, Bins) {
  EXPECT_EQ(linkability_bins(1), 1U);
  EXPECT_EQ(linkability_bins(19), 1U);
  EXPECT_EQ(linkability_bins(25), 2U);
  EXPECT_EQ(linkability_bins(999), 99U);
  EXPECT_EQ(linkability_bins(5000), 100U);
}

// By hand: 20 mated, 100 non-mated, 4 bins: 2 pieces of 10 at each end of 20; a fifth of the distance is less than 10
// until the middle is reached. 20 and 1,000, 2 bins: one piece of 20 at each end, pieces of 20 up to 120, then a fifth
// of the distance: 144, 172, 206, 247, 296, 355, 426, and 511 is past the middle.
TEST(Unlinkability, BinsBeginAtPlacesThatDoNotDependOnLabels) {
  using Places = std::vector<std::uint64_t>;
  EXPECT_EQ(bin_starts(20, 100, 4), Places({10, 20, 30, 40, 50, 70, 80, 90, 100, 110}));
  const Places graded = {20, 40, 60, 80, 100, 120, 144, 172, 206, 247, 296, 355, 426};
  Places both = graded;
  for (auto at = graded.rbegin(); at != graded.rend(); ++at) both.push_back(1020 - *at);
  EXPECT_EQ(bin_starts(20, 1000, 2), both);
  EXPECT_EQ(bin_starts(100, 20, 4), bin_starts(20, 100, 4));
  EXPECT_EQ(bin_starts(20, 20, 4), Places({10, 20, 30}));      // nothing is between
  EXPECT_EQ(bin_starts(20, 25, 4), Places({10, 20, 25, 35}));  // and too little for another piece
  EXPECT_EQ(bin_starts(5, 100, 1), Places());
}

TEST(Unlinkability, HandCalculation) {
  // Shares mated (.1, .3, .6), non-mated (.5, .3, .2): only the last bin links, LR 3: D = 2*3/4 - 1 = 1/2, weight .6.
  const std::vector<double> mated = {1, 3, 6}, non_mated = {50, 30, 20};
  EXPECT_NEAR(d_sys(mated, non_mated), 0.3, 1e-15);
  const std::vector<double> low = {10, 0}, high = {0, 10};
  EXPECT_EQ(d_sys(high, low), 1);
  EXPECT_EQ(d_sys(low, high), 1);  // linkable whichever side the mated scores are on
  EXPECT_EQ(d_sys(low, low), 0);
}

TEST(Unlinkability, NullOfTwoBinsIsHypergeometric) {
  // 2 mated and 2 non-mated in bins of two: 6 labellings. Both mated in one bin (2 of 6): D_sys 1; split (4 of 6): 0.
  // So the mean is 1/3.
  const std::vector<double> mated = {2, 0}, non_mated = {0, 2};
  const auto levels = null_levels(d_sys, mated, non_mated, 20000, 1);
  const double mean = std::accumulate(levels.begin(), levels.end(), 0.0) / 20000;
  EXPECT_NEAR(mean, 1.0 / 3, 4 * std::sqrt(2.0 / 9 / 20000));
}

// How many of the marked fall into one bin: C(K, x) C(N - K, n - x) / C(N, n), within 4.5 deviations of 20,000 draws.
TEST(Unlinkability, ExchangedLabelsAreHypergeometric) {
  const auto choose = [](int n, int k) {
    return k < 0 || k > n ? 0.0 : std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0));
  };
  const auto expect = [&](const std::vector<double>& mated, const std::vector<double>& non_mated,
                          LinkabilityMeasure in_bin, std::size_t bin) {
    const int marked = static_cast<int>(std::accumulate(mated.begin(), mated.end(), 0.0));
    const int all = marked + static_cast<int>(std::accumulate(non_mated.begin(), non_mated.end(), 0.0));
    const int drawn = static_cast<int>(mated[bin] + non_mated[bin]);
    std::vector<double> seen(static_cast<std::size_t>(drawn) + 1, 0);
    for (const double x : null_levels(in_bin, mated, non_mated, 20000, 7)) seen.at(static_cast<std::size_t>(x)) += 1;
    for (int x = 0; x <= drawn; ++x) {
      const double p = choose(marked, x) * choose(all - marked, drawn - x) / choose(all, drawn);
      EXPECT_NEAR(seen[static_cast<std::size_t>(x)], 20000 * p, 4.5 * std::sqrt(20000 * p * (1 - p)) + 1e-9) << x;
    }
  };
  using Bins = std::span<const double>;
  const LinkabilityMeasure first = [](Bins mated, Bins) { return mated[0]; },
                           second = [](Bins mated, Bins) { return mated[1]; },
                           others = [](Bins, Bins non_mated) { return 6 - non_mated[0]; };
  expect({3, 2}, {3, 4}, first, 0);
  expect({3, 2}, {3, 4}, others, 0);
  expect({5, 4}, {1, 2}, first, 0);  // 3 at least
  expect({1, 1}, {1, 9}, first, 0);
  expect({2, 3, 4}, {6, 7, 1}, second, 1);
}

TEST(Unlinkability, NullOfLargeCountsHasTheRightSpread) {
  // Two bins of 10^7 with 10^5 mated: the mated count x of one bin has variance n K/N (1 - K/N) (N - n)/(N - 1) =
  // 24875 (n = 10^7, K = 10^5, N = 2 10^7). With e = 2|x - 50000| / 10^5 the mated share of the fuller bin is (1 +
  // e)/2, the non-mated share about (1 - e/199)/2, and to first order D_sys = (1/2) (e/2)(1 + 1/199), with E|x - mean|
  // = sd sqrt(2/pi).
  const std::vector<double> mated = {50000, 50000}, non_mated = {9950000, 9950000};
  const auto levels = null_levels(d_sys, mated, non_mated, 4000, 3);
  const double mean = std::accumulate(levels.begin(), levels.end(), 0.0) / 4000;
  const double deviation = std::sqrt(24875.0) * std::sqrt(2 / 3.14159265358979);
  const double e = 2 * deviation / 1e5;
  EXPECT_NEAR(mean, 0.25 * e * (1 + 1.0 / 199), 0.04 * 0.25 * e);
}

// Hand calculation: p = (0.5, 0.5, 0), q = (0, 0.5, 0.5): sum of maxima 1.5.
TEST(MaximalLinkability, HandCalculatedAndItsRange) {
  EXPECT_DOUBLE_EQ(maximal_linkability(std::vector<double>{2, 2, 0}, std::vector<double>{0, 5, 5}), std::log2(1.5));
  EXPECT_DOUBLE_EQ(maximal_linkability(std::vector<double>{3, 0}, std::vector<double>{0, 7}), 1.0);
  EXPECT_DOUBLE_EQ(maximal_linkability(std::vector<double>{1, 3}, std::vector<double>{10, 30}), 0.0);
}

// Small counts look linkable by chance: the null level is above zero and falls with their number. Normal approximation
// for 30 bins of 5,000 of each kind: the sum of maxima exceeds 1 by 15 E|p - q| with p - q ~ N(0, 2 t (1 - t) / N),
// t = 1/30, N = 150,000: 0.00785, which is 0.0113 bits; 4 standard errors of the mean are 0.0005.
TEST(MaximalLinkability, NullLevelFallsWithTheNumberOfComparisons) {
  const auto mean = [](const std::vector<double>& levels) {
    return std::accumulate(levels.begin(), levels.end(), 0.0) / static_cast<double>(levels.size());
  };
  const std::vector<double> few(30, 5.0), many(30, 5000.0);
  const double low = mean(null_levels(maximal_linkability, many, many, 200, 1));
  const double high = mean(null_levels(maximal_linkability, few, few, 200, 1));
  EXPECT_GT(high, 0.1);
  EXPECT_NEAR(low, 0.0113, 0.0005);
}

}  // namespace
}  // namespace bauta
