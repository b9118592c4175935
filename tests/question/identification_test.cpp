#include "bauta/question/identification.hpp"

#include <tuple>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/question/adversary.hpp"
#include "people.hpp"

namespace bauta {
namespace {

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
  Dataset probes = people({"a", "b", "c", "x", "b"}, {{1, .2F, 0}, {1, .9F, 0}, {0, 0, 2}, {1, 1, 1}, {0, 0, 0}});
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
  // (7/12 - 1/3) / (1 - 1/3). a and c are always named, b never: a tie gives nobody away.
  EXPECT_NEAR(one["above_chance"].get<double>(), 3.0 / 8, 1e-12);
  EXPECT_NEAR(one["always"].get<double>(), 2.0 / 3, 1e-12);
  EXPECT_NEAR(one["never"].get<double>(), 1.0 / 3, 1e-12);
  // Wilson's interval of 2 in 3, by its formula in Python.
  EXPECT_NEAR(one["always_ci"][0].get<double>(), 0.2076596, 1e-7);
  EXPECT_NEAR(one["always_ci"][1].get<double>(), 0.9385081, 1e-7);
  EXPECT_EQ(one["top"][1]["k"], 2);
  EXPECT_NEAR(one["top"][1]["mixture"].get<double>(), 1 - (3 + 2.0 / 3) / 4, 1e-12);
  EXPECT_EQ(result["worst"]["recogniser"], "nearest");
  // By first rows: a from row 1 on, b from 3, c from 5; of b's two probes one is wrong, and one a guess.
  const Json& people = one["per_identity"];
  EXPECT_EQ(people["row"], (Json{1, 3, 5}));
  EXPECT_EQ(people["probes"], (Json{1, 2, 1}));
  EXPECT_EQ(people["hits"][0], 1);
  EXPECT_NEAR(people["hits"][1].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_EQ(people["hits"][2], 1);
}

// Both samples of c are lost when they are to be enrolled: nobody finds c, neither by a probe nor by a guess without
// one. a right; b taken for a, second; c never; c without a template; a without one, a guess among the two who are
// enrolled. Three people are looked for, so that chance is a third.
TEST(Identify, WhoCannotBeEnrolledIsMissed) {
  Dataset known = enrolled;
  known.labels.add_column("failed", {"0", "0", "0", "0", "1", "1"});
  Dataset probes = people({"a", "b", "c", "c", "a"}, {{1, .2F, 0}, {1, .9F, 0}, {0, .3F, 2}, {0, 0, 0}, {0, 0, 0}});
  probes.labels.add_column("failed", {"0", "0", "0", "1", "1"});
  IdentifyRun run = nearest();
  run.recognisers = {"nearest", "lda"};
  run.other_samples = true;
  const Json result = run_identify(known, probes, run).values;
  EXPECT_EQ(result["identities"], 3);
  EXPECT_EQ(result["enrolled"], 4);
  EXPECT_EQ(result["probes"], 5);
  EXPECT_EQ(result["strangers"], 0);
  EXPECT_EQ(result["failures"], 4);
  EXPECT_EQ(result["unenrolled_people"], 1);
  EXPECT_EQ(result["unenrolled_probes"], 2);
  EXPECT_NEAR(result["chance"].get<double>(), 1.0 / 3, 1e-12);
  for (const Json& one : result["results"]) {
    EXPECT_NEAR(one["rank1"].get<double>(), (1 + 0 + 0 + 0 + 0.5) / 5, 1e-12) << one["recogniser"];
    EXPECT_NEAR(one["top"][1]["mixture"].get<double>(), 2.0 / 5, 1e-12);  // a, b and a guess are among the first two
    EXPECT_NEAR(one["mean_rank"].get<double>(), (1 + 2 + 3 + 3 + 1.5) / 5, 1e-12);
    EXPECT_NEAR(one["never"].get<double>(), 2.0 / 3, 1e-12);
  }
  ASSERT_EQ(result["remarks"].size(), 1U);
  EXPECT_NE(result["remarks"][0].get<std::string>().find("1 of 3 people are known by name only"), std::string::npos);
  // Somebody is needed to be told from.
  known.labels = LabelTable("people", 6);
  known.labels.add_column("identity", {"a", "a", "b", "b", "c", "c"});
  known.labels.add_column("failed", {"0", "0", "1", "1", "1", "1"});
  EXPECT_THROW(run_identify(known, probes, run), Error);
}

// Behind a mask that leaves nothing of any probe, or of more than one person to enrol, whoever names somebody guesses:
// a third of three people, at every rank alike. Of clear samples the same is a mistake, and is said to be what it is.
TEST(Identify, WhereNobodyAnswersEverybodyIsGuessed) {
  Dataset probes = people({"a", "b", "c", "c", "x"}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  probes.labels.add_column("failed", {"1", "1", "1", "1", "1"});
  Dataset one = enrolled, none = enrolled;
  one.labels.add_column("failed", {"0", "0", "1", "1", "1", "1"});
  none.labels.add_column("failed", {"1", "1", "1", "1", "1", "1"});
  const Dataset seen = people({"a", "b", "c", "c"}, {{1, .2F, 0}, {1, .9F, 0}, {0, 0, 2}, {0, .2F, 2}});
  IdentifyRun run = nearest();
  run.recognisers = {"nearest", "lda"};
  run.other_samples = true;
  const auto masked = [](Dataset data) {
    data.provenance = Provenance{"gaussian-blur", "", {}};
    return data;
  };
  Dataset undone = probes;
  undone.provenance = Provenance{"", "", {{"recovered_from", "gaussian-blur"}}};
  const std::string by_probes = "behind the mask nothing was extracted from any of 4 probes: all count as guesses";
  const std::vector<std::tuple<Dataset, Dataset, std::string>> cases = {
      {enrolled, masked(probes), by_probes},
      {enrolled, undone, by_probes},
      {masked(one), masked(seen), "behind the mask 1 of 3 people can be enrolled: all probes count as guesses"},
      {masked(none), masked(probes), "behind the mask 0 of 3 people can be enrolled: all probes count as guesses"}};
  for (const auto& [known, asked, remark] : cases) {
    const Answer answer = run_identify(known, asked, run);
    const Json& result = answer.values;
    EXPECT_EQ(result["probes"], 4);
    EXPECT_EQ(result["remarks"].back(), remark);
    EXPECT_FALSE(result.contains("unenrolled_people"));
    ASSERT_EQ(result["results"].size(), 2U);
    for (const Json& by : result["results"]) {
      EXPECT_NEAR(by["rank1"].get<double>(), 1.0 / 3, 1e-12);
      EXPECT_NEAR(by["top"][1]["mixture"].get<double>(), 1.0 / 3, 1e-12);
      EXPECT_NEAR(by["mean_rank"].get<double>(), 2, 1e-12);
      EXPECT_NEAR(by["kl_from_uniform"].get<double>(), 0, 1e-12);
    }
    EXPECT_NEAR(answer.findings.at(0).chance.value(), 1.0 / 3, 1e-12);
  }
  const auto said = [&](const Dataset& known, const Dataset& asked) {
    try {
      (void)run_identify(known, asked, run);
    } catch (const Error& error) {
      return error.finding;
    }
    return std::string();
  };
  EXPECT_EQ(said(enrolled, probes), "nothing was extracted from any of 4 probes");
  EXPECT_EQ(said(one, seen), "enrols 1 of 3 people, two are needed at least: nothing was extracted of the others");
  EXPECT_EQ(said(masked(enrolled), masked(people({"x"}, {{1, 0, 0}}))),
            "holds no sample of anybody who is enrolled");
}

TEST(Identify, LearnedRecognisersNameTheSamePeople) {
  IdentifyRun run = nearest();
  run.recognisers = {"lda", "knn:k=1"};
  run.other_samples = true;
  const Json result = run_identify(enrolled, enrolled, run).values;
  for (const Json& one : result["results"]) EXPECT_EQ(one["rank1"], 1) << one["recogniser"];
}

TEST(Identify, SamplesThatAreNearlyThoseEnrolledAreTold) {
  const Dataset honest = people({"a"}, {{1, .2F, 0}}), scaled = people({"a"}, {{1.8F, .2F, 0}});
  IdentifyRun run = nearest();
  run.other_samples = true;  // nothing names these samples, which would be told, too
  EXPECT_TRUE(run_identify(enrolled, honest, run).values["remarks"].empty());
  const Json remarks = run_identify(enrolled, scaled, run).values["remarks"];
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_NE(remarks[0].get<std::string>().find("1 enrolled samples nearly equal a probe"), std::string::npos);
  EXPECT_NE(remarks[0].get<std::string>().find("rows 2 and 1"), std::string::npos);
}

// Two of three: whoever is not drawn is a stranger. Only people of whom there are probes are drawn.
TEST(Identify, NamesNoMorePeopleThanAsked) {
  IdentifyRun run = nearest();
  run.most_people = 2;
  run.other_samples = true;
  const Json some = run_identify(enrolled, enrolled, run).values;
  EXPECT_EQ(some["identities"], 2);
  EXPECT_EQ(some["enrolled"], 4);
  EXPECT_EQ(some["probes"], 4);
  EXPECT_EQ(some["strangers"], 2);
  EXPECT_EQ(some["worst"]["rank1"], 1);
  const Json two = run_identify(enrolled, people({"a", "c"}, {{1, 0, 0}, {0, 0, 1}}), run).values;
  EXPECT_EQ(two["identities"], 2);
  EXPECT_EQ(two["strangers"], 0);
}

std::string refused(const Dataset& known, const Dataset& probes, const IdentifyRun& run) {
  try {
    (void)run_identify(known, probes, run);
  } catch (const Error& error) {
    return error.finding;
  }
  return {};
}

// Whoever compares a sample with itself is right in 100 % of the cases, and learns nothing.
TEST(Identify, RefusesTheSameSamplesOnBothSides) {
  EXPECT_EQ(refused(enrolled, enrolled, nearest()),
            "hold the same 6 samples: people would be named by what they enrolled");
  Dataset named = enrolled, turned = enrolled.select({5, 4, 3, 2, 1, 0}), partly = enrolled.select({0, 2});
  named.labels.add_column("id", {"1", "2", "3", "4", "5", "6"});
  turned.labels.add_column("id", {"6", "5", "4", "3", "2", "1"});
  partly.labels.add_column("id", {"1", "3"});
  EXPECT_NE(refused(named, turned, nearest()).find("the same 6 samples"), std::string::npos);
  EXPECT_NE(refused(named, partly, nearest()).find("share 2 samples of 6 and 2"), std::string::npos);
  // Without ids, by what they are.
  EXPECT_NE(refused(enrolled, enrolled.select({3, 0}), nearest()).find("2 samples stand in both"), std::string::npos);
  EXPECT_EQ(refused(enrolled, people({"b", "a"}, {{0, 2, 0}, {2, 0, 0}}), nearest()), "");
}

// A half of two samples each: three probes, three enrolled; the forms of one sample are never on both sides.
TEST(Identify, ProbesAShareOfTheSameSamples) {
  IdentifyRun run = nearest();
  run.test = 0.5;
  Dataset masked = enrolled.select({1, 0, 3, 2, 5, 4});
  Dataset clear = enrolled;
  clear.labels.add_column("id", {"1", "2", "3", "4", "5", "6"});
  masked.labels.add_column("id", {"2", "1", "4", "3", "6", "5"});
  const Json result = run_identify(clear, masked, run).values;
  EXPECT_EQ(result["probes"], 3);
  EXPECT_EQ(result["enrolled"], 3);
  EXPECT_EQ(result["worst"]["rank1"], 1);
  EXPECT_EQ(result["results"][0]["rank1"], 1);
  run.test = 1;
  EXPECT_THROW(run_identify(clear, masked, run), Error);
  run.test = 0.5;
  EXPECT_THROW(run_identify(enrolled, people({"b", "a"}, {{0, 2, 0}, {2, 0, 0}}), run), Error);
}

/// A closed set of which nothing but the arrangement is looked at.
class Arranged : public Views {
 public:
  explicit Arranged(std::vector<Role> roles) {
    arrangement_.rotations = {{}};
    for (const Role role : roles) arrangement_.rotations[0][role] = {};
  }
  [[nodiscard]] const Arrangement& arrangement() const override { return arrangement_; }
  [[nodiscard]] Dataset clear(Role, std::size_t) const override { return {}; }
  [[nodiscard]] Dataset view(const Recipe&, std::size_t) override { return {}; }
  [[nodiscard]] std::string digest(const Recipe&) const override { return {}; }
  [[nodiscard]] const ResolvedProtection& technique(const std::string&, std::size_t, const Representation&) override {
    throw_usage("technique", "is not asked for");
  }
  [[nodiscard]] Json remember(const Json&, const std::vector<Recipe>&, const std::function<Json()>& compute) override {
    return compute();
  }
  [[nodiscard]] std::uint64_t seed() const override { return 1; }
  [[nodiscard]] std::uint64_t memory() const override { return 1 << 20; }

 private:
  Arrangement arrangement_;
};

/// Cells of the question about identities, with everything by default.
std::vector<Asked> asked(const Views& views, Setting setting) {
  for (const auto& question : questions()) {
    for (const Key& key : question->declaration().keys) {
      Json& section = setting.keys[key.section];
      if (!section.contains(key.name)) section[key.name] = key.fallback;
    }
  }
  for (const auto& question : questions()) {
    if (question->declaration().name == "identification") return question->ask(setting, views, "random-projection");
  }
  throw_usage("identification", "is not in the catalogue");
}

TEST(Identification, IsAskedOfThoseWhoAreClaimedToFailAndOfThoseWhoKnow) {
  Setting setting;
  setting.adversaries = usual_adversaries(true);
  std::vector<std::string> who;
  for (const Asked& cell : asked(Arranged({Role::enrol, Role::probe}), setting)) {
    who.push_back(cell.key["recogniser"].get<std::string>() + " " + cell.key["adversary"].get<std::string>());
  }
  EXPECT_EQ(who, (std::vector<std::string>{"mlp naive", "mlp parrot", "lda naive", "lda parrot"}));
  EXPECT_TRUE(asked(Arranged({Role::target, Role::attacker}), {}).empty());
}

TEST(Identification, WhoUndoesNeedsOtherPeople) {
  Setting setting;
  setting.adversaries = {"recover", "recover+parrot", "invert"};
  setting.given = {"protocol.adversary"};
  setting.keys["attack"]["recovery"] = Json::array({"ridge"});
  setting.keys["attack"]["recogniser"] = Json::array({"lda"});
  EXPECT_THROW(asked(Arranged({Role::enrol, Role::probe}), setting), Error);
  const std::vector<Asked> cells = asked(Arranged({Role::enrol, Role::probe, Role::background}), setting);
  ASSERT_EQ(cells.size(), 3U);
  for (const Asked& cell : cells) {
    EXPECT_EQ(cell.key["recovery"], "ridge");
    EXPECT_EQ(cell.views[1].form.recovery, "ridge");  // what they meet is undone
    EXPECT_EQ(cell.views[0].form.recovery, cell.key["adversary"] == "recover+parrot" ? "ridge" : "");
  }
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
