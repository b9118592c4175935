// Linkage, utility and releases: who counts, what is left of a claim, what the page says first. Expected values follow
// from the round numbers of the fixture by hand.
#include "bauta/core/error.hpp"
#include "bauta/report/report.hpp"
#include "closed_set_fixture.hpp"
#include "settings/mixture.hpp"

namespace bauta::report {
namespace {

std::string facts_of(const Card& card) {
  std::string out;
  for (const Card::Fact& fact : card.facts) out += fact.name + " = " + fact.value + "\n";
  return out;
}

TEST(Linkage, BrokenAttackersCountOnlyWhereThereIsNoOther) {
  const Runs runs = runs_of(closed_set_results().dump());
  const Settings settings = settings_of(runs[0], {"linkage"});
  ASSERT_EQ(settings.size(), 4u);
  EXPECT_EQ(settings[1].name, "g=8,t=0.5");
  const Findings searches = settings[1].findings(is_search);
  ASSERT_EQ(searches.size(), 3u);
  EXPECT_FALSE(fails_on_clear(*searches[0]));
  EXPECT_TRUE(fails_on_clear(*searches[2]));
  EXPECT_EQ(strongest_of(searches, is_informed)->attacker, "likelihood");
  EXPECT_EQ(strongest_of({searches[2]})->attacker, "broken");
  EXPECT_EQ(strongest_of({}), nullptr);
  EXPECT_EQ(broken_names(settings), "broken (informed)");
  Claim claim = claim_of(searches, settings[1]);
  EXPECT_EQ(claim.claimed->attacker, "nearest");
  EXPECT_EQ(claim.left->attacker, "likelihood");
  // The interval is that of the ranking, where this attacker was chosen: a mixture is 1 less the rate.
  Strongest ranked;
  ranked.strongest = *claim.left;
  ranked.ci = Interval{0.5, 0.75};
  const std::vector<Strongest> ranking = {ranked};
  Setting chosen = settings[1];
  chosen.ranking = &ranking;
  claim = claim_of(searches, chosen);
  EXPECT_DOUBLE_EQ(*claim.value.value, 1 - claim.left->value);
  EXPECT_DOUBLE_EQ(claim.value.ci->low, 0.25);
  EXPECT_DOUBLE_EQ(claim.value.ci->high, 0.5);
}

TEST(Linkage, HealthThatAQuestionHasCheckedStands) {
  Finding finding{.about = About::identity, .measure = "rank-1 rate", .chance = 0.05, .clear = Level{0.98}};
  EXPECT_FALSE(fails_on_clear(finding));
  finding.healthy = false;
  EXPECT_TRUE(fails_on_clear(finding));
  finding.healthy.reset();
  finding.clear = Level{0.06, Interval{0.04, 0.08}};
  EXPECT_TRUE(fails_on_clear(finding));
}

TEST(Linkage, PageSaysWhatIsLeftOfTheClaim) {
  const std::string page = render_page(closed_set_report());
  for (const char* part :
       {"Can records be found again?",
        "A mixture of 93.0\u00a0% is claimed against nearest (uninformed); the strongest attacker, likelihood "
        "(informed), leaves 40.0\u00a0% [35.0, 45.0]. Guessing leaves 95.0\u00a0%.",
        "A mixture of 93.0\u00a0% is claimed against mlp (naive); the strongest attacker, mlp (parrot), leaves "
        "50.0\u00a0% [45.0, 55.0]. Guessing leaves 95.0\u00a0%.",
        "<dt>likelihood (informed)</dt><dd>Knows the method.</dd>"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find("How well does it still recognise?"), std::string::npos);
  // Runs of both kinds on one page keep both.
  const TemporaryFolder folder;
  const std::string both = render_page(
      make_report(read_runs({folder.run("a", closed_set_results().dump()), folder.run("b", small_results)})));
  EXPECT_NE(both.find("How well does it still recognise?"), std::string::npos);
  EXPECT_NE(both.find("Can records be found again?"), std::string::npos);
}

// What parameters are is known where techniques are; the chapter that shows them has room for it.
TEST(Linkage, TellsWhatParametersAre) {
  const std::vector<Definition> parameters = {{"g, t", "Size & share."}};
  const std::string page = render_page(make_report(runs_of(closed_set_results().dump()), parameters));
  EXPECT_NE(page.find("<dt>g, t</dt><dd>Size &amp; share.</dd>"), std::string::npos);
  const std::string other = render_page(make_report(runs_of(small_results), parameters));
  EXPECT_EQ(other.find("<dt>g, t</dt>"), std::string::npos);
}

TEST(Linkage, TablesHoldTheNumbers) {
  const Report report = closed_set_report();
  EXPECT_TRUE(report.runs[0].rest.empty()) << report.runs[0].rest.dump();
  const std::string settings = to_csv(table_of(report, "linkage"));
  EXPECT_TRUE(
      settings.starts_with("run,technique,variant,representation,claimed,attacker_claimed,left,left_low,left_high,"
                           "attacker,chance,worst_posterior,worst_rank,worst_attacker,found_first,"
                           "exact_copies\n"))
      << settings;
  EXPECT_NE(
      settings.find("run,\"mask:g=32,t=0.5\",,cepstra,0.94,nearest (uninformed),0.6,0.55,0.6499999999999999,likelihood "
                    "(informed),0.95,0.99,1,likelihood,0.6,0\n"),
      std::string::npos)
      << settings;
  const Table attackers = table_of(report, "linkage-attackers");
  EXPECT_NE(
      to_csv(attackers).find("likelihood,true,20,0.4,0.35000000000000003,0.45,0.95,0.02,,,,,,3,0.2,1,5:0.2 1:0.4\n"),
      std::string::npos)
      << to_csv(attackers);
  EXPECT_NE(to_html(attackers).find("shows nothing: fails on clear data"), std::string::npos);
  EXPECT_NE(to_csv(table_of(report, "linkage-settings")).find("cepstra,8,0.5,gender 0.1,400,1200,20,0,half and half\n"),
            std::string::npos);
}

TEST(Linkage, GuessesAndBeliefs) {
  const Report report = closed_set_report();
  std::vector<double> mixture, guessing;
  for (const Json& row : rows_where(figure_of(report, "linkage-guesses"), "panel", "Informed attackers")) {
    if (row["line"] != "g = 8") continue;
    mixture.push_back(row["y"].get<double>());
    guessing.push_back(row["guess"].get<double>());
  }
  EXPECT_EQ(mixture, (std::vector<double>{0.2, 0.4}));
  EXPECT_EQ(guessing, (std::vector<double>{0.75, 0.95}));
  const Figure beliefs = figure_of(report, "linkage-beliefs");
  const std::vector<Json> informed = rows_where(beliefs, "line", "likelihood (informed)");
  ASSERT_EQ(informed.size(), 3u);
  EXPECT_EQ(informed[1]["y"], 0.3);
  EXPECT_NEAR(informed[0]["certain"].get<double>(), 2.99573, 1e-5);  // ln 20
  EXPECT_TRUE(rows_where(beliefs, "line", "nearest (uninformed)").empty());
}

TEST(Utility, TableHasEveryAttribute) {
  const std::string table = to_csv(table_of(closed_set_report(), "utility"));
  EXPECT_TRUE(
      table.starts_with("run,technique,variant,representation,attribute,role,alpha,classes,accuracy,accuracy_low,"
                        "accuracy_high,balanced,retrained,retrained_low,retrained_high,clear,clear_low,"
                        "clear_high,chance,estimator,utility,utility_clear,records,train_records,failures\n"))
      << table;
  EXPECT_NE(table.find("run,\"mask:g=128,t=0.5\",,cepstra,digit,interest,1,2,0.85,0.83,0.87,0.85,,,,0.95,0.94,0.96,0.1,"
                       "random-forest,1.65,1.85,400,1200,0\n"),
            std::string::npos)
      << table;
}

// Several estimators are rows of one setting, and each says who reads.
TEST(Utility, EveryEstimatorHasItsRows) {
  Json results = closed_set_results();
  Json cells = Json::array();
  for (const Json& cell : results["cells"]) {
    if (cell["key"]["question"] != "utility") {
      cells.push_back(cell);
      continue;
    }
    for (const char* estimator : {"knn", "lda"}) {
      Json own = cell;
      own["key"]["estimator"] = own["values"]["estimator"] = estimator;
      cells.push_back(own);
    }
  }
  results["cells"] = cells;
  const Report report = closed_set_report(results);
  EXPECT_EQ(settings_of(report.runs[0], {"utility", "linkage"}).size(), 4U);
  const std::string table = to_csv(table_of(report, "utility"));
  const std::string row =
      "run,\"mask:g=128,t=0.5\",,cepstra,digit,interest,1,2,0.85,0.83,0.87,0.85,,,,0.95,0.94,0.96,0.1,";
  EXPECT_NE(table.find(row + "knn,1.65,1.85"), std::string::npos) << table;
  EXPECT_NE(table.find(row + "lda,1.65,1.85"), std::string::npos) << table;
  EXPECT_NE(facts_of(report.cards.at(0)).find("digit 90.0 % instead of 95.0 % on clear data (lda)"), std::string::npos);
}

TEST(ClosedSetCard, SpeaksAboutTheStrongestAttackerAndTheUse) {
  const Card card = closed_set_report().cards.at(0);
  EXPECT_EQ(card.verdict,
            "Behind mask:g=8,t=0.5, the strongest attacker (linkage: likelihood) finds out who somebody is: rank-1 "
            "rate 60.0 % [55.0, 65.0]; guessing gives 5.0 %, the same attacker on clear data 98.0 %.");
  EXPECT_TRUE(joined(card.threat_model, " ").ends_with(" protected records. Knows the method."))
      << joined(card.threat_model);
  const std::string facts = facts_of(card);
  for (const char* part :
       {"Worst-case technique = mask: g=8, t=0.5\n",
        "What it is still good for = Accuracy of digit 90.0 % instead of 95.0 % on clear data; gender 80.0 % instead "
        "of 90.0 % on clear data\n",
        "Finding records = A mixture of 93.0 % is claimed against nearest (uninformed); the strongest attacker, "
        "likelihood (informed), leaves 40.0 % [35.0, 45.0]. Guessing leaves 95.0 %.\n",
        "Over all settings = rank-1 rate from 20.0 % with mask: g=128, t=0.5 to 60.0 % with mask: g=8, t=0.5\n",
        "Attackers who fail on clear data = broken (informed): finding nobody proves nothing\n"}) {
    EXPECT_NE(facts.find(part), std::string::npos) << part << facts;
  }
}

TEST(Linkage, FieldsOfTheWrongKindCountAsMissingAndNothingIsHidden) {
  const Report report = report_of(R"({"cells":[
    {"key":{"question":"linkage","technique":"x:g=2","representation":7},"findings":[{"about":"identity","attacker":"a",
      "measure":"rank-1 rate","unit":"rate","value":0.5}],"values":{"records":"many","parameters":[1],
      "attackers":[null,{"attacker":"a","informed":"yes","top":[{"k":0,"mixture":1},{"k":"a"}]}],
      "worst_record":[],"exact_copies":{},"surprise":1}},
    {"key":{"question":"linkage"},"values":{}},
    {"key":{"question":"utility","technique":"y"},"values":{"attributes":[3,{"attribute":5,"ci":[1]}]}},
    {"key":{"question":"utility","technique":"z"},"values":null}]})");
  EXPECT_NE(report.runs[0].rest.dump().find("surprise"), std::string::npos);
  EXPECT_FALSE(render_page(report).empty());
  for (const Table* table : report.tables()) EXPECT_FALSE(table->has_file() && to_csv(*table).empty()) << table->name;
}

TEST(Release, StandsFirstWithAVerdictOfItsOwn) {
  Json results = closed_set_results();
  results["release"] = {{"traceable", true},
                        {"records", 400},
                        {"columns", {"digit", "gender"}},
                        {"labels",
                         {{"combinations", 6},
                          {"smallest", 7},
                          {"k", 5},
                          {"rare_combinations", 3},
                          {"rare_people", 4},
                          {"generalised", 0},
                          {"suppressed", 2},
                          {"left_out", 0}}},
                        {"search",
                         {{"target", 0.9},
                          {"against", "informed"},
                          {"learned", 200},
                          {"judged", 100},
                          {"chosen", "g=8"},
                          {"settings", {{{"setting", "g=8"}, {"utility", 1.5}, {"mixture", 0.91}, {"attacker", "a"}}}},
                          {"evidence", {{"mixture", 0.4}, {"attacker", "likelihood"}, {"reaches", false}}}}}};
  const Report report = closed_set_report(results);
  EXPECT_EQ(report.cards.at(0).verdict,
            "Not anonymous: these records can be traced. The strongest attacker tried (likelihood) finds the original "
            "of a record at the first guess in 60.0 % of the cases, somebody who guesses in 5.0 %. The strongest "
            "attacker tried (mlp, parrot) finds the person behind a record at the first guess in 50.0 % of the cases, "
            "somebody who guesses in 5.0 %. 'digit' is read with 90.0 % accuracy (clear data 95.0 %, guessing 10.0 %). "
            "Labels of fewer than 5 people were changed: 0 values were generalised, 2 records come without labels, 0 "
            "were left out. The mixture of 90.0 % that was asked for is not reached here: it is 40.0 %.");
  const Section& section = report.sections.front();
  EXPECT_EQ(section.id, "release");
  for (const char* part :
       {"<dd>digit, gender</dd>", "There is no provable guarantee.", "the bound does not hold",
        "6 combinations of values; the rarest belongs to 7 people",
        "3 combinations belonged to fewer than 5 people each, 4 people in all; 0 values were generalised"}) {
    EXPECT_NE(section.html().find(part), std::string::npos) << part;
  }
  EXPECT_EQ(table_of(report, "search").rows.size(), 1u);
  EXPECT_TRUE(report.runs[0].rest.empty());
}

TEST(Variants, SubFoldersWithResultsAreRuns) {
  const TemporaryFolder folder;
  const std::string text = closed_set_results().dump();
  const auto voice = folder.run("whole/voice", text);
  const auto faces = folder.run("whole/faces", text);
  std::filesystem::create_directories(folder.path / "whole" / "tables");
  const auto whole = folder.path / "whole";
  EXPECT_EQ(with_variants({whole}), (std::vector<std::filesystem::path>{faces, voice}));
  const auto page = write_report({whole}, {});
  EXPECT_EQ(page, whole / "report.html");
  EXPECT_NE(read_text(page).find("voice: By g"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(whole / "figures" / "sweep-g-faces.vl.json"));
  // Results of its own come first.
  EXPECT_EQ(with_variants({folder.run("whole", text)}).size(), 1u);
  // Neither: the folder stays, and reading says what is missing.
  EXPECT_EQ(with_variants({folder.path / "nowhere"}).size(), 1u);
  EXPECT_THROW(read_runs(with_variants({folder.path / "nowhere"})), Error);
}

}  // namespace
}  // namespace bauta::report
