// Sentences about a release, from what its results say.
#include "release_verdict.hpp"

#include <gtest/gtest.h>

#include "bauta/report/summary.hpp"

namespace bauta::report {
namespace {

Json finding(const char* about, const char* attacker, double value, double chance, const Json& axes) {
  return {{"about", about}, {"attacker", attacker}, {"value", value}, {"chance", chance}, {"axes", axes}};
}

/// Records found by two, people named by one, an attribute read; clear data beside it, of which nothing is said.
Json made_up() {
  Json read = finding("utility", "the rightful user", 0.75, 0.5, {{"attribute", "mood"}, {"role", "interest"}});
  read["clear"] = {{"value", 0.875}};
  Json clear = finding("identity", "nearest", 1, 0.01, {{"informed", "no"}});
  clear["unprotected"] = true;
  const Json findings = {clear, finding("identity", "nearest", 0.125, 0.01, {{"informed", "no"}}),
                         finding("identity", "likelihood", 0.25, 0.02, {{"informed", "yes"}}),
                         finding("identity", "mlp", 0.375, 0.05, {{"recogniser", "mlp"}, {"adversary", "parrot"}}),
                         read};
  return {{"cells", {{{"key", {{"question", "any"}}}, {"findings", findings}}}},
          {"release",
           {{"traceable", true},
            {"records", 1200},
            {"failures", 0},
            {"one_record_per_identity", false},
            {"columns", {"mood", "age"}},
            {"labels", {{"combinations", 4}, {"smallest", 30}, {"k", 5}, {"rare_combinations", 0}}},
            {"search", nullptr}}}};
}

TEST(ReleaseVerdict, NamesTheStrongestWhoFindRecordsAndPeopleAndTheUse) {
  EXPECT_EQ(release_verdict(made_up()),
            "Not anonymous: these records can be traced. The strongest attacker tried (likelihood) finds the original "
            "of a record at the first guess in 25.0 % of the cases, somebody who guesses in 2.0 %. The strongest "
            "attacker tried (mlp, parrot) finds the person behind a record at the first guess in 37.5 % of the cases, "
            "somebody who guesses in 5.0 %. 'mood' is read with 75.0 % accuracy (clear data 87.5 %, guessing 50.0 %).");
}

TEST(ReleaseVerdict, SpeaksOfLabelsAndOfABoundThatDoesNotHold) {
  Json results = made_up();
  results["cells"] = Json::array();
  Json& release = results["release"];
  release["traceable"] = false;
  release["labels"] = {{"combinations", 9},   {"smallest", 5},    {"k", 5},       {"rare_combinations", 3},
                       {"generalised", 1200}, {"suppressed", 12}, {"left_out", 2}};
  release["search"] = {{"target", 0.5}, {"evidence", {{"mixture", 0.25}, {"reaches", false}}}};
  EXPECT_EQ(release_verdict(results),
            "No attacker tried here traces these records much better than by guessing. Labels of fewer than 5 people "
            "were changed: 1 200 values were generalised, 12 records come without labels, 2 were left out. The mixture "
            "of 50.0 % that was asked for is not reached here: it is 25.0 %.");
  release["search"]["evidence"]["reaches"] = true;
  release["labels"]["rare_combinations"] = 0;
  release["unclear"] = true;
  EXPECT_EQ(release_verdict(results).rfind("Not shown to be anonymous: ", 0), 0U);
  release["unclear"] = false;
  EXPECT_EQ(release_verdict(results), "No attacker tried here traces these records much better than by guessing.");
}

TEST(ReleaseVerdict, StatementsFollowFromFacts) {
  Json release = made_up()["release"];
  const Json said = release_statements(release);
  EXPECT_EQ(said["threat_model"].size(), 5U);
  EXPECT_NE(said["not_promised"].dump().find("The rarest combination of them belongs to 30 people"), std::string::npos);
  EXPECT_EQ(said["written"].size(), 4U);
  EXPECT_NE(said["written"][0].get<std::string>().find("the columns id, mood, age,"), std::string::npos);
  release.update({{"one_record_per_identity", true}, {"failures", 3}});
  const Json other = release_statements(release);
  EXPECT_EQ(other["threat_model"].size(), 4U);  // nobody can be named
  EXPECT_EQ(other["written"][4], "Samples without a template were left out: 3.");
}

TEST(ReleaseVerdict, IsPatientWithWhatItCannotRead) {
  for (const char* text : {"{}", "[]", "null", R"({"release": 3, "cells": [7, {"findings": {"a": null}}]})"}) {
    EXPECT_TRUE(release_verdict(Json::parse(text)).starts_with("No attacker")) << text;
    EXPECT_EQ(release_statements(Json::parse(text)).size(), 3U) << text;
  }
}

}  // namespace
}  // namespace bauta::report
