// Anonymised settings: what is read, who counts, what the page says first. All numbers of the fixture are round, and
// expected values follow from them by hand.
#include "bauta/report/anonymity.hpp"

#include "anonymity_fixture.hpp"
#include "bauta/core/error.hpp"
#include "bauta/report/judgement.hpp"
#include "bauta/report/page.hpp"
#include "bauta/report/report.hpp"
#include "bauta/report/table.hpp"

namespace bauta::report {
namespace {

TEST(Anonymity, EverythingOfTheContractIsRead) {
  const RunResults run = runs_of(anonymity_results).at(0);
  ASSERT_EQ(run.anonymised.size(), 4u);
  const Anonymised& setting = run.anonymised[1];
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
  ASSERT_EQ(run.sweeps.size(), 2u);
  EXPECT_EQ(run.sweeps[0].axes[0].values, (std::vector<std::string>{"8", "32", "128"}));
  EXPECT_TRUE(run.rest.empty()) << run.rest.dump();
}

TEST(Anonymity, WrongKindsAreEmptyAndNothingIsHidden) {
  const RunResults run =
      runs_of(R"({"sweeps":[{"axes":[{"name":"t","values":["1","2"]}],"techniques":["a"]},7,null,{"axes":"t"}],"cells":[
    {"key":{"step":"anonymity","technique":"x:g=2","representation":7},"values":{"records":"many","parameters":[1],
     "utility":{"attributes":[3,{"attribute":5,"ci":[1]}]},"attackers":[null,{"informed":"yes","top":[{"k":0,"mixture":1},{"k":"a"}]}],
     "survives":"all","worst_record":[],"exact_copies":{},"surprise":1}},
    {"key":{"step":"anonymity"},"values":{}},
    {"key":{"step":"anonymity","technique":"y"},"values":null}]})")
          .at(0);
  ASSERT_EQ(run.anonymised.size(), 2u);
  const Anonymised& odd = run.anonymised[0];
  EXPECT_FALSE(odd.records);
  EXPECT_FALSE(odd.interest());
  ASSERT_EQ(odd.attackers.size(), 1u);
  EXPECT_FALSE(odd.attackers[0].informed);
  EXPECT_TRUE(odd.attackers[0].top.empty());
  EXPECT_FALSE(odd.attackers[0].works);
  EXPECT_TRUE(run.sweeps.empty());
  EXPECT_NE(run.rest.dump().find("surprise"), std::string::npos);
  EXPECT_NE(run.rest.dump().find("does not fit"), std::string::npos);
  const Report report = make_report({run});
  EXPECT_FALSE(render_page(report).empty());
  for (const Table& table : report.tables()) EXPECT_FALSE(to_csv(table).empty()) << table.name;
}

TEST(Anonymity, SweepsAreReadWithTheLastAxisFastest) {
  Sweep sweep{{{"w", {"10", "100", "1000"}}, {"rp", {"0.01", "0.5"}}}, {}};
  EXPECT_EQ(sweep.place(0), (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(sweep.place(1), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(sweep.place(4), (std::vector<std::size_t>{2, 0}));
}

TEST(Anonymity, BrokenAttackersCountOnlyWhereThereIsNoOther) {
  const RunResults run = runs_of(anonymity_results).at(0);
  const Anonymised& setting = run.anonymised[1];
  // Two standard errors of guessing: 2 * sqrt(0.95 * 0.05 / 400) = 0.0218, so 0.93 would do and 0.94 does not.
  EXPECT_EQ(setting.attackers[3].attacker, "broken");
  EXPECT_TRUE(setting.attackers[3].broken());
  EXPECT_EQ(setting.attackers[1].works, true);
  EXPECT_EQ(strongest(setting, "identity", true)->attacker, "likelihood");
  EXPECT_EQ(strongest(setting, "identity", false)->attacker, "nearest");
  EXPECT_EQ(strongest(setting, "record", true), nullptr);
  EXPECT_EQ(broken_attackers({&setting}), "broken (informed)");
  Anonymised only = setting;
  only.attackers.erase(only.attackers.begin(), only.attackers.begin() + 3);
  EXPECT_EQ(strongest(only, "identity", true)->attacker, "broken");
  EXPECT_EQ(worst_of(only), nullptr);
}

TEST(Anonymity, SurvivalComesFromTheRunAndElseFromItsAttackers) {
  const RunResults run = runs_of(anonymity_results).at(0);
  EXPECT_EQ(survival_of(run.anonymised[1], "identity").sentence, "Of 93.0 %, 40.0 % survives.");
  const Survival made = survival_of(run.anonymised[2], "identity");
  EXPECT_DOUBLE_EQ(*made.claimed, 0.94);
  EXPECT_DOUBLE_EQ(*made.informed, 0.6);
  EXPECT_EQ(made.sentence,
            "A mixture of 94.0 % is claimed (nearest); an informed attacker (likelihood) leaves 60.0 % of it. Guessing "
            "leaves 95.0 %.");
}

TEST(Anonymity, AdvantageIsTheShareOfGuessingsMixture) {
  Reidentifier attacker;
  attacker.chance = 0.8;
  attacker.mixture.value = 0.2;
  EXPECT_DOUBLE_EQ(*advantage(attacker), 0.75);
  attacker.chance = 0;  // one candidate: nobody can be mixed with anybody
  EXPECT_FALSE(advantage(attacker));
}

TEST(AnonymityHeadline, SpeaksAboutTheStrongestInformedAttackerAndTheUtility) {
  const std::vector<RunResults> runs = runs_of(anonymity_results);
  const Headline card = headline_of(runs[0], runs);
  // The run names no technique: g=8 loses most, (0.95 - 0.4) / 0.95.
  EXPECT_EQ(card.technique, "utility-preserving: g=8, t=0.5 on cepstra");
  EXPECT_EQ(card.technique_role, "Worst of all settings");
  EXPECT_EQ(card.verdict,
            "The strongest informed attacker (likelihood) finds the person behind 60.0 % of the anonymised records, "
            "among 20; guessing finds 5.0 %. The attribute digit is still read right in 90.0 % of them, 95.0 % on "
            "clear data, 10.0 % by always naming the largest class.");
  EXPECT_DOUBLE_EQ(*card.balanced, 0.6);
  EXPECT_NEAR(card.ci->low, 0.55, 1e-12);
  EXPECT_NEAR(*card.chance, 0.05, 1e-12);
  EXPECT_DOUBLE_EQ(*card.ceiling, 0.98);
  EXPECT_NEAR(*card.advantage_kept, 0.55 / 0.93, 1e-12);
  EXPECT_EQ(card.cost,
            "Accuracy of digit 90.0 % instead of 95.0 % on clear data; gender 80.0 % instead of 90.0 % on "
            "clear data");
  EXPECT_EQ(card.threat_model, "Knows the method.");
  std::string facts;
  for (const auto& [name, value] : card.facts) facts += name + " = " + value + "\n";
  EXPECT_NE(facts.find("93.0 % against nearest (uninformed), 40.0 % [35.0, 45.0] against likelihood (informed); "
                       "guessing leaves 95.0 %"),
            std::string::npos)
      << facts;
  EXPECT_NE(facts.find("Over all 3 settings = from 20.0 % found with g=128,t=0.5 to 60.0 % with g=8,t=0.5"),
            std::string::npos)
      << facts;
  EXPECT_NE(facts.find("Attackers who fail on clear data = broken (informed): finding nobody proves nothing"),
            std::string::npos)
      << facts;
}

TEST(AnonymityHeadline, TheRunsOwnChoiceIsTaken) {
  Json results = Json::parse(anonymity_results);
  results["headline"] = {{"technique", "utility-preserving:g=128,t=0.5"}, {"attack", "linkage"}};
  const std::vector<RunResults> runs = runs_of(results.dump());
  const Headline card = headline_of(runs[0], runs);
  EXPECT_EQ(card.technique_role, "Setting");
  EXPECT_DOUBLE_EQ(*card.balanced, 0.2);
  EXPECT_TRUE(card.verdict.starts_with("The strongest informed attacker (likelihood) finds the person behind 20.0 %"));
}

TEST(AnonymityHeadline, AttackersWhoFailOnClearDataProveNothing) {
  Json results = Json::parse(anonymity_results);
  for (Json& cell : results["cells"]) {
    for (Json& attacker : cell["values"]["attackers"]) attacker["clear"] = {{"mixture", 0.95}};
  }
  const std::vector<RunResults> runs = runs_of(results.dump());
  const Headline card = headline_of(runs[0], runs);
  EXPECT_FALSE(card.balanced);
  EXPECT_TRUE(card.verdict.starts_with("No attacker finds anybody on clear data, so nothing is known")) << card.verdict;
}

TEST(AnonymityHeadline, AnUninformedAttackerMayBeTheStrongest) {
  Json results = Json::parse(anonymity_results);
  results["cells"][1]["values"]["attackers"][0]["mixture"] = 0.3;
  results["cells"][1]["values"]["survives"] = Json::array();
  const std::vector<RunResults> runs = runs_of(results.dump());
  EXPECT_TRUE(headline_of(runs[0], runs)
                  .verdict.starts_with("The strongest attacker (nearest), who does not even need to know the method, "
                                       "finds the person behind 70.0 %"));
  const Survival left = survival_of(runs[0].anonymised[1], "identity");
  EXPECT_EQ(left.attacker, "nearest");
  EXPECT_DOUBLE_EQ(*left.informed, 0.3);
}

TEST(AnonymityHeadline, WithoutInformedAttackersThePageSaysSo) {
  Json results = Json::parse(anonymity_results);
  for (Json& cell : results["cells"]) {
    for (Json& attacker : cell["values"]["attackers"]) attacker["informed"] = false;
  }
  const std::vector<RunResults> runs = runs_of(results.dump());
  EXPECT_TRUE(headline_of(runs[0], runs).verdict.starts_with("Nobody who knows the method was tried"));
}

TEST(AnonymityTables, HoldTheNumbers) {
  const std::vector<RunResults> runs = runs_of(anonymity_results);
  const std::string settings = to_csv(anonymity_table(runs));
  EXPECT_NE(settings.find("run,\"utility-preserving:g=8,t=0.5\",,cepstra,400,digit,0.9,0.88,0.92,0.95,0.92,1.3,1.4,0.8,"
                          "0.78,0.82,0.9,0.93,nearest,0.4,0.35,0.45,likelihood,0.95,"),
            std::string::npos)
      << settings;
  EXPECT_NE(to_csv(reidentifier_table(runs)).find("broken,identity,true,20,0.95,0.93,0.97,0.95,0.94,false,"),
            std::string::npos);
  EXPECT_NE(to_html(reidentifier_table(runs)).find("shows nothing: fails on clear data"), std::string::npos);
  const std::string clear = to_csv(clear_level_table(runs));
  EXPECT_NE(clear.find("run,cepstra,digit,random-forest,10,0.95,0.94,0.96,0.1"), std::string::npos) << clear;
  EXPECT_NE(clear.find("run,cepstra,person,likelihood,20,0.98,"), std::string::npos) << clear;
  EXPECT_NE(to_csv(setting_table(runs)).find("8,0.5,10,gender 0.1,400"), std::string::npos);
  for (const Table& table : {anonymity_table(runs), reidentifier_table(runs), clear_level_table(runs)}) {
    EXPECT_NE(to_tex(table).find("\\begin{tabular}"), std::string::npos);
  }
}

TEST(AnonymityPage, EmptySectionsDoNotStandInTheWay) {
  const std::string page = render_page(make_report(runs_of(anonymity_results)));
  EXPECT_NE(page.find("Can they be found again?"), std::string::npos);
  EXPECT_NE(page.find("Of 93.0\u00a0%, 40.0\u00a0% survives."), std::string::npos);
  EXPECT_EQ(page.find("No verification was run"), std::string::npos);
  EXPECT_EQ(page.find("No attack was run"), std::string::npos);
  EXPECT_EQ(page.find("False match rate"), std::string::npos);
  // Runs of both kinds on one page keep both.
  const TemporaryFolder folder;
  const std::string both =
      render_page(make_report(read_runs({folder.run("a", anonymity_results), folder.run("b", small_results)})));
  EXPECT_NE(both.find("How well does it still recognise?"), std::string::npos);
  EXPECT_NE(both.find("Can they be found again?"), std::string::npos);
  EXPECT_NE(both.find("False match rate"), std::string::npos);
}

TEST(AnonymityPage, ClosedSetsHaveNoFoldsToDraw) {
  Json results = Json::parse(anonymity_results);
  results["protocol"] = {{"kind", "closed-set"}, {"text", "a quarter is anonymised"}, {"train", 300}, {"test", 100}};
  EXPECT_TRUE(make_report(runs_of(results.dump())).protocols.empty());
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
