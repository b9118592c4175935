// Who is tried in a closed set, and what is said of those who cannot be.
#include "closed_set_fixture.hpp"

namespace bauta {
namespace {

TEST_F(ClosedSetRun, WhoLearnedFromAnotherFormCannotName) {
  const Json results = run({"protect.technique=\"random-projection:length=8\""});
  const Json& naive = answer(results, results["cells"].back()["key"]["technique"], "naive");
  EXPECT_EQ(naive["status"], "done");
  EXPECT_TRUE(naive["findings"].empty());
  const Json why = {{"remarks",
                     {"24 float32 per template against 8 float32: no comparator takes both, and who learned from one "
                      "kind cannot read the other"}}};
  EXPECT_EQ(naive["values"], why);
  EXPECT_EQ(cell(results, "linkage")["values"], why);
  EXPECT_FALSE(answer(results, results["cells"].back()["key"]["technique"], "parrot")["findings"].empty());
  // Nor can who learned to read attributes, but who learns anew can.
  const Json& gender = cell(results, "utility")["values"]["attributes"][0];
  EXPECT_TRUE(gender["accuracy"].is_null());
  EXPECT_EQ(cell(results, "utility", {{"technique", results["cells"].back()["key"]["technique"]}})["values"]["remarks"],
            (Json{"who learned to read clear samples cannot read these, which have another form"}));
  EXPECT_GT(gender["retrained"]["accuracy"].get<double>(), 0.6);
}

TEST_F(ClosedSetRun, WhoUndoesLearnsTheWayBackFromOtherPeople) {
  const Json results = run({"protect.technique=\"random-projection:length=24,regime=stolen\"",
                            "protocol.adversary=[\"naive\", \"recover\"]", "data.background=data2"});
  const std::string technique = results["cells"].back()["key"]["technique"];
  const Json& naive = answer(results, technique, "naive");
  const Json& recover =
      cell(results, "identification", {{"technique", technique}, {"adversary", "recover"}, {"recovery", "ridge"}});
  ASSERT_EQ(recover["status"], "done") << recover["error"];
  // A projection of full rank is undone by who has seen enough pairs; who knows nothing of it guesses (2.5 %).
  const double clear = recover["values"]["clear"];
  EXPECT_GT(clear, 0.5);
  EXPECT_GT(recover["findings"][0]["value"].get<double>(), 0.8 * clear);
  EXPECT_LT(naive["findings"][0]["value"].get<double>(), 0.25);
  EXPECT_EQ(naive["findings"][0]["axes"]["informed"], "no");
  EXPECT_EQ(recover["findings"][0]["axes"]["informed"], "yes");
  EXPECT_TRUE(results["remarks"].empty()) << results["remarks"].dump();
  // De-shuffling undoes no projection: that nobody tried is said.
  const Json idle = run({"protect.technique=\"random-projection:length=24,regime=stolen\"",
                         "protocol.adversary=[\"naive\", \"recover\"]", "data.background=data2",
                         "attack.recovery=align-mean", "measure.verification=false", "measure.reference=[\"clear\"]"},
                        "idle");
  ASSERT_EQ(idle["remarks"].size(), 4U) << idle["remarks"].dump();
  EXPECT_EQ(idle["remarks"][0].get<std::string>().find("'recover' is tried by nobody"), 0U);
  EXPECT_EQ(idle["remarks"][1], "attack.recovery: align-mean undoes none of the techniques");
  EXPECT_EQ(idle["remarks"][2], "attack.recovery has no effect here: nothing is asked that reads it (recovery)");
  EXPECT_EQ(idle["remarks"][3], "measure.reference has no effect here: nothing is asked that reads it (verification)");
}

TEST_F(ClosedSetRun, PeopleOfOneClassLeaveNothingToRead) {
  const Json results = run({"data.target={path=\"data\", only=\"gender=F\"}", "protect.technique=\"csn\""});
  const Json& utility = cell(results, "utility");
  EXPECT_EQ(utility["status"], "done") << utility["error"];
  EXPECT_TRUE(utility["findings"].empty());
  EXPECT_EQ(utility["values"]["remarks"], (Json{"'gender' has 1 class(es), nothing to read"}));
}

// People are chosen for each technique by itself, and the first is none, of whom no adversary is asked.
TEST_F(ClosedSetRun, WhatOnlySomeOfThePartsReadHasAnEffect) {
  const Json results =
      run({"protocol.identities=[0.5]", "protocol.selection=\"classification\"", "protocol.adversary=[\"parrot\"]"});
  EXPECT_TRUE(results["remarks"].empty()) << results["remarks"].dump();
}

// Nothing is learned of how templates are seen.
TEST_F(ClosedSetRun, OneAttackerByThreeNamesIsSaidToBeOne) {
  const Json results = run({"protocol.adversary=[\"naive\", \"lazy\", \"parrot\"]"});
  ASSERT_EQ(results["remarks"].size(), 1U) << results["remarks"].dump();
  EXPECT_EQ(results["remarks"][0],
            "lazy, parrot are one attacker here: nothing is learned of how they see the samples");
}

// Where there are other people to learn from, whoever reads an attribute in a closed set is ranked.
TEST_F(ClosedSetRun, EstimatorsThatLearnFromOthersAreRanked) {
  const Json results = run({"data.background=data2", "attack.estimator=\"lda\""});
  EXPECT_FALSE(cell(results, "estimate")["findings"].empty());
  bool ranked = false;
  for (const Json& entry : results["ranking"]) ranked = ranked || entry["about"] == "attribute";
  EXPECT_TRUE(ranked) << results["ranking"].dump();
}

TEST_F(ClosedSetRun, WhoIsAskedAboutStandsInTheResults) {
  EXPECT_EQ(run()["experiment"]["protocol"]["adversary"], (Json{"naive", "parrot"}));
}

TEST_F(ClosedSetRun, AdversariesWhomNothingAsksAboutAreRemarkedOn) {
  write(
      "[data]\ntarget = \"data\"\nattacker = \"data2\"\nattribute = \"gender\"\n[protect]\ntechnique = \"csn\"\n"
      "[protocol]\nadversary = [\"naive\", \"recover\"]\n[measure]\nverification = true\nbootstrap = 0\n");
  EXPECT_EQ(run()["remarks"], (Json{"protocol.adversary has no effect here: nothing is asked that has adversaries"}));
}

}  // namespace
}  // namespace bauta
