// Anonymised settings: what is read, who counts, what the page says first. All numbers of the fixture are round, and
// expected values follow from them by hand.
#include "anonymity/settings.hpp"
#include "anonymity_fixture.hpp"
#include "bauta/core/error.hpp"
#include "bauta/report/report.hpp"

namespace bauta::report {
namespace {

std::vector<AnonymisedRun> settings_of(const Runs& runs) {
  std::vector<AnonymisedRun> out;
  for (const RunResults& run : runs) {
    for (const Cell& cell : run.cells) add_setting(cell, run, out);
  }
  return out;
}

TEST(Anonymity, EverythingOfTheContractIsRead) {
  const Runs runs = runs_of(anonymity_results);
  const AnonymisedRun run = settings_of(runs).at(0);
  ASSERT_EQ(run.all.size(), 4u);
  const Anonymised& setting = run.all[1];
  EXPECT_EQ(setting.series.label, "utility-preserving:g=8,t=0.5 (cepstra)");
  EXPECT_EQ(setting.name, "g=8,t=0.5");
  EXPECT_TRUE(setting.series.variant.empty());
  EXPECT_EQ(setting.representation, "cepstra");
  EXPECT_EQ(*setting.records, 400);
  EXPECT_EQ(setting.split, "half and half");
  EXPECT_EQ(setting.parameter("rq"), "gender 0.1");
  EXPECT_EQ(setting.parameter("w"), "10");
  EXPECT_EQ(setting.parameter("unknown"), "");
  EXPECT_EQ(setting.estimator, "random-forest");
  EXPECT_DOUBLE_EQ(*setting.utility, 1.3);
  ASSERT_EQ(setting.attributes.size(), 2u);
  EXPECT_EQ(setting.interest()->attribute, "digit");
  EXPECT_DOUBLE_EQ(*setting.interest()->clear->value, 0.95);
  EXPECT_DOUBLE_EQ(*setting.interest()->retrained->value, 0.92);
  EXPECT_FALSE(setting.attributes[1].interest);
  EXPECT_FALSE(setting.attributes[1].retrained);
  ASSERT_EQ(setting.attackers.size(), 4u);
  ASSERT_EQ(setting.attackers[0].top.size(), 2u);
  EXPECT_EQ(setting.attackers[0].top[0].k, 1);  // sorted, though the file is not
  EXPECT_FALSE(setting.attackers[0].kl);
  EXPECT_DOUBLE_EQ(*setting.attackers[1].kl, 0.5);
  EXPECT_DOUBLE_EQ(*setting.worst_posterior, 0.99);
  EXPECT_EQ(*setting.exact_copies, 0);
  ASSERT_EQ(runs[0].sweeps.size(), 2u);
  EXPECT_EQ(runs[0].sweeps[0].axes[0].values, (Names{"8", "32", "128"}));
  const Json rest = report_of(anonymity_results).runs[0].rest;
  EXPECT_TRUE(rest.empty()) << rest.dump();
}

TEST(Anonymity, WrongKindsAreEmptyAndNothingIsHidden) {
  const char* const odd =
      R"({"sweeps":[{"axes":[{"name":"t","values":["1","2"]}],"techniques":["a"]},7,null,{"axes":"t"}],"cells":[
    {"key":{"question":"anonymity","technique":"x:g=2","representation":7},"values":{"records":"many","parameters":[1],
     "utility":{"attributes":[3,{"attribute":5,"ci":[1]}]},"attackers":[null,{"informed":"yes","top":[{"k":0,"mixture":1},{"k":"a"}]}],
     "survives":"all","worst_record":[],"exact_copies":{},"surprise":1}},
    {"key":{"question":"anonymity"},"values":{}},
    {"key":{"question":"anonymity","technique":"y"},"values":null}]})";
  const Runs runs = runs_of(odd);
  const AnonymisedRun run = settings_of(runs).at(0);
  ASSERT_EQ(run.all.size(), 2u);
  EXPECT_FALSE(run.all[0].records);
  EXPECT_FALSE(run.all[0].interest());
  ASSERT_EQ(run.all[0].attackers.size(), 1u);
  EXPECT_FALSE(run.all[0].attackers[0].informed);
  EXPECT_TRUE(run.all[0].attackers[0].top.empty());
  EXPECT_FALSE(run.all[0].attackers[0].works);
  EXPECT_TRUE(runs[0].sweeps.empty());
  const Report report = report_of(odd);
  EXPECT_NE(report.runs[0].rest.dump().find("surprise"), std::string::npos);
  EXPECT_NE(report.runs[0].rest.dump().find("does not fit"), std::string::npos);
  EXPECT_FALSE(render_page(report).empty());
  for (const Table* table : report.tables()) EXPECT_FALSE(to_csv(*table).empty()) << table->name;
}

TEST(Anonymity, BrokenAttackersCountOnlyWhereThereIsNoOther) {
  const Runs runs = runs_of(anonymity_results);
  const std::vector<AnonymisedRun> all = settings_of(runs);
  const Anonymised& setting = all.at(0).all[1];
  // Two standard errors of guessing: 2 * sqrt(0.95 * 0.05 / 400) = 0.0218, so 0.93 would do and 0.94 does not.
  EXPECT_TRUE(setting.attackers[3].broken());
  EXPECT_EQ(setting.attackers[1].works, true);
  EXPECT_EQ(strongest(setting, "identity", true)->attacker, "likelihood");
  EXPECT_EQ(strongest(setting, "identity", false)->attacker, "nearest");
  EXPECT_EQ(strongest(setting, "record", true), nullptr);
  EXPECT_EQ(broken_attackers({&setting}), "broken (informed)");
  Anonymised only = setting;
  only.attackers.erase(only.attackers.begin(), only.attackers.begin() + 3);
  EXPECT_EQ(strongest(only, "identity", true)->attacker, "broken");
}

TEST(Anonymity, WhatSurvivesIsTheRunsAccount) {
  const Runs runs = runs_of(anonymity_results);
  const std::vector<AnonymisedRun> all = settings_of(runs);
  const Survival made = survival_of(all.at(0).all[2], "identity");
  EXPECT_DOUBLE_EQ(*made.claimed, 0.94);
  EXPECT_DOUBLE_EQ(*made.informed, 0.6);
  EXPECT_EQ(
      survival_sentence(made),
      "A mixture of 94.0 % is claimed (nearest); the strongest attacker (likelihood) leaves 60.0 % of it. Guessing "
      "leaves 95.0 %.");
  EXPECT_FALSE(survival_of(all.at(0).all[2], "record").informed);
  EXPECT_EQ(survival_sentence({}), "");
}

TEST(AnonymityCard, SpeaksAboutTheStrongestAttackerAndTheUse) {
  const Card card = report_of(anonymity_results).cards.at(0);
  EXPECT_EQ(card.verdict,
            "Behind utility-preserving:g=8,t=0.5, the strongest attacker (anonymity: likelihood) finds out who "
            "somebody is: rank-1 "
            "rate 60.0 % [55.0, 65.0]; guessing gives 5.0 %, clear data 98.0 %.");
  EXPECT_EQ(joined(card.threat_model), "Knows the method.");
  std::string facts;
  for (const Card::Fact& fact : card.facts) facts += fact.name + " = " + fact.value + "\n";
  for (
      const char* part :
      {"Worst-case technique = utility-preserving: g=8, t=0.5\n", "Strongest attacker = anonymity: likelihood\n",
       "What it is still good for = Accuracy of digit 90.0 % instead of 95.0 % on clear data; gender 80.0 % instead of "
       "90.0 % on clear data\n",
       "93.0 % against nearest (claimed), 40.0 % [35.0, 45.0] against likelihood (strongest); guessing leaves 95.0 %\n",
       "Over all 3 settings = rank-1 rate from 20.0 % with utility-preserving: g=128, t=0.5 to 60.0 % with "
       "utility-preserving: g=8, t=0.5\n",
       "Attackers who fail on clear data = broken (informed): finding nobody proves nothing\n"}) {
    EXPECT_NE(facts.find(part), std::string::npos) << part << facts;
  }
}

TEST(AnonymityCard, AReleaseHasAVerdictOfItsOwn) {
  Json results = Json::parse(anonymity_results);
  results["release"] = {{"traceable", true}, {"records", 400}};
  const Report report = report_of(results.dump());
  EXPECT_TRUE(report.cards.at(0).verdict.starts_with("Not anonymous")) << report.cards.at(0).verdict;
  EXPECT_EQ(report.sections.front().id, "release");
  EXPECT_NE(report.sections.front().html().find("<li>There is no provable guarantee."), std::string::npos);
  EXPECT_TRUE(report.runs[0].rest.empty());
}

TEST(AnonymityTables, HoldTheNumbers) {
  const Report report = report_of(anonymity_results);
  const std::string settings = to_csv(table_of(report, "anonymity"));
  EXPECT_NE(
      settings.find("run,\"utility-preserving:g=8,t=0.5\",,cepstra,400,digit,0.9,0.88,0.92,0.95,0.92,0.8,0.78,0.82,"
                    "0.9,1.3,1.4,0.93,nearest,0.4,0.35,0.45,likelihood,0.95,"),
      std::string::npos)
      << settings;
  const Table attackers = table_of(report, "anonymity-attackers");
  EXPECT_NE(to_csv(attackers).find("broken,identity,true,20,0.95,0.93,0.97,0.95,0.94,false,"), std::string::npos);
  EXPECT_NE(to_html(attackers).find("shows nothing: fails on clear data"), std::string::npos);
  const std::string clear = to_csv(table_of(report, "anonymity-clear"));
  EXPECT_NE(clear.find("run,cepstra,digit,random-forest,10,0.95,0.94,0.96,0.1"), std::string::npos) << clear;
  EXPECT_NE(clear.find("run,cepstra,person,likelihood,20,0.98,"), std::string::npos) << clear;
  EXPECT_NE(to_csv(table_of(report, "anonymity-settings")).find("8,0.5,10,gender 0.1,400"), std::string::npos);
}

TEST(AnonymityPage, EmptySectionsDoNotStandInTheWay) {
  const std::string page = render_page(report_of(anonymity_results));
  EXPECT_NE(page.find("Can they be found again?"), std::string::npos);
  EXPECT_NE(page.find("leaves 40.0\u00a0% of it."), std::string::npos);
  EXPECT_EQ(page.find("How well does it still recognise?"), std::string::npos);
  EXPECT_EQ(page.find("False match rate"), std::string::npos);
  // Runs of both kinds on one page keep both.
  const TemporaryFolder folder;
  const std::string both =
      render_page(make_report(read_runs({folder.run("a", anonymity_results), folder.run("b", small_results)})));
  EXPECT_NE(both.find("How well does it still recognise?"), std::string::npos);
  EXPECT_NE(both.find("Can they be found again?"), std::string::npos);
  EXPECT_NE(both.find("False match rate"), std::string::npos);
}

TEST(Variants, SubFoldersWithResultsAreRuns) {
  const TemporaryFolder folder;
  const auto voice = folder.run("whole/voice", anonymity_results);
  const auto faces = folder.run("whole/faces", anonymity_results);
  std::filesystem::create_directories(folder.path / "whole" / "tables");
  const auto whole = folder.path / "whole";
  EXPECT_EQ(with_variants({whole}), (std::vector<std::filesystem::path>{faces, voice}));
  const auto page = write_report({whole}, {});
  EXPECT_EQ(page, whole / "report.html");
  EXPECT_NE(read_text(page).find("voice: Set size g"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(whole / "figures" / "anonymity-g-faces.vl.json"));
  // Results of its own come first.
  EXPECT_EQ(with_variants({folder.run("whole", anonymity_results)}).size(), 1u);
  // Neither: the folder stays, and reading says what is missing.
  EXPECT_EQ(with_variants({folder.path / "nowhere"}).size(), 1u);
  EXPECT_THROW(read_runs(with_variants({folder.path / "nowhere"})), Error);
}

}  // namespace
}  // namespace bauta::report
