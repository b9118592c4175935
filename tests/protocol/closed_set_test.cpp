#include "bauta/protocol/closed_set.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

Dataset people(const std::vector<std::string>& identities, const std::vector<std::string>& classes) {
  Dataset data;
  data.origin = "people";
  data.labels = LabelTable("people", identities.size());
  data.labels.add_column("identity", identities);
  data.labels.add_column("digit", classes);
  data.identity_column = "identity";
  return data;
}

TEST(ClosedSet, SplitsEveryIdentityAndClassAlike) {
  std::vector<std::string> identities, digits;
  for (int person = 0; person < 6; ++person) {
    for (int k = 0; k < 40; ++k) {
      identities.push_back("p" + std::to_string(person));
      digits.push_back(std::to_string(k % 5));  // eight of each
    }
  }
  const Dataset data = people(identities, digits);
  const ClosedSet split = closed_set_split(data, "digit", 0.25, 1);
  EXPECT_FALSE(split.one_sample_each);
  EXPECT_EQ(split.train.size() + split.test.size(), 240U);
  std::map<std::pair<std::string, std::string>, int> tested;
  for (const std::size_t row : split.test) ++tested[{identities[row], digits[row]}];
  EXPECT_EQ(tested.size(), 30U);
  for (const auto& [key, count] : tested) EXPECT_EQ(count, 2);  // a quarter of eight
  std::set<std::size_t> all(split.train.begin(), split.train.end());
  all.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(all.size(), 240U);
  EXPECT_EQ(closed_set_split(data, "digit", 0.25, 1).test, split.test);
  EXPECT_NE(closed_set_split(data, "digit", 0.25, 2).test, split.test);
}

TEST(ClosedSet, WhoHasOneSampleIsNeverLookedForAndFailuresAreInNeitherPart) {
  Dataset data = people({"a", "b", "b", "c", "c", "c", "d"}, {"0", "0", "1", "0", "0", "1", "1"});
  data.labels.add_column("failed", {"", "", "", "1", "", "", ""});
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const ClosedSet split = closed_set_split(data, "digit", 0.25, seed);
    std::set<std::string> tested;
    for (const std::size_t row : split.test) {
      EXPECT_NE(row, 3U);
      tested.insert(data.labels.column("identity")[row]);
    }
    EXPECT_EQ(tested, (std::set<std::string>{"b", "c"}));  // both are tested, and both are known
    EXPECT_EQ(split.train.size() + split.test.size(), 6U);
    EXPECT_EQ(split.test.size(), 2U);
  }
}

// Of two samples 80 % are one or two, and of three two or three: one is always known.
TEST(ClosedSet, WhoIsLookedForIsKnownWhateverTheShare) {
  std::vector<std::string> identities;
  for (int person = 0; person < 40; ++person) {
    for (int k = 0; k < 2 + person % 2; ++k) identities.push_back("p" + std::to_string(person));
  }
  const Dataset data = people(identities, std::vector<std::string>(identities.size(), "0"));
  const ClosedSet split = closed_set_split(data, "", 0.8, 1);
  std::map<std::string, int> known;
  for (const std::size_t row : split.train) ++known[identities[row]];
  EXPECT_EQ(known.size(), 40U);
  for (const auto& [name, samples] : known) EXPECT_EQ(samples, 1) << name;
}

TEST(ClosedSet, NoSampleAndASingleOneCannotBeSplit) {
  Dataset data = people({"a", "b"}, {"0", "1"});
  EXPECT_EQ(closed_set_split(data, "", 0.5, 1).test.size(), 1U);
  data.labels.add_column("failed", {"", "1"});
  EXPECT_THROW((void)closed_set_split(data, "", 0.5, 1), Error);
  data.labels.replace_column("failed", {"1", "1"});
  EXPECT_THROW((void)closed_set_split(data, "", 0.5, 1), Error);
}

TEST(ClosedSet, WithoutRepeatedIdentitiesSamplesAreSplit) {
  std::vector<std::string> identities, classes;
  for (int i = 0; i < 100; ++i) {
    identities.push_back(std::to_string(i));
    classes.push_back(i % 4 == 0 ? "x" : "y");
  }
  const Dataset data = people(identities, classes);
  const ClosedSet split = closed_set_split(data, "digit", 0.2, 1);
  EXPECT_TRUE(split.one_sample_each);
  EXPECT_EQ(split.test.size(), 20U);
  int x = 0;
  for (const std::size_t row : split.test) x += classes[row] == "x";
  EXPECT_NEAR(x, 5, 1);
}

}  // namespace
}  // namespace bauta
