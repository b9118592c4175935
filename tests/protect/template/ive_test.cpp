#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "../fixtures.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/learn/estimator.hpp"

namespace bauta {
namespace {

/// 600 samples of 16 independent normal features; `gender` moves features 3, 7 and 11 by 3, 2 and 1.5, `age` is feature
/// 5 and a little noise, `site` has nothing to do with anything.
Dataset planted(std::uint64_t seed = 1) {
  constexpr std::size_t rows = 600, cols = 16;
  Matrix<float> x(rows, cols);
  Stream stream(seed, "planted");
  std::vector<std::string> gender, age, site;
  for (std::size_t i = 0; i < rows; ++i) {
    for (float& value : x.row(i)) value = static_cast<float>(stream.normal());
    const auto class_code = static_cast<float>(stream.below(2));
    gender.emplace_back(class_code > 0 ? "M" : "F");
    age.push_back(std::to_string(40 + 10 * x(i, 5) + stream.normal()));
    site.emplace_back(stream.below(2) > 0 ? "a" : "b");
    x(i, 3) += 3 * class_code;
    x(i, 7) += 2 * class_code;
    x(i, 11) += 1.5F * class_code;
  }
  Dataset dataset = dataset_of(Templates(std::move(x)), 1);
  dataset.labels.add_column("gender", gender);
  dataset.labels.add_column("age", age);
  dataset.labels.add_column("site", site);
  return dataset;
}

ResolvedProtection fitted(const std::string& specification, const Dataset& train,
                          const std::vector<std::string>& attributes, std::uint64_t seed = 1) {
  ResolvedProtection resolved = make_protection(specification);
  fit_protection(resolved, train, attributes, {.randomness = Randomness::seeded(seed)});
  return resolved;
}

/// In the order of elimination.
std::vector<std::size_t> eliminated(const ResolvedProtection& resolved) {
  const FittedState state = resolved->state();
  std::vector<std::size_t> order;
  for (const float value : state.at("eliminated").row(0)) order.push_back(static_cast<std::size_t>(value));
  return order;
}

std::set<std::size_t> as_set(const std::vector<std::size_t>& values) {
  return {values.begin(), values.end()};
}

/// Accuracy of logistic regression, trained on one data set and tested on another.
double accuracy(const Dataset& train, const Dataset& test, const std::string& attribute) {
  const auto estimator = make_estimator("logistic");
  const Categorical known = train.labels.categorical(attribute);
  estimator->fit(train.templates.floats(), known.codes, known.classes.size(), {});
  const auto predicted = estimator->predict(test.templates.floats());
  const auto truth = test.labels.categorical(attribute).codes;
  double right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += predicted[i] == truth[i] ? 1 : 0;
  return right / static_cast<double>(truth.size());
}

TEST(Ive, TheInformativeFeaturesGoFirstByTheirNumbersInTheInput) {
  // One by one: every removal moves the columns behind it, and the larger shift is the more important.
  EXPECT_EQ(eliminated(fitted("ive:eliminate=1,steps=3", planted(), {"gender"})), (std::vector<std::size_t>{3, 7, 11}));
  EXPECT_EQ(as_set(eliminated(fitted("ive:eliminate=3,steps=1", planted(), {"gender"}))),
            (std::set<std::size_t>{3, 7, 11}));
}

TEST(Ive, NumbersAreRankedByARegressionForest) {
  EXPECT_EQ(eliminated(fitted("ive:eliminate=1,steps=1", planted(), {"age"}))[0], 5u);
}

TEST(Ive, WhatIsLeftAreTheOtherColumnsInTheirOrder) {
  const Dataset data = planted();
  const ResolvedProtection resolved = fitted("ive:eliminate=2,steps=4", data, {"gender"});
  const Dataset reduced = protect_dataset(resolved, data, {});
  ASSERT_EQ(reduced.templates.cols(), 16u - 2 * 4);
  const auto gone = as_set(eliminated(resolved));
  EXPECT_EQ(gone.size(), 8u);
  std::size_t k = 0;
  for (std::size_t j = 0; j < 16; ++j) {
    if (gone.contains(j)) continue;
    for (const std::size_t i : {0, 17, 599}) EXPECT_EQ(reduced.templates.floats()(i, k), data.templates.floats()(i, j));
    ++k;
  }
  EXPECT_EQ(reduced.provenance->comparator, "cosine");
  EXPECT_EQ(reduced.provenance->properties.at("hides"), "gender");
}

TEST(Ive, FewerStepsAreAPrefixOfMore) {
  const auto short_order = eliminated(fitted("ive:eliminate=2,steps=2", planted(), {"gender"}));
  const auto long_order = eliminated(fitted("ive:eliminate=2,steps=6", planted(), {"gender"}));
  EXPECT_TRUE(std::equal(short_order.begin(), short_order.end(), long_order.begin()));
}

// Three attributes, each along one axis of its own: by every rule those three axes are the first to go.
TEST(Ive, EveryRuleFindsTheAxesOfSeveralAttributes) {
  SynthOptions options;
  options.identities = 1500;
  options.samples = 1;
  options.dim = 20;
  options.axis_aligned = true;
  options.attributes = {parse_synth_attribute("a:leak=3"), parse_synth_attribute("b:leak=3"),
                        parse_synth_attribute("c:leak=3,classes=3,proportions=0.3/0.3/0.4")};
  const Dataset data = synthesize_templates(options).dataset;
  for (const char* rule : {"sequential", "joint", "sum"}) {
    const auto gone = eliminated(fitted(std::string("ive:eliminate=3,steps=1,rule=") + rule, data, {"a", "b", "c"}));
    EXPECT_EQ(as_set(gone), (std::set<std::size_t>{0, 1, 2})) << rule;
    // In turn, the first elimination is for the first attribute.
    if (std::string(rule) == "sequential") {
      EXPECT_EQ(gone, (std::vector<std::size_t>{0, 1, 2}));
    }
  }
}

TEST(Ive, SequentialDividesAStepAmongTheAttributes) {
  // Five for two attributes: three for gender, whose features are 3, 7 and 11, and two for age, whose first is 5.
  const auto gone = eliminated(fitted("ive:eliminate=5,steps=1", planted(), {"gender", "age"}));
  EXPECT_EQ(std::set<std::size_t>(gone.begin(), gone.begin() + 3), (std::set<std::size_t>{3, 7, 11}));
  EXPECT_EQ(gone[3], 5u);
}

TEST(Ive, AnIndependentEstimatorFallsToChance) {
  const Dataset train = planted(1);
  const Dataset other = planted(2);
  const Dataset test = planted(3);
  const ResolvedProtection resolved = fitted("ive:eliminate=1,steps=3", train, {"gender"});
  EXPECT_GT(accuracy(other, test, "gender"), 0.95);
  const double after = accuracy(protect_dataset(resolved, other, {}), protect_dataset(resolved, test, {}), "gender");
  EXPECT_NEAR(after, 0.5, 0.1);  // five standard deviations of guessing on 600 samples
}

TEST(Ive, FailedSamplesAndSamplesWithoutALabelTeachNothing) {
  const Dataset clean = planted();
  std::vector<std::size_t> some(500);
  std::iota(some.begin(), some.end(), std::size_t{0});
  const auto expected = eliminated(fitted("ive:eliminate=4,steps=3", clean.select(some), {"gender"}));
  Dataset holed = clean;
  Matrix<float> values(600, 16);
  for (std::size_t i = 0; i < 600; ++i) std::ranges::copy(clean.templates.floats().row(i), values.row(i).begin());
  auto gender = clean.labels.column("gender");
  std::vector<std::string> failed(600, "0");
  for (std::size_t i = 500; i < 600; ++i) {
    if (i % 2 == 0) {
      failed[i] = "1";
      for (float& value : values.row(i)) value = NAN;
    } else {
      gender[i] = "";
    }
  }
  holed.templates = Templates(std::move(values));
  holed.labels = LabelTable("test data", 600);
  holed.labels.add_column("gender", gender);
  holed.labels.add_column("failed", failed);
  EXPECT_EQ(eliminated(fitted("ive:eliminate=4,steps=3", holed, {"gender"})), expected);
}

// A joint class needs every label, and classes that occur are told apart by all of them.
TEST(Ive, SamplesWithoutOneOfTheLabelsAreInNoJointClass) {
  const Dataset clean = planted();
  std::vector<std::size_t> some(500);
  std::iota(some.begin(), some.end(), std::size_t{0});
  const std::string joint = "ive:trees=5,eliminate=4,steps=3,rule=joint";
  const auto expected = eliminated(fitted(joint, clean.select(some), {"gender", "site"}));
  Dataset holed = clean;
  auto gender = clean.labels.column("gender"), site = clean.labels.column("site");
  for (std::size_t i = 500; i < 600; ++i) (i % 2 == 0 ? gender : site)[i] = "";
  holed.labels.replace_column("gender", gender);
  holed.labels.replace_column("site", site);
  EXPECT_EQ(eliminated(fitted(joint, holed, {"gender", "site"})), expected);
}

TEST(Ive, ComponentsLeaveAFeatureThatNeverVariesAlone) {
  Dataset data = planted();
  Matrix<float> values(600, 16);
  for (std::size_t i = 0; i < 600; ++i) {
    std::ranges::copy(data.templates.floats().row(i), values.row(i).begin());
    values(i, 9) = 2.5F;
  }
  data.templates = Templates(std::move(values));
  const Dataset hidden =
      protect_dataset(fitted("ive:trees=5,eliminate=2,steps=2,domain=pca", data, {"gender"}), data, {});
  for (std::size_t i = 0; i < 600; ++i) ASSERT_EQ(hidden.templates.floats()(i, 9), 2.5F);
}

TEST(Ive, IsTheSameForAnyNumberOfThreadsAndFollowsTheSeed) {
  const Dataset data = planted();
  set_threads(1);
  const auto one = eliminated(fitted("ive:trees=7,eliminate=2,steps=6", data, {"site"}));
  set_threads(3);
  const auto three = eliminated(fitted("ive:trees=7,eliminate=2,steps=6", data, {"site"}));
  set_threads(0);
  EXPECT_EQ(one, three);
  // Nothing tells the site, so that the order is up to chance.
  EXPECT_NE(one, eliminated(fitted("ive:trees=7,eliminate=2,steps=6", data, {"site"}, 2)));
}

TEST(Ive, WhatWasLearnedSurvivesAFile) {
  const Dataset data = planted();
  const auto path = std::filesystem::temp_directory_path() / "bauta-ive-test.npz";
  for (const char* specification : {"ive:eliminate=2,steps=3", "ive:eliminate=2,steps=3,domain=pca,keep=1"}) {
    const ResolvedProtection before = fitted(specification, data, {"gender"});
    save_protection(before, path);
    const ResolvedProtection after = load_protection(path, "ive");
    EXPECT_TRUE(same_bits(protect_dataset(before, data, {}).templates, protect_dataset(after, data, {}).templates));
    EXPECT_EQ(before.model, after.model);
  }
  std::filesystem::remove(path);
}

// The population's components are its axes in order of variance; the attribute lies along the second.
TEST(Ive, ComponentsAreZeroedAndTheTemplatesComeBack) {
  Matrix<float> x(800, 6);
  Stream stream(5, "components");
  std::vector<std::string> gender;
  for (std::size_t i = 0; i < 800; ++i) {
    const double code = static_cast<double>(stream.below(2));
    gender.emplace_back(code > 0 ? "M" : "F");
    const double first = stream.normal(), second = 3 * code + stream.normal();
    // Features 0 and 1 share `first`, 2 to 4 share `second`: z-scored, the components are the two groups.
    for (const std::size_t j : {0, 1}) x(i, j) = static_cast<float>(10 + first + 0.3 * stream.normal());
    for (const std::size_t j : {2, 3, 4}) x(i, j) = static_cast<float>(second + 0.3 * stream.normal());
    x(i, 5) = static_cast<float>(stream.normal());
  }
  Dataset data = dataset_of(Templates(std::move(x)), 1);
  data.labels.add_column("gender", gender);
  const ResolvedProtection resolved = fitted("ive:eliminate=1,steps=1,domain=pca", data, {"gender"});
  EXPECT_EQ(eliminated(resolved)[0], 0u);  // three of six features make the largest component
  const Dataset hidden = protect_dataset(resolved, data, {});
  ASSERT_EQ(hidden.templates.cols(), 6u);
  EXPECT_GT(accuracy(data, data, "gender"), 0.9);
  EXPECT_LT(accuracy(hidden, hidden, "gender"), 0.6);
  for (const std::size_t i : {0, 5, 77}) {  // what has nothing to do with that component stays nearly as it was
    for (const std::size_t j : {0, 1, 5}) {
      EXPECT_NEAR(hidden.templates.floats()(i, j), data.templates.floats()(i, j), 0.3);
    }
  }
  // A component that is zero stays zero.
  const Dataset twice = protect_dataset(resolved, hidden, {});
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(twice.templates.floats()(9, j), hidden.templates.floats()(9, j), 1e-5);
  }
  EXPECT_NE(eliminated(fitted("ive:eliminate=1,steps=1,domain=pca,keep=1", data, {"gender"}))[0], 0u);
  const Templates cut = resolved->protect(data.templates.slice(3, 1), 3, {});
  EXPECT_TRUE(same_bits(cut, hidden.templates.slice(3, 1)));
}

TEST(Ive, RefusesWhatCannotBeDoneAndSaysWhy) {
  const Dataset data = planted();
  const std::string too_many = error_of([&] { fitted("ive:eliminate=4,steps=4", data, {"gender"}); });
  EXPECT_NE(too_many.find("4 steps that eliminate 4 each are 16"), std::string::npos) << too_many;
  EXPECT_NE(too_many.find("16 features"), std::string::npos) << too_many;
  EXPECT_EQ(error_of([&] { fitted("ive:eliminate=5,steps=3", data, {"gender"}); }), "no error");
  EXPECT_EQ(error_of([&] { fitted("ive:trees=2,eliminate=14,steps=1,domain=pca,keep=1", data, {"gender"}); }),
            "no error");
  EXPECT_NE(error_of([&] {
              fitted("ive:eliminate=15,steps=1,domain=pca,keep=1", data, {"gender"});
            }).find("15 beside 1 kept"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { fitted("ive:trees=2,steps=1,eliminate=2", data, {"gender", "age"}); }), "no error");
  EXPECT_NE(error_of([&] { fitted("ive:steps=1", data, {}); }).find("--attribute"), std::string::npos);
  EXPECT_NE(error_of([&] {
              fitted("ive:steps=1,rule=joint", data, {"gender", "age"});
            }).find("'age' is continuous"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              fitted("ive:steps=1,eliminate=1", data, {"gender", "age"});
            }).find("2 attributes"),
            std::string::npos);
  EXPECT_NE(error_of([&] { make_protection("ive:keep=3"); }).find("domain=pca"), std::string::npos);
  Dataset single = data;
  single.labels.add_column("constant", std::vector<std::string>(600, "x"));
  EXPECT_NE(error_of([&] { fitted("ive:steps=1", single, {"constant"}); }).find("1 class"), std::string::npos);
  const ResolvedProtection resolved = fitted("ive:steps=1", data, {"gender"});
  const Dataset narrow = dataset_of(gaussian_templates(3, 12), 1);
  EXPECT_NE(error_of([&] { protect_dataset(resolved, narrow, {}); }).find("12 features, ive was fitted on 16"),
            std::string::npos);
  EXPECT_NE(error_of([&] { protect_dataset(make_protection("ive"), data, {}); }), "no error");
}

TEST(Ive, ADamagedStateIsRefused) {
  const ResolvedProtection resolved = fitted("ive:eliminate=2,steps=1", planted(), {"gender"});
  const auto restore = [&](float first, float second, float features) {
    FittedState state;
    Matrix<float> order(1, 2);
    order(0, 0) = first;
    order(0, 1) = second;
    state.emplace("eliminated", std::move(order));
    state.emplace("features", Matrix<float>(1, 1, features));
    return error_of([&] { make_protection("ive:eliminate=2,steps=1")->restore(state, "file"); });
  };
  EXPECT_EQ(restore(1, 3, 16), "no error");
  EXPECT_EQ(restore(0, 15, 16), "no error");
  EXPECT_EQ(restore(0, 1, 1 << 24), "no error");
  EXPECT_NE(restore(0, 1, 1 << 25), "no error");
  EXPECT_NE(restore(0, 0, 1), "no error");
  EXPECT_NE(restore(0, 1, 0.5F), "no error");
  EXPECT_NE(restore(1, 1, 16), "no error");
  EXPECT_NE(restore(1, 16, 16), "no error");
  EXPECT_NE(restore(-1, 3, 16), "no error");
  EXPECT_NE(restore(1, 2.5F, 16), "no error");
  EXPECT_NE(restore(1, NAN, 16), "no error");
  EXPECT_NE(restore(1, 3, NAN), "no error");
  EXPECT_NE(error_of([&] { make_protection("ive")->restore({}, "file"); }), "no error");
}

}  // namespace
}  // namespace bauta
