// Who is the strongest attacker, and how sure that is.
#include "bauta/measure/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/measure/worst_case.hpp"
#include "simulated_attackers.hpp"

namespace bauta {
namespace {

Finding reading(const std::string& technique, const std::string& attribute, double value, double chance) {
  Finding finding;
  finding.attacker = "svm";
  finding.measure = "balanced accuracy";
  finding.unit = "rate";
  finding.value = value;
  finding.chance = chance;
  finding.axes = {{"technique", technique}, {"attribute", attribute}};
  finding.unprotected = technique == "none";
  return finding;
}

// Shares by hand: gender (0.517 - 0.5) / 0.5 = 0.034; ethnicity (0.445 - 0.2) / 0.8 = 0.30625.
TEST(Ranking, EthnicityIsTheHeadlineThoughGenderHasTheLargerRate) {
  const std::vector<Finding> findings = {reading("csn", "gender", 0.517, 0.5), reading("csn", "ethnicity", 0.445, 0.2),
                                         reading("none", "ethnicity", 0.469, 0.2)};
  const auto ranking = rank_attackers(findings);
  ASSERT_EQ(ranking.size(), 3U);
  EXPECT_EQ(ranking[0].attribute, "gender");  // in order of first appearance
  EXPECT_NEAR(ranking[0].share, 0.034, 1e-12);
  EXPECT_NEAR(ranking[1].share, 0.30625, 1e-12);
  const RankedTarget* first = headline(ranking);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->attribute, "ethnicity");
  EXPECT_FALSE(first->unprotected);
  ASSERT_TRUE(first->gain.kept);
  EXPECT_NEAR(*first->gain.kept, 0.245 / 0.269, 1e-12);  // (0.445 - 0.2) / (0.469 - 0.2)
  EXPECT_FALSE(first->ci);                               // nothing was drawn
}

// Of the templates lazy and parrot hold the same: two names of one attacker are no choice of two.
TEST(Ranking, OneAttackerByTwoNamesCountsOnce) {
  std::vector<Finding> findings(3, reading("csn", "gender", 0.7, 0.5));
  findings[2].value = 0.6;
  for (Finding& finding : findings) finding.draws = {0.7, std::numeric_limits<double>::quiet_NaN(), 0.6};
  const char* const names[] = {"lazy", "parrot", "naive"};
  for (std::size_t i = 0; i < 3; ++i) findings[i].axes["adversary"] = names[i];
  const auto ranking = rank_attackers(findings);
  ASSERT_EQ(ranking.size(), 1U);
  EXPECT_EQ(ranking[0].of, 2U);
  EXPECT_EQ(ranking[0].attackers.size(), 3U);
  findings[1].draws[2] = 0.65;
  EXPECT_EQ(rank_attackers(findings)[0].of, 3U);
  findings[1].draws[2] = 0.6;
  findings[1].axes["recovery"] = "ridge";  // another way to the same value
  EXPECT_EQ(rank_attackers(findings)[0].of, 3U);
  findings[1].axes.erase("recovery");
  for (Finding& finding : findings) finding.draws.clear();  // the same value alone tells nothing
  EXPECT_EQ(rank_attackers(findings)[0].of, 3U);
}

TEST(Ranking, TheUnhealthyNeverWinOverTheHealthy) {
  std::vector<Finding> findings = {reading("csn", "gender", 0.9, 0.5), reading("csn", "gender", 0.6, 0.5),
                                   reading("csn", "gender", 0.7, 0.5)};
  findings[0].healthy = false;
  findings[1].healthy = true;  // the third was not checked
  auto ranking = rank_attackers(findings);
  ASSERT_EQ(ranking.size(), 1U);
  EXPECT_EQ(ranking[0].attackers, (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(ranking[0].strongest.value, 0.7);
  EXPECT_EQ(ranking[0].of, 2U);
  EXPECT_TRUE(ranking[0].healthy);

  for (Finding& finding : findings) finding.healthy = false;
  findings.push_back(reading("blur", "gender", 0.51, 0.5));
  ranking = rank_attackers(findings);
  EXPECT_FALSE(ranking[0].healthy);
  EXPECT_EQ(ranking[0].of, 3U);
  EXPECT_EQ(headline(ranking), &ranking[1]);  // the weakest of all, but healthy
  ranking.pop_back();
  EXPECT_EQ(headline(ranking), nullptr);
}

// Nobody checked the health of the first, but on clear data its interval holds chance; the second's does not. Without
// an interval two standard errors of 100 guesses count: 0.5 + 2 sqrt(0.25 / 100) = 0.6.
TEST(Ranking, WhoFailsOnClearDataStandsLast) {
  std::vector<Finding> findings = {reading("csn", "gender", 0.9, 0.5), reading("csn", "gender", 0.6, 0.5)};
  findings[0].clear = Level{0.55, Interval{0.5, 0.6}};
  findings[1].clear = Level{0.8, Interval{0.7, 0.9}};
  EXPECT_TRUE(fails_on_clear(findings[0]));
  EXPECT_FALSE(fails_on_clear(findings[1]));
  EXPECT_EQ(rank_attackers(findings)[0].strongest.value, 0.6);
  EXPECT_TRUE(ranks_before(findings[1], findings[0]));
  EXPECT_FALSE(ranks_before(findings[0], findings[1]));

  Finding undrawn = reading("csn", "gender", 0.9, 0.5);
  undrawn.counts["samples"] = 100;
  undrawn.clear = Level{0.59, std::nullopt};
  EXPECT_TRUE(fails_on_clear(undrawn));
  undrawn.clear = Level{0.61, std::nullopt};
  EXPECT_FALSE(fails_on_clear(undrawn));
  undrawn.healthy = false;  // who was looked at is what they were found to be
  EXPECT_TRUE(fails_on_clear(undrawn));

  // Where lower is worse (EER), clear data must lie below chance.
  Finding errors = reading("csn", "", 0.1, 0.5);
  errors.about = About::link;
  errors.worse = Worse::lower;
  errors.certainty = 0;
  errors.clear = Level{0.4, Interval{0.3, 0.5}};
  EXPECT_TRUE(fails_on_clear(errors));
  errors.clear = Level{0.4, Interval{0.3, 0.49}};
  EXPECT_FALSE(fails_on_clear(errors));
  Finding unknown = errors;
  unknown.chance = std::nullopt;
  EXPECT_TRUE(ranks_before(errors, unknown));
  EXPECT_FALSE(ranks_before(unknown, errors));
}

TEST(Ranking, WhoWasChosenByTheJudgedSamplesIsNeverTheHeadline) {
  std::vector<Finding> findings = {reading("csn", "gender", 0.9, 0.5), reading("csn", "gender", 0.6, 0.5)};
  for (Finding& finding : findings) finding.axes["identities"] = "4";
  findings[0].axes["selection"] = "classification";
  findings[0].axes["selected_on"] = "test";
  findings[1].axes["selection"] = "random";
  auto ranking = rank_attackers(findings);
  ASSERT_EQ(ranking.size(), 2U);
  EXPECT_EQ(headline(ranking)->strongest.value, 0.6);
  ranking.erase(ranking.begin() + 1);
  EXPECT_EQ(headline(ranking), nullptr);
}

// By hand: 1 in 500 is chance, so that more than 1.2 % is far better; 5 in 100 has to be more than doubled.
TEST(Ranking, PeopleAreTracedWhereTheyAreFoundFarBeyondChance) {
  const auto traced = [](double found, double low, double chance) {
    std::vector<RankedTarget> targets(1);
    targets[0].about = About::identity;
    targets[0].strongest.value = found;
    targets[0].strongest.chance = chance;
    targets[0].ci = Interval{low, 1};
    return traced_by(targets);
  };
  EXPECT_EQ(traced(0.05, 0.0121, 0.002), Traced::surely);
  EXPECT_EQ(traced(0.05, 0.0119, 0.002), Traced::perhaps);
  EXPECT_EQ(traced(0.0119, 0.001, 0.002), Traced::no);
  EXPECT_EQ(traced(0.2, 0.101, 0.05), Traced::surely);
  EXPECT_EQ(traced(0.099, 0.098, 0.05), Traced::no);
  std::vector<RankedTarget> targets(3);
  targets[0].about = targets[1].about = About::identity;
  targets[0].unprotected = true;
  for (RankedTarget& target : targets) target.strongest = {.value = 0.9, .chance = 0.01};
  targets[1].strongest.value = 0.01;
  EXPECT_EQ(traced_by(targets), Traced::no);  // clear data, a guess, and what is no identity
  targets[1].strongest.value = 0.5;           // without an interval the value stands
  EXPECT_EQ(traced_by(targets), Traced::surely);
  // An error rate of pairs, however low or high, is no share of people who are found.
  for (const double eer : {0.01, 0.99}) {
    targets[1].strongest = {.value = eer, .worse = Worse::lower, .chance = 0.01, .certainty = 0};
    EXPECT_EQ(traced_by(targets), Traced::no);
  }
}

TEST(Ranking, AttackersStandBesideThemselvesOnClearData) {
  std::vector<Finding> findings = {reading("none", "gender", 0.8, 0.5), reading("csn", "gender", 0.7, 0.5),
                                   reading("csn", "age", 0.7, 0.5), reading("esn", "gender", 0.6, 0.5),
                                   reading("esn", "gender", 0.6, 0.5)};
  findings[0].ci = Interval{0.75, 0.85};
  findings[3].clear = Level{0.9, std::nullopt};
  findings[4].attacker = "another";
  findings[1].axes["adversary"] = "parrot";  // what is known of a mask is no part of clear data
  add_clear_levels(findings);
  EXPECT_FALSE(findings[0].clear);
  ASSERT_TRUE(findings[1].clear);
  EXPECT_EQ(findings[1].clear->value, 0.8);
  EXPECT_EQ(findings[1].clear->ci->low, 0.75);
  EXPECT_FALSE(findings[2].clear);  // asks for something else
  EXPECT_EQ(findings[3].clear->value, 0.9);
  EXPECT_FALSE(findings[4].clear);
  // Clear data is its own level.
  EXPECT_FALSE(fails_on_clear(findings[0]));
  findings[0].ci = Interval{0.45, 0.85};
  EXPECT_TRUE(fails_on_clear(findings[0]));
}

// Another technique chooses others by what it makes of them; by clear samples all choose the same.
TEST(Ranking, WhoWasChosenBehindAMaskStandsBesideNobodyElse) {
  for (const std::string looked_at : {"masked", "test", "clear"}) {
    std::vector<Finding> findings = {reading("none", "gender", 0.8, 0.5), reading("csn", "gender", 0.7, 0.5),
                                     reading("esn", "gender", 0.7, 0.5)};
    for (Finding& finding : findings) {
      finding.axes.insert({{"identities", "50 %"}, {"selection", "classification"}, {"selected_on", looked_at}});
      EXPECT_EQ(chosen_behind_mask(finding), looked_at != "clear");
    }
    findings[2].clear = Level{0.9};
    add_clear_levels(findings);
    EXPECT_EQ(findings[1].clear.has_value(), looked_at == "clear") << looked_at;
    EXPECT_EQ(findings[2].clear->value, 0.9);  // their own
  }
}

Finding wrong_about(double value, const Interval& ci) {
  Finding finding = reading("neg", "gender", value, 0.5);
  finding.ci = ci;
  return finding;
}

// The data as it was, times -1. By hand: 1 - 0.12 = 0.88 is 0.76 of the way, 1 - 0.875 = 0.125 is 0.75 of the way down.
TEST(Ranking, WhoeverIsSurelyWrongBetweenTwoAnswersIsTurnedRound) {
  Finding gender = wrong_about(0.12, {0.09, 0.17});
  gender.clear = Level{0.88, Interval{0.83, 0.91}};
  gender.floor = Level{0.48, Interval{0.4, 0.55}};
  gender.auc = 0.05;
  gender.draws = {0.1, 0.125};
  Finding people = wrong_about(0.875, {0.858, 0.889});
  people.about = About::identity;
  people.attacker = "verification";
  people.worse = Worse::lower;
  people.certainty = 0;
  people.healthy = true;
  const std::vector<Finding> findings = {gender, people};
  const auto ranking = rank_attackers(findings);
  ASSERT_EQ(ranking.size(), 2U);
  const Finding& turned = ranking[0].strongest;
  EXPECT_EQ(turned.attacker, "svm, turned round");
  EXPECT_NEAR(turned.value, 0.88, 1e-12);
  EXPECT_NEAR(turned.ci->low, 0.83, 1e-12);
  EXPECT_NEAR(turned.ci->high, 0.91, 1e-12);
  EXPECT_NEAR(*turned.auc, 0.95, 1e-12);
  EXPECT_NEAR(turned.floor->value, 0.52, 1e-12);
  EXPECT_NEAR(turned.floor->ci->low, 0.45, 1e-12);
  EXPECT_EQ(turned.draws, (std::vector<double>{0.9, 0.875}));
  EXPECT_EQ(turned.clear->value, 0.88);  // on clear data they are right
  EXPECT_TRUE(ranking[0].healthy);
  EXPECT_NEAR(ranking[0].share, 0.76, 1e-12);
  EXPECT_EQ(ranking[1].strongest.attacker, "verification, turned round");
  EXPECT_NEAR(ranking[1].strongest.value, 0.125, 1e-12);
  EXPECT_NEAR(ranking[1].strongest.ci->low, 0.111, 1e-12);
  EXPECT_NEAR(ranking[1].share, 0.75, 1e-12);
  EXPECT_EQ(headline(ranking), &ranking[0]);
  EXPECT_EQ(ranking[0].attackers, std::vector<std::size_t>{0});
  EXPECT_EQ(findings[0].value, 0.12);  // as measured
}

TEST(Ranking, NobodyElseIsTurnedRound) {
  const Interval below{0.09, 0.17};
  EXPECT_TRUE(turned_round(wrong_about(0.12, below)));
  EXPECT_FALSE(turned_round(wrong_about(0.45, {0.38, 0.5})));  // perhaps a guess
  EXPECT_FALSE(turned_round(wrong_about(0.88, {0.83, 0.91})));
  EXPECT_FALSE(turned_round(reading("neg", "gender", 0.12, 0.5)));  // nobody knows how sure it is
  const auto changed = [&](const auto& change) {
    Finding finding = wrong_about(0.12, below);
    change(finding);
    return turned_round(finding).has_value();
  };
  EXPECT_FALSE(changed([](Finding& finding) { finding.chance = 1.0 / 3; }));  // which of the other two?
  EXPECT_FALSE(changed([](Finding& finding) { finding.chance.reset(); }));
  EXPECT_FALSE(changed([](Finding& finding) { finding.unit = ""; }));
  EXPECT_FALSE(changed([](Finding& finding) { finding.certainty = 0.9; }));
  EXPECT_FALSE(changed([](Finding& finding) { finding.about = About::recognition; }));
  EXPECT_FALSE(changed([](Finding& finding) { finding.unprotected = true; }));  // there it fails
  // As wrong where there is nothing to find: that is how the attack errs, and no leak.
  EXPECT_FALSE(changed([](Finding& finding) { finding.floor = Level{0.15}; }));
  EXPECT_TRUE(changed([](Finding& finding) { finding.floor = Level{0.2}; }));
  // Who finds something turned round where there is nothing is as unhealthy as who does so the right way.
  Finding finds_nothing = wrong_about(0.3, {0.25, 0.35});
  finds_nothing.healthy = true;
  finds_nothing.floor = Level{0.4, Interval{0.36, 0.51}};
  EXPECT_EQ(turned_round(finds_nothing)->healthy, true);
  finds_nothing.floor->ci = Interval{0.36, 0.44};
  EXPECT_EQ(turned_round(finds_nothing)->healthy, false);
  // Who fails on clear data does so turned round.
  Finding broken = wrong_about(0.12, below);
  broken.clear = Level{0.12, below};
  EXPECT_FALSE(rank_attackers(std::vector{broken})[0].healthy);
}

// Not surely wrong, but perhaps: as far as the lower end lies below one half, the truth may lie above it turned round.
TEST(Ranking, WhoMayBeWrongMoreOftenThanRightLeaksUpToTheMirrorImage) {
  const auto high = [](const Finding& finding) { return rank_attackers(std::vector{finding})[0].ci->high; };
  Finding perhaps = wrong_about(0.38, {0.25, 0.505});
  perhaps.draws = {0.36, 0.38, 0.4, 0.39, 0.37};
  EXPECT_NEAR(high(perhaps), 0.75, 1e-9);
  perhaps.unprotected = true;
  EXPECT_NEAR(high(perhaps), 0.505, 1e-9);
  perhaps.unprotected = false;
  perhaps.chance = 0.4;
  EXPECT_NEAR(high(perhaps), 0.505, 1e-9);
  perhaps.chance = 0.5;
  perhaps.floor = Level{0.25};  // as wrong where there is nothing to find
  EXPECT_NEAR(high(perhaps), 0.505, 1e-9);
  perhaps.floor = Level{0.3};
  EXPECT_NEAR(high(perhaps), 0.75, 1e-9);
  Finding right = wrong_about(0.7, {0.6, 0.78});
  right.draws = {0.68, 0.7, 0.72, 0.71, 0.69};
  EXPECT_NEAR(high(right), 0.78, 1e-9);
}

// Shares 1, 0.92 and 0.6, but the first cannot be told from guessing: what is known to leak comes first, and of that
// the largest share, not the surest.
TEST(Ranking, TheHeadlineIsWhatIsKnownToLeakWhereAnythingIs) {
  const auto with = [](Finding finding, double low, double high) {
    finding.ci = Interval{low, high};
    return finding;
  };
  std::vector<Finding> findings = {with(reading("blur", "hair", 1, 0.5), 0.373, 1),
                                   with(reading("blur", "beard", 0.8, 0.5), 0.75, 0.85),
                                   with(reading("pixelate", "hair", 0.96, 0.5), 0.632, 0.99)};
  auto ranking = rank_attackers(findings);
  EXPECT_FALSE(is_established(ranking[0]));
  EXPECT_TRUE(is_established(ranking[1]) && is_established(ranking[2]));
  EXPECT_EQ(headline(ranking)->technique, "pixelate");
  // By the interval that allows for the choice, not by the attacker's own.
  ranking[2].ci = Interval{0.4, 1};
  EXPECT_EQ(headline(ranking)->attribute, "beard");
  ranking.resize(1);
  EXPECT_EQ(headline(ranking)->attribute, "hair");  // where nothing is known to leak, the largest that was seen
}

TEST(Ranking, ClearDataIsTheHeadlineOnlyWhereNothingWasProtected) {
  std::vector<Finding> findings = {reading("none", "gender", 0.8, 0.5), reading("none", "age", 0.95, 0.5)};
  auto ranking = rank_attackers(findings);
  EXPECT_EQ(headline(ranking)->attribute, "age");
  findings.push_back(reading("csn", "gender", 0.4, 0.5));
  ranking = rank_attackers(findings);
  EXPECT_EQ(headline(ranking)->technique, "csn");
  EXPECT_EQ(headline({}), nullptr);
}

// A measure that is biased upwards and has no interval of its own: what people who were exchanged give bounds it.
TEST(Ranking, WithoutAnIntervalTheFloorsOneTellsGuessing) {
  Finding finding = reading("csn", "gender", 0.091, 0.088);
  finding.about = About::link;
  finding.unit = "";
  finding.ci.reset();
  finding.floor = Level{0.088, Interval{0, 0.105}};
  EXPECT_FALSE(beyond_chance(Level{finding.value}, finding));
  EXPECT_TRUE(beyond_chance(Level{0.106}, finding));
  EXPECT_TRUE(beyond_chance(Level{0.1, Interval{0.09, 0.11}}, finding));  // one of its own comes first
  finding.floor->ci.reset();
  EXPECT_TRUE(beyond_chance(Level{finding.value}, finding));
  finding.worse = Worse::lower;
  finding.floor = Level{0.088, Interval{0.08, 0.1}};
  EXPECT_FALSE(beyond_chance(Level{0.085}, finding));
  EXPECT_TRUE(beyond_chance(Level{0.079}, finding));
}

TEST(Ranking, WhatHasNoShareIsLeftOut) {
  std::vector<Finding> findings = {reading("csn", "gender", 0.8, 0.5), reading("csn", "gender", 0.7, 0.5),
                                   reading("csn", "age", 0.8, 0.5), reading("csn", "gender", 0.9, 0.5)};
  findings[0].chance.reset();
  findings[2].chance = 1;  // no way from chance to certainty
  findings[3].about = About::recognition;
  const auto ranking = rank_attackers(findings);
  ASSERT_EQ(ranking.size(), 1U);
  EXPECT_EQ(ranking[0].attackers, std::vector<std::size_t>{1});
}

// An EER of 0.2 is (0.5 - 0.2) / 0.5 = 0.6 of the way down from 0.5 to 0; a rank-1 rate of 0.5 about 0.49 up from 0.01.
TEST(Ranking, WhereLowerIsWorseTheWayRunsDownwards) {
  Finding link;
  link.about = About::link;
  link.unit = "rate";
  link.worse = Worse::lower;
  link.value = 0.2;
  link.chance = 0.5;
  EXPECT_FALSE(share_of_way(link));  // certainty 1 lies above chance
  link.certainty = 0;
  EXPECT_NEAR(*share_of_way(link), 0.6, 1e-12);
  Finding weaker = link;
  weaker.value = 0.3;
  link.drawn_over = weaker.drawn_over = "people";
  link.ci = Interval{0.2 - 1.96 * 0.01, 0.2 + 1.96 * 0.01};
  weaker.ci = Interval{0.3 - 1.96 * 0.01, 0.3 + 1.96 * 0.01};
  Stream stream(1, "errors");
  for (int d = 0; d < 1000; ++d) {
    link.draws.push_back(0.2 + 0.01 * stream.normal());
    weaker.draws.push_back(0.3 + 0.01 * stream.normal());
  }
  const auto ranking = rank_attackers(std::vector{weaker, link});
  ASSERT_EQ(ranking.size(), 1U);
  EXPECT_EQ(ranking[0].strongest.value, 0.2);
  ASSERT_TRUE(ranking[0].ci);
  // One-sided bounds of two independent normal errors together: 2.24 deviations; of one alone 1.96.
  EXPECT_NEAR(ranking[0].ci->low, 0.2 - 1.96 * 0.01, 0.002);
  EXPECT_NEAR(ranking[0].ci->high, 0.2 + 2.24 * 0.01, 0.002);
  EXPECT_NEAR(ranking[0].share_ci->low, (0.5 - ranking[0].ci->high) / 0.5, 1e-12);
  EXPECT_NEAR(ranking[0].share_ci->high, (0.5 - ranking[0].ci->low) / 0.5, 1e-12);
}

std::vector<Finding> findings_of(const SimulatedAttackers& g, std::size_t draws, std::uint64_t seed) {
  std::vector<Finding> findings;
  for (const auto& predicted : g.predicted) findings.push_back(g.finding(predicted, draws, seed, "csn"));
  return findings;
}

// The same people, the same chance level: what worst_case() says, to the last bit.
TEST(Ranking, CorrectsForTheChoiceAsWorstCaseDoes) {
  for (const std::size_t attackers : {1U, 6U}) {
    const auto g = simulate_attackers(std::vector<double>(attackers, 0.6), 80, 3, 0.5, 5);
    const WorstCase worst = g.worst(500, 3);
    const auto ranking = rank_attackers(findings_of(g, 500, 3));
    ASSERT_EQ(ranking.size(), 1U);
    EXPECT_EQ(ranking[0].attackers[0], worst.best);
    EXPECT_EQ(ranking[0].of, attackers);
    EXPECT_EQ(*ranking[0].corrected, worst.corrected);
    EXPECT_EQ(ranking[0].ci->low, worst.ci.low);
    EXPECT_EQ(ranking[0].ci->high, worst.ci.high);
    EXPECT_NEAR(ranking[0].share_ci->low, (worst.ci.low - 0.5) / 0.5, 1e-12);
    if (attackers == 1) {
      EXPECT_EQ(ranking[0].allowance, 0);
    } else {
      EXPECT_GT(ranking[0].allowance, 0);
    }
  }
}

TEST(Ranking, WithoutDrawsThereIsNoCorrectedInterval) {
  const auto g = simulate_attackers({0.8, 0.6}, 60, 3, 0.5, 6);
  std::vector<Finding> findings = findings_of(g, 300, 1);
  findings[1].draws.clear();
  findings[1].ci.reset();
  EXPECT_FALSE(rank_attackers(findings)[0].ci);  // nothing says how far the second may reach
  findings[1].ci = Interval{0.5, 0.97};
  EXPECT_EQ(rank_attackers(findings)[0].ci->high, 0.97);
  findings[0].draws.clear();
  findings[0].ci = Interval{0.7, 0.9};
  EXPECT_FALSE(rank_attackers(findings)[0].ci);
}

TEST(Ranking, UndefinedDrawsAreLeftOutUnlessTheyAreMany) {
  const auto g = simulate_attackers({0.7, 0.6}, 60, 3, 0.5, 6);
  std::vector<Finding> findings = findings_of(g, 300, 1);
  const auto whole = rank_attackers(findings);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill_n(findings[1].draws.begin(), 15, nan);
  const auto holes = rank_attackers(findings);
  std::vector<Finding> shorter = findings;
  for (Finding& finding : shorter) finding.draws.erase(finding.draws.begin(), finding.draws.begin() + 15);
  EXPECT_EQ(holes[0].ci->low, rank_attackers(shorter)[0].ci->low);
  EXPECT_NEAR(holes[0].ci->low, whole[0].ci->low, 0.01);
  findings[1].draws[15] = nan;  // more than one in twenty
  findings[1].ci.reset();
  EXPECT_FALSE(rank_attackers(findings)[0].ci);
}

// Never wrong on 30 people, one of two attackers: as in worst_case().
TEST(Ranking, WhatNoDrawCanSee) {
  const auto g = simulate_attackers({1.0, 0.5}, 30, 2, 0.5, 7);
  const auto ranking = rank_attackers(findings_of(g, 200, 1));
  EXPECT_EQ(ranking[0].strongest.value, 1);
  EXPECT_EQ(ranking[0].ci->low, g.worst(200, 1).ci.low);
  EXPECT_LT(ranking[0].ci->low, 0.87);
  EXPECT_EQ(ranking[0].ci->high, 1);
}

/// The same guesses told as errors: the way runs down from one half to 0.
Finding as_errors(Finding finding) {
  finding.measure = "error";
  finding.worse = Worse::lower;
  finding.certainty = 0;
  finding.value = 1 - finding.value;
  finding.ci = Interval{1 - finding.ci->high, 1 - finding.ci->low};
  for (double& draw : finding.draws) draw = 1 - draw;
  return finding;
}

// The strongest reads 0.8 where guessing gives 0.5. Another with [0.4, 0.8] and chance 0.2 may reach 3/4 of its way,
// which is 0.875 here; error rates [0.1, 0.4] of chance 0.5 may reach 0.8 of theirs, 0.9 here.
TEST(Ranking, WithoutDrawsTheyReachAsFarOnTheScaleOfTheStrongest) {
  Finding strongest = reading("csn", "gender", 0.8, 0.5), other = reading("csn", "gender", 0.6, 0.2);
  strongest.ci = Interval{0.75, 0.85};
  for (int d = 0; d <= 100; ++d) strongest.draws.push_back(0.75 + 0.001 * d);
  other.ci = Interval{0.4, 0.8};
  auto ranking = rank_attackers(std::vector{other, strongest});
  EXPECT_EQ(ranking[0].strongest.value, 0.8);
  EXPECT_NEAR(ranking[0].ci->low, 0.75, 1e-12);
  EXPECT_NEAR(ranking[0].ci->high, 0.875, 1e-12);
  EXPECT_NEAR(ranking[0].share_ci->low, 0.5, 1e-12);
  EXPECT_NEAR(ranking[0].share_ci->high, 0.75, 1e-12);
  other.value = 0.25;
  other.chance = 0.5;
  other.certainty = 0;
  other.worse = Worse::lower;
  other.ci = Interval{0.1, 0.4};
  ranking = rank_attackers(std::vector{other, strongest});
  EXPECT_NEAR(ranking[0].ci->high, 0.9, 1e-12);
}

// Draws on another scale, too: the same share in every draw says the same, whatever the chance level.
TEST(Ranking, DrawsAreComparedByTheirShares) {
  const auto g = simulate_attackers({0.7, 0.65}, 60, 3, 0.5, 4);
  std::vector<Finding> findings = findings_of(g, 300, 1);
  const auto plain = rank_attackers(findings);
  // From a chance of 0.5 to one of 0.2: rate 2 r - 1 of the way.
  const auto moved = [](double rate) { return 0.2 + 0.8 * (2 * rate - 1); };
  Finding& other = findings[findings[0].value > findings[1].value ? 1 : 0];
  other.value = moved(other.value);
  other.chance = 0.2;
  other.ci = Interval{moved(other.ci->low), moved(other.ci->high)};
  for (double& draw : other.draws) draw = moved(draw);
  const auto scaled = rank_attackers(findings);
  EXPECT_NEAR(*scaled[0].corrected, *plain[0].corrected, 1e-12);
  EXPECT_NEAR(scaled[0].ci->high, plain[0].ci->high, 1e-12);
  EXPECT_NEAR(scaled[0].ci->low, plain[0].ci->low, 0.02);  // the other's spread ends at other places
}

TEST(Ranking, WhatIsNoRateEndsAtCertaintyOnly) {
  Finding bits = reading("csn", "gender", 2, 0);
  bits.unit = "nat";
  bits.certainty = 3;
  bits.ci = Interval{-1, 5};
  for (int d = 0; d <= 100; ++d) bits.draws.push_back(0.04 * d);
  EXPECT_NEAR(rank_attackers(std::vector{bits})[0].ci->low, -1, 1e-12);
  EXPECT_EQ(rank_attackers(std::vector{bits})[0].ci->high, 3);
  bits.value = 3.5;  // beyond
  EXPECT_EQ(rank_attackers(std::vector{bits})[0].ci->high, 3.5);
}

TEST(Ranking, TheHeadlineIsAboutEverybodyWhereverItCan) {
  std::vector<Finding> findings = {reading("csn", "gender", 0.9, 0.5), reading("csn", "gender", 0.6, 0.5)};
  findings[0].axes["identities"] = "50";
  findings[0].axes["selection"] = "weakest";
  auto ranking = rank_attackers(findings);
  ASSERT_EQ(ranking.size(), 2U);
  EXPECT_EQ(headline(ranking)->people, "");
  ranking.pop_back();
  EXPECT_EQ(headline(ranking)->people, "50, weakest");
}

/// How often the corrected interval holds the largest true share, of four attackers on each of two groups of people.
int covered(double rate_on_first, double rate_on_second, int trials) {
  return parallel_reduce(
      static_cast<std::size_t>(trials), 0,
      [&](std::size_t trial) {
        const auto a = simulate_attackers(std::vector<double>(4, rate_on_first), 100, 3, 0.4, 2 * trial);
        const auto b = simulate_attackers(std::vector<double>(4, rate_on_second), 60, 3, 0.4, 2 * trial + 1);
        std::vector<Finding> findings = findings_of(a, 300, trial);
        for (const Finding& finding : findings_of(b, 300, trial)) {
          findings.push_back(as_errors(finding));
          findings.back().drawn_over = "others";
        }
        const Interval ci = *rank_attackers(findings)[0].share_ci;
        const double truth = 2 * std::max(rate_on_first, rate_on_second) - 1;
        return ci.low <= truth && truth <= ci.high ? 1 : 0;
      },
      [](int& all, int one) { all += one; });
}

// Only the lower end is at risk where all are alike: nominally 2.5 % of 300 = 7.5, deviation 2.7.
TEST(Ranking, CoversTheLargestTrueShareOverGroupsOfPeople) {
  const int alike = covered(0.6, 0.6, 300), apart = covered(0.55, 0.7, 300);
  RecordProperty("alike", alike);
  RecordProperty("apart", apart);
  EXPECT_GE(alike, 283);
  EXPECT_GE(apart, 279);
}

// Guesses turned round are the guesses of an attacker who is right: the same entry, drawn with the others as before.
TEST(Ranking, TurnedRoundTheyAreDrawnAsWhoIsRight) {
  SimulatedAttackers g = simulate_attackers({0.8, 0.75}, 60, 3, 0.5, 9);
  const auto right = rank_attackers(findings_of(g, 300, 1));
  for (std::int32_t& guess : g.predicted[0]) guess = 1 - guess;
  const auto turned = rank_attackers(findings_of(g, 300, 1));
  EXPECT_EQ(turned[0].attackers, right[0].attackers);
  EXPECT_EQ(turned[0].of, 2U);
  EXPECT_NEAR(turned[0].share, right[0].share, 1e-12);
  EXPECT_NEAR(*turned[0].corrected, *right[0].corrected, 1e-9);
  // Equal draws may be put in another order.
  EXPECT_NEAR(turned[0].share_ci->low, right[0].share_ci->low, 0.02);
  EXPECT_NEAR(turned[0].share_ci->high, right[0].share_ci->high, 1e-9);
}

// Attackers that are told twice, on another scale, are no further attempts.
TEST(Ranking, ScalesDoNotMatter) {
  const auto g = simulate_attackers({0.6, 0.62}, 60, 3, 0.5, 9);
  std::vector<Finding> findings = findings_of(g, 300, 1);
  const auto plain = rank_attackers(findings);
  findings.push_back(as_errors(findings[0]));
  const auto more = rank_attackers(findings);
  EXPECT_EQ(more[0].of, 3U);
  EXPECT_NEAR(more[0].share_ci->low, plain[0].share_ci->low, 1e-12);
  EXPECT_NEAR(more[0].share_ci->high, plain[0].share_ci->high, 1e-12);
}

}  // namespace
}  // namespace bauta
