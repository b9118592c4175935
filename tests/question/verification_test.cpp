// Verification between forms and between samples, and what its findings say.
#include "bauta/question/verification.hpp"

#include <gtest/gtest.h>

#include "../data/scratch.hpp"
#include "bauta/core/error.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/question/protecting.hpp"

namespace bauta {
namespace {

Dataset by_hand(const std::vector<std::string>& names, const std::vector<float>& values) {
  Dataset data;
  data.origin = "hand";
  data.labels = LabelTable("hand", names.size());
  data.labels.add_column("identity", names);
  data.identity_column = "identity";
  Matrix<float> templates(names.size(), values.size() / names.size());
  std::copy(values.begin(), values.end(), templates.data());
  data.templates = Templates(std::move(templates));
  return data;
}

VerifyRun plain() {
  VerifyRun run;
  run.options.bootstrap = 0;
  run.options.permutations = 0;
  return run;
}

Dataset population(std::size_t identities = 60) {
  SynthOptions options;
  options.identities = identities;
  options.samples = 3;
  options.dim = 32;
  options.identity_strength = 1.5;
  return synthesize_templates(options).dataset;
}

Dataset masked(const std::string& technique, const Dataset& dataset) {
  return protect_dataset(make_protection(technique), dataset, protect_context(dataset, 1));
}

// Each person has a glad and a sad sample, at right angles: samples of one mood are alike whoever they are of, and the
// first mood of a person, which differs between people, says nothing about the second.
TEST(VerificationAttributes, ClassesAreOfSamples) {
  Dataset data = by_hand({"a", "a", "b", "b", "c", "c"}, {1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1});
  data.labels.add_column("mood", {"glad", "sad", "sad", "glad", "glad", "sad"});
  VerifyRun run = plain();
  run.attributes = {"mood"};
  const Json scores = run_verify(data, run).values["attribute_scores"];
  ASSERT_EQ(scores.size(), 1U);
  EXPECT_EQ(scores[0]["auc"], 1.0);  // 6 pairs of cosine 1 against 6 of cosine 0
  const Json between = run_verify_between(data, data, run).values["attribute_scores"];
  ASSERT_EQ(between.size(), 1U);
  EXPECT_EQ(between[0]["auc"], 1.0);
}

// Hand calculation. Clear: a at (1, 0) and (4, 3), b at (0, 1) and (3, 4); protected: (0, 1), (1, 0), (1, 0), (1, 1).
// Each protected sample meets the clear ones of the others. Mated: 0.6, 1, 0.6 and sqrt(0.5). Non-mated: 1, 0.8, 0,
// 0.6, 1, 0.8, sqrt(0.5) and 1.4 sqrt(0.5). The mated ones exceed 1, 6, 1 and 2 of the eight and tie with 1, 2, 1 and
// 1: AUC (1.5 + 7 + 1.5 + 2.5) / 32. Each pair in one order only would be 0.375.
TEST(VerificationForms, ClearReferencesMeetProtectedProbes) {
  const std::vector<std::string> names = {"a", "a", "b", "b"};
  const Dataset clear = by_hand(names, {1, 0, 4, 3, 0, 1, 3, 4});
  const Dataset hidden = by_hand(names, {0, 1, 1, 0, 1, 0, 1, 1});
  VerifyRun run = plain();
  run.both_orders = true;
  const Json result = run_verify(in_two_forms(clear, hidden), run).values;
  EXPECT_EQ(result["mated"], 4);
  EXPECT_EQ(result["non_mated"], 8);
  EXPECT_EQ(result["samples"], 4);
  EXPECT_NEAR(result["auc"], 12.5 / 32, 1e-12);
}

TEST(VerificationForms, WhatIsNotProtectedIsRecognisedAsEver) {
  const Dataset clear = population();
  const Json once = run_verify(clear, plain()).values;
  const Json twice = run_verify(in_two_forms(clear, clear), plain()).values;
  for (const char* name : {"eer", "auc", "mated", "non_mated", "d_sys"}) EXPECT_EQ(once[name], twice[name]) << name;
}

// PE-MIU's comparator puts blocks back in order, whichever side was shuffled: a shuffle alone hides nobody from who has
// a picture of them.
TEST(VerificationForms, TheTechniquesOwnComparatorTakesAClearReference) {
  const Dataset clear = population();
  const Dataset shuffled = masked("pe-miu:block=8", clear);
  const Json own = run_verify(in_two_forms(clear, shuffled), plain()).values;
  EXPECT_EQ(own["comparator"], shuffled.provenance->comparator);
  VerifyRun other = plain();
  other.comparator = "cosine";
  const Json cosine = run_verify(in_two_forms(clear, shuffled), other).values;
  EXPECT_LT(own["eer"].get<double>() + 0.1, cosine["eer"].get<double>());
}

TEST(VerificationForms, WhatCannotBeComparedSaysWhy) {
  const Dataset clear = population(10);
  try {
    (void)in_two_forms(clear, masked("biohash", clear));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("32 float32 per template against"), std::string::npos) << error.what();
  }
}

TEST(VerificationForms, WhatFailedInEitherFormFailed) {
  const Dataset clear = population(10);
  Dataset first = clear, second = clear;
  std::vector<std::string> marks(clear.size(), "0");
  marks[3] = "1";
  first.labels.add_column("failed", marks);
  marks[3] = "0";
  marks[5] = "1";
  second.labels.add_column("failed", marks);
  EXPECT_EQ(run_verify(in_two_forms(first, second), plain()).values["failures"], 2);
  EXPECT_EQ(run_verify(in_two_forms(clear, second), plain()).values["failures"], 1);
}

// Who finds known people in protected data is an attacker; who recognises protected people is the rightful user.
TEST(VerificationForms, ClearReferencesAreALeak) {
  const Dataset clear = population();
  VerifyRun run;
  run.options.bootstrap = 50;
  run.clear_references = true;
  const Answer answer = run_verify(in_two_forms(clear, masked("pe-miu:block=8", clear)), run);
  ASSERT_EQ(answer.findings.size(), 1U);
  const Finding& finding = answer.findings.front();
  EXPECT_EQ(finding.about, About::identity);
  EXPECT_EQ(finding.value, answer.values["eer"]);
  EXPECT_NEAR(*share_of_way(finding), 1 - 2 * finding.value, 1e-12);  // 0 at 50 %, 1 at 0 %
  ASSERT_EQ(finding.draws.size(), 50U);
  EXPECT_EQ(finding.ci->low, answer.values["eer_ci"][0]);
  run.clear_references = false;
  const Answer rightful = run_verify(clear, run);
  EXPECT_EQ(rightful.findings.front().about, About::recognition);
  EXPECT_EQ(rightful.findings.front().drawn_over, finding.drawn_over);  // the same people in the same draws
}

// Samples of the same people in the same order are still others: the first probe meets the first reference. Hand
// calculation: probes (1, 0) and (0, 1), references (1, 0) and (3, 4): mated 1 and 4/5, non-mated 3/5 and 0.
TEST(VerificationBetween, ComparesEverySampleWithEveryOther) {
  const Dataset references = by_hand({"a", "b"}, {1, 0, 3, 4});
  const Dataset probes = by_hand({"a", "b"}, {1, 0, 0, 1});
  const Json result = run_verify_between(references, probes, plain()).values;
  EXPECT_EQ(result["mated"], 2);
  EXPECT_EQ(result["non_mated"], 2);
  EXPECT_EQ(result["auc"], 1);
  EXPECT_EQ(result["samples"], 4);
  EXPECT_EQ(result["identities"], 2);
}

// Everybody is neutral: nobody differs from another by it, and recognition is measured all the same.
TEST(VerificationForms, WhatEverybodySharesTellsNobodyApart) {
  Dataset data = population(10);
  data.labels.add_column("expression", std::vector<std::string>(data.size(), "neutral"));
  VerifyRun run = plain();
  run.attributes = {"expression"};
  const Json result = run_verify(data, run).values;
  EXPECT_TRUE(result["attribute_scores"].empty());
  EXPECT_EQ(result["mated"], 30);
}

// Two splits of the same people are pooled, comparison by comparison.
// One copy within a person and one of somebody else, as many of each.
TEST(Verification, CopiesAreTold) {
  const Dataset data = by_hand({"a", "a", "b", "b", "c", "c"}, {1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 2, 1});
  const Json remarks = run_verify(std::span(&data, 1), plain()).values["remarks"];
  EXPECT_NE(remarks.dump().find("1 samples equal an earlier one of their person in every feature, 1 one of"),
            std::string::npos)
      << remarks;
}

TEST(Verification, ScoresInAFileHaveNoFailures) {
  const test::Scratch scratch;
  const Json found = run_verify_scores(scratch.write("s.csv", "score,mated\n3,1\n2,1\n1,0\n0,0\n"), {}, plain()).values;
  EXPECT_EQ(found["failures"], 0);
  EXPECT_EQ(found["eer"], 0.0);
}

TEST(VerificationBetween, PoolsRepetitions) {
  const Dataset references[] = {by_hand({"a", "b"}, {1, 0, 3, 4}), by_hand({"b", "a"}, {1, 0, 3, 4})};
  const Dataset probes[] = {by_hand({"a", "b"}, {1, 0, 0, 1}), by_hand({"a", "b"}, {1, 0, 0, 1})};
  const Json result = run_verify_between(references, probes, plain()).values;
  EXPECT_EQ(result["mated"], 4);
  EXPECT_EQ(result["non_mated"], 4);
  EXPECT_EQ(result["identities"], 2);
  EXPECT_EQ(result["auc"], 0.5);  // the second split has the scores of the first, with mated and non-mated exchanged
}

TEST(VerificationBetween, TellsScoresOfClassesApart) {
  Dataset references = population(20), probes = references;
  std::vector<std::string> moods;
  for (std::size_t row = 0; row < references.size(); ++row) moods.push_back((row / 3) % 2 == 0 ? "x" : "y");
  references.labels.add_column("mood", moods);
  probes.labels.add_column("mood", moods);
  VerifyRun run = plain();
  run.attributes = {"mood"};
  const Json scores = run_verify_between(references, probes, run).values["attribute_scores"][0];
  std::size_t same = 0, different = 0;
  for (const Json& count : scores["same"]) same += count.get<std::size_t>();
  for (const Json& count : scores["different"]) different += count.get<std::size_t>();
  EXPECT_EQ(same, 20U * 9 * 9);  // nine others of one's class, three by three samples, from either side
  EXPECT_EQ(different, 20U * 10 * 9);
}

}  // namespace
}  // namespace bauta
