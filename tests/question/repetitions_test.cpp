// Repetitions of a closed set, pooled: what is found counts sample by sample, and a person as one.
#include <gtest/gtest.h>

#include "bauta/core/random.hpp"
#include "linkage.hpp"
#include "people.hpp"
#include "utility.hpp"

namespace bauta {
namespace {

using Rows = std::vector<std::vector<float>>;

/// A record each of four people, at right angles.
const std::vector<std::string> names = {"a", "b", "c", "d"};
const Rows apart = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

TEST(Repetitions, OfASearchArePooledRecordByRecord) {
  const Dataset originals = people(names, apart), known = people({"x"}, {{-1, 0, 0, 0}});
  const Dataset same = people(names, apart);
  const Dataset turned = people(names, {apart[1], apart[2], apart[3], apart[0]});
  const LinkageRun run{.attribute = {}, .top = {1, 2}, .bootstrap = 0};
  Linkages linkages(run);
  linkages.add({known, originals, same});
  linkages.add({known, originals, turned});
  const Answer answer = linkages.answer();
  const Json& nearest = answer.values["attackers"][0];
  EXPECT_DOUBLE_EQ(nearest["mixture"], 0.5);  // every record of the one, none of the other
  EXPECT_DOUBLE_EQ(nearest["chance"], 0.75);
  EXPECT_EQ(nearest["clear"]["mixture"], 0);
  EXPECT_EQ(answer.values["exact_copies"], 8);
  EXPECT_EQ(answer.values["worst_record"]["rank"], 1);
  ASSERT_EQ(answer.findings.size(), 1U);
  EXPECT_EQ(answer.findings[0].counts.at("samples"), 8U);
  EXPECT_EQ(answer.findings[0].counts.at("identities"), 4U);
}

TEST(Repetitions, OfASearchCountAPersonAsOne) {
  std::vector<std::string> forty;
  Rows rows, blurred;
  Stream stream(1, "records");
  for (int i = 0; i < 40; ++i) {
    forty.push_back("p" + std::to_string(100 + i / 2));
    rows.emplace_back();
    blurred.emplace_back();
    for (int k = 0; k < 6; ++k) {
      rows.back().push_back(static_cast<float>(stream.normal()));
      blurred.back().push_back(rows.back().back() + static_cast<float>(stream.normal()));
    }
  }
  const Dataset originals = people(forty, rows), records = people(forty, blurred);
  const LinkageRun run{.attribute = {}, .top = {1}, .bootstrap = 50};
  Linkages once(run), twice(run);
  once.add({originals, originals, records});
  for (int i = 0; i < 2; ++i) twice.add({originals, originals, records});
  const Finding one = once.answer().findings[0], both = twice.answer().findings[0];
  EXPECT_GT(one.value, 0.1);
  EXPECT_LT(one.value, 0.9);
  EXPECT_DOUBLE_EQ(both.value, one.value);
  ASSERT_TRUE(one.ci && both.ci);
  EXPECT_NEAR(both.ci->low, one.ci->low, 0.01);  // of twice as many people it were 0.04 away
  EXPECT_NEAR(both.ci->high, one.ci->high, 0.01);
  EXPECT_EQ(both.drawn_over, one.drawn_over);
  for (std::size_t d = 0; d < one.draws.size(); ++d) EXPECT_NEAR(both.draws[d], one.draws[d], 1e-12);
}

AttributeRead read_of(std::vector<std::string> classes, std::vector<std::int32_t> truth,
                      std::vector<std::int32_t> found) {
  AttributeRead read{.name = "mood", .classes = std::move(classes)};
  read.clear = truth;
  read.truth = std::move(truth);
  read.found = std::move(found);
  return read;
}

// Three of four are read rightly, and the repetitions know other classes. The fifth has none and is not judged.
TEST(Repetitions, OfReadersMayKnowOtherClasses) {
  PooledReadings pool({.attributes = {"mood"}, .bootstrap = 0});
  const People both{{0, 1}, {"a", "b"}};
  pool.add({read_of({"glad", "sad"}, {0, 1}, {0, 1})}, both);
  pool.add({read_of({"angry", "glad", "sad"}, {0, 2, -1}, {0, 0, 0})}, {{0, 1, 1}, {"a", "b"}});
  const Answer answer = pool.answer();
  const Json& mood = answer.values["attributes"][0];
  EXPECT_DOUBLE_EQ(mood["accuracy"], 0.75);
  EXPECT_EQ(mood["clear"]["accuracy"], 1);
  EXPECT_EQ(mood["classes"], 3);
  EXPECT_DOUBLE_EQ(mood["chance"], 0.5);  // sad, of the four
  EXPECT_TRUE(mood["retrained"].is_null());
  EXPECT_EQ(answer.findings[0].counts.at("identities"), 2U);
  EXPECT_EQ(answer.findings[0].counts.at("samples"), 4U);
}

TEST(Repetitions, OfReadersCountAPersonAsOne) {
  const UtilityRun run{.attributes = {"mood"}, .bootstrap = 50};
  std::vector<std::int32_t> truth, found;
  People who;
  for (std::uint32_t i = 0; i < 30; ++i) {
    truth.push_back(static_cast<std::int32_t>(i % 2));
    found.push_back(i % 5 == 0 ? 0 : 1);
    who.of_row.push_back(i / 2);
    if (i % 2 == 0) who.names.push_back("p" + std::to_string(i));
  }
  PooledReadings once(run), twice(run);
  once.add({read_of({"glad", "sad"}, truth, found)}, who);
  for (int i = 0; i < 2; ++i) twice.add({read_of({"glad", "sad"}, truth, found)}, who);
  const Finding one = once.answer().findings[0], both = twice.answer().findings[0];
  EXPECT_DOUBLE_EQ(both.value, one.value);
  EXPECT_NEAR(both.ci->low, one.ci->low, 0.01);  // of twice as many people it were 0.04 away
  EXPECT_NEAR(both.ci->high, one.ci->high, 0.01);
  EXPECT_EQ(both.drawn_over, one.drawn_over);
}

}  // namespace
}  // namespace bauta
