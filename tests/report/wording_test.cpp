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
  finding.attacker = "search at FMR 1 %";  // called like the question
  finding.axes.erase("recovery");
  EXPECT_EQ(attacker_name(finding), "search at FMR 1 % (recover), holding the originals");
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

Json cell_at(const Json& key, const Json& values) {
  const Json finding = {{"about", key.contains("attribute") ? "attribute" : "identity"},
                        {"attacker", "somebody"},
                        {"measure", "balanced accuracy"},
                        {"unit", "rate"},
                        {"value", 0.8},
                        {"chance", 0.5},
                        {"axes", key}};
  return {{"key", key}, {"status", "done"}, {"findings", Json::array({finding})}, {"values", values}};
}

/// The card of a run whose headline came from the last of these cells.
Card card_about_the_last(const std::vector<Json>& cells, const Json& more_axes = Json::object()) {
  const Json& key = cells.back()["key"];
  Json headline = {{"technique", key["technique"]}, {"strongest", cells.back()["findings"][0]}, {"share", 0.6}};
  headline["about"] = headline["strongest"]["about"];
  if (key.contains("attribute")) headline["attribute"] = key["attribute"];
  if (key.contains("identities")) headline["people"] = key["identities"].get<std::string>() + ", random";
  headline["strongest"]["axes"].update(more_axes);
  const Json results = {{"cells", cells}, {"ranking", Json::array({headline})}, {"headline", headline}};
  return report_of(results.dump()).cards.at(0);
}

std::string threat_of(const Card& card) {
  return joined(card.threat_model, " ");
}

// Cells of one question, technique and attribute differ in who attacks, what undid the mask, what was looked at, and
// among whom.
TEST(CardOfARun, TellsOfTheCellThatTheHeadlineCameFrom) {
  const auto similarity = [](const Json& axes, const std::string& comparator) {
    Json key = {{"question", "similarity"}, {"technique", "csn"}, {"attribute", "gender"}};
    key.update(axes);
    return cell_at(key, {{"comparator", comparator}});
  };
  for (const char* axis : {"adversary", "recovery", "representation", "identities"}) {
    const Card card = card_about_the_last({similarity({{axis, "40"}}, "first"), similarity({{axis, "20"}}, "second")});
    EXPECT_NE(threat_of(card).find("by the comparator second"), std::string::npos) << axis << threat_of(card);
    EXPECT_EQ(threat_of(card).find("by the comparator first"), std::string::npos) << axis;
  }
}

// What it is still good for is told of the same people and of what the attacker looked at.
TEST(CardOfARun, TellsOfTheSettingThatTheHeadlineIsAbout) {
  const auto utility = [](const Json& axes, double accuracy) {
    Json key = {{"question", "utility"}, {"technique", "csn"}};
    key.update(axes);
    Json cell = cell_at(key, {{"attributes", {{{"attribute", "age"}, {"accuracy", accuracy}}}}});
    cell["findings"][0]["about"] = "utility";
    return cell;
  };
  const Json key = {{"question", "estimate"}, {"technique", "csn"}, {"attribute", "gender"}};
  for (const char* axis : {"representation", "identities"}) {
    Json own = key;
    own[axis] = "20";
    const Card card =
        card_about_the_last({utility({{axis, "40"}}, 0.4), utility({{axis, "20"}}, 0.2), cell_at(own, Json::object())});
    std::string facts;
    for (const Card::Fact& fact : card.facts) facts += fact.value + "\n";
    EXPECT_NE(facts.find("Accuracy of age 20.0 %"), std::string::npos) << axis << facts;
  }
}

TEST(CardOfARun, EveryAttackHasAThreatModel) {
  const Json held = {{"samples", 52}, {"identities", 50}}, target = {{"samples", 240}, {"identities", 60}};
  const Json attribute = {{"technique", "csn"}, {"attribute", "gender"}};
  const auto threat = [](const std::string& question, Json key, const Json& values, const Json& axes = Json::object()) {
    key["question"] = question;
    return threat_of(card_about_the_last({cell_at(key, values)}, axes));
  };
  const Json asked = {{"fmr", "0.01"}, {"queries", "10"}};
  const Json values = {{"attacker", held}, {"target", target}, {"comparator", "cosine"}};
  EXPECT_EQ(threat("decisions", attribute, values, asked),
            "The attacker holds 52 samples of 50 other people whose gender is known, shows 10 of them to a comparison "
            "that holds 240 protected samples of 60 people, and is told match or no match only, by the comparator "
            "cosine at a false match rate of 1 %.");
  EXPECT_EQ(threat("online", attribute, {{"attacker", held}, {"target", {{"samples", 240}}}}, asked),
            "The attacker holds 52 samples of 50 other people whose gender is known, shows 10 of them to the system "
            "itself, which applies the keys and holds 240 protected samples, and is told match or no match only at a "
            "false match rate of 1 %.");
  EXPECT_EQ(threat("recovery", {{"technique", "csn"}, {"recovery", "ridge"}}, {{"samples", 240}}),
            "The attacker knows the technique, brings back what it masked by ridge (240 samples), and finds out who "
            "somebody is from what came back.");
  EXPECT_EQ(threat("linkage", {{"technique", "csn"}}, {{"records", 20}, {"identities", 40}}),
            "The attacker holds the originals of 40 people and looks among them for the one behind each of 20 "
            "protected records.");
  EXPECT_EQ(threat("identification", {{"technique", "csn"}, {"recogniser", "lda"}},
                   {{"enrolled", 80}, {"identities", 40}, {"probes", 60}}),
            "The attacker holds 80 samples of 40 people with their names, and names who is behind 60 protected samples "
            "by lda.");
}

// The same attacker's level on clear data is not that of the strongest there, and is not called so.
TEST(Verdict, SaysWhoseClearLevelItIs) {
  Json results = Json::parse(small_results);
  results["headline"]["on_clear"] = nullptr;
  results["headline"]["strongest"]["clear"] = {{"value", 0.85}, {"ci", {0.8, 0.9}}};
  EXPECT_NE(verdict(results).find("the same attacker on clear data 85.0 %"), std::string::npos) << verdict(results);
}

// The rightful user looks at the data in whatever way recognises best, whichever was named first.
TEST(Summary, RecognitionIsThatOfTheBestRepresentation) {
  const auto row = [](bool reversed) {
    Json results = Json::parse(small_results);
    Json& cells = results["cells"];
    Json other = cells[1];
    cells[1]["findings"][0]["axes"]["representation"] = "pixels";
    other["findings"][0]["axes"]["representation"] = "eigenface";
    other["findings"][0]["value"] = 0.07;
    cells.insert(reversed ? cells.begin() + 1 : cells.begin() + 2, other);
    return summary(results).at(2).at(7);
  };
  EXPECT_EQ(row(false), "EER 7.0 % (eigenface)");
  EXPECT_EQ(row(true), row(false));
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
