// The order of scores: keys, sorting, binning, and sums over sorted scores.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"
#include "key_bins.hpp"
#include "record_sort.hpp"
#include "score_key.hpp"
#include "score_moments.hpp"
#include "score_record.hpp"

namespace bauta {
namespace {

template <class T>
class ScoreOrder : public testing::Test {};
using ScoreTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(ScoreOrder, ScoreTypes);

TYPED_TEST(ScoreOrder, KeysKeepTheOrderAndTheValue) {
  using Map = ScoreKey<TypeParam>;
  using Limits = std::numeric_limits<TypeParam>;
  const std::vector<TypeParam> ascending = {-Limits::infinity(),  Limits::lowest(),      TypeParam(-1.5),
                                            -Limits::min(),       -Limits::denorm_min(), 0,
                                            Limits::denorm_min(), TypeParam(0.1),        1,
                                            Limits::max(),        Limits::infinity()};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    EXPECT_EQ(Map::from_key(Map::to_key(ascending[i])), ascending[i]);
    if (i > 0) {
      EXPECT_LT(Map::to_key(ascending[i - 1]), Map::to_key(ascending[i]));
    }
  }
  EXPECT_EQ(Map::to_key(TypeParam(-0.0)), Map::to_key(TypeParam(0)));
}

TEST(ScoreOrder, EdgesBetweenFloatsRoundUp) {
  using Map = ScoreKey<float>;
  EXPECT_EQ(Map::at_least(0.5), Map::to_key(0.5F));
  EXPECT_GE(static_cast<double>(Map::from_key(Map::at_least(0.1))), 0.1);
  EXPECT_LT(static_cast<double>(Map::from_key(Map::at_least(0.1) - 1)), 0.1);
  EXPECT_GE(static_cast<double>(Map::from_key(Map::at_least(-0.3))), -0.3);
  EXPECT_LT(static_cast<double>(Map::from_key(Map::at_least(-0.3) - 1)), -0.3);
}

TYPED_TEST(ScoreOrder, SortsAllSizes) {
  using Record = WideRecord<TypeParam>;
  using Key = typename Record::Key;
  std::vector<Record> scratch;
  for (std::size_t n : {0UL, 1UL, 2UL, 100UL, 5000UL, sort_scratch_records + 10000}) {
    for (int bits : {3, 12, 31}) {
      SCOPED_TRACE(std::to_string(n) + " records, " + std::to_string(bits) + " bits");
      Stream stream(1, "sort", n);
      const Key low = 1000, high = static_cast<Key>(low + ((Key{1} << bits) - 1));
      std::vector<Record> records;
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const auto tag = static_cast<std::uint32_t>(i);
        records.push_back(Record::make(static_cast<Key>(low + stream.below(std::uint64_t{1} << bits)), tag, 2 * tag));
        sum += records.back().key() ^ tag;
      }
      sort_records(std::span(records), low, high, scratch);
      EXPECT_TRUE(std::is_sorted(records.begin(), records.end(), [](auto& a, auto& b) { return a.key() < b.key(); }));
      for (const Record& r : records) {
        sum -= r.key() ^ r.probe();
        ASSERT_EQ(r.reference(), 2 * r.probe());  // records move as a whole
      }
      EXPECT_EQ(sum, 0U);
    }
  }
  EXPECT_LE(scratch.size(), sort_scratch_records);
}

TEST(ScoreOrder, BinsRefineUntilTheyFit) {
  KeyBins<std::uint32_t> bins;
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < 1000; ++i) keys.push_back(0x80000000U + 3 * i);  // one leading-bit bin
  keys.insert(keys.end(), 300, 0x80000007U);                                     // not a multiple of 3: one heavy value
  const auto count = [&] {
    std::vector<ClassCounts> counts(bins.slots() - bins.first_new());
    for (std::uint32_t key : keys) {
      if (bins.slot(key) >= bins.first_new()) ++counts[bins.slot(key) - bins.first_new()][key % 2];
    }
    bins.add_counts(counts);
  };
  count();
  while (bins.refine(50)) count();
  const auto buckets = bins.group(50);
  std::uint64_t total = 0;
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    total += buckets[b].total();
    if (buckets[b].total() > 50) {
      EXPECT_EQ(buckets[b].low, 0x80000007U);
      EXPECT_EQ(buckets[b].high, 0x80000007U);
    }
    if (b > 0) {
      EXPECT_GT(buckets[b].low, buckets[b - 1].high);
    }
  }
  EXPECT_EQ(total, 1300U);
  for (std::uint32_t key : keys) {
    const auto& bucket = buckets[bins.bucket(key)];
    ASSERT_TRUE(bucket.low <= key && key <= bucket.high);
  }
}

TEST(ScoreMoments, AgreeWithExtendedPrecision) {
  for (double scale : {1e-3, 1.0, 30.0, 500.0}) {
    for (double sign : {1.0, -1.0}) {
      SCOPED_TRACE(scale * sign);
      Stream stream(6, "moments");
      std::vector<double> values(20011);
      for (double& v : values) v = 3 + scale * stream.normal();
      long double sum = 0, cost = 0, squares = 0;
      for (double v : values) {
        const long double x = sign * v;
        sum += v;
        cost += std::max(x, 0.0L) + std::log1p(std::exp(-std::fabs(x)));
      }
      const long double mean = sum / static_cast<long double>(values.size());
      for (double v : values) squares += (v - mean) * (v - mean);
      std::sort(values.begin(), values.end());
      MomentChain chain(sign);
      std::size_t from = 0;
      for (std::size_t piece : {1UL, 4095UL, 5000UL, 10915UL}) {
        chain.add(piece, [&](std::uint64_t at, std::uint64_t n, double* out) {
          std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from + at), n, out);
        });
        from += piece;
      }
      const Moments m = chain.finish();
      EXPECT_EQ(m.count, 20011);
      EXPECT_NEAR(m.mean, static_cast<double>(mean), 1e-14 * std::fabs(static_cast<double>(mean)) + 1e-15 * scale);
      EXPECT_NEAR(m.squares / static_cast<double>(squares), 1, 1e-12);
      EXPECT_NEAR(m.cost / static_cast<double>(cost), 1, 1e-13);
    }
  }
}

TEST(ScoreMoments, TinyAndHugeCosts) {
  // e^-40 each: 1 + e^-40 is 1 in double, the sum must not be 0. And beyond the range of exp.
  const std::vector<double> sure(100, 40.0), huge = {1e6, -1e6, 800, -800, 709, -709, 0, 0};
  EXPECT_NEAR(moments_of(sure, -1).cost / (100 * std::exp(-40.0)), 1, 1e-13);
  EXPECT_NEAR(moments_of(huge, 1).cost, 1e6 + 800 + 709 + 2 * std::log(2.0), 1e-8);
  EXPECT_EQ(moments_of({}, 1).count, 0);
}

}  // namespace
}  // namespace bauta
