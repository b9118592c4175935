#include "bauta/question/recovery.hpp"

#include <gtest/gtest.h>

#include "bauta/core/random.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/question/estimate.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/recovering.hpp"
#include "bauta/question/verification.hpp"

namespace bauta {
namespace {

Dataset population(std::size_t identities, std::uint64_t seed, const std::string& name = "people") {
  SynthOptions options;
  options.identities = identities;
  options.samples = 3;
  options.dim = 32;
  options.identity_strength = 1.5;
  options.seed = seed;
  Dataset dataset = synthesize_templates(options).dataset;
  dataset.origin = name;
  return dataset;
}

Dataset with_templates(const Dataset& dataset, std::uint64_t seed) {
  Matrix<float> values(dataset.size(), dataset.templates.cols());
  Stream stream(seed, "test.noise");
  for (float& value : std::span(values.data(), values.size())) value = static_cast<float>(stream.normal());
  Dataset changed = dataset;
  changed.templates = Templates(std::move(values));
  return changed;
}

Json checked(const Dataset& recovered, const Dataset& original, const RecoveryCheck& check,
             RecoveryRotation rotation = {}) {
  rotation.recovered = &recovered;
  rotation.original = &original;
  return run_recovery_check({rotation}, check).values;
}

// What came back is the original: cosine 1, and everything else as on clear data, as `verify` measures it.
TEST(RecoveryCheck, APerfectRecoveryReachesTheCeiling) {
  const Dataset original = population(60, 1);
  const Json check = checked(original, original, {.bootstrap = 50});
  EXPECT_NEAR(check["cosine"]["mean"], 1, 1e-6);
  EXPECT_NEAR(check["cosine"]["centred"]["mean"], 1, 1e-6);
  EXPECT_TRUE(check["cosine"]["ci"].is_null());  // all alike: that says nothing of what was not seen
  EXPECT_EQ(check["recognition"]["recovered"], check["recognition"]["clear"]);
  const Json verified = run_verify(original, {}).values;
  EXPECT_NEAR(check["recognition"]["clear"]["eer"], verified["eer"], 1e-6);
  EXPECT_EQ(check["recognition"]["clear"]["mated"], 360);  // 180 pairs, either one recovered
}

// What is found stands in the draws that its interval comes from, and over the same people as verification's.
TEST(RecoveryCheck, FindingsHaveDraws) {
  const Dataset original = population(60, 1);
  const Dataset noisy = protect_dataset(make_protection("esn:distance=8"), original, protect_context(original, 1));
  RecoveryRotation rotation{.recovered = &noisy, .original = &original};
  const Answer answer = run_recovery_check({rotation}, {.bootstrap = 50});
  ASSERT_EQ(answer.findings.size(), 2U);
  const Json& recovered = answer.values["recognition"]["recovered"];
  const Json& clear = answer.values["recognition"]["clear"];
  VerifyRun run;
  run.options.bootstrap = 50;
  const std::string people = run_verify(original, run).findings.front().drawn_over;
  for (const Finding& finding : answer.findings) {
    EXPECT_EQ(finding.about, About::identity);
    ASSERT_EQ(finding.draws.size(), 50U) << finding.measure;
    EXPECT_EQ(finding.drawn_over, people) << finding.measure;
    EXPECT_LE(finding.ci->low, finding.value) << finding.measure;
    EXPECT_GT(finding.ci->high, finding.ci->low) << finding.measure;
    EXPECT_EQ(finding.healthy, true) << finding.measure;
    EXPECT_EQ(finding.counts.at("identities"), 60U);
  }
  EXPECT_EQ(answer.findings[0].value, recovered["rank1"]["rate"]);
  EXPECT_EQ(answer.findings[0].clear->value, clear["rank1"]["rate"]);
  EXPECT_EQ(answer.findings[1].value, recovered["eer"]);
  EXPECT_EQ(answer.findings[1].clear->ci->high, clear["eer_ci"][1]);
  EXPECT_GT(*share_of_way(answer.findings[1]), 0);
}

// Null control. The mean of 180 cosines in 32 dimensions has deviation 1 / sqrt(32 * 180) = 0.013. 2 of the 179 other
// samples are mates.
TEST(RecoveryCheck, NoiseIsWorthNothing) {
  const Dataset original = population(60, 1);
  const Json check = checked(with_templates(original, 5), original, {.bootstrap = 0});
  EXPECT_NEAR(check["cosine"]["centred"]["mean"], 0, 0.053);
  EXPECT_TRUE(check["cosine"]["ci"].is_null());
  EXPECT_NEAR(check["recognition"]["recovered"]["eer"], 0.5, 0.1);
  EXPECT_NEAR(check["recognition"]["recovered"]["rank1"]["chance"], 2.0 / 179, 1e-12);
  EXPECT_LT(check["recognition"]["recovered"]["rank1"]["rate"], 0.06);
  EXPECT_GT(check["recognition"]["clear"]["rank1"]["rate"], 0.5);
}

// Hand calculation. Clear: a at (1, 0) and (4, 3), b at (0, 1) and (3, 4). Recovered: a's first sample as (0, 1), the
// others as they are. Of the recovered, only a's first sample has its nearest other sample (b's first) of another
// person: a's second is nearest to b's second (cosine 24/25 against 4/5), and so is b's second to a's second. Hits: b's
// first (3, 4 at 4/5). Cosines 0, 1, 1, 1.
TEST(RecoveryCheck, ByHand) {
  Dataset original;
  original.origin = "hand";
  original.labels = LabelTable("hand", 4);
  original.labels.add_column("identity", {"a", "a", "b", "b"});
  original.identity_column = "identity";
  Matrix<float> clear(4, 2);
  const float values[] = {1, 0, 4, 3, 0, 1, 3, 4};
  std::copy(std::begin(values), std::end(values), clear.data());
  original.templates = Templates(std::move(clear));
  Dataset recovered = original;
  Matrix<float> back(4, 2);
  std::copy(std::begin(values), std::end(values), back.data());
  back(0, 0) = 0, back(0, 1) = 1;
  recovered.templates = Templates(std::move(back));
  const Json check = checked(recovered, original, {.bootstrap = 0});
  EXPECT_NEAR(check["cosine"]["mean"], 0.75, 1e-7);
  EXPECT_NEAR(check["recognition"]["recovered"]["rank1"]["rate"], 0.25, 1e-12);
  EXPECT_NEAR(check["recognition"]["clear"]["rank1"]["rate"], 0.5, 1e-12);
  EXPECT_NEAR(check["recognition"]["clear"]["rank1"]["chance"], 1.0 / 3, 1e-12);
}

TEST(RecoveryCheck, OneRowPerSampleFindsItsOriginal) {
  const Dataset original = population(40, 1);
  const Dataset repeated = repeated_enrolments(original, 9);
  const Dataset noisy = protect_dataset(make_protection("esn:distance=3"), repeated, protect_context(repeated, 1));
  const Dataset averaged = run_recovery(noisy, {.recovery = "average"});
  const Json check = checked(averaged, original, {.bootstrap = 50});
  EXPECT_EQ(check["samples"], original.size());
  EXPECT_GT(check["cosine"]["mean"].get<double>(), 0.98);  // an error of length 1 beside templates of about 10
  EXPECT_LE(check["cosine"]["ci"][0], check["cosine"]["mean"]);
  EXPECT_GE(check["cosine"]["ci"][1], check["cosine"]["mean"]);
  EXPECT_EQ(check["technique"], "esn:distance=3");
}

// A perfect recovery tells what clear data tells; noise tells nothing, at chance 1/2. Classes 4 deviations apart are
// confused with probability 0.023 at best.
TEST(RecoveryCheck, AttributesBetweenChanceAndCeiling) {
  SynthOptions options;
  options.identities = 300;
  options.samples = 2;
  options.dim = 16;
  options.attributes = {{"gender", 4.0, {"F", "M"}, {0.5, 0.5}}};
  const Dataset all = synthesize_templates(options).dataset;
  std::vector<std::size_t> ours;
  std::vector<std::size_t> theirs;
  for (std::size_t i = 0; i < all.size(); ++i) (i < 300 ? ours : theirs).push_back(i);
  const Dataset clear = all.select(ours);
  const Dataset original = all.select(theirs);
  const RecoveryCheck check{.attributes = {"gender"}, .bootstrap = 50};
  const Json perfect = checked(original, original, check, {.clear = &clear})["attributes"][0];
  for (const char* same : {"balanced", "ci", "estimator"})
    EXPECT_EQ(perfect["recovered"][same], perfect["clear"][same]);
  // It is read as any attribute is: with what the same estimator reads of the originals, and by whom else.
  const RecoveryCheck named{.attributes = {"gender"}, .estimators = {"lda"}, .preparation = "zscore", .bootstrap = 50};
  const Json other = checked(original, original, named, {.clear = &clear})["attributes"][0];
  ASSERT_EQ(other["results"].size(), 1U);
  EXPECT_EQ(other["results"][0]["estimator"], "lda");
  EXPECT_EQ(other["results"][0]["healthy"], true);
  EXPECT_EQ(other["results"][0]["clear"]["balanced"], other["results"][0]["balanced"]);
  EstimateRun direct{.attribute = "gender", .estimators = {"lda"}, .preparation = "zscore", .bootstrap = 50};
  EXPECT_EQ(other["recovered"]["balanced"], run_estimate(clear, original, direct).values["best"]["balanced"]);
  EXPECT_GT(perfect["clear"]["balanced"].get<double>(), 0.9);
  EXPECT_EQ(perfect["chance"], 0.5);
  const Json nothing = checked(with_templates(original, 5), original, check, {.clear = &clear})["attributes"][0];
  EXPECT_EQ(nothing["clear"], perfect["clear"]);
  // The best of three on 300 samples: 4 deviations of a fair coin are 0.115.
  EXPECT_NEAR(nothing["recovered"]["balanced"], 0.5, 0.13);
}

// Hand calculation: positives (0 1 2 3), (3 2 1 0), (0 1 2 0), of which three codes, all and two come back: 9 of 12.
TEST(RecoveryCheck, CodesAreComparedWithWhatIsPresented) {
  const auto codes = [](const std::vector<std::uint8_t>& values) {
    Matrix<std::uint8_t> matrix(values.size() / 4, 4);
    std::copy(values.begin(), values.end(), matrix.data());
    return Templates(std::move(matrix));
  };
  Dataset original = population(2, 1).select({0, 1, 2});
  Dataset target = original;
  target.templates = codes({1, 2, 3, 0, 0, 0, 0, 1, 1, 2, 3, 1});
  target.probe_templates = codes({0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 0});
  Dataset recovered = original;
  recovered.templates = codes({0, 1, 2, 1, 3, 2, 1, 0, 0, 1, 3, 3});
  recovered.provenance = Provenance{"none", "iom", {{"certain_share", "0.5"}, {"recovered_from", "nfr:bins=4"}}};
  original.identity_column.clear();  // nobody to confuse with
  target.identity_column.clear();
  const Json check = checked(recovered, original, {.bootstrap = 0}, {.target = &target});
  EXPECT_NEAR(check["codes"]["mean"], 9.0 / 12, 1e-12);
  EXPECT_EQ(check["codes"]["chance"], 0.25);
  EXPECT_EQ(check["certain"], 0.5);
  EXPECT_EQ(check["technique"], "nfr:bins=4");
  // Of codes that are 0 or 1, every second is guessed.
  Dataset two = target, guessed = recovered;
  two.probe_templates = codes({0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0});
  guessed.templates = two.probe_templates;
  EXPECT_EQ(checked(guessed, original, {.bootstrap = 0}, {.target = &two})["codes"]["chance"], 0.5);
  // Without what is presented nobody knows what would have been right.
  EXPECT_THROW(checked(recovered, original, {.bootstrap = 0}), Error);
}

/// Labels of people alone: nothing names a sample.
Dataset nameless(Dataset data) {
  LabelTable labels("nameless", data.size());
  labels.add_column("identity", data.labels.column("identity"));
  data.labels = std::move(labels);
  return data;
}

// Rows of each person turned round: people stand as before, samples do not. By their names nothing changes.
TEST(RecoveryCheck, OriginalsAreFoundByTheirNames) {
  const Dataset original = population(20, 1);
  std::vector<std::size_t> turned, backwards;
  for (std::size_t i = 0; i < original.size(); ++i) {
    turned.push_back(i / 3 * 3 + 2 - i % 3);
    backwards.push_back(original.size() - 1 - i);
  }
  const RecoveryCheck check{.bootstrap = 0};
  const Json straight = checked(original, original, check);
  EXPECT_NEAR(straight["cosine"]["mean"], 1, 1e-6);
  for (const auto& rows : {turned, backwards}) {
    EXPECT_EQ(checked(original, original.select(rows), check)["cosine"], straight["cosine"]);
  }
  EXPECT_NEAR(checked(original.select({0, 1, 5}), original, check)["cosine"]["mean"], 1, 1e-6);
  EXPECT_LT(checked(nameless(original), nameless(original.select(turned)), check)["cosine"]["mean"], 0.99);
}

TEST(RecoveryCheck, RowsMustCorrespond) {
  const Dataset original = population(10, 1);
  std::vector<std::size_t> turned(original.size());
  for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = turned.size() - 1 - i;
  EXPECT_THROW(checked(nameless(original.select(turned)), nameless(original), {}), Error);
  EXPECT_THROW(checked(nameless(original.select({0, 1})), nameless(original), {}), Error);
  const auto finding = [&](const Dataset& recovered) {
    try {
      (void)checked(recovered, original, {});
    } catch (const Error& error) {
      return error.finding;
    }
    return std::string();
  };
  Dataset renamed = original;
  std::vector<std::string> names = original.labels.column("id");
  names[3] = "nobody's";
  renamed.labels.replace_column("id", names);
  EXPECT_EQ(finding(renamed), "1 of 30 recovered samples have no original of their 'id', e.g. 'nobody's'");
  // Counted rows: two enrolments of a sample share its name, which the counted original has to bear.
  Dataset twice = repeated_enrolments(original, 2);
  std::vector<std::string> numbers = twice.labels.column("original");
  std::swap(numbers[0], numbers[2]);
  twice.labels.replace_column("original", numbers);
  EXPECT_TRUE(finding(twice).starts_with("row 1 is sample '")) << finding(twice);
}

TEST(Recovery, PairsAreOfTheSameSamples) {
  const Dataset people = population(20, 1);
  Dataset strangers = population(20, 3);
  strangers.identity_column.clear();
  const auto hidden = [](const Dataset& data) {
    return protect_dataset(make_protection("csn:s=0.1"), data, protect_context(data, 1));
  };
  const Dataset target = hidden(people), pairs = hidden(strangers);
  const auto run = [&](const Dataset& known) {
    return run_recovery(target, {.recovery = "ridge", .clear = &strangers, .protected_clear = &known}).size();
  };
  EXPECT_EQ(run(pairs), people.size());
  std::vector<std::size_t> swapped(pairs.size());
  for (std::size_t i = 0; i < swapped.size(); ++i) swapped[i] = i < 2 ? 1 - i : i;
  try {
    (void)run(pairs.select(swapped));
    FAIL() << "pairs in another order are taken";
  } catch (const Error& error) {
    EXPECT_TRUE(error.finding.starts_with("row 1 is sample '")) << error.finding;
  }
}

TEST(Recovery, TheAttackersPeopleAreOthers) {
  const Dataset people = population(20, 1);
  const Dataset shuffled = protect_dataset(make_protection("pe-miu:block=4"), people, protect_context(people, 1));
  EXPECT_THROW(run_recovery(shuffled, {.recovery = "align-mean", .clear = &people}), Error);
  Dataset strangers = with_templates(people, 3);
  strangers.identity_column.clear();
  EXPECT_EQ(run_recovery(shuffled, {.recovery = "align-mean", .clear = &strangers}).size(), people.size());
  // The protected pairs must be protected like the target.
  const Dataset other = protect_dataset(make_protection("pe-miu:block=8"), strangers, protect_context(strangers, 1));
  EXPECT_THROW(run_recovery(shuffled, {.recovery = "align-mean", .clear = &strangers, .protected_clear = &other}),
               Error);
}

}  // namespace
}  // namespace bauta
