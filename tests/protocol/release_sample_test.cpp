// Whom a release is judged on, counted by hand.
#include "bauta/protocol/release_sample.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "small_dataset.hpp"

namespace bauta {
namespace {

/// Person i has samples[i] samples, every other one of them of the class F.
Dataset people(const std::vector<std::size_t>& samples) {
  std::vector<std::string> identities, gender;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (std::size_t k = 0; k < samples[i]; ++k) {
      identities.push_back("p" + std::to_string(i));
      gender.emplace_back(k % 2 == 0 ? "F" : "M");
    }
  }
  return small_dataset("people", identities, gender, 0);
}

std::map<std::string, std::size_t> samples_of(const ReleaseSample& sample) {
  std::map<std::string, std::size_t> samples;
  for (const auto& name : sample.data.labels.column("identity")) ++samples[name];
  return samples;
}

TEST(ReleaseSample, PartsAreDisjointAndOfTheSizesStated) {
  const Dataset data = people(std::vector<std::size_t>(50, 8));
  const ReleaseSample all = release_sample(data, "gender", 1);
  EXPECT_TRUE(all.whole);
  EXPECT_FALSE(all.one_sample_each);
  EXPECT_EQ(all.learn.size(), 200U);
  EXPECT_EQ(all.search.size(), 100U);
  EXPECT_EQ(all.evidence.size(), 100U);
  std::set<std::size_t> seen(all.learn.begin(), all.learn.end());
  seen.insert(all.search.begin(), all.search.end());
  seen.insert(all.evidence.begin(), all.evidence.end());
  EXPECT_EQ(seen.size(), 400U);
  // Of everybody.
  std::map<std::string, std::size_t> searched;
  for (const std::size_t row : all.search) ++searched[all.data.labels.column("identity")[row]];
  EXPECT_EQ(searched.size(), 50U);
  // Ten people with all of their samples.
  const ReleaseSample some = release_sample(data, "gender", 1, 80);
  EXPECT_FALSE(some.whole);
  ASSERT_EQ(some.data.size(), 80U);
  EXPECT_EQ(samples_of(some).size(), 10U);
  for (std::size_t i = 0; i < 80; ++i) {
    EXPECT_EQ(some.data.templates.row_bytes(i), data.templates.row_bytes(some.rows[i]));
  }
}

TEST(ReleaseSample, OfOnePersonNoMoreThanTheirShareAndNoFewerThanForty) {
  using Samples = std::map<std::string, std::size_t>;
  const Dataset data = people({100, 60, 10});
  // 100 / 3 = 33, and 150 / 3 = 50.
  EXPECT_EQ(samples_of(release_sample(data, "gender", 1, 100)), (Samples{{"p0", 40}, {"p1", 40}, {"p2", 10}}));
  EXPECT_EQ(samples_of(release_sample(data, "gender", 1, 150)), (Samples{{"p0", 50}, {"p1", 50}, {"p2", 10}}));
  const ReleaseSample all = release_sample(data, "gender", 1, 170);
  EXPECT_EQ(samples_of(all), (Samples{{"p0", 100}, {"p1", 60}, {"p2", 10}}));
  EXPECT_TRUE(all.whole);
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    EXPECT_EQ(release_sample(data, "gender", seed, 60).rows.size(), 60U) << seed;
  }
  EXPECT_EQ(release_sample(people({200}), "gender", 1, 100).rows.size(), 100U);
}

TEST(ReleaseSample, FailuresAreNeitherDrawnNorMissed) {
  Dataset data = people({8, 8, 8});
  std::vector<std::string> failed(24);
  for (const std::size_t row : {1U, 9U, 23U}) failed[row] = "1";
  data.labels.add_column("failed", failed);
  const ReleaseSample sample = release_sample(data, "gender", 1);
  EXPECT_EQ(sample.rows.size(), 21U);
  EXPECT_TRUE(sample.whole);
  for (const std::size_t row : sample.rows) EXPECT_TRUE(failed[row].empty()) << row;
  EXPECT_TRUE(release_sample(data, "gender", 1, 21).whole);
  EXPECT_FALSE(release_sample(data, "gender", 1, 20).whole);
}

TEST(ReleaseSample, WithOneSampleOfEachNobodyIsNamed) {
  const ReleaseSample sample = release_sample(people(std::vector<std::size_t>(20, 1)), "", 1);
  EXPECT_TRUE(sample.one_sample_each);
  EXPECT_TRUE(sample.data.identity_column.empty());
  EXPECT_EQ(sample.learn.size(), 10U);
  EXPECT_EQ(sample.search.size(), 5U);
  EXPECT_EQ(sample.evidence.size(), 5U);
}

}  // namespace
}  // namespace bauta
