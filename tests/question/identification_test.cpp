#include "bauta/question/identification.hpp"

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

Dataset people(const std::vector<std::string>& names, const std::vector<std::vector<float>>& rows) {
  Dataset data;
  data.origin = "people";
  data.labels = LabelTable("people", names.size());
  data.labels.add_column("identity", names);
  data.identity_column = "identity";
  Matrix<float> x(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], x.row(i).begin());
  data.templates = Templates(std::move(x));
  return data;
}

const Dataset enrolled = people({"a", "a", "b", "b", "c", "c"},
                                {{1, 0, 0}, {.9F, .1F, 0}, {0, 1, 0}, {.1F, .9F, 0}, {0, 0, 1}, {0, .1F, .9F}});

IdentifyRun nearest() {
  IdentifyRun run;
  run.recognisers = {"nearest"};
  run.bootstrap = 50;
  return run;
}

TEST(Identify, CountsRanksStrangersAndFailures) {
  // a right; b taken for a, second; c right; somebody else; one that failed counts as a guess among three.
  Dataset probes = people({"a", "b", "c", "x", "b"}, {{1, .2F, 0}, {1, .9F, 0}, {0, 0, 1}, {1, 1, 1}, {0, 0, 0}});
  probes.labels.add_column("failed", {"0", "0", "0", "0", "1"});
  const Json result = run_identify(enrolled, probes, nearest()).values;
  EXPECT_EQ(result["identities"], 3);
  EXPECT_EQ(result["probes"], 4);
  EXPECT_EQ(result["strangers"], 1);
  EXPECT_EQ(result["failures"], 1);
  EXPECT_NEAR(result["chance"].get<double>(), 1.0 / 3, 1e-12);
  const Json& one = result["results"][0];
  EXPECT_NEAR(one["rank1"].get<double>(), (1 + 0 + 1 + 1.0 / 3) / 4, 1e-12);
  EXPECT_NEAR(one["mixture"].get<double>(), 1 - (2 + 1.0 / 3) / 4, 1e-12);
  EXPECT_EQ(one["rank5"], 1);  // of three people
  EXPECT_EQ(one["top"][1]["k"], 2);
  EXPECT_NEAR(one["top"][1]["mixture"].get<double>(), 1 - (3 + 2.0 / 3) / 4, 1e-12);
  EXPECT_EQ(result["worst"]["recogniser"], "nearest");
}

TEST(Identify, LearnedRecognisersNameTheSamePeople) {
  IdentifyRun run = nearest();
  run.recognisers = {"lda", "knn:k=1"};
  const Json result = run_identify(enrolled, enrolled, run).values;
  for (const Json& one : result["results"]) EXPECT_EQ(one["rank1"], 1) << one["recogniser"];
}

TEST(Identify, RefusesWhatCannotBeAnswered) {
  const Dataset other = people({"x", "y"}, {{1, 0, 0}, {0, 1, 0}});
  EXPECT_THROW(run_identify(enrolled, other, nearest()), Error);
  EXPECT_THROW(run_identify(enrolled, people({"a"}, {{1, 0}}), nearest()), Error);
  EXPECT_THROW(run_identify(people({"a", "a"}, {{1, 0, 0}, {0, 1, 0}}), enrolled, nearest()), Error);
  IdentifyRun unknown = nearest();
  unknown.recognisers = {"nearst"};
  EXPECT_THROW(run_identify(enrolled, enrolled, unknown), Error);
}

}  // namespace
}  // namespace bauta
