// What the page says about an attack.
#include "bauta/report/judgement.hpp"

#include "fixture.hpp"

namespace bauta::report {
namespace {

AttributeAttack attack_on(const char* technique, double balanced, Interval ci) {
  AttributeAttack out;
  out.series.technique = technique;
  out.chance = 0.5;
  out.best = AttackResult{"vote", 5.0, 5.0, balanced, balanced, ci, {}};
  out.best_ci = ci;
  return out;
}

TEST(Judgement, AdvantageIsMeasuredFromChanceToClearData) {
  const AttributeAttack clear = attack_on("none", 0.9, {0.85, 0.95});
  const Judgement judged = judge(attack_on("x", 0.7, {0.6, 0.8}), &clear);
  EXPECT_NEAR(*judged.advantage_kept, 0.5, 1e-12);  // (0.7 - 0.5) / (0.9 - 0.5)
  EXPECT_EQ(judged.reading, "leaks");
  EXPECT_EQ(judge(attack_on("x", 0.89, {0.8, 0.93}), &clear).reading, "leaks as much as clear data");
  EXPECT_EQ(judge(attack_on("x", 0.52, {0.45, 0.6}), &clear).reading, "not distinguishable from chance");
  EXPECT_EQ(judge(attack_on("x", 0.3, {0.2, 0.4}), &clear).reading,
            "below chance: turning the guesses round would leak");
  EXPECT_EQ(judge(clear, &clear).reading, "the ceiling");
}

TEST(Judgement, AnAttackThatFailsOnClearDataProvesNothing) {
  const AttributeAttack clear = attack_on("none", 0.53, {0.44, 0.6});
  const Judgement judged = judge(attack_on("x", 0.5, {0.4, 0.6}), &clear);
  EXPECT_EQ(judged.reading, "shows nothing: the attack fails on clear data too");
  EXPECT_FALSE(judged.advantage_kept);
  EXPECT_EQ(judge(clear, &clear).reading, "the attack fails on clear data");
}

TEST(Judgement, WithoutCeilingOrChanceNothingIsInvented) {
  EXPECT_EQ(judge(attack_on("x", 0.7, {0.6, 0.8}), nullptr).reading, "leaks");
  EXPECT_FALSE(judge(attack_on("x", 0.7, {0.6, 0.8}), nullptr).ceiling);
  AttributeAttack blind = attack_on("x", 0.7, {0.6, 0.8});
  blind.chance.reset();
  EXPECT_EQ(judge(blind, nullptr).reading, "chance level unknown");
}

TEST(Judgement, WorstAttackCountsClassesFairly) {
  RunResults run;
  run.attacks = {attack_on("none", 0.99, {0.98, 1}), attack_on("x", 0.7, {0.6, 0.8}), attack_on("y", 0.6, {0.5, 0.7})};
  run.attacks[2].chance = 0.1;  // 0.6 of ten classes says more than 0.7 of two: 0.5/0.9 > 0.2/0.5
  EXPECT_EQ(worst_attack({&run, 1}), &run.attacks[2]);
  run.attacks.resize(1);
  EXPECT_EQ(worst_attack({&run, 1}), nullptr);
}

TEST(Judgement, HeadlineComesFromTheCellsWhereTheRunHasNone) {
  const std::vector<RunResults> runs = runs_of(small_results);
  const Headline card = headline_of(runs[0], runs);
  EXPECT_EQ(card.technique, "pe-miu:block=8,cost=l2");
  EXPECT_EQ(card.attack, "similarity attack, mean, n\u00a0=\u00a09");
  EXPECT_DOUBLE_EQ(*card.balanced, 0.7);
  EXPECT_DOUBLE_EQ(card.ci->low, 0.6);
  EXPECT_DOUBLE_EQ(*card.ceiling, 0.9);
  EXPECT_NEAR(*card.advantage_kept, 0.5, 1e-12);
  EXPECT_EQ(card.cost,
            "Equal error rate 10.0 % instead of 5.0 % on clear data. False non-match rate at a false match rate of "
            "10 %: 12.0 % instead of 2.0 % on clear data");
}

TEST(Judgement, HeadlineOfTheRunIsTaken) {
  const std::vector<RunResults> runs = read_runs({fixture_run()});
  const Headline card = headline_of(runs[0], runs);
  EXPECT_EQ(card.attack, "similarity attack, log, n\u00a0=\u00a011");
  EXPECT_DOUBLE_EQ(*card.balanced, 0.865);  // 0.5 + 0.5 * 0.73
  EXPECT_EQ(card.verdict.substr(0, 6), "pe-miu");
  EXPECT_NE(card.threat_model.find("400 samples of 400 other people"), std::string::npos);
  EXPECT_NE(card.threat_model.find("cross-database"), std::string::npos);
}

TEST(Judgement, EmptyRunSaysThatNothingIsKnown) {
  const std::vector<RunResults> runs = runs_of(R"({"cells":[],"headline":{"technique":null,"ci":[1],"n":"x"}})");
  const Headline card = headline_of(runs[0], runs);
  EXPECT_FALSE(card.balanced);
  EXPECT_NE(card.verdict.find("nothing is known"), std::string::npos);
}

}  // namespace
}  // namespace bauta::report
