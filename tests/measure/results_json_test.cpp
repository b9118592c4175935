// Findings and ranking survive being written and read.
#include <limits>

#include <gtest/gtest.h>

#include "bauta/measure/finding_json.hpp"
#include "bauta/measure/ranking_json.hpp"

namespace bauta {
namespace {

Finding whole_finding() {
  Finding finding;
  finding.about = About::link;
  finding.attacker = "align-mean, then logistic";
  finding.measure = "EER";
  finding.unit = "rate";
  finding.value = 0.1 + 0.2;  // more digits than are printed by default
  finding.worse = Worse::lower;
  finding.ci = Interval{0.25, 0.35};
  finding.chance = 0.5;
  finding.certainty = 0;
  finding.auc = 0.75;
  finding.clear = Level{0.1, Interval{0.05, 0.15}, {0.05, 0.15}, "def"};
  finding.floor = Level{0.5};
  finding.healthy = false;
  finding.counts = {{"samples", 12}, {"identities", 4}};
  finding.axes = {{"technique", "csn"}, {"n", "51"}};
  finding.unprotected = true;
  finding.draws = {0.25, std::numeric_limits<double>::quiet_NaN(), 0.5};
  finding.drawn_over = "abc";
  return finding;
}

TEST(FindingJson, HasTheFieldsOfTheFormat) {
  const Json json = to_json(whole_finding());
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"about", "attacker", "measure", "unit", "value", "ci", "worse", "chance",
                                             "certainty", "share", "auc", "clear", "floor", "healthy", "counts", "axes",
                                             "unprotected"}));  // docs/results.md
  EXPECT_EQ(json["about"], "link");
  EXPECT_EQ(json["worse"], "lower");
  EXPECT_NEAR(json["share"].get<double>(), 0.4, 1e-12);
  EXPECT_EQ(json["clear"], Json::parse(R"({"value": 0.1, "ci": [0.05, 0.15]})"));
  EXPECT_EQ(json["floor"]["ci"], nullptr);
}

TEST(FindingJson, ComesBackToTheLastBit) {
  const Json stored = stored_json(whole_finding());
  const auto read = read_finding(Json::parse(stored.dump()));
  ASSERT_TRUE(read);
  EXPECT_EQ(stored_json(*read), stored);
  EXPECT_EQ(read->value, 0.1 + 0.2);
  EXPECT_EQ(read->worse, Worse::lower);
  EXPECT_EQ(read->healthy, false);
  ASSERT_EQ(read->draws.size(), 3U);
  EXPECT_TRUE(std::isnan(read->draws[1]));
  EXPECT_EQ(read->drawn_over, "abc");
  EXPECT_EQ(read->clear->draws, (std::vector<double>{0.05, 0.15}));
  EXPECT_EQ(read->clear->drawn_over, "def");
  const auto published = read_finding(to_json(whole_finding()));
  EXPECT_TRUE(published->draws.empty());
  for (const About about : {About::attribute, About::identity, About::link, About::recognition, About::utility}) {
    EXPECT_EQ(parse_about(to_text(about)), about);
  }
}

TEST(FindingJson, IsReadWithPatience) {
  EXPECT_FALSE(read_finding(Json::parse("[]")));
  EXPECT_FALSE(read_finding(Json::parse("7")));
  EXPECT_FALSE(read_finding(Json::parse(R"({"about": "attribute"})")));
  EXPECT_FALSE(read_finding(Json::parse(R"({"value": 0.5})")));
  EXPECT_FALSE(read_finding(Json::parse(R"({"about": "weather", "value": 0.5})")));
  EXPECT_FALSE(read_finding(Json::parse(R"({"about": "attribute", "value": "0.5"})")));
  const auto read = read_finding(Json::parse(
      R"({"about": "attribute", "value": 1, "ci": [1], "chance": [], "certainty": null, "clear": 3, "healthy": "no",
          "counts": "many", "axes": {"n": 3, "rule": "mean"}, "unprotected": 1, "draws": 5, "worse": 2})"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->value, 1);
  EXPECT_FALSE(read->ci || read->chance || read->clear || read->healthy || read->unprotected);
  EXPECT_EQ(read->certainty, 1);
  EXPECT_TRUE(read->counts.empty() && read->draws.empty());
  EXPECT_EQ(read->axes, (std::map<std::string, std::string>{{"rule", "mean"}}));
}

TEST(RankingJson, ComesBack) {
  RankedTarget target;
  target.technique = "csn:threshold=0.1";
  target.attribute = "gender";
  target.strongest = *read_finding(to_json(whole_finding()));
  target.strongest.about = About::attribute;
  target.share = 0.4;
  target.share_ci = Interval{0.3, 0.5};
  target.corrected = 0.31;
  target.ci = Interval{0.25, 0.35};
  target.of = 12;
  target.healthy = false;
  target.gain.on_clear = OnClear{"svm", 0.8, Interval{0.7, 0.9}, 0.6};
  target.gain.kept = 0.66;
  target.gain.suppression = SuppressionRate{0.125, 0.375, Interval{0.1, 0.2}};
  target.gain.pic =
      PicGain{{std::nullopt, "no errors"}, Interval{-1, 1}, true, {"EER", 0.1, 0.15, "pixels", "eigenface"}};
  target.gain.pic_auc.emplace();
  target.gain.pic_auc->leak_aware.pic = 0.3;
  target.gain.pic_auc->printed = 0.5;
  const Json json = to_json(target);
  EXPECT_EQ(json["attribute"], "gender");
  EXPECT_EQ(json["pic"]["undefined"], "no errors");
  EXPECT_EQ(json["pic"]["recognition"]["protected"], 0.15);
  EXPECT_EQ(json["pic"]["recognition"]["clear_representation"], "pixels");
  EXPECT_EQ(json["pic"]["recognition"]["protected_representation"], "eigenface");
  EXPECT_EQ(json["pic_auc"]["form"], "leak-aware");
  const auto ranking = read_ranking(Json::parse(Json::array({json, 5, Json::object()}).dump()));
  ASSERT_EQ(ranking.size(), 1U);
  EXPECT_EQ(to_json(ranking[0]), json);
  target.gain.pic->recognition.clear.reset();
  EXPECT_EQ(to_json(target)["pic"]["recognition"]["clear"], nullptr);
  target.about = About::identity;
  EXPECT_EQ(to_json(target)["attribute"], nullptr);
  EXPECT_TRUE(read_ranking(Json()).empty());
}

// What an older or an edited file lacks has the value that says nothing.
TEST(RankingJson, WhatIsMissingSaysNothing) {
  const auto ranking = read_ranking(Json::parse(
      R"([{"strongest": {"about": "identity", "value": 0.7, "chance": 0.5, "counts": {"a": -1, "b": 2, "c": 1.5}},
           "on_clear": {"value": 0.9}, "suppression": {"value": 0.1}, "pic": {"joint": 1}, "pic_auc": {}},
          {"strongest": {"about": "link", "value": 0.7}, "of": -3, "healthy": false, "unprotected": true, "people": "3",
           "pic": {"joint": true, "recognition": {"clear": 0.1, "protected": 0.2}}}])"));
  ASSERT_EQ(ranking.size(), 2U);
  const RankedTarget& bare = ranking[0];
  EXPECT_EQ(bare.about, About::identity);
  EXPECT_NEAR(bare.share, 0.4, 1e-12);
  EXPECT_EQ(bare.of, 1U);
  EXPECT_TRUE(bare.healthy && !bare.unprotected && bare.people.empty());
  EXPECT_EQ(bare.strongest.counts, (std::map<std::string, std::size_t>{{"b", 2}}));
  EXPECT_EQ(bare.gain.on_clear->share, 0);
  EXPECT_EQ(bare.gain.suppression->reachable, 0);
  EXPECT_FALSE(bare.gain.pic->joint || bare.gain.pic->coefficient.value || bare.gain.pic->ci);
  EXPECT_FALSE(bare.gain.pic->recognition.clear);
  EXPECT_EQ(bare.gain.pic->recognition.protected_, 0);
  EXPECT_TRUE(bare.gain.pic_auc && !bare.gain.pic_auc->leak_aware.suppression);
  EXPECT_EQ(ranking[1].share, 0);  // no chance level: no share
  EXPECT_EQ(ranking[1].of, 0U);
  EXPECT_TRUE(!ranking[1].healthy && ranking[1].unprotected && ranking[1].gain.pic->joint);
  EXPECT_EQ(ranking[1].gain.pic->recognition.protected_, 0.2);
  EXPECT_FALSE(ranking[1].gain.pic_auc || ranking[1].gain.on_clear || ranking[1].gain.suppression);
}

}  // namespace
}  // namespace bauta
