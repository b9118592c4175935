// What the page says about the strongest attackers.
#include "wording.hpp"

#include "bauta/report/summary.hpp"
#include "fixture.hpp"

namespace bauta::report {
namespace {

// Two classes: chance is 0.5.
Strongest entry_of(double value, Interval ci) {
  Strongest out;
  out.technique = "x";
  out.attribute = "gender";
  out.strongest.attacker = "knn";
  out.strongest.measure = "balanced accuracy";
  out.strongest.unit = "rate";
  out.strongest.value = value;
  out.strongest.chance = 0.5;
  out.ci = ci;
  return out;
}

Strongest beside_clear(double value, Interval ci, double clear, Interval clear_ci) {
  Strongest out = entry_of(value, ci);
  out.gain.on_clear = OnClear{"svm", clear, clear_ci, 2 * (clear - 0.5)};
  return out;
}

TEST(Reading, StandsBetweenChanceAndClearData) {
  const Interval clear{0.85, 0.95};
  EXPECT_EQ(reading_of(beside_clear(0.7, {0.6, 0.8}, 0.9, clear)), "leaks");
  EXPECT_EQ(reading_of(beside_clear(0.91, {0.8, 0.93}, 0.9, clear)), "leaks as much as clear data");
  EXPECT_EQ(reading_of(beside_clear(0.89, {0.8, 0.93}, 0.9, clear)), "leaks, not shown to be less than clear data");
  EXPECT_EQ(reading_of(beside_clear(0.52, {0.45, 0.6}, 0.9, clear)), "not distinguishable from chance");
  EXPECT_EQ(reading_of(beside_clear(0.3, {0.2, 0.4}, 0.9, clear)), "below chance: wrong guesses leak, too");
}

TEST(Reading, AnAttackThatFailsOnClearDataProvesNothing) {
  EXPECT_EQ(reading_of(beside_clear(0.5, {0.4, 0.6}, 0.53, {0.44, 0.6})),
            "shows nothing: the attack fails on clear data too");
  Strongest clear = entry_of(0.53, {0.44, 0.6});
  clear.unprotected = true;
  EXPECT_EQ(reading_of(clear), "the attack fails on clear data");
  clear = entry_of(0.9, {0.8, 0.95});
  clear.unprotected = true;
  EXPECT_EQ(reading_of(clear), "the ceiling");
}

TEST(Reading, WithoutCeilingChanceOrHealthNothingIsInvented) {
  EXPECT_EQ(reading_of(entry_of(0.7, {0.6, 0.8})), "leaks");
  Strongest blind = entry_of(0.7, {0.6, 0.8});
  blind.strongest.chance.reset();
  EXPECT_EQ(reading_of(blind), "chance level unknown");
  Strongest broken = entry_of(0.7, {0.6, 0.8});
  broken.healthy = false;
  EXPECT_EQ(reading_of(broken), "shows nothing: no attacker is healthy");
}

TEST(Reading, LowerMayBeWorse) {
  // An error of a linker: 0.5 is guessing, 0 is certainty.
  Strongest linker = entry_of(0.3, {0.2, 0.4});
  linker.about = About::link;
  linker.strongest.worse = Worse::lower;
  linker.strongest.certainty = 0;
  EXPECT_EQ(reading_of(linker), "leaks");
  linker.ci = Interval{0.2, 0.6};
  EXPECT_EQ(reading_of(linker), "not distinguishable from chance");
}

TEST(Wording, UnitsAreForPeople) {
  EXPECT_EQ(value_text({0.5, Interval{0.4, 0.6}}, "rate"), "50.0 % [40.0, 60.0]");
  EXPECT_EQ(value_text({0.6}, "bit"), "0.600 bit");
  EXPECT_EQ(value_text({0.25, Interval{0.2, 0.3}}, ""), "0.250 [0.200, 0.300]");
  EXPECT_EQ(value_text({}, "bit"), "–");
}

// Whoever holds the very originals is ranked with those who do not, and every ranking says so.
TEST(Wording, AttackersAreNamedWithWhatTheyHold) {
  Finding finding{.attacker = "nearest"};
  EXPECT_EQ(attacker_with_means(finding), "nearest");
  finding.axes = {{"question", "search"}, {"holds", "the originals"}};
  EXPECT_EQ(attacker_name(finding), "search: nearest, holding the originals");
  finding.axes["recovery"] = "ridge";
  finding.axes["adversary"] = "recover";
  EXPECT_EQ(attacker_name(finding), "search: ridge, then nearest (recover), holding the originals");
  Json results = Json::parse(small_results);
  results["headline"]["strongest"]["axes"]["holds"] = "every key";
  const Runs runs = runs_of(results.dump());
  EXPECT_NE(verdict_of(runs.at(0)).find(", holding every key) "), std::string::npos) << verdict_of(runs.at(0));
}

TEST(Verdict, NamesTheStrongestAttackerWithTheCorrectedInterval) {
  const Runs runs = runs_of(small_results);
  EXPECT_EQ(verdict_of(runs[0]),
            "Behind pe-miu:block=8,cost=l2, the strongest attacker (similarity: mean, n = 9) reads gender: balanced "
            "accuracy 70.0 % "
            "[60.0, 78.0]; guessing gives 50.0 %, clear data 90.0 %.");
  EXPECT_EQ(verdict(Json::parse(small_results)), verdict_of(runs[0]));
}

std::string verdict_with(const auto& change) {
  Json results = Json::parse(small_results);
  change(results);
  return verdict(results);
}

TEST(Verdict, SaysWhenItProvesNothing) {
  EXPECT_TRUE(verdict_with([](Json& results) {
                results["headline"]["on_clear"] = {{"value", 0.52}, {"ci", {0.45, 0.6}}};
              })
                  .ends_with("The attack does not beat chance on clear data either: this says nothing about the "
                             "protection."));
  EXPECT_TRUE(verdict_with([](Json& results) {
                results["headline"]["ci"] = {0.45, 0.78};
              }).ends_with("This cannot be told from guessing."));
  EXPECT_TRUE(verdict_with([](Json& results) {
                results["headline"]["ci"] = {0.6, 0.92};
              }).ends_with("It is not shown to be less than clear data gives."));
  EXPECT_TRUE(verdict_with([](Json& results) {
                results["headline"]["ci"] = {0.2, 0.4};
              }).ends_with("This is below chance: wrong guesses leak, too."));
  const auto without_headline = [](Json& results) { results["headline"] = Json::object(); };
  EXPECT_EQ(verdict_with(without_headline), "No attack was healthy, so nothing is known about what leaks.");
  EXPECT_EQ(verdict_with([](Json& results) {
              results["headline"] = Json::object();
              results["ranking"].erase(1);
            }),
            "No attack on protected data was measured, so nothing is known about what leaks.");
  EXPECT_TRUE(verdict_with([](Json& results) { results["headline"] = results["ranking"][0]; })
                  .starts_with("Nothing that is protected was attacked. On clear data, the strongest attacker "
                               "(similarity: vote, n = 1)"));
}

// Masked data are not called clear.
TEST(Verdict, OfDataThatWereMaskedBefore) {
  const auto masked = [](Json& results) { results["earlier_masks"] = {"utility-preserving:g=8"}; };
  EXPECT_TRUE(verdict_with([&](Json& results) {
                masked(results);
                results["headline"] = results["ranking"][0];
              })
                  .starts_with("Nothing was masked here. On data that were masked before they came "
                               "(utility-preserving), the strongest attacker (similarity: vote, n = 1)"));
  const std::string behind = verdict_with(masked);
  EXPECT_NE(behind.find("input data"), std::string::npos) << behind;
  EXPECT_EQ(behind.find("clear data"), std::string::npos) << behind;
}

TEST(Summary, HasARowPerTechniqueAndTarget) {
  const std::vector<std::vector<std::string>> rows = summary(Json::parse(small_results));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[2], (Names{"pe-miu:block=8,cost=l2", "gender", "similarity: mean, n = 9", "balanced accuracy",
                            "70.0 % [60.0, 78.0]", "50.0 %", "90.0 %", "EER 10.0 %", "–"}));
}

TEST(CardOfARun, TellsTheHeadlineCostAndThreat) {
  const Report report = report_of(small_results);
  ASSERT_EQ(report.cards.size(), 1u);
  const Card& card = report.cards[0];
  std::string facts;
  for (const Card::Fact& fact : card.facts) facts += fact.name + " = " + fact.value + "\n";
  for (const char* part :
       {"Worst-case technique = pe-miu: block=8, cost=l2\n", "Strongest attacker = similarity: mean, n = 9\n",
        "Against blind guessing = 20.0 percentage points above chance\n",
        "Against clear data = 50.0 % of the attacker's advantage is left\n",
        "Choice = best of 2; corrected for the choice 69.0 %\n",
        "What protection cost = Equal error rate 10.0 % instead of 5.0 % on clear data. False "
        "non-match rate at a false "
        "match rate of 10 %: 12.0 % instead of 2.0 % on clear data\n"}) {
    EXPECT_NE(facts.find(part), std::string::npos) << part << facts;
  }
  EXPECT_EQ(
      joined(card.threat_model, " "),
      "The attacker holds 4 samples of 4 other people whose gender is known, can protect them in the same way, and "
      "compares them with 20 protected samples of 10 people by the comparator pe-miu:block=8. Nothing else about "
      "the targets is known.");
}

TEST(CardOfARun, NumbersOfOtherUnitsHaveNoGauge) {
  const std::string page = render_page(report_of(
      R"({"cells":[],"headline":{"technique":"x","about":"link","strongest":{"about":"link","attacker":"linker",
      "measure":"D_sys","value":0.25,"chance":0.02}}})"));
  EXPECT_NE(page.find("<div class=\"number\">0.250<small>D_sys</small></div>"), std::string::npos);
  EXPECT_EQ(page.find("<div class=\"gauge\""), std::string::npos);
}

}  // namespace
}  // namespace bauta::report
