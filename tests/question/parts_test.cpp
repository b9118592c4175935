// What several questions are made of, by hand.
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "attack_target.hpp"
#include "bauta/core/error.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/recovery.hpp"
#include "bauta/question/verification.hpp"
#include "controls.hpp"
#include "decision_pool.hpp"
#include "prepared_split.hpp"
#include "score_sources.hpp"
#include "standings.hpp"
#include "utility.hpp"

namespace bauta {
namespace {

using Texts = std::vector<std::string>;

/// Columns identity and gender; one feature that counts the rows, or the given ones.
Dataset by_hand(const Texts& names, const Texts& gender, std::vector<float> values = {}) {
  Dataset data;
  data.origin = "hand";
  data.labels = LabelTable("hand", names.size());
  data.labels.add_column("identity", names);
  data.labels.add_column("gender", gender);
  data.identity_column = "identity";
  if (values.empty()) {
    values.resize(names.size());
    std::iota(values.begin(), values.end(), 1.0F);
  }
  Matrix<float> templates(names.size(), values.size() / names.size());
  std::copy(values.begin(), values.end(), templates.data());
  data.templates = Templates(std::move(templates));
  return data;
}

/// Two samples of each, and as many people of each gender as asked for.
Dataset pairs(int women, int men) {
  Texts names, gender;
  for (int i = 0; i < women + men; ++i) {
    for (int k = 0; k < 2; ++k) {
      names.push_back("p" + std::to_string(i));
      gender.emplace_back(i < women ? "F" : "M");
    }
  }
  return by_hand(names, gender);
}

// 3 standard errors, of which the interval's end is 1.96 away: 0.3 is enough where that end is less than 0.196 below.
TEST(Controls, FindSomethingAtThreeStandardErrors) {
  EXPECT_TRUE(found_something(0.8, 0.605, 0.5));
  EXPECT_FALSE(found_something(0.8, 0.603, 0.5));
  EXPECT_FALSE(found_something(0.5, 0.5, 0.5));
}

// Advantages over chance 0.5: 0.9, 0.6, 0.4, 0.2 and 0.1 of the way; with an end 0.05 below, 0.0765 is enough.
TEST(Controls, LadderEndsWhereNothingIsFound) {
  const auto quality = [](double value) { return Json{{"balanced", value}, {"ci", {value - 0.05, 1.0}}}; };
  const Json ladder = control_ladder(0.5, quality(0.55), quality);
  ASSERT_EQ(ladder["planted"].size(), 5U);
  const double sizes[] = {0.95, 0.8, 0.7, 0.6, 0.55};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(ladder["planted"][i]["size"], sizes[i], 1e-12);
    EXPECT_EQ(ladder["planted"][i]["found"], i < 4);
  }
  EXPECT_NEAR(ladder["smallest"], 0.6, 1e-12);
  EXPECT_EQ(ladder["null"]["found"], false);
  EXPECT_EQ(control_health(ladder), true);
  EXPECT_EQ(control_health(control_ladder(0.5, quality(0.7), quality)), false);
  EXPECT_TRUE(control_ladder(0.5, quality(0.5), [](double) { return Json(nullptr); }).is_null());
  EXPECT_FALSE(control_health(nullptr));
}

TEST(Controls, ExchangeLabelsOfWholePeople) {
  Dataset data = pairs(6, 4);
  data.labels.replace_column("gender", [&] {
    Texts gender = data.labels.column("gender");
    gender[1] = "";  // whoever is not known stays so
    return gender;
  }());
  const AttackSplit split = exchange_labels({data, data, data}, "gender", 1);
  const Texts before = data.labels.column("gender"), after = split.train.labels.column("gender");
  EXPECT_NE(after, before);
  EXPECT_NE(after, split.test.labels.column("gender"));
  EXPECT_NE(split.dev->labels.column("gender"), split.test.labels.column("gender"));
  EXPECT_NE(split.dev->labels.column("gender"), after);
  EXPECT_EQ(after[1], "");
  int women = 0;
  for (std::size_t i = 0; i < 20; i += 2) {
    women += after[i] == "F" ? 1 : 0;
    if (i > 0) {
      EXPECT_EQ(after[i], after[i + 1]);
    }
  }
  EXPECT_EQ(women, 6);
  // Where samples of one person differ, samples are exchanged: as many of each class.
  Texts moods;
  for (int i = 0; i < 20; ++i) moods.emplace_back(i % 2 == 0 ? "x" : "y");
  data.labels.replace_column("gender", moods);
  const Texts mixed = exchange_labels({data, std::nullopt, data}, "gender", 1).train.labels.column("gender");
  EXPECT_EQ(std::count(mixed.begin(), mixed.end(), "x"), 10);
  EXPECT_NE(mixed, moods);
  int alike = 0;
  for (std::size_t i = 0; i < 20; i += 2) alike += mixed[i] == mixed[i + 1] ? 1 : 0;
  EXPECT_GT(alike, 0);
}

TEST(Controls, ThinTheTrainingByPeopleOfEachClass) {
  const Dataset data = pairs(10, 4);
  const auto left = [&](double share) {
    const Dataset train = thin_training({data, std::nullopt, data}, "gender", share, 1).train;
    std::map<std::string, std::size_t> samples;
    std::map<std::string, std::set<std::string>> people;
    for (std::size_t i = 0; i < train.size(); ++i) {
      ++samples[train.labels.column("gender")[i]];
      people[train.labels.column("gender")[i]].insert(train.labels.column("identity")[i]);
      if (i > 0) {  // in their order
        EXPECT_LT(train.templates.floats()(i - 1, 0), train.templates.floats()(i, 0));
      }
    }
    EXPECT_EQ(samples["F"], 2 * people["F"].size());
    EXPECT_EQ(samples["M"], 2 * people["M"].size());
    return std::pair(people["F"].size(), people["M"].size());
  };
  EXPECT_EQ(left(0.5), std::pair(std::size_t{5}, std::size_t{2}));
  EXPECT_EQ(left(0.65), std::pair(std::size_t{7}, std::size_t{3}));  // 6.5 and 2.6 are rounded
  EXPECT_EQ(left(0.05), std::pair(std::size_t{2}, std::size_t{2}));  // two at least
  EXPECT_EQ(left(1), std::pair(std::size_t{10}, std::size_t{4}));
  EXPECT_EQ(thin_training({pairs(3, 1), std::nullopt, data}, "gender", 0.1, 1).train.size(), 6U);
}

// Rows 0, 3 and 5 are usable: a, nobody, b. One failed, one has no class, one a class that attackers do not know.
TEST(AttackTarget, LeavesOutWhatCannotBeJudged) {
  Dataset data = by_hand({"b", "a", "a", "", "c", "a"}, {"M", "F", "", "F", "X", "M"});
  data.labels.add_column("failed", {"0", "1", "0", "0", "0", "0"});
  AttackTarget target = attack_target(data, "gender", {"F", "M"});
  EXPECT_EQ(target.rows, (std::vector<std::size_t>{0, 3, 5}));
  EXPECT_EQ(target.truth, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(target.subjects, (std::vector<std::uint32_t>{1, 3 + 3, 0}));  // a, b, c; then those without a name by row
  EXPECT_EQ(target.identities, 3U);
  EXPECT_EQ(target.failures, 1U);
  EXPECT_EQ(target.unlabelled, 2U);

  SubjectNumbers numbers;
  numbers.renumber(target, data);
  EXPECT_EQ(target.subjects, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(target.people, (std::vector<std::uint32_t>{1, 3, 0}));  // all who are under attack, by name; then nobody
  AttackTarget again = attack_target(data, "gender", {"F", "M"});
  numbers.renumber(again, data);
  EXPECT_EQ(again.subjects, (std::vector<std::uint32_t>{0, 3, 2}));  // who has no name is nobody else
  EXPECT_EQ(again.people, (std::vector<std::uint32_t>{1, 4, 0}));
  EXPECT_EQ(numbers.count(), 4U);
  EXPECT_EQ(numbers.people().size(), 5U);
  target.append(again);
  EXPECT_EQ(target.truth.size(), 6U);
  EXPECT_EQ(target.people.size(), 6U);
  EXPECT_EQ(target.failures, 2U);

  const std::vector<std::int32_t> guesses = {1, 0, 0, 1, 1, 1};  // truth M F M M F M
  const Json quality = guess_quality(guesses, target, {"F", "M"}, false);
  EXPECT_NEAR(quality["success"], 4.0 / 6, 1e-12);
  EXPECT_NEAR(quality["balanced"], (0.5 + 0.75) / 2, 1e-12);
  EXPECT_EQ(quality["per_class"]["F"], 0.5);
  EXPECT_EQ(quality["per_class"]["M"], 0.75);
  EXPECT_TRUE(quality["ci"].is_null());
}

// Tertiles of 1 .. 30 lie at 1 + 29/3 and 1 + 58/3, whole numbers begin at the next one.
TEST(AttributeClasses, OfNumbers) {
  Texts whole, halves;
  for (int i = 1; i <= 30; ++i) {
    whole.push_back(std::to_string(i));
    halves.push_back(std::to_string(i / 2.0));
  }
  Dataset data = by_hand(Texts(30, "a"), whole);
  EXPECT_EQ(attribute_classes(data, "gender").edges, (std::vector<double>{11, 21}));
  const Texts names = with_classes(data, attribute_classes(data, "gender")).labels.column("gender");
  EXPECT_EQ(names[9], "1: below 11");
  EXPECT_EQ(names[10], "2: 11 to below 21");
  EXPECT_EQ(names[19], "2: 11 to below 21");
  EXPECT_EQ(names[20], "3: 21 and above");
  data.labels.replace_column("gender", halves);
  EXPECT_NEAR(attribute_classes(data, "gender").edges[0], (1 + 29.0 / 3) / 2, 1e-9);
  EXPECT_NEAR(attribute_classes(data, "gender").edges[1], (1 + 58.0 / 3) / 2, 1e-9);
  halves[4] = "";
  data.labels.replace_column("gender", halves);
  const AttributeClasses ten = attribute_classes(data, "gender", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(with_classes(data, ten).labels.column("gender")[4], "");
  EXPECT_EQ(with_classes(data, ten).labels.column("gender")[0], "001: below 1");
  EXPECT_EQ(with_classes(data, ten).labels.column("gender")[29], "010: 9 and above");
  const AttributeClasses nine = attribute_classes(data, "gender", {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(with_classes(data, nine).labels.column("gender")[29], "9: 8 and above");
  EXPECT_THROW((void)attribute_classes(data, "gender", {2, 2}), Error);
  EXPECT_FALSE(attribute_classes(pairs(2, 2), "gender").continuous);
}

// Ranks 4 (two above, second of three tied) and 1; of ten candidates the best eleven are no question.
TEST(Standings, MeanRankAndTop) {
  const std::vector<Standing> standings = {{.above = 2, .tied = 3, .candidates = 10},
                                           {.above = 0, .tied = 1, .candidates = 10}};
  EXPECT_NEAR(mean_rank(standings), 2.5, 1e-12);
  const Texts names = {"a", "b"};
  const Judged judged({0, 1}, names, 0, 1);
  const Json top = top_json(standings, judged, {1, 4, 9, 10, 11});
  ASSERT_EQ(top.size(), 3U);
  EXPECT_NEAR(top[0]["mixture"], 0.5, 1e-12);
  EXPECT_NEAR(top[1]["mixture"], 1.0 / 6, 1e-12);  // the first is among four in two of three orders
  EXPECT_NEAR(top[1]["chance"], 0.6, 1e-12);
  EXPECT_EQ(top[2]["k"], 9);
  EXPECT_TRUE(top[0]["ci"].is_null());
  const Judged drawn({0, 1}, names, 20, 1);
  const Finding finding = first_finding(standings, drawn);
  EXPECT_NEAR(finding.value, 0.5, 1e-12);
  EXPECT_NEAR(*finding.chance, 0.1, 1e-12);
  EXPECT_EQ(finding.counts.at("identities"), 2U);
  ASSERT_EQ(finding.draws.size(), 20U);
  for (const double draw : finding.draws) EXPECT_TRUE(draw == 0 || draw == 0.5 || draw == 1) << draw;
  EXPECT_NEAR(finding.ci->low, 1 - mixture_of(standings, drawn).ci.high, 1e-12);
  EXPECT_EQ(top_json({{.tied = 1, .candidates = 1}}, Judged({0}, names, 0, 1), {1, 2}).size(), 1U);
}

// Every training sample is a neighbour: four F and two M say 2/3 and 1/3 of everybody, which is their share.
TEST(PreparedSplit, ARareClassIsNotGuessedLess) {
  const Dataset train = by_hand({"a", "b", "c", "d", "e", "f"}, {"F", "F", "F", "F", "M", "M"}),
                test = by_hand({"x", "y"}, {"M", "F"});
  const PreparedSplit split({train, std::nullopt, test}, "gender", {"F", "M"}, "", 1);
  const Outcome outcome = split.classify("knn:k=6,comparator=euclidean", "", 0);
  ASSERT_EQ(outcome.scores.size(), 2U);
  EXPECT_NEAR(outcome.scores[0], 0.5, 1e-9);
  EXPECT_FALSE(outcome.tuning_score);
  EXPECT_EQ(outcome.trials, 0U);
  const auto weights = [&](const std::string& estimator) { return split.classify(estimator, "", 0).specification; };
  EXPECT_EQ(weights("svm-linear"), "svm-linear:weight=balanced");
  EXPECT_EQ(weights("svm-linear:c=2"), "svm-linear:c=2,weight=balanced");
  EXPECT_EQ(weights("svm-linear:weight=none"), "svm-linear:weight=none");
  EXPECT_EQ(weights("lda"), "lda");
  const Outcome same = Outcome::of(outcome.json());
  EXPECT_EQ(same.predicted, outcome.predicted);
  EXPECT_EQ(same.scores, outcome.scores);
  const Outcome number = split.regress("ridge:penalty=0.000001", {1, 2, 3, 4, 5, 6});  // the feature itself
  EXPECT_NEAR(number.values[0], 1, 1e-3);
  EXPECT_NEAR(number.values[1], 2, 1e-3);
  EXPECT_THROW(PreparedSplit({train.select({0, 1}), std::nullopt, test}, "gender", {"F", "M"}, "", 1), Error);
}

// Four people at 0, 90, 180 and 60 degrees, two equal samples of each: cosines -1, -1/2, 0, 0, 1/2 and sqrt(3)/2.
TEST(SystemThresholds, CompareOneSampleOfEachPerson) {
  const float h = 0.5F, r = std::sqrt(0.75F);
  const Dataset data = by_hand({"a", "a", "b", "b", "c", "c", "d", "d"}, Texts(8, "F"),
                               {1, 0, 1, 0, 0, 1, 0, 1, -1, 0, -1, 0, h, r, h, r});
  const auto thresholds = system_thresholds(*make_comparator("cosine"), data, {1.0 / 6, 0.5, 0.1}, 1);
  EXPECT_NEAR(thresholds[0].value, r, 1e-6);
  EXPECT_NEAR(thresholds[0].actual_fmr, 1.0 / 6, 1e-12);
  EXPECT_NEAR(thresholds[1].value, 0.5, 1e-6);  // the two zeros stand together
  EXPECT_NEAR(thresholds[1].actual_fmr, 1.0 / 3, 1e-12);
  EXPECT_FALSE(thresholds[2].resolvable);
  Dataset lost = data;
  lost.labels.add_column("failed", {"0", "0", "0", "1", "1", "1", "1", "1"});
  EXPECT_NEAR(system_thresholds(*make_comparator("cosine"), lost, {1.0}, 1)[0].value, 0, 1e-6);  // a and b
  EXPECT_THROW((void)system_thresholds(*make_comparator("cosine"), data.select({0, 1}), {0.1}, 1), Error);
}

// Each part's non-mated scores come to mean 0 and deviation 1.
TEST(PooledSource, LevelsPartsWithModelsOfTheirOwn) {
  const Dataset parts[] = {by_hand({"a", "a", "b", "c"}, Texts(4, "F"), {1, 2, 1, 3, 2, 1, 5, 1}),
                           by_hand({"d", "e", "f", "f"}, Texts(4, "F"), {1, 9, 1, 8, 2, 1, 3, 1})};
  const auto cosine = make_comparator("cosine");
  const auto sums = [&](bool level) {
    std::array<std::array<double, 3>, 2> sum{};
    const PooledSource source(parts, *cosine, level);
    std::mutex mutex;
    source.scan([&](const ScoreBatch<float>& batch, int) {
      const std::scoped_lock lock(mutex);
      for (std::size_t i = 0; i < batch.scores.size(); ++i) {
        if (batch.probe_subjects[i] == batch.reference_subjects[i]) continue;
        auto& of = sum[batch.probe_subjects[i] < 3 ? 0 : 1];
        of[0] += 1;
        of[1] += double{batch.scores[i]};
        of[2] += double{batch.scores[i]} * double{batch.scores[i]};
      }
    });
    return sum;
  };
  for (const auto& [count, scores, squares] : sums(true)) {
    EXPECT_EQ(count, 5);
    EXPECT_NEAR(scores / count, 0, 1e-5);
    EXPECT_NEAR(squares / count, 1, 1e-4);
  }
  EXPECT_GT(sums(false)[0][1], 1);  // cosines of neighbours
}

class Written : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "bauta-scores-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
  // a at (1, 0) and (4, 3), b at (0, 1): cosines 4/5 (mated), 0 and 3/5.
  const Dataset data = by_hand({"a", "a", "b"}, {"F", "F", "M"}, {1, 0, 4, 3, 0, 1});
};

TEST_F(Written, ScoresComeBack) {
  for (const char* name : {"scores.csv", "scores.txt", "scores.mtx"}) {
    write_scores(data, "", folder / name);
    std::multiset<float> mated, non_mated;
    const FileSource source(folder / name, {});
    EXPECT_EQ(source.subjects(), std::string(name) == "scores.txt" ? 2U : 0U);
    source.scan([&](const ScoreBatch<double>& batch, int) {
      for (std::size_t i = 0; i < batch.scores.size(); ++i) {
        const bool same =
            batch.mated.empty() ? batch.probe_subjects[i] == batch.reference_subjects[i] : batch.mated[i] != 0;
        (same ? mated : non_mated).insert(static_cast<float>(batch.scores[i]));
      }
    });
    ASSERT_EQ(mated.size(), 1U) << name;  // and of the whole matrix one half
    ASSERT_EQ(non_mated.size(), 2U) << name;
    EXPECT_NEAR(*mated.begin(), 0.8, 1e-6);
    EXPECT_NEAR(*non_mated.begin(), 0, 1e-6);
    EXPECT_NEAR(*non_mated.rbegin(), 0.6, 1e-6);
  }
  write_scores(data, "", folder / "scores.npy");
  const Matrix<double> all = to_doubles(read_npy(folder / "scores.npy"));
  ASSERT_EQ(all.rows(), 3U);
  EXPECT_NEAR(all(0, 1), 0.8, 1e-6);
  EXPECT_NEAR(all(2, 1), 0.6, 1e-6);
  EXPECT_NEAR(all(2, 2), 1, 1e-6);
  EXPECT_THROW(write_scores(data, "", folder / "scores.xls"), Error);
  Dataset lost = data;
  lost.labels.add_column("failed", {"0", "1", "0"});
  EXPECT_THROW(write_scores(lost, "", folder / "lost.csv"), Error);
}

// More samples than are compared at once: rows go on where the last block ended.
TEST_F(Written, InBlocks) {
  Texts names;
  std::vector<float> values;
  for (int i = 0; i < 600; ++i) {
    names.push_back("p" + std::to_string(i % 300));
    values.push_back(1);
    values.push_back(static_cast<float>(i));
  }
  const Dataset many = by_hand(names, Texts(600, "F"), values);
  write_scores(many, "", folder / "many.csv");
  std::vector<float> written, computed;
  std::size_t mated = 0;
  std::mutex mutex;
  FileSource(folder / "many.csv", {}).scan([&](const ScoreBatch<double>& batch, int) {
    const std::scoped_lock lock(mutex);
    for (std::size_t i = 0; i < batch.scores.size(); ++i) {
      written.push_back(static_cast<float>(batch.scores[i]));
      mated += batch.mated[i];
    }
  });
  EXPECT_EQ(mated, 300U);
  const auto cosine = make_comparator("cosine");
  EngineSource(many, *cosine).scan([&](const ScoreBatch<float>& batch, int) {
    const std::scoped_lock lock(mutex);
    computed.insert(computed.end(), batch.scores.begin(), batch.scores.end());
  });
  ASSERT_EQ(written.size(), 600U * 599 / 2);
  ASSERT_EQ(written.size(), computed.size());
  std::sort(written.begin(), written.end());
  std::sort(computed.begin(), computed.end());
  for (std::size_t i = 0; i < written.size(); ++i) ASSERT_NEAR(written[i], computed[i], 1e-6);
}

// Row by row, or by a column that counts the originals from 1.
TEST(RecoveryCheck, KnowsWhichOriginalARowIsOf) {
  const Dataset original = by_hand({"a", "a", "b", "b"}, Texts(4, "F"), {1, 0, 4, 3, 0, 1, 3, 4});
  const auto plain = [&](const Dataset& recovered) {
    const RecoveryCheck check{.bootstrap = 0};
    return run_recovery_check({{.recovered = &recovered, .original = &original}}, check)
        .values["cosine"]["mean"]
        .get<double>();
  };
  EXPECT_NEAR(plain(original), 1, 1e-6);
  Dataset turned = original.select({2, 0, 1, 3});
  EXPECT_THROW((void)plain(turned), Error);  // of other people
  turned.labels.add_column("original", {"3", "1", "2", "4"});
  EXPECT_NEAR(plain(turned), 1, 1e-6);
  for (const char* wrong : {"0", "5", "x", "2x", "", "-1"}) {
    turned.labels.replace_column("original", {"3", "1", wrong, "4"});
    EXPECT_THROW((void)plain(turned), Error) << wrong;
  }
  EXPECT_THROW((void)plain(original.select({0, 1, 2})), Error);  // and no column that says which
  Dataset failed = original;
  failed.labels.add_column("failed", {"1", "1", "1", "1"});
  EXPECT_THROW((void)plain(failed), Error);
}

// Codes of another length cannot be read by who learned from clear samples; who learns anew can.
TEST(AttributeReaders, OfAnotherWidthAreReadByWhoLearnsAnew) {
  const Dataset train = pairs(6, 6), test = pairs(3, 3);
  const AttributeReaders readers(train, test, {.attributes = {"gender"}, .bootstrap = 0});
  const auto wider = [](const Dataset& data) {
    std::vector<float> values;
    for (const std::string& gender : data.labels.column("gender")) {
      values.push_back(gender == "F" ? -1.0F : 1.0F);
      values.push_back(0);
    }
    return by_hand(data.labels.column("identity"), data.labels.column("gender"), values);
  };
  const Dataset hidden = wider(train);
  const Answer answer = readers.read(wider(test), &hidden);
  EXPECT_TRUE(answer.values["value"].is_null());
  EXPECT_TRUE(answer.findings.empty());
  EXPECT_EQ(answer.values["attributes"][0]["retrained"]["accuracy"], 1.0);
  EXPECT_EQ(answer.values["attributes"][0]["chance"], 0.5);
}

TEST(Recipes, AreSaidInWords) {
  EXPECT_EQ(to_text(Recipe{}), "target, clear");
  EXPECT_EQ(to_text(Recipe{Role::attacker, {"csn", "", 0.5}, {"pixels"}}),
            "attacker, masked by csn (50 % of the samples), seen by pixels");
  EXPECT_EQ(to_text(Recipe{Role::probe, {"blur", "average"}, {"eigenface", {"blur"}}}),
            "probe, masked by blur, undone by average, seen by eigenface learned from people masked by blur");
  EXPECT_EQ(to_text(Representation{"eigenface", {"blur", "", 0.25}, Role::attacker}),
            "eigenface learned from the attacker part masked by blur (25 % of the samples)");
  EXPECT_EQ(to_text(Representation{"eigenface", {}, Role::enrol}), "eigenface learned from the enrol part clear");
}

}  // namespace
}  // namespace bauta
