// Estimators under the privacy evaluation protocols, on populations with known truth.
#include <fstream>

#include <gtest/gtest.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/protocol/pep.hpp"
#include "bauta/question/estimate.hpp"
#include "bauta/question/similarity.hpp"
#include "bauta/question/verification.hpp"
#include "bauta/run/evaluate.hpp"
#include "stored_views.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

/// Gender leaks, hair does not; age is a number that leaks along a line of its own.
Dataset people(std::size_t identities, std::size_t samples) {
  SynthOptions options;
  options.identities = identities;
  options.samples = samples;
  options.dim = 16;
  options.identity_strength = 1;
  std::vector<std::string> years;
  for (int age = 20; age < 60; ++age) years.push_back(std::to_string(age));
  options.attributes = {{"gender", 4, {"F", "M"}, {0.4, 0.6}},
                        {"hair", 0, {"dark", "fair"}, {0.5, 0.5}},
                        {"age", 0.3, years, std::vector<double>(years.size(), 1.0 / 40)},
                        {"group", 4, {"a", "b", "c", "d", "e"}, std::vector<double>(5, 0.2)}};
  return synthesize_templates(options).dataset;
}

Dataset noise_of(Dataset data) {
  Matrix<float> noise(data.size(), data.templates.cols());
  for (std::size_t i = 0; i < noise.rows(); ++i) Stream(77, "noise", i).normals(noise.row(i));
  data.templates = Templates(std::move(noise));
  return data;
}

AttackData under(const std::string& protocol, const Dataset& clear, const Dataset& attacked) {
  const Pep pep = parse_pep(protocol);
  const auto rotations = std::make_shared<std::vector<PepParts>>(
      pep_rotations(pep, clear, subject_folds(clear, "gender", pep.folds(), 1), "gender", 1));
  const auto split = [rotations](const Dataset& data) {
    return [rotations, &data](std::size_t r) {
      const PepParts& parts = (*rotations)[r];
      return AttackSplit{data.select(parts.train), data.select(parts.dev), data.select(parts.test)};
    };
  };
  return {rotations->size(), split(attacked), split(clear)};
}

class Protocols : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Protocols, testing::Values("PEP-TF-2-1-1", "PEP-LBL-2-1-1", "PEP-LBS-1-1-3"),
                         [](const auto& p) {
                           return std::string(p.param).substr(4, 3) == "TF-" ? "TF" : std::string(p.param).substr(4, 3);
                         });

EstimateRun all_estimators(const std::string& attribute) {
  EstimateRun run;
  run.attribute = attribute;
  run.estimators = {"knn", "logistic", "random-forest:trees=30", "svm-linear", "svm-rbf"};
  run.preparation = "unit,zscore";
  run.bootstrap = 300;
  return run;
}

TEST_P(Protocols, AProtectionThatDoesNothingSuppressesNothing) {
  const Dataset clear = people(240, 2);
  const Dataset same = clear;
  const Json result = run_estimate(under(GetParam(), clear, same), all_estimators("gender")).values;
  ASSERT_EQ(result["results"].size(), 5U);
  for (const Json& row : result["results"]) {
    EXPECT_EQ(row["suppression"]["value"], 0.0) << row;
    EXPECT_LE(row["suppression"]["ci"][0].get<double>(), 0);
    EXPECT_GE(row["suppression"]["ci"][1].get<double>(), 0);
    EXPECT_EQ(row["paired"]["p"], 1.0);
    EXPECT_EQ(row["healthy"], true) << row;
    EXPECT_GT(row["balanced"].get<double>(), 0.85) << row;
  }
}

TEST_P(Protocols, NoiseLeavesEveryEstimatorAtChance) {
  const Dataset clear = people(400, 2);
  const Dataset noise = noise_of(clear);
  const Json result = run_estimate(under(GetParam(), clear, noise), all_estimators("gender")).values;
  for (const Json& row : result["results"]) {
    EXPECT_LE(row["ci"][0].get<double>(), 0.5) << row;
    // The maximum that suppression can reach is reached.
    EXPECT_LE(row["suppression"]["ci"][0].get<double>(), row["suppression"]["reachable"].get<double>()) << row;
    EXPECT_GE(row["suppression"]["ci"][1].get<double>(), row["suppression"]["reachable"].get<double>()) << row;
    EXPECT_LT(row["paired"]["p"].get<double>(), 0.001) << row;
    EXPECT_EQ(row["healthy"], true) << row;  // the attack works, there is nothing to find
  }
  EXPECT_LE(result["best"]["ci_corrected"][0].get<double>(), 0.5);
}

TEST(Estimates, AnEstimatorThatFailsOnClearDataIsMarkedAndControlsTellWhatCouldHaveBeenFound) {
  const Dataset all = people(300, 2);
  const AttackData data = under("PEP-TF-1-1-1", all, all);
  EstimateRun run = all_estimators("hair");
  run.estimators = {"logistic", "knn"};
  run.controls = true;
  run.learning_curve = true;
  const Json nothing = run_estimate(data, run).values;
  for (const Json& row : nothing["results"]) {
    EXPECT_EQ(row["healthy"], false) << row;
    EXPECT_EQ(row["control"]["null"]["found"], false) << row;
    const Json& planted = row["control"]["planted"];
    ASSERT_GE(planted.size(), 1U);
    EXPECT_EQ(planted[0]["found"], true) << row;                          // 95 % for whoever knows what was planted
    EXPECT_LT(planted[0]["balanced"].get<double>(), 0.95 + 0.03) << row;  // and nobody does better than that
    EXPECT_EQ(planted.back()["found"], planted.size() == 6) << row;
    EXPECT_LE(row["control"]["smallest"].get<double>(), 0.95);
    ASSERT_EQ(row["learning_curve"].size(), 5U);
    EXPECT_LT(row["learning_curve"][0]["identities"], row["learning_curve"][4]["identities"]);
  }
  EXPECT_EQ(nothing["remarks"].size(), 1U);
  run.attribute = "gender";
  const Json something = run_estimate(data, run).values;
  for (const Json& row : something["results"]) EXPECT_EQ(row["healthy"], true) << row;
  const Json& curve = something["results"][0]["learning_curve"];
  EXPECT_GT(curve[4]["balanced"].get<double>(), curve[0]["balanced"].get<double>());
}

TEST(Estimates, ALeakingSplitIsRefusedBeforeAnythingIsTrained) {
  const Dataset all = people(60, 2);
  std::vector<std::size_t> first, second;
  for (std::size_t i = 0; i < all.size(); ++i) (i < 60 ? first : second).push_back(i);
  EstimateRun run = all_estimators("gender");
  bool trained = false;
  run.remember = [&](const Json&, const std::function<Json()>& compute) {
    trained = true;
    return compute();
  };
  const auto message = [&](const Dataset& train, const Dataset& test) -> std::string {
    try {
      (void)run_estimate(train, test, run).values;
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Dataset train = all.select(first);
  // One subject in two parts.
  std::vector<std::size_t> more = second;
  more.push_back(first[0]);
  const std::string shared = train.labels.column("identity")[0];
  EXPECT_NE(message(train, all.select(more)).find(shared), std::string::npos);
  // One template copied under another name.
  Dataset test = all.select(second);
  Matrix<float> copied(test.size(), test.templates.cols());
  for (std::size_t i = 0; i < test.size(); ++i) {
    std::ranges::copy(i == 3 ? train.templates.floats().row(5) : test.templates.floats().row(i), copied.row(i).begin());
  }
  test.templates = Templates(std::move(copied));
  EXPECT_NE(message(train, test).find("row 4"), std::string::npos) << message(train, test);
  EXPECT_FALSE(trained);
  EXPECT_EQ(message(train, all.select(second)), "");
}

TEST(Estimates, ANumberIsGuessedAsNumberAndAsClass) {
  const Dataset all = people(400, 1);
  const Dataset noise = noise_of(all);
  EstimateRun run;
  run.attribute = "age";
  run.estimators = {"logistic", "knn"};
  run.bootstrap = 100;
  run.controls = true;
  const Json result = run_estimate(under("PEP-TF-2-1-1", all, noise), run).values;
  EXPECT_EQ(result["kind"], "continuous");
  EXPECT_EQ(result["classes"].size(), 3U);  // tertiles
  EXPECT_NEAR(result["chance"].get<double>(), 1.0 / 3, 1e-12);
  const Json& regression = result["regression"];
  ASSERT_EQ(regression["results"].size(), 2U);
  EXPECT_EQ(regression["results"][0]["estimator"], "ridge");
  // Ages are uniform over 40 years: always saying the median is wrong by 10 years on average.
  EXPECT_NEAR(regression["chance_mae"].get<double>(), 10, 0.7);
  for (const Json& row : regression["results"]) {
    EXPECT_GT(row["mae"].get<double>(), 9) << row;  // from noise nothing is learned
    EXPECT_LT(row["clear"]["mae"].get<double>(), 6) << row;
    EXPECT_GT(row["floor"]["mae"].get<double>(), 9) << row;
  }
  run.edges = {30, 40, 50};
  EXPECT_EQ(run_estimate(under("PEP-TF-2-1-1", all, all), run).values["classes"].size(), 4U);
}

TEST(Estimates, TuningUsesTheDevelopmentPartAlone) {
  const Dataset all = people(200, 1);
  const AttackData plain = under("PEP-TF-1-1-1", all, all);
  EstimateRun run = all_estimators("gender");
  run.estimators = {"knn"};
  run.search = "grid";
  const Json tuned = run_estimate(plain, run).values;
  EXPECT_GT(tuned["results"][0]["tuned"]["trials"], 3);
  // Other labels of the test part change nothing about what is chosen.
  AttackData other = plain;
  other.attacked = other.clear = [&](std::size_t r) {
    AttackSplit split = plain.attacked(r);
    std::vector<std::string> column = split.test.labels.column("gender");
    std::reverse(column.begin(), column.end());
    split.test.labels.replace_column("gender", column);
    return split;
  };
  const Json again = run_estimate(other, run).values;
  EXPECT_EQ(tuned["results"][0]["tuned"], again["results"][0]["tuned"]);
  EXPECT_EQ(tuned["results"][0]["parameters"], again["results"][0]["parameters"]);
}

TEST(Similarity, RotationsArePooledAndControlsFound) {
  const Dataset all = people(200, 2);
  SimilarityRun run;
  run.attribute = "gender";
  run.bootstrap = 200;
  run.controls = true;
  const Json result = run_similarity_attack(under("PEP-TF-2-1-1", all, all), run).values;
  EXPECT_EQ(result["target"]["samples"], 400);
  EXPECT_EQ(result["target"]["identities"], 200);
  EXPECT_EQ(result["control"]["null"]["found"], false) << result["control"];
  EXPECT_EQ(result["control"]["planted"][0]["found"], true) << result["control"];
  EXPECT_LE(result["best"]["ci_corrected"][0].get<double>(), result["best"]["balanced"].get<double>());
  EXPECT_EQ(result["best"]["of"], result["results"].size());
}

TEST(Verify, SeveralPartsAreComparedWithinThemselves) {
  const Dataset all = people(40, 3);
  std::vector<std::size_t> first, second;
  for (std::size_t i = 0; i < all.size(); ++i) (i < 60 ? first : second).push_back(i);
  const Dataset parts[] = {all.select(first), all.select(second)};
  VerifyRun run;
  run.options.bootstrap = 0;
  const Json pooled = run_verify(parts, run).values;
  const Json one = run_verify(parts[0], run).values;
  const Json other = run_verify(parts[1], run).values;
  EXPECT_EQ(pooled["mated"], one["mated"].get<int>() + other["mated"].get<int>());
  EXPECT_EQ(pooled["non_mated"], one["non_mated"].get<int>() + other["non_mated"].get<int>());
  EXPECT_EQ(pooled["identities"], 40);
  // A model with scores on another scale gets a threshold of its own.
  Matrix<float> stretched(parts[0].size(), parts[0].templates.cols());
  for (std::size_t i = 0; i < stretched.rows(); ++i) {
    for (std::size_t j = 0; j < stretched.cols(); ++j) stretched(i, j) = 3 * parts[0].templates.floats()(i, j);
  }
  Dataset other_model = parts[0];
  other_model.templates = Templates(std::move(stretched));
  const Dataset models[] = {parts[0], other_model};
  run.comparator = "euclidean";
  const double alone = run_verify(parts[0], run).values["eer"];
  EXPECT_GT(run_verify(models, run).values["eer"].get<double>(), alone + 0.05);
  run.own_models = true;
  EXPECT_NEAR(run_verify(models, run).values["eer"].get<double>(), alone, 1e-4);
  run = {};
  run.options.bootstrap = 0;
  // The same part twice has the same rates, and the same people.
  const Dataset twice[] = {parts[0], parts[0]};
  EXPECT_EQ(run_verify(twice, run).values["eer"], one["eer"]);
  EXPECT_EQ(run_verify(twice, run).values["identities"], one["identities"]);
}

class ProtocolRun : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) /
             (std::string("bauta_protocol_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
    fs::create_directories(folder / "data");
    write_dataset(folder / "data", people(150, 2));
  }
  [[nodiscard]] EvaluateSummary run(const std::string& protocol, const std::string& techniques,
                                    const std::vector<std::string>& overrides = {}) const {
    std::ofstream(folder / "e.toml")
        << "[data]\ntarget = \"data\"\nattribute = [\"gender\", \"age\", \"group\"]\nhide = \"gender\"\n"
        << "[protect]\ntechnique = " << techniques << "\n[protocol]\nkind = \"" << protocol
        << "\"\n[attack]\nsimilarity = { rule = \"mean\", n = 5 }\nestimator = [\"logistic\", "
           "\"knn\"]\ncontrols = false\n[measure]\nbootstrap = 50\nfmr = 0.1\n";
    return evaluate(read_experiment(folder / "e.toml", overrides), {folder / "run", 1, 1 << 24});
  }
  [[nodiscard]] std::string results() const {
    std::ifstream file(folder / "run/results.json");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  fs::path folder;
};

TEST_F(ProtocolRun, WalksTheWholeLineWithClassesNumbersAndManyClasses) {
  const EvaluateSummary summary = run("PEP-TF-2-1-1", "[\"none\", \"csn\"]");
  EXPECT_EQ(summary.cells, 14U);  // two techniques times (verify, three attributes times (similarity, estimate))
  EXPECT_EQ(summary.failed, 0U);
  const Json json = Json::parse(results());
  EXPECT_EQ(json["protocol"]["text"], "PEP-TF-2-1-1");
  EXPECT_EQ(json["protocol"]["balance"].size(), 4U);
  EXPECT_EQ(json["cells"].size(), 14U);
  // What was gained and lost, per attribute, with joint draws over subjects.
  ASSERT_EQ(json["ranking"].size(), 6U);
  for (const Json& entry : json["ranking"]) {
    if (entry["unprotected"] == true) continue;
    EXPECT_TRUE(entry["suppression"]["ci"].is_array()) << entry;
    EXPECT_EQ(entry["of"], 3);  // one rule with one n, and two estimators
  }
  // Everything that was said is known; only the bootstrap is new.
  EXPECT_EQ(run("PEP-TF-2-1-1", "[\"none\", \"csn\"]").computed, 0U);
  const std::string before = results();
  fs::remove_all(folder / "run");
  set_threads(1);
  (void)run("PEP-TF-2-1-1", "[\"none\", \"csn\"]");
  set_threads(0);
  EXPECT_EQ(results(), before);
}

TEST_F(ProtocolRun, LearningProtectionsLearnOnTheirOwnFolds) {
  EXPECT_EQ(run("PEP-LBS-1-1-3", "[\"none\", \"ive:steps=2,eliminate=2,trees=10\"]", {"protocol.repeats=2"}).failed,
            0U);
  EXPECT_EQ(Json::parse(results())["protocol"]["rotations"], 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "run/models"), {}), 2);
  EXPECT_THROW((void)run("PEP-LBS-1-1-3", "\"csn\""), Error);
  EXPECT_THROW((void)run("PEP-TF-2-1-1", "\"csn\"", {"protocol.repeats=5"}), Error);  // there are four rotations
  EXPECT_THROW((void)run("PEP-TF-2-1-1", "\"csn\"", {"data.classes={nobody=[30]}"}), Error);
  EXPECT_THROW((void)run("PEP-TF-2-1-1", "\"csn\"", {"attack.online=[0]"}), Error);
  EXPECT_THROW((void)run("PEP-TF-2-1-1", "\"ive\""), Error);
}

// Who is tested must not be mixed with those who were learned from. The latter lie 1,000 away in all features, so that
// a mean with one of them would be far from zero.
TEST_F(ProtocolRun, RecordsAreMixedWithinTheirRoleOnly) {
  ExperimentData data;
  data.target.data = people(60, 2);
  const Arrangement arrangement =
      privacy_evaluation({.target = &data.target.data}, parse_pep("PEP-LBS-1-1-3"), "gender", 1, 1);
  Matrix<float> values(data.target.data.size(), 16);
  for (std::size_t i = 0; i < values.rows(); ++i) {
    std::ranges::copy(data.target.data.templates.floats().row(i), values.row(i).begin());
  }
  const std::vector<std::size_t>& tested = arrangement.rotations[0].at(Role::target).rows;
  for (std::size_t i = 0; i < values.rows(); ++i) {
    if (std::ranges::find(tested, i) != tested.end()) continue;
    for (float& value : values.row(i)) value += 1000;
  }
  data.target.data.templates = Templates(std::move(values));
  data.target.digest = digest(data.target.data);
  StoredViews views(data, arrangement, {"gender"}, {folder / "run", 1, 1 << 24});
  const Dataset seen = views.view({Role::target, {"utility-preserving:g=4,w=1,trees=5"}, {}}, 0);
  ASSERT_EQ(seen.size(), tested.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (const float value : seen.templates.floats().row(i)) EXPECT_LT(std::abs(value), 100) << i;
  }
}

TEST_F(ProtocolRun, NearDuplicatesAreListedAndStrictStopsOnThem) {
  const Dataset data = people(150, 2);
  Matrix<float> rows(data.size(), data.templates.cols());
  for (std::size_t i = 0; i < data.size(); ++i) std::ranges::copy(data.templates.floats().row(i), rows.row(i).begin());
  for (std::size_t j = 0; j < rows.cols(); ++j) rows(20, j) = 1.0001F * rows(9, j) + (j == 0 ? 1e-4F : 0.0F);
  Dataset changed = data;
  changed.templates = Templates(std::move(rows));
  write_dataset(folder / "data", changed);
  EXPECT_EQ(run("PEP-TF-2-1-1", "\"none\"").failed, 0U);
  const Json near = Json::parse(results())["near_duplicates"];
  EXPECT_EQ(near["count"], 2);
  ASSERT_EQ(near["pairs"].size(), 1U);  // from either side the same
  EXPECT_NE(near["pairs"][0]["first"].get<std::string>().find("row 10"), std::string::npos);
  EXPECT_LT(near["pairs"][0]["distance"], 1e-3);
  EXPECT_THROW((void)run("PEP-TF-2-1-1", "\"none\"", {"protocol.strict=true"}), Error);
}

TEST_F(ProtocolRun, PeopleWhoAreSpelledInTwoWaysAreTold) {
  Dataset data = people(150, 2);
  std::vector<std::string> names = data.labels.column("identity");
  for (std::size_t row = 0; row < 40; ++row) names[row] = (row % 2 == 0 ? "ID " : "id ") + names[row];
  data.labels.replace_column("identity", names);
  write_dataset(folder / "data", data);
  EXPECT_EQ(run("PEP-TF-2-1-1", "\"none\"").failed, 0U);
  EXPECT_NE(results().find("pairs of identities differ in the case of letters or in leading zeros alone"),
            std::string::npos);
  EXPECT_THROW((void)run("PEP-TF-2-1-1", "\"none\"", {"protocol.strict=true"}), Error);
}

// What was masked over everybody is no clear data, and its parts are not apart; neither where a technique brings it.
TEST_F(ProtocolRun, WhatWasMaskedBeforeIsTold) {
  const auto told = [&](const std::string& part) { return results().find(part) != std::string::npos; };
  const std::string mixing = "was masked with utility-preserving, which makes a record from several people's";
  (void)run("PEP-TF-2-1-1", "\"none\"");
  EXPECT_FALSE(told("earlier_masks"));
  EXPECT_FALSE(told("was masked"));
  Dataset masked = people(150, 2);
  masked.provenance = Provenance{"utility-preserving:g=8", "", {{"keeps", "gender"}}};
  fs::create_directories(folder / "masked");
  write_dataset(folder / "masked", masked);
  (void)run("PEP-TF-2-1-1", "\"precomputed:path=" + (folder / "masked").string() + "\"");
  EXPECT_FALSE(told("earlier_masks"));
  EXPECT_TRUE(told(mixing));
  write_dataset(folder / "data", masked);
  (void)run("PEP-TF-2-1-1", "\"none\"");
  EXPECT_EQ(Json::parse(results())["earlier_masks"], Json({"utility-preserving:g=8"}));
  EXPECT_TRUE(told(mixing));
  EXPECT_TRUE(told("was masked before it came here (utility-preserving:g=8)"));
  masked.provenance = Provenance{"pe-miu:block=4", "", {}};
  write_dataset(folder / "data", masked);
  (void)run("PEP-TF-2-1-1", "\"none\"");
  EXPECT_EQ(Json::parse(results())["earlier_masks"], Json({"pe-miu:block=4"}));
  EXPECT_FALSE(told("must be apart"));
}

}  // namespace
}  // namespace bauta
