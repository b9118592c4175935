// The attacks of whole runs: online on keyed systems, estimators, linkage across keys, on populations with known truth.
#include <cmath>

#include <gtest/gtest.h>

#include "../../src/question/decision_pool.hpp"
#include "bauta/compare/comparator.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/protocol/subject_parts.hpp"
#include "bauta/question/decisions.hpp"
#include "bauta/question/estimate.hpp"
#include "bauta/question/online.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/similarity.hpp"
#include "bauta/question/unlinkability.hpp"

namespace bauta {
namespace {

Dataset people(double leak, std::size_t identities = 400, std::size_t samples = 2, std::uint64_t seed = 1) {
  SynthOptions options;
  options.seed = seed;
  options.identities = identities;
  options.samples = samples;
  options.dim = 32;
  options.identity_strength = 2;
  options.attributes = {{"gender", leak, {"F", "M"}, {0.5, 0.5}}};
  return synthesize_templates(options).dataset;
}

Dataset masked(const std::string& technique, const Dataset& dataset) {
  return protect_dataset(make_protection(technique), dataset, protect_context(dataset, 1));
}

class Attacks : public ::testing::Test {
 protected:
  static Json online(const std::string& technique, double leak, std::uint64_t seed = 1) {
    const Dataset all = people(leak, 400, 2, seed);
    OnlineRun run;
    run.attribute = "gender";
    run.fmr = {0.05};
    run.queries = {1, 10, 200};
    run.targets = 200;
    run.bootstrap = 200;
    return run_online_attack(make_protection(technique), subject_part(all, {1, 2}), subject_part(all, {2, 2}), run)
        .values;
  }
};

// A program that only copies is presented with all queries at once, and answers as no mask does.
TEST_F(Attacks, OnlineAsksProgramsOfOnesOwn) {
  EXPECT_EQ(online("command:run=cp -r {in}/. {out}", 6)["results"], online("none", 6)["results"]);
}

TEST_F(Attacks, OnlineLearnsWithTheQueriesAndAWrongKeyHidesTheFirstMatch) {
  for (const char* technique : {"none", "random-projection:regime=stolen", "random-projection:regime=secret"}) {
    const Json result = online(technique, 6);
    ASSERT_EQ(result["results"].size(), 6U);
    const Json& one = result["results"][0];
    const Json& all = result["results"][2];
    const Json& hidden = result["results"][5];
    EXPECT_LT(one["decided"], all["decided"]) << technique;
    EXPECT_GT(all["ci"][0].get<double>(), 0.8) << technique;
    EXPECT_LE(hidden["decided"].get<double>(), all["decided"].get<double>()) << technique;
    EXPECT_EQ(result["results"][3]["decided"], 0.0) << technique;  // one query never returns a key twice
    EXPECT_NEAR(one["actual_fmr"].get<double>(), 0.05, 0.001) << technique;
  }
}

TEST_F(Attacks, OnlineIsAtChanceWhereNothingLeaks) {
  // Over 40 populations a 95 % interval misses chance twice on average; seven times or more in 0.3 % of such tests
  // (binomial), for each of the rows.
  constexpr int populations = 40;
  for (const char* technique : {"none", "random-projection:regime=secret"}) {
    std::vector<int> missed(6, 0);
    std::vector<double> mean(6, 0);
    for (int seed = 1; seed <= populations; ++seed) {
      const Json result = online(technique, 0, static_cast<std::uint64_t>(seed));
      ASSERT_EQ(result["results"].size(), missed.size());
      for (std::size_t i = 0; i < missed.size(); ++i) {
        const Json& row = result["results"][i];
        missed[i] += row["ci"][0].get<double>() > 0.5 || row["ci"][1].get<double>() < 0.5 ? 1 : 0;
        mean[i] += row["balanced"].get<double>() / populations;
      }
    }
    for (std::size_t i = 0; i < missed.size(); ++i) {
      EXPECT_LT(missed[i], 7) << technique << " row " << i;
      EXPECT_NEAR(mean[i], 0.5, 0.02) << technique << " row " << i;  // 0.037 / sqrt(40) is one standard error
    }
  }
}

TEST_F(Attacks, DecisionsTellLessThanScoresAtLowFalseMatchRates) {
  const Dataset all = people(4);
  const DecisionRun run{.attribute = "gender", .fmr = {0.2, 0.0005}, .bootstrap = 0};
  const Dataset attacker = subject_part(all, {1, 2}), target = subject_part(all, {2, 2});
  const Json results = run_decision_attack(AttackData::of(attacker, target), run).values["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_GT(results[0]["decided"], 0.95);
  EXPECT_LT(results[1]["decided"], 0.3);
  EXPECT_GT(results[0]["balanced"].get<double>(), results[1]["balanced"].get<double>());
}

TEST_F(Attacks, EstimatorsFindAPlantedLeakAndNothingElse) {
  for (const double leak : {0.0, 3.0}) {
    const Dataset all = people(leak, 1000, 1);
    EstimateRun run;
    run.attribute = "gender";
    run.bootstrap = 500;
    const Json result = run_estimate(subject_part(all, {1, 2}), subject_part(all, {2, 2}), run).values;
    ASSERT_EQ(result["results"].size(), 3U);
    EXPECT_EQ(result["chance"], 0.5);
    for (const Json& row : result["results"]) {
      if (leak == 0) {
        // Three estimators share the test sample: an interval that misses chance is a rare event for each.
        EXPECT_NEAR(row["balanced"].get<double>(), 0.5, 0.09) << row;
        EXPECT_NEAR(row["auc"].get<double>(), 0.5, 0.09) << row;
      } else {
        EXPECT_GT(row["balanced"].get<double>(), 0.75) << row;
        // The class means are 3 standard deviations of one sample apart: nobody beats Phi(1.5) beyond sampling error.
        EXPECT_LT(row["balanced"].get<double>(), bayes_optimum(3, std::vector<double>{0.5, 0.5}).balanced + 0.05);
      }
    }
  }
}

Dataset of_classes(const std::vector<std::string>& classes, const std::string& prefix) {
  Dataset data;
  data.origin = prefix;
  data.labels = LabelTable(prefix, classes.size());
  Matrix<float> values(classes.size(), 2);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    names.push_back(prefix + std::to_string(i));
    values(i, 0) = classes[i].empty() ? 0 : static_cast<float>(classes[i][0] - 'a');
    values(i, 1) = 0.001F * static_cast<float>(prefix[0]) + 1e-5F * static_cast<float>(i);  // no sample is another
  }
  data.labels.add_column("identity", names);
  data.labels.add_column("mood", classes);
  data.identity_column = "identity";
  data.templates = Templates(std::move(values));
  return data;
}

std::vector<std::string> repeated(const std::vector<std::string>& classes, std::size_t times) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), classes.begin(), classes.end());
  return all;
}

// Of four classes two are there, and of eight samples two have none.
TEST_F(Attacks, WhatCannotBeGuessedAtIsCounted) {
  const Dataset train = of_classes(repeated({"a", "b", "c", "d"}, 8), "t");
  const Dataset target = of_classes(repeated({"a", "b", "a", "", "b", "a", "", "b"}, 4), "p");
  EstimateRun run;
  run.attribute = "mood";
  run.estimators = {"knn:k=1"};
  run.bootstrap = 0;
  const std::string remarks = run_estimate(train, target, run).values["remarks"].dump();
  EXPECT_NE(remarks.find("2 of 4 classes of 'mood' do not occur in the target"), std::string::npos) << remarks;
  EXPECT_NE(remarks.find("8 target samples without a class"), std::string::npos) << remarks;
}

// Four rotations, of which one meets people of one class only, and each two samples without any: what is pooled is of
// both classes, and tells how many are left out in all. A target that is of one class in all rotations is nothing to
// guess at.
TEST_F(Attacks, RotationsNeedTwoClassesTogether) {
  const auto data = [](bool same) {
    AttackData rotations;
    rotations.rotations = 4;
    rotations.same_mask = true;
    rotations.attacked = [same](std::size_t r) {
      std::vector<std::string> met = {"a", "a", "", "a", ""};
      if (!same && r != 2) met[1] = "b";
      const std::string rotation = std::to_string(r);
      return AttackSplit{of_classes(repeated({"a", "b"}, 16), "t" + rotation + "-"), std::nullopt,
                         of_classes(met, "p" + rotation + "-")};
    };
    return rotations;
  };
  EstimateRun estimate;
  estimate.attribute = "mood";
  estimate.estimators = {"knn:k=1"};
  estimate.bootstrap = 0;
  const Json found = run_estimate(data(false), estimate).values;
  EXPECT_EQ(found["test"]["samples"], 12);
  EXPECT_NE(found["remarks"].dump().find("\"8 target samples without a class"), std::string::npos) << found["remarks"];
  EXPECT_EQ(found["results"][0]["balanced"], 1.0);
  SimilarityRun similarity;
  similarity.attribute = "mood";
  similarity.comparator = "euclidean";
  similarity.bootstrap = 0;
  const Json scored = run_similarity_attack(data(false), similarity).values;
  EXPECT_EQ(scored["target"]["samples"], 12);
  EXPECT_NE(scored["remarks"].dump().find("\"8 target samples without a class"), std::string::npos);
  EXPECT_THROW((void)run_estimate(data(true), estimate), Error);
  EXPECT_THROW((void)run_similarity_attack(data(true), similarity), Error);
}

// One sample of each person who has a name, and all without one: 0, 1, 3 and 7 on a line. Of their six distances two
// are 2 at most, a third; of the fifteen among six samples that nobody is known of, six are 1 at most, two of them 0.
TEST(SystemThresholds, TakeOneSampleOfEachPerson) {
  Dataset data = of_classes({"a", "a", "b", "b", "d", "h"}, "p");
  data.labels.replace_column("identity", {"x", "x", "y", "y", "", ""});
  Matrix<float> line(6, 1);
  const float places[] = {0, 0, 1, 1, 3, 7};
  std::copy(std::begin(places), std::end(places), line.data());
  data.templates = Templates(std::move(line));
  const auto comparator = make_comparator("euclidean");
  const Threshold some = system_thresholds(*comparator, data, {0.4}, 1).at(0);
  EXPECT_EQ(some.value, -2);
  EXPECT_NEAR(some.actual_fmr, 1.0 / 3, 1e-12);
  data.identity_column.clear();
  const Threshold all = system_thresholds(*comparator, data, {0.4}, 1).at(0);
  EXPECT_EQ(all.value, -1);
  EXPECT_NEAR(all.actual_fmr, 0.4, 1e-12);
}

// Of one width, and yet of two masks: what was learned of one says nothing of the other.
TEST_F(Attacks, EstimatorsRefuseAnotherMask) {
  const Dataset all = people(3, 40, 1), known = subject_part(all, {1, 2}), met = subject_part(all, {2, 2});
  EstimateRun run;
  run.attribute = "gender";
  run.estimators = {"lda"};
  run.bootstrap = 0;
  EXPECT_NO_THROW((void)run_estimate(known, met, run));
  EXPECT_THROW((void)run_estimate(known, masked("pe-miu:block=4", met), run), Error);
  EXPECT_THROW((void)run_estimate(masked("pe-miu:block=8", known), masked("pe-miu:block=4", met), run), Error);
}

TEST_F(Attacks, EstimatorsReadCodesAndBits) {
  const Dataset all = people(5, 600, 1);
  for (const char* technique : {"biohash", "iom-grp:m=100,q=8"}) {
    EstimateRun run;
    run.attribute = "gender";
    run.estimators = {"logistic"};
    run.bootstrap = 0;
    const Json result =
        run_estimate(masked(technique, subject_part(all, {1, 2})), masked(technique, subject_part(all, {2, 2})), run)
            .values;
    EXPECT_GT(result["best"]["balanced"].get<double>(), 0.8) << technique;
  }
}

TEST_F(Attacks, UnlinkableUnderDifferentKeysAndLinkableUnderOne) {
  const Dataset all = people(0, 300, 3);
  UnlinkabilityRun run;
  run.options.bootstrap = 0;
  const std::string base = "random-projection:matrix=orthonormal,regime=application,application=";
  const Dataset zero = masked(base + "0", all);
  const Json apart = run_unlinkability(zero, masked(base + "1", all), run).values;
  EXPECT_EQ(apart["mated"], 300 * 6);  // ordered pairs of different samples
  // One pair of keys shifts all mated scores a little (their mean is a random trace), so the bound is wide.
  EXPECT_LT(apart["d_sys"].get<double>(), apart["d_sys_null_high"].get<double>() + 0.05);
  EXPECT_THROW((void)run_unlinkability(zero, zero, run).values, Error);
  EXPECT_EQ(apart["remarks"].dump().find("different techniques"), std::string::npos);
  const Json mixed = run_unlinkability(zero, masked("csn", all), run).values;
  EXPECT_NE(mixed["remarks"].dump().find("different techniques ('random-projection', 'csn')"), std::string::npos);
  // Six mated scores allow no bins, and no verdict.
  const Dataset few = people(0, 3, 2);
  const Answer unknown = run_unlinkability(masked(base + "0", few), masked(base + "1", few), run);
  EXPECT_TRUE(unknown.values["d_sys"].is_null());
  EXPECT_TRUE(unknown.findings.empty());
  // The positive control: other samples of the same people under the same key.
  Dataset noisy = zero;
  Matrix<float> moved(zero.size(), 32);
  for (std::size_t i = 0; i < moved.size(); ++i) moved.data()[i] = zero.templates.floats().data[i] + 1e-3F;
  noisy.templates = Templates(std::move(moved));
  const Json linked = run_unlinkability(zero, noisy, run).values;
  EXPECT_GT(linked["d_sys"].get<double>(), 0.8);
  EXPECT_GT(linked["maximal_linkability"].get<double>(), 0.7);
  EXPECT_LT(linked["d_sys_null_high"].get<double>(), 0.1);
}

/// Names of samples, each with a letter before its number.
Dataset named(Dataset data, const char* letter) {
  std::vector<std::string> names;
  for (std::size_t row = 0; row < data.size(); ++row) names.push_back(letter + std::to_string(row));
  data.labels.set_column("id", std::move(names));
  return data;
}

// The same samples in another order, by their names; other samples in the same order; and where nothing names them,
// what the order of people leaves open is told.
TEST_F(Attacks, LinkedSamplesAreKnownByTheirNames) {
  const std::string base = "random-projection:matrix=orthonormal,regime=application,application=";
  const Dataset all = people(0, 60, 3), zero = named(masked(base + "0", all), "s"),
                one = named(masked(base + "1", all), "s");
  UnlinkabilityRun run;
  run.options.bootstrap = 0;
  const Json straight = run_unlinkability(zero, one, run).values;
  EXPECT_EQ(straight["mated"], 60 * 6);
  Json turned = run_unlinkability(zero, one.select(Stream(1, "turned").permutation(one.size())), run).values;
  EXPECT_EQ(turned, straight);
  EXPECT_NE(straight["remarks"].dump().find("a sample is not compared with itself"), std::string::npos);
  const Json session = run_unlinkability(zero, named(one, "t"), run).values;
  EXPECT_EQ(session["mated"], 60 * 9);
  EXPECT_EQ(session["remarks"].dump().find("compared with itself"), std::string::npos);
  // Some in common are none of both.
  EXPECT_THROW((void)run_unlinkability(zero, one.select({0, 1, 2, 3, 4, 5}), run), Error);

  const auto nameless = [](Dataset data) {
    LabelTable labels("nameless", data.size());
    labels.add_column("identity", data.labels.column("identity"));
    data.labels = std::move(labels);
    return data;
  };
  const Json ordered = run_unlinkability(nameless(zero), nameless(one), run).values;
  EXPECT_EQ(ordered["mated"], 60 * 6);
  EXPECT_NE(ordered["remarks"].dump().find("taken for the same ones, because their people stand in the same order"),
            std::string::npos);
  std::vector<std::size_t> backwards(one.size());
  for (std::size_t i = 0; i < backwards.size(); ++i) backwards[i] = backwards.size() - 1 - i;
  const Json open = run_unlinkability(nameless(zero), nameless(one.select(backwards)), run).values;
  EXPECT_EQ(open["mated"], 60 * 9);
  EXPECT_NE(open["remarks"].dump().find("do not name their samples"), std::string::npos);
  run.same = SameSamples::none;
  const Json others = run_unlinkability(nameless(zero), nameless(one), run).values;
  EXPECT_EQ(others["mated"], 60 * 9);
  EXPECT_EQ(others["remarks"].dump().find("do not name their samples"), std::string::npos);
}

// The positive control: a rule that reads nothing from clear data says nothing about a protection, whatever it passes
// where there is nothing to find.
TEST_F(Attacks, ARuleThatFailsOnClearDataIsNotHealthy) {
  for (const double leak : {6.0, 0.0}) {
    const Dataset clear = people(leak), hidden = masked("random-projection", clear);
    const Dataset train = subject_part(hidden, {1, 2}), test = subject_part(hidden, {2, 2});
    AttackData data = AttackData::of(train, test);
    data.clear = [&](std::size_t) {
      return AttackSplit{subject_part(clear, {1, 2}), std::nullopt, subject_part(clear, {2, 2})};
    };
    SimilarityRun run{.attribute = "gender", .comparator = {}, .options = {{SimilarityRule::mean}, {11}, 1}};
    run.bootstrap = 200;
    run.controls = true;
    int asked = 0;
    run.remember_clear = [&](const std::function<Json()>& compute) {
      ++asked;
      return compute();
    };
    const Answer answer = run_similarity_attack(data, run);
    const Finding& finding = answer.findings.front();
    EXPECT_EQ(asked, 1);
    const Dataset clear_train = subject_part(clear, {1, 2}), clear_test = subject_part(clear, {2, 2});
    const Answer ceiling = run_similarity_attack(clear_train, clear_test, run);
    EXPECT_EQ(finding.clear->value, ceiling.values["results"][0]["balanced"]);
    EXPECT_EQ(finding.clear->ci->low, ceiling.values["results"][0]["ci"][0]);
    EXPECT_EQ(finding.healthy, leak > 0);
    EXPECT_EQ(answer.values["control"]["null"]["found"], false);
  }
}

TEST_F(Attacks, TheNullLevelOfLinkageExchangesWholePeople) {
  // Every person has one score of their own with everybody, a coin: comparisons of a person move together, so a null
  // level that shuffles single comparisons would be far too low. 40 people of 4 samples; linkage is truly absent.
  constexpr std::size_t subjects = 40, samples = 4;
  Dataset a;
  a.origin = "coins";
  a.identity_column = "identity";
  a.labels = LabelTable("coins", subjects * samples);
  std::vector<std::string> names;
  Matrix<float> rows_a(subjects * samples, 2), rows_b(subjects * samples, 2);
  Stream stream(4, "test");
  for (std::size_t s = 0; s < subjects; ++s) {
    const auto x = static_cast<float>(stream.normal());
    const auto y = static_cast<float>(stream.normal());
    for (std::size_t k = 0; k < samples; ++k) {
      names.push_back(std::to_string(s));
      rows_a(s * samples + k, 0) = x;
      rows_a(s * samples + k, 1) = 1;
      rows_b(s * samples + k, 0) = 1;
      rows_b(s * samples + k, 1) = y;
    }
  }
  a.labels.add_column("identity", names);
  Dataset b = a;
  a.templates = Templates(std::move(rows_a));
  b.templates = Templates(std::move(rows_b));
  UnlinkabilityRun run;
  run.comparator = "dot";  // x + y
  run.options.bootstrap = 0;
  const Json result = run_unlinkability(a, b, run).values;
  EXPECT_LE(result["d_sys"].get<double>(), result["d_sys_null_high"].get<double>() * 1.3);
  EXPECT_GT(result["d_sys_null"].get<double>(), 0.15);  // 40 independent scores look linkable by chance
}

}  // namespace
}  // namespace bauta
