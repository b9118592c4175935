// Utility-preserving anonymisation: what is drawn, what is retained, and what comes out.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "../../../src/protect/template/importances.hpp"
#include "../../../src/protect/template/random_sets.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/npy.hpp"
#include "learned_fixture.hpp"

namespace bauta {
namespace {

/// 600 samples of 24 independent normal features. `mood` (three classes: 150 calm, 200 glad, 250 sad, mixed up) moves
/// features 3 and 7, `mouth` (two classes) feature 11; `age` is feature 5 and a little noise.
Dataset planted() {
  constexpr std::size_t rows = 600, cols = 24;
  Matrix<float> x(rows, cols);
  Stream stream(4, "planted");
  std::vector<std::string> mood, mouth, age;
  const std::vector<std::size_t> places = Stream(5, "planted.mood").permutation(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (float& value : x.row(i)) value = static_cast<float>(stream.normal());
    const std::size_t code = places[i] < 150 ? 0 : places[i] < 350 ? 1 : 2;
    mood.emplace_back(code == 0 ? "calm" : code == 1 ? "glad" : "sad");
    x(i, 3) += 3 * static_cast<float>(code);
    x(i, 7) += 2 * static_cast<float>(code);
    const bool open = stream.below(2) > 0;
    mouth.emplace_back(open ? "open" : "closed");
    x(i, 11) += open ? 3.0F : 0.0F;
    age.push_back(std::to_string(40 + 10 * x(i, 5) + stream.normal()));
  }
  Dataset dataset = dataset_of(Templates(std::move(x)), 1);
  dataset.labels.add_column("mood", mood);
  dataset.labels.add_column("mouth", mouth);
  dataset.labels.add_column("age", age);
  return dataset;
}

/// Rows {0, 4}, {2, 8} of class a and {1, 1}, {5, 3} of class b: at purity 1, sets of two leave nothing to chance.
Dataset two_pairs() {
  Matrix<float> x(4, 2);
  const float values[] = {0, 4, 2, 8, 1, 1, 5, 3};
  std::copy(std::begin(values), std::end(values), x.data());
  Dataset dataset = dataset_of(Templates(std::move(x)), 1);
  dataset.labels.add_column("mood", {"a", "a", "b", "b"});
  dataset.labels.add_column("mouth", {"c", "d", "c", "d"});
  return dataset;
}

std::vector<float> values_of(const Dataset& dataset) {
  const MatrixView<const float> rows = dataset.templates.floats();
  return {rows.data, rows.data + rows.rows * rows.cols};
}

/// A file with a ranking, one line per feature.
class RankingFile {
 public:
  explicit RankingFile(const std::string& text) { std::ofstream(file_.path()) << text; }
  [[nodiscard]] std::string path() const { return file_.path().string(); }

 private:
  ScratchFile file_;
};

Dataset anonymised(const std::string& parameters, const Dataset& data, const std::string& attribute = "mood") {
  return protect_dataset(fitted("utility-preserving:" + parameters, data, {attribute}), data, {});
}

/// Features whose values differ from the plain mean of the same sets.
std::set<std::size_t> retained(const std::string& parameters, const Dataset& data) {
  const Dataset plain = anonymised("w=1,ranking=fisher", data);
  const Dataset result = anonymised(parameters, data);
  std::set<std::size_t> features;
  for (std::size_t j = 0; j < plain.templates.cols(); ++j) {
    if (plain.templates.floats()(0, j) != result.templates.floats()(0, j)) features.insert(j);
  }
  return features;
}

struct Share {
  std::size_t size;
  double purity;
  std::size_t own;
};

// round(t g), halves away from zero, at least the record itself.
TEST(RandomSets, HaveTheAskedPurityExactlyAndNoSampleTwice) {
  const Categorical mood = planted().labels.categorical("mood");
  for (const auto& [size, purity, own] : {Share{1, 0.0, 1}, Share{8, 0.0, 1}, Share{8, 1.0, 8}, Share{10, 0.25, 3},
                                          Share{32, 0.6, 19}, Share{128, 0.8, 102}, Share{150, 1.0, 150}}) {
    const RandomSets sets(mood, {}, size, purity, "mood", "test data");
    EXPECT_EQ(sets.own(), own);
    RandomSets::Drawer draw(sets);
    for (std::size_t row = 0; row < 600; ++row) {
      Stream stream(1, "sets", row);
      const auto set = draw(row, stream);
      ASSERT_EQ(set.size(), size);
      EXPECT_EQ(set.front(), row);
      EXPECT_EQ(std::set<std::size_t>(set.begin(), set.end()).size(), size);
      const auto same = std::count_if(set.begin(), set.end(),
                                      [&](std::size_t other) { return mood.codes[other] == mood.codes[row]; });
      ASSERT_EQ(static_cast<std::size_t>(same), own) << size << " at " << purity;
    }
  }
}

// Every other sample of a kind is as likely as any: 20,000 draws of 4 among 149 and 6 among 450 are binomial counts of
// mean 537 and 267; six standard deviations are 139 and 98.
TEST(RandomSets, EverySampleIsAsLikelyAsAnother) {
  const Categorical mood = planted().labels.categorical("mood");
  const RandomSets sets(mood, {}, 11, 5.0 / 11, "mood", "test data");
  ASSERT_EQ(sets.own(), 5u);
  const auto row = static_cast<std::size_t>(std::find(mood.codes.begin(), mood.codes.end(), 0) - mood.codes.begin());
  std::vector<int> drawn(600, 0);
  RandomSets::Drawer draw(sets);
  for (std::size_t item = 0; item < 20000; ++item) {
    Stream stream(2, "likely", item);
    for (const std::size_t other : draw(row, stream)) ++drawn[other];
  }
  for (std::size_t i = 0; i < 600; ++i) {
    if (i == row) {
      EXPECT_EQ(drawn[i], 20000);
    } else if (mood.codes[i] == 0) {
      EXPECT_NEAR(drawn[i], 20000 * 4.0 / 149, 139);
    } else {
      EXPECT_NEAR(drawn[i], 20000 * 6.0 / 450, 98);
    }
  }
}

TEST(UtilityPreserving, WeightOneIsTheMeanOfTheDrawnSet) {
  const Dataset data = planted();
  const MatrixView<const float> x = data.templates.floats();
  for (const std::size_t size : {2, 7, 32}) {
    const Dataset result = anonymised("w=1,rp=1,ranking=fisher,t=0.6,g=" + std::to_string(size), data);
    const RandomSets sets(data.labels.categorical("mood"), {}, size, 0.6, "mood", "test data");
    RandomSets::Drawer draw(sets);
    for (std::size_t i = 0; i < data.size(); ++i) {
      Stream stream = Randomness::seeded(1).stream("utility-preserving", i);
      const auto set = draw(i, stream);
      for (std::size_t j = 0; j < x.cols; ++j) {
        // Two roundings of sums of four and one of the result.
        double sum = 0, absolute = 0;
        for (const std::size_t row : set) {
          sum += x(row, j);
          absolute += std::abs(x(row, j));
        }
        const auto count = static_cast<double>(size);
        ASSERT_NEAR(result.templates.floats()(i, j), sum / count, 3 * 0x1p-24 * absolute / count);
      }
    }
  }
}

TEST(UtilityPreserving, SetsOfOneAreTheInput) {
  const Dataset data = planted();
  for (const char* parameters : {"g=1,ranking=fisher", "g=1,w=3,rp=0.5,ranking=fisher", "g=1,t=0,w=1,ranking=fisher"}) {
    EXPECT_TRUE(same_bits(anonymised(parameters, data).templates, data.templates)) << parameters;
  }
}

TEST(UtilityPreserving, NoOutputIsAnInput) {
  const Dataset data = planted();
  const MatrixView<const float> x = data.templates.floats();
  for (const char* parameters : {"g=2,w=1000,rp=1,ranking=fisher", "g=2,t=0,w=1,ranking=fisher", "g=32"}) {
    const Dataset result = anonymised(parameters, data);
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (std::size_t k = 0; k < data.size(); ++k) {
        ASSERT_FALSE(std::ranges::equal(result.templates.floats().row(i), x.row(k))) << parameters;
      }
    }
  }
}

// By hand: the means are {1, 6} and {3, 2}; feature 2 is retained with weight 4: mean / 4 + 3/4 x.
TEST(UtilityPreserving, RetainedFeaturesStayNearTheirOwnValues) {
  const RankingFile second("0.1\n0.9\n");
  const std::string known = "g=2,t=1,w=4,ranking=" + second.path();
  EXPECT_EQ(values_of(anonymised(known + ",rp=0.5", two_pairs())),
            (std::vector<float>{1, 4.5F, 1, 7.5F, 3, 1.25F, 3, 2.75F}));
  EXPECT_EQ(values_of(anonymised(known + ",cp=2", two_pairs())),
            (std::vector<float>{0.25F, 4.5F, 1.75F, 7.5F, 1.5F, 1.25F, 4.5F, 2.75F}));
  // The same ranking as an array of numpy.
  const std::filesystem::path array = second.path() + ".npy";
  Matrix<float> ranking(2, 1);
  ranking(0, 0) = 0.1F;
  ranking(1, 0) = 0.9F;
  write_npy(array, ranking.view());
  EXPECT_EQ(values_of(anonymised("g=2,t=1,w=4,rp=0.5,ranking=" + array.string(), two_pairs())),
            values_of(anonymised(known + ",rp=0.5", two_pairs())));
  std::filesystem::remove(array);
  // As line 8 is printed, what is not retained becomes mean / 4.
  EXPECT_EQ(values_of(anonymised(known + ",rp=0.5,form=printed", two_pairs())),
            (std::vector<float>{0.25F, 4.5F, 0.25F, 7.5F, 0.75F, 1.25F, 0.75F, 2.75F}));
}

// The first attribute ranks feature 2 first, the second one feature 1. By hand as above, with weights 4 and 2.
TEST(UtilityPreserving, AttributesHaveTheirOwnRankingsSharesAndWeights) {
  const RankingFile both("1, 5\n2, 3\n");
  const std::string known = "g=2,t=1,w=4/2,rp=0.5,ranking=" + both.path();
  EXPECT_EQ(values_of(anonymised(known + ",keep=mouth=0.5", two_pairs())),
            (std::vector<float>{0.5F, 4.5F, 1.5F, 7.5F, 2, 1.25F, 4, 2.75F}));
  // Retained for both, feature 2 takes the larger weight.
  EXPECT_EQ(values_of(anonymised(known + ",keep=mouth=1", two_pairs())),
            (std::vector<float>{0.5F, 4.5F, 1.5F, 7.5F, 2, 1.25F, 4, 2.75F}));
}

// By hand: class means 1 and 5 around 3, 16 between and 4 within; a feature that only the class moves; a constant.
TEST(FisherScore, IsTheVarianceBetweenOverThatWithin) {
  Matrix<float> x(4, 3);
  const float values[] = {0, 1, 7, 2, 1, 7, 4, 2, 7, 6, 2, 7};
  std::copy(std::begin(values), std::end(values), x.data());
  const AttributeTarget target{.name = "class", .rows = {0, 1, 2, 3}, .codes = {0, 0, 1, 1}, .classes = 2};
  EXPECT_EQ(fisher_scores(x.view(), target), (std::vector<double>{4, std::numeric_limits<double>::infinity(), 0}));
}

// By hand: of 0, 3, 5, 7 the first is a class of its own. Class means 0 and 5 around 3.75: 14.0625 + 3 * 1.5625
// between, 4 + 0 + 4 within. Nobody is of the third class.
TEST(FisherScore, ClassesWeighAsManySamplesAsTheyHave) {
  Matrix<float> x(4, 1);
  const float values[] = {5, 0, 7, 3};
  std::copy(std::begin(values), std::end(values), x.data());
  const AttributeTarget target{.name = "class", .rows = {0, 1, 2, 3}, .codes = {2, 0, 2, 2}, .classes = 3};
  EXPECT_EQ(fisher_scores(x.view(), target), std::vector<double>{18.75 / 8});
}

TEST(AttributeTarget, HoldsTheSamplesThatAreKnown) {
  Dataset data = dataset_of(gaussian_templates(30, 2), 1);
  std::vector<std::string> kind(30), age(30), failed(30, "0");
  const std::string kinds = "ba bca";
  for (std::size_t i = 0; i < kinds.size(); ++i) kind[i] = kinds[i] == ' ' ? "" : std::string(1, kinds[i]);
  for (std::size_t i = 0; i < 30; ++i) age[i] = i == 3 ? "" : std::to_string(i) + ".5";
  failed[4] = "1";
  data.labels.add_column("kind", kind);
  data.labels.add_column("age", age);
  data.labels.add_column("failed", failed);
  std::vector<bool> usable(30, true);
  usable[4] = false;
  EXPECT_EQ(usable_samples(data), usable);
  const AttributeTarget classes = target_of(data, "kind", usable, "test");
  EXPECT_EQ(classes.rows, (std::vector<std::size_t>{0, 1, 3, 5}));
  EXPECT_EQ(classes.codes, (std::vector<std::int32_t>{1, 0, 1, 0}));
  EXPECT_EQ(classes.classes, 3U);
  const AttributeTarget numbers = target_of(data, "age", usable, "test");
  ASSERT_EQ(numbers.rows.size(), 28U);
  EXPECT_EQ(numbers.rows[3], 5U);
  EXPECT_EQ(numbers.numbers[3], 5.5);
  EXPECT_EQ(numbers.classes, 0U);
  // Two classes and two numbers are the least.
  const auto with = [&](const std::string& column, std::size_t other) {
    std::vector<bool> two(30, false);
    two[0] = two[other] = true;
    return error_of([&] { (void)target_of(data, column, two, "test"); });
  };
  EXPECT_EQ(with("kind", 1), "no error");
  EXPECT_NE(with("kind", 3).find("1 class(es) among the 2"), std::string::npos);
  EXPECT_EQ(with("age", 1), "no error");
  EXPECT_NE(with("age", 3).find("known of 1 samples"), std::string::npos);
}

// Two of class a and four of b; whoever is of c failed.
TEST(RandomSets, NeedAsManyOfEachKindAsTheyDraw) {
  const Categorical classes{.classes = {"a", "b", "c"}, .codes = {0, 0, 1, 1, 1, 1, 2}};
  const std::vector<bool> failed = {false, false, false, false, false, false, true};
  const auto refused = [&](std::size_t size, double purity) {
    return error_of([&] { (void)RandomSets(classes, failed, size, purity, "class", "data"); });
  };
  EXPECT_EQ(refused(4, 0.5), "no error");   // two of the own class, two of others
  EXPECT_EQ(refused(3, 0.34), "no error");  // one, two: class a has just two for those of b
  EXPECT_NE(refused(4, 0.25).find("1 of one class and 3 of others"), std::string::npos);
  EXPECT_NE(refused(3, 1).find("2 with class 'a' and 4 without"), std::string::npos);
  EXPECT_NE(refused(7, 0.5).find("sets of 7 cannot be drawn from the 6 samples"), std::string::npos);
  EXPECT_EQ(RandomSets::own_of(8, 0), 1U);
  EXPECT_EQ(RandomSets::own_of(5, 0.5), 3U);
  EXPECT_EQ(RandomSets::own_of(5, 1), 5U);
}

TEST(UtilityPreserving, RankingFilesAreReadLineByLine) {
  const RankingFile spaced("\n0.1;\n\n 0.9\t\n");
  const std::string known = "g=2,t=1,w=4,rp=0.5,ranking=";
  EXPECT_EQ(values_of(anonymised(known + spaced.path(), two_pairs())),
            (std::vector<float>{1, 4.5F, 1, 7.5F, 3, 1.25F, 3, 2.75F}));
  const auto refused = [&](const std::string& text) {
    const RankingFile bad(text);
    return error_of([&] { anonymised(known + bad.path(), two_pairs()); });
  };
  EXPECT_NE(refused("1\n\n2 3\n").find("line 3: holds 2 numbers"), std::string::npos);
  EXPECT_NE(refused("1\nx\n").find("line 2"), std::string::npos);
  EXPECT_NE(refused("1\n2x\n").find("line 2"), std::string::npos);
  EXPECT_NE(refused("1\nnan\n").find("line 2"), std::string::npos);
  EXPECT_NE(refused("1\n").find("ranks 1 features with 1 numbers"), std::string::npos);
  EXPECT_NE(error_of([&] { anonymised(known + spaced.path(), two_pairs(), "moods"); }).find("moods"),
            std::string::npos);
}

// An array of numpy has a row per feature and a column per attribute, or is a list.
TEST(UtilityPreserving, RankingsOfNumpyAreListsOrTables) {
  const ScratchFile base;
  const std::string path = base.path().string() + ".npy";
  Matrix<float> table(2, 2);
  const float values[] = {1, 5, 2, 3};
  std::copy(std::begin(values), std::end(values), table.data());
  write_npy(path, table.view());
  const std::string known = "g=2,t=1,rp=0.5,ranking=" + path;
  EXPECT_EQ(values_of(anonymised(known + ",w=4/2,keep=mouth=0.5", two_pairs())),
            (std::vector<float>{0.5F, 4.5F, 1.5F, 7.5F, 2, 1.25F, 4, 2.75F}));
  EXPECT_NE(error_of([&] { anonymised(known + ",w=4", two_pairs()); }).find("ranks 2 features with 0 numbers"),
            std::string::npos);
  table(1, 1) = NAN;
  write_npy(path, table.view());
  EXPECT_NE(error_of([&] { anonymised(known + ",w=4,keep=mouth=0.5", two_pairs()); }).find("feature 2"),
            std::string::npos);
  std::filesystem::remove(path);
}

// Of equal importances the feature that stands first, and of many attributes each share for itself.
TEST(UtilityPreserving, TellsAnAttackerHowRecordsAreMixed) {
  const RankingFile equal("1\n1\n");
  const auto blend =
      fitted("utility-preserving:g=4,t=0.6,w=5,rp=0.5,form=printed,ranking=" + equal.path(), two_pairs(), {"mood"})
          ->blend()
          .value();
  EXPECT_EQ(blend.size, 4U);
  EXPECT_EQ(blend.own, 2U);
  EXPECT_EQ(blend.pull, (std::vector<double>{0.8, 0}));
  EXPECT_EQ(blend.scale, (std::vector<double>{1, 0.2}));
  EXPECT_EQ(blend.retained, std::vector<std::size_t>{0});
}

TEST(UtilityPreserving, RankingsFindTheFeaturesOfEachAttribute) {
  const Dataset data = planted();
  for (const std::string ranking : {"forest", "fisher"}) {
    EXPECT_EQ(retained("rp=0.001,ranking=" + ranking, data), (std::set<std::size_t>{3}));  // at least one
    EXPECT_EQ(retained("cp=2,ranking=" + ranking, data), (std::set<std::size_t>{3, 7}));
    EXPECT_EQ(retained("cp=2,keep=mouth=0.04,ranking=" + ranking, data), (std::set<std::size_t>{3, 7, 11}));
    EXPECT_EQ(retained("rp=0.5,ranking=" + ranking, data).size(), 12u);
  }
  // A number is ranked by a regression forest; fewer samples teach it as well.
  EXPECT_EQ(retained("cp=2,keep=mouth=0.04/age=0.04,learn=300", data), (std::set<std::size_t>{3, 5, 7, 11}));
}

TEST(UtilityPreserving, BitsDoNotDependOnBlocksOrThreads) {
  const Dataset data = planted();
  const ResolvedProtection resolved = fitted("utility-preserving:rp=0.2,trees=7", data, {"mood"});
  set_threads(1);
  const Dataset one = protect_dataset(resolved, data, {});
  const Dataset refitted = anonymised("rp=0.2,trees=7", data);
  set_threads(3);
  EXPECT_TRUE(same_bits(protect_dataset(resolved, data, {}).templates, one.templates));
  EXPECT_TRUE(same_bits(anonymised("rp=0.2,trees=7", data).templates, refitted.templates));
  set_threads(0);
  const auto on_data = resolved->among(data, {"mood"}, {});
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    for (std::size_t first = 0; first < data.size(); first += size) {
      const std::size_t count = std::min(size, data.size() - first);
      ASSERT_TRUE(same_bits(on_data->protect(data.templates.slice(first, count), first, {}),
                            one.templates.slice(first, count)));
    }
  }
  EXPECT_EQ(on_data->protect(data.templates.slice(0, 0), 0, {}).cols(), 24u);
  EXPECT_FALSE(
      same_bits(protect_dataset(resolved, data, {.randomness = Randomness::seeded(2)}).templates, one.templates));
}

// Wider than the strips in which rows are summed up, and not a multiple of anything.
TEST(UtilityPreserving, WideTemplatesAreSummedToTheLastFeature) {
  Dataset data = dataset_of(gaussian_templates(6, 1111), 1);
  data.labels.add_column("mood", {"a", "b", "a", "b", "a", "b"});
  const Dataset result = anonymised("g=6,t=0.5,w=1,ranking=fisher", data);
  for (std::size_t j = 0; j < 1111; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) sum += data.templates.floats()(i, j);
    for (std::size_t i = 0; i < 6; ++i) ASSERT_NEAR(result.templates.floats()(i, j), sum / 6, 1e-6);
  }
}

// Features that repeat come out repeated, past the strips in which rows are summed up, and where sets are so small that
// rows are summed where they lie.
TEST(UtilityPreserving, WideTemplatesKeepTheirOwnValuesToTheLastFeature) {
  const Templates narrow = gaussian_templates(8, 11);
  Matrix<float> x(8, 1111);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 1111; ++j) x(i, j) = narrow.floats()(i, j % 11);
  }
  Dataset data = dataset_of(Templates(std::move(x)), 1);
  data.labels.add_column("mood", {"a", "b", "a", "b", "a", "b", "a", "b"});
  const MatrixView<const float> records = data.templates.floats();
  for (const std::string sets : {"g=2", "g=8"}) {
    const Dataset result = anonymised(sets + ",t=0.5,w=4,rp=1,ranking=fisher", data);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_NE(result.templates.floats()(i, 0), records(i, 0));
      for (std::size_t j = 11; j < 1111; ++j) {
        ASSERT_EQ(result.templates.floats()(i, j), result.templates.floats()(i, j % 11)) << sets << ' ' << j;
      }
    }
  }
}

TEST(UtilityPreserving, FailedSamplesAreNeitherDrawnNorLearnedFrom) {
  Dataset data = planted();
  Matrix<float> values(600, 24);
  for (std::size_t i = 0; i < 600; ++i) std::ranges::copy(data.templates.floats().row(i), values.row(i).begin());
  std::vector<std::string> failed(600, "0");
  auto mood = data.labels.column("mood");
  for (std::size_t i = 0; i < 600; i += 3) {
    failed[i] = "1";
    mood[i] = "";  // nobody needs to know it
    std::ranges::fill(values.row(i), NAN);
  }
  data.templates = Templates(std::move(values));
  data.labels.add_column("failed", failed);
  data.labels.replace_column("mood", mood);
  const Dataset result = anonymised("g=64,rp=0.1", data);
  for (std::size_t i = 0; i < 600; ++i) {
    for (const float value : result.templates.floats().row(i)) {
      if (i % 3 == 0) {
        EXPECT_EQ(value, 0);
      } else {
        EXPECT_TRUE(std::isfinite(value));
      }
    }
  }
}

TEST(UtilityPreserving, WhatWasLearnedSurvivesAFileAndServesOtherData) {
  const Dataset data = planted();
  const ScratchFile file;
  const ResolvedProtection before = fitted("utility-preserving:rp=0.2,keep=mouth=0.1", data, {"mood"});
  save_protection(before, file.path());
  const ResolvedProtection after = load_protection(file.path(), "utility-preserving");
  std::vector<std::size_t> some(300);
  std::iota(some.begin(), some.end(), std::size_t{0});
  for (const Dataset& other : {data, data.select(some)}) {
    const Dataset result = protect_dataset(after, other, {});
    EXPECT_TRUE(same_bits(protect_dataset(before, other, {}).templates, result.templates));
    EXPECT_EQ(result.provenance->properties.at("keeps"), "mood");
    EXPECT_FALSE(result.provenance->properties.contains("hides"));
  }
  const auto damaged = [](std::size_t rows, float value) {
    FittedState state;
    state.emplace("importances", Matrix<float>(rows, 3, value));
    return error_of([&] { make_protection("utility-preserving")->restore(state, "file"); });
  };
  EXPECT_EQ(damaged(1, 0.5F), "no error");
  EXPECT_NE(damaged(2, 0.5F), "no error");
  EXPECT_NE(damaged(1, NAN), "no error");
}

TEST(UtilityPreserving, RefusesWhatCannotBeWithTheNumbers) {
  const Dataset data = planted();
  const auto says = [&](const std::string& parameters, const std::string& attribute,
                        const std::vector<std::string>& parts) {
    const std::string error = error_of([&] { anonymised(parameters, data, attribute); });
    for (const auto& part : parts) EXPECT_NE(error.find(part), std::string::npos) << error << " lacks " << part;
  };
  says("ranking=fisher,g=601", "mood", {"sets of 601", "600 samples"});
  says("ranking=fisher,g=151,t=1", "mood", {"asks for 151 of one class and 0 of others", "150 with mood 'calm'"});
  says("ranking=fisher,g=400,t=0.1", "mood", {"40 of one class and 360 of others", "250 with mood 'sad' and 350"});
  says("ranking=fisher", "mod", {"mod", "did you mean 'mood'?"});
  says("ranking=fisher,keep=moth=0.1", "mood", {"did you mean 'mouth'?"});
  says("ranking=fisher,keep=mood=0.1", "mood", {"mood", "twice"});
  says("ranking=fisher,keep=mouth=1.5", "mood", {"1.5 is outside of [0, 1]"});
  says("ranking=fisher,keep=mouth", "mood", {"NAME=SHARE"});
  says("ranking=fisher,keep=age=0.1", "mood", {"'age' is a number"});
  says("ranking=fisher,rp=1.1", "mood", {"1.1 is outside of [0, 1]"});
  says("ranking=fisher,t=-0.1", "mood", {"-0.1 is outside of [0, 1]"});
  says("ranking=fisher,cp=25", "mood", {"25 features", "24"});
  says("w=0.5", "mood", {"0.5", "at least 1"});
  says("w=inf", "mood", {"inf", "at least 1"});
  says("w=3x", "mood", {"3x"});
  says("w=2/3/4,keep=mouth=0.1", "mood", {"3 weights for 2 attribute(s)"});
  says("trees=1", "age", {"--attribute age", "is a number"});
  EXPECT_NE(error_of([&] { fitted("utility-preserving", data, {}); }).find("--attribute"), std::string::npos);
  const RankingFile short_file("1\n2\n");
  says("ranking=" + short_file.path(), "mood", {"ranks 2 features", "24"});
  says("ranking=no-such-file", "mood", {"no-such-file"});
  const ResolvedProtection resolved = fitted("utility-preserving:ranking=fisher", data, {"mood"});
  Dataset holed = data;
  auto mood = holed.labels.column("mood");
  mood[6] = "";
  holed.labels.replace_column("mood", mood);
  EXPECT_NE(error_of([&] { protect_dataset(resolved, holed, {}); }).find("row 7"), std::string::npos);
  EXPECT_NE(error_of([&] {
              protect_dataset(resolved, two_pairs(), {});
            }).find("2 features, utility-preserving was fitted on 24"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)resolved->protect(data.templates, 0, {}); }).find("whole data set"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
