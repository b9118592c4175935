// Samples that are lost when they are masked, and what is left to learn from: nothing is read off what is not there.
#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/protocol/subject_parts.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/decisions.hpp"
#include "bauta/question/estimate.hpp"
#include "bauta/question/recovering.hpp"
#include "bauta/question/similarity.hpp"
#include "linkage.hpp"
#include "utility.hpp"

namespace bauta {
namespace {

Dataset data_of(const std::vector<std::string>& gender, const std::vector<std::vector<float>>& rows,
                const std::vector<std::string>& failed) {
  Dataset data;
  data.origin = "hand";
  data.labels = LabelTable("hand", gender.size());
  data.labels.add_column("gender", gender);
  if (!failed.empty()) data.labels.add_column("failed", failed);
  Matrix<float> x(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], x.row(i).begin());
  data.templates = Templates(std::move(x));
  return data;
}

// F is the most frequent class of the training part, so that F is what is said where there is nothing to read: of F, M,
// M, M with the second and third lost, two are right.
TEST(LostSamples, AreReadAsTheMostFrequentClass) {
  std::vector<std::string> gender;
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 30; ++i) {
    gender.emplace_back(i % 3 == 0 ? "M" : "F");
    rows.push_back({(i % 3 == 0 ? 5.0F : -5.0F) + 0.01F * static_cast<float>(i), static_cast<float>(i % 7)});
  }
  const Dataset train = data_of(gender, rows, {});
  const std::vector<std::string> truth = {"F", "M", "M", "M"};
  const std::vector<std::vector<float>> judged = {{-5, 1}, {5, 2}, {5, 3}, {5, 4}};
  const AttributeReaders readers(train, data_of(truth, judged, {}), {.attributes = {"gender"}, .bootstrap = 0});
  const Json whole = readers.read(data_of(truth, judged, {"0", "0", "0", "0"}), nullptr).values["attributes"][0];
  EXPECT_EQ(whole["accuracy"], 1.0);
  // The rows that are lost hold what would be read rightly, and must not be looked at.
  const Dataset lost = data_of(truth, judged, {"0", "1", "1", "0"});
  EXPECT_EQ(readers.read(lost, nullptr).values["attributes"][0]["accuracy"], 0.5);
  EXPECT_EQ(readers.read(lost, nullptr).values["attributes"][0]["clear"]["accuracy"], 1.0);
  // Who learns anew learns from what is there: with all M lost, everything is F.
  std::vector<std::string> without;
  for (const std::string& one : gender) without.emplace_back(one == "M" ? "1" : "0");
  const Dataset thinned = data_of(gender, rows, without);
  EXPECT_EQ(readers.read(lost, &thinned).values["attributes"][0]["retrained"]["accuracy"], 0.25);
}

/// Clear data, and the same behind a mask.
AttackData behind_mask(const Dataset& train, const Dataset& test, const Dataset& masked_test) {
  AttackData data;
  data.clear = [&](std::size_t) { return AttackSplit{train, std::nullopt, test}; };
  data.attacked = [&](std::size_t) { return AttackSplit{train, std::nullopt, masked_test}; };
  return data;
}

// Of F, M, M, M two are lost behind the mask: said to be F, of which there is most. Of the men one in three is right.
TEST(LostSamples, AreJudgedByEstimatorsAsGuesses) {
  std::vector<std::string> gender, age;
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 30; ++i) {
    gender.emplace_back(i % 3 == 0 ? "M" : "F");
    age.push_back(std::to_string(i));
    rows.push_back({(i % 3 == 0 ? 5.0F : -5.0F) + 0.01F * static_cast<float>(i % 4), static_cast<float>(i)});
  }
  Dataset train = data_of(gender, rows, {});
  train.labels.add_column("age", age);
  const std::vector<std::vector<float>> judged = {{-5, 1}, {5, 29}, {5, 3}, {5, 4}};
  Dataset test = data_of({"F", "M", "M", "M"}, judged, {});
  test.labels.add_column("age", {"1", "29", "3", "4"});
  Dataset masked = test;
  masked.mark_failed({false, true, true, false});
  EstimateRun run{.attribute = "gender", .estimators = {"lda"}, .preparation = "none", .bootstrap = 0};
  const Json json = run_estimate(behind_mask(train, test, masked), run).values;
  const Json& lda = json["results"][0];
  EXPECT_DOUBLE_EQ(lda["clear"]["balanced"], 1);
  EXPECT_DOUBLE_EQ(lda["balanced"], (1 + 1.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(lda["paired"]["difference"], 1 - (1 + 1.0 / 3) / 2);
  ASSERT_EQ(json["remarks"].size(), 1U);
  EXPECT_EQ(json["remarks"][0].get<std::string>().find("2 of 4 target samples are lost"), 0U);
  // As a number they are said to be 14.5, the median of 0 .. 29: 14.5 and 11.5 years off; ridge reads the others.
  run.attribute = "age";
  run.estimators = {"lda"};  // whose regressor is ridge
  const Json number = run_estimate(behind_mask(train, test, masked), run).values["regression"]["results"][0];
  EXPECT_NEAR(number["mae"], (14.5 + 11.5) / 4, 0.5);
  EXPECT_LT(number["clear"]["mae"], 0.5);
}

/// Rows at right angles to those of the other class, of people of one sample each; with names.
Dataset at_right_angles(const std::vector<std::string>& gender, const std::string& prefix, float aside) {
  std::vector<std::vector<float>> rows;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < gender.size(); ++i) {
    const float more = aside + 0.1F * static_cast<float>(i);
    rows.push_back(gender[i] == "F" ? std::vector<float>{1, 0, more} : std::vector<float>{0, 1, more});
    names.push_back(prefix + std::to_string(i));
  }
  Dataset data = data_of(gender, rows, {});
  data.labels.add_column("identity", names);
  data.identity_column = "identity";
  return data;
}

// The similarity attack reads all whom it meets. Of four M two are lost and said to be F, of which attackers have more.
TEST(LostSamples, AreJudgedByTheSimilarityAttackAsGuesses) {
  const Dataset train = at_right_angles({"F", "F", "F", "M", "M"}, "attacker", 0.05F),
                test = at_right_angles({"F", "M", "M", "M", "M"}, "target", 0.1F);
  Dataset masked = test;
  masked.mark_failed({false, true, true, false, false});
  SimilarityRun run{.attribute = "gender", .comparator = "cosine", .options = {{SimilarityRule::mean}, {1}, 1}};
  run.bootstrap = 0;
  run.controls = false;
  const Json json = run_similarity_attack(behind_mask(train, test, masked), run).values;
  EXPECT_DOUBLE_EQ(json["results"][0]["clear"]["balanced"], 1);
  EXPECT_DOUBLE_EQ(json["results"][0]["balanced"], (1 + 0.5) / 2);
  EXPECT_EQ(json["target"]["samples"], 5);
  ASSERT_EQ(json["remarks"].size(), 1U);
  EXPECT_EQ(json["remarks"][0].get<std::string>().find("2 of 5 target samples are lost"), 0U);
  // Who has no template without a mask either says nothing of it.
  Dataset clear = test;
  clear.mark_failed({false, true, false, false, false});
  const Json fewer = run_similarity_attack(behind_mask(train, clear, masked), run).values;
  EXPECT_DOUBLE_EQ(fewer["results"][0]["balanced"], (1 + 2.0 / 3) / 2);
  EXPECT_EQ(fewer["target"]["failures"], 1);
}

// No answer tells anything of who is lost: decided are those who are met. Of the 28 pairs of targets 16 are of one
// class, whose lowest score the threshold is: at FMR 0.6 attackers match all of their class and nobody else.
TEST(LostSamples, AreUndecided) {
  const Dataset train = at_right_angles({"F", "F", "M", "M"}, "attacker", 0.05F),
                test = at_right_angles({"F", "F", "M", "M", "M", "M", "M", "M"}, "target", 0.1F);
  Dataset masked = test;
  masked.mark_failed({false, false, false, false, true, true, false, false});
  const DecisionRun run{.attribute = "gender", .fmr = {0.6}, .comparator = "cosine", .bootstrap = 0};
  const Json whole = run_decision_attack(behind_mask(train, test, test), run).values;
  const Json json = run_decision_attack(behind_mask(train, test, masked), run).values;
  EXPECT_DOUBLE_EQ(whole["results"][0]["decided"], 1);
  EXPECT_DOUBLE_EQ(json["results"][0]["decided"], 6.0 / 8);
  EXPECT_EQ(json["target"]["samples"], 8);
  ASSERT_FALSE(json["remarks"].empty());
  EXPECT_EQ(json["remarks"].back().get<std::string>().find("2 of 8 target samples are lost"), 0U);
}

// In the first rotation nobody is of class A; in the second there is. B is B in both.
TEST(Rotations, AClassHasOneCodeInAll) {
  const Dataset without = at_right_angles({"F", "F", "M", "M"}, "one", 0.03F),
                with = at_right_angles({"F", "A", "M", "M", "A"}, "two", 0.26F),
                test = at_right_angles({"F", "F", "M", "M", "A", "A"}, "target", 0.1F);
  AttackData data;
  data.rotations = 2;
  data.attacked = [&](std::size_t r) { return AttackSplit{r == 0 ? without : with, std::nullopt, test}; };
  SimilarityRun run{.attribute = "gender", .comparator = "cosine", .options = {{SimilarityRule::mean}, {1}, 1}};
  run.bootstrap = 0;
  run.controls = false;
  const Json similarity = run_similarity_attack(data, run).values;
  EXPECT_EQ(similarity["classes"], (Json{"A", "F", "M"}));
  // A stands where M does: in the first rotation it is taken for M, and so it may be in the second.
  EXPECT_EQ(similarity["results"][0]["per_class"]["F"], 1.0);
  EXPECT_LE(similarity["results"][0]["per_class"]["A"], 0.5);
  EXPECT_EQ(similarity["target"]["samples"], 12);
  EXPECT_EQ(similarity["remarks"].back().get<std::string>().find("in 1 of 2 rotations there is nobody to learn 'A'"),
            0U);
  const DecisionRun decisions{.attribute = "gender", .fmr = {0.48}, .comparator = "cosine", .bootstrap = 0};
  const Json decided = run_decision_attack(data, decisions).values;
  EXPECT_EQ(decided["classes"], similarity["classes"]);
  EXPECT_EQ(decided["results"][0]["per_class"]["F"], 1.0);
  EXPECT_NEAR(decided["chance"].get<double>(), 1.0 / 3, 1e-12);
  EstimateRun estimate{.attribute = "gender", .estimators = {"knn:k=1"}, .preparation = "none", .bootstrap = 0};
  const Json estimated = run_estimate(data, estimate).values;
  EXPECT_EQ(estimated["classes"], similarity["classes"]);
  EXPECT_EQ(estimated["results"][0]["per_class"]["F"], 1.0);
  EXPECT_LE(estimated["results"][0]["per_class"]["A"], 0.5);
}

// Whoever exchanges classes with somebody of a class that attackers do not know is left out of the floor, and the other
// is in it: people with other numbers of samples.
TEST(LostSamples, TheFloorIsOfWhoHasAKnownClassAfterTheExchange) {
  SynthOptions options;
  options.identities = 60;
  options.samples = 2;
  options.dim = 6;
  options.attributes = {{"gender", 3, {"F", "M"}, {0.5, 0.5}}};
  const Dataset all = synthesize_templates(options).dataset;
  const Dataset train = subject_part(all, {1, 2});
  Dataset test = subject_part(all, {2, 2});
  // Half of the people have one sample; of every third nobody knows the class.
  std::vector<std::size_t> rows;
  std::vector<std::string> classes;
  for (std::size_t row = 0; row < test.size(); ++row) {
    if (row % 4 == 1) continue;
    rows.push_back(row);
    classes.push_back(row / 2 % 3 == 0 ? "unknown to them" : test.labels.column("gender")[row]);
  }
  test = test.select(rows);
  test.labels.replace_column("gender", classes);
  const Json json =
      run_estimate(train, test, {.attribute = "gender", .estimators = {"lda"}, .controls = true, .bootstrap = 0})
          .values["results"][0];
  EXPECT_FALSE(json["control"]["null"]["found"].get<bool>());
  EXPECT_GT(json["balanced"], json["floor"]["balanced"]);
}

// What attackers bring back of their own people is lost where the mask lost it: they do not learn from zeros.
TEST(LostSamples, AreNotBroughtBack) {
  SynthOptions options;
  options.identities = 30;
  options.samples = 2;
  options.dim = 6;
  const Dataset clear = synthesize_templates(options).dataset;
  Dataset hidden = clear;
  std::vector<bool> lost(clear.size(), false);
  lost[3] = lost[40] = true;
  Matrix<float> values = to_features(clear.templates);
  for (std::size_t row = 0; row < clear.size(); ++row) {
    for (float& value : values.row(row)) value = lost[row] ? 0 : -value;
  }
  hidden.templates = Templates(std::move(values));
  hidden.mark_failed(lost);
  const Dataset back = recover_own(clear, hidden, {.recovery = "ridge"});
  EXPECT_EQ(back.failed(), lost);
}

// Four originals at right angles, and the records equal them. Two are lost and are found by a guess among four.
TEST(LostSamples, AreFoundByGuessing) {
  const std::vector<std::vector<float>> rows = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  const Dataset originals = data_of({"F", "F", "M", "M"}, rows, {});
  // Lost rows are zero, which has no direction to compare.
  const std::vector<std::vector<float>> made = {{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};
  const Dataset records = data_of({"F", "F", "M", "M"}, made, {"0", "1", "0", "1"});
  const LinkageRun run{.attribute = "gender", .bootstrap = 0};
  const Json values = run_linkage({originals, originals, records}, run).values;
  EXPECT_EQ(values["exact_copies"], 2);
  ASSERT_EQ(values["attackers"].size(), 1U);
  EXPECT_NEAR(values["attackers"][0]["mixture"], 1 - (2 + 2 * 0.25) / 4, 1e-12);
  EXPECT_NEAR(values["attackers"][0]["clear"]["mixture"], 0, 1e-12);
  const std::vector<std::vector<float>> none(4, std::vector<float>(4, 0.0F));
  const Dataset nothing = data_of({"F", "F", "M", "M"}, none, {"1", "1", "1", "1"});
  EXPECT_NEAR(run_linkage({originals, originals, nothing}, run).values["attackers"][0]["mixture"], 0.75, 1e-12);
}

// Bits are linked by nobody, which is no number that could be missed.
TEST(LostSamples, BitsAreNotLinked) {
  Dataset bits = data_of({"F", "F", "M", "M"}, {{1}, {2}, {3}, {4}}, {});
  bits.templates = Templates(Matrix<std::uint8_t>(4, 2));
  EXPECT_THROW((void)run_linkage({bits, bits, bits}, {.attribute = "gender", .bootstrap = 0}), NothingToAnswer);
}

// All men of the attacker's data are lost: one class is left, and whoever knows one class tells nothing by naming it.
TEST(LostSamples, LeaveTwoClassesOrNothingIsClaimed) {
  SynthOptions options;
  options.identities = 40;
  options.samples = 1;
  options.dim = 8;
  options.attributes = {{"gender", 3, {"F", "M"}, {0.5, 0.5}}};
  const Dataset all = synthesize_templates(options).dataset;
  Dataset train = subject_part(all, {1, 2});
  const Dataset test = subject_part(all, {2, 2});
  std::vector<std::string> failed;
  for (const std::string& gender : train.labels.column("gender")) failed.emplace_back(gender == "M" ? "1" : "0");
  train.labels.add_column("failed", failed);
  EstimateRun estimate;
  estimate.attribute = "gender";
  SimilarityRun similarity;
  similarity.attribute = "gender";
  const auto refused = [](const auto& attack) {
    try {
      (void)attack();
    } catch (const Error& error) {
      return error.finding;
    }
    return std::string();
  };
  const std::string expected = "share 1 class(es) of 'gender': [F] against [F, M]";
  EXPECT_EQ(refused([&] { return run_estimate(train, test, estimate); }), expected);
  EXPECT_EQ(refused([&] { return run_similarity_attack(train, test, similarity); }), expected);
}

}  // namespace
}  // namespace bauta
