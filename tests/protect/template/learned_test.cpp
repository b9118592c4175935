// SensitiveNets and PFRNet as protections; how they are trained is tested in the room deep.
#include <gtest/gtest.h>

#include "../../../src/protect/template/network_protection.hpp"
#include "../../held.hpp"
#include "bauta/core/parallel.hpp"
#include "learned_fixture.hpp"

namespace bauta {
namespace {

class Learned : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Techniques, Learned,
                         testing::Values("sensitivenets:epochs=2,batch=32", "pfrnet:independent=24,epochs=2,batch=64"));

TEST_P(Learned, IsSavedAndLoadedWithoutAChange) {
  const Dataset train = population(24, 4, 20);
  const ResolvedProtection protection = fitted(GetParam(), train);
  EXPECT_EQ(protection.attributes, "gender");
  const ScratchFile file;
  save_protection(protection, file.path());
  const ResolvedProtection loaded = load_protection(file.path(), GetParam());
  EXPECT_EQ(loaded.model, protection.model);
  const Dataset other = population(40, 7, 20, 4);
  EXPECT_TRUE(
      same_bits(protect_dataset(protection, other, {}).templates, protect_dataset(loaded, other, {}).templates));
}

TEST_P(Learned, SameSeedSameModelForAnyNumberOfThreads) {
  const Dataset train = population(24, 4, 20);
  const int before = threads();
  set_threads(1);
  const std::string one = fitted(GetParam(), train).model;
  set_threads(3);
  const std::string three = fitted(GetParam(), train).model;
  set_threads(before);
  EXPECT_EQ(one, three);
  ResolvedProtection other = make_protection(GetParam());
  fit_protection(other, train, {"gender"}, {.randomness = Randomness::seeded(2)});
  EXPECT_NE(one, other.model);
}

TEST_P(Learned, FailedSamplesAreNotLearntFrom) {
  Dataset clean = population(24, 4, 20);
  Dataset spoilt = population(24, 4, 20);
  std::vector<std::string> failed(96, "0");
  failed[5] = failed[50] = "1";
  clean.labels.add_column("failed", failed);
  spoilt.labels.add_column("failed", failed);
  Matrix<float> rows(96, 20);
  for (std::size_t i = 0; i < 96; ++i) {
    for (std::size_t j = 0; j < 20; ++j) rows(i, j) = failed[i] == "1" ? 1e6F : clean.templates.floats()(i, j);
  }
  spoilt.templates = Templates(std::move(rows));
  EXPECT_EQ(fitted(GetParam(), clean).model, fitted(GetParam(), spoilt).model);
}

TEST(TrainingRows, AreTheSamplesOfSomebodyThatDidNotFail) {
  Dataset data = dataset_of(gaussian_templates(8, 3), 2);
  data.labels.replace_column("identity", {"c", "c", "a", "a", "", "b", "b", "b"});
  data.labels.add_column("kind", {"y", "y", "x", "x", "x", "", "y", "y"});
  data.labels.add_column("failed", {"0", "1", "0", "0", "0", "0", "0", "0"});
  const TrainingRows rows(data, {"kind"}, 0, "test", {});
  EXPECT_EQ(rows.subjects, (std::vector<std::int32_t>{2, 0, 0, 1, 1, 1}));
  EXPECT_EQ(rows.codes, (std::vector<std::vector<std::int32_t>>{{1, 0, 0, -1, 1, 1}}));
  EXPECT_EQ(rows.classes, std::vector<std::size_t>{2});
  EXPECT_TRUE(rows.held_out.empty());
  ASSERT_EQ(rows.rows.rows(), 6U);
  EXPECT_EQ(rows.rows(1, 2), data.templates.floats()(2, 2));
  const std::vector<AttributeLabels> labels = rows.attributes();
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_EQ(labels[0].classes, 2U);
  // Failures and what is held out from outside take the place of what the data say.
  const TrainingRows told(data, {}, 0, "test",
                          {.failed = {true, false, false, false, false, false, false, false},
                           .held_out = {true, true, false, false, false, false, true, false}});
  EXPECT_EQ(told.subjects, (std::vector<std::int32_t>{2, 0, 0, 1, 1, 1}));
  EXPECT_EQ(told.held_out, (std::vector<bool>{true, false, false, false, true, false}));
  EXPECT_NE(error_of([&] { (void)TrainingRows(data, {}, 0, "test", {.failed = std::vector<bool>(8, true)}); }),
            "no error");
}

TEST_P(Learned, WrongUseIsToldBeforeTraining) {
  const Dataset train = population(24, 4, 20);
  EXPECT_NE(error_of([&] { fitted(GetParam(), train, {}); }).find("--attribute"), std::string::npos);
  EXPECT_NE(error_of([&] { fitted(GetParam(), train, {"score"}); }).find("classes"), std::string::npos);
  EXPECT_NE(error_of([&] { protect_dataset(make_protection(GetParam()), train, {}); }).find("--fit"),
            std::string::npos);
  Dataset nameless = population(24, 4, 20);
  nameless.identity_column.clear();
  EXPECT_NE(error_of([&] { fitted(GetParam(), nameless); }).find("--identity"), std::string::npos);
  Dataset alike = population(24, 4, 20);
  alike.labels.add_column("constant", std::vector<std::string>(96, "x"));
  EXPECT_NE(error_of([&] { fitted(GetParam(), alike, {"constant"}); }).find("fewer than two classes"),
            std::string::npos);
}

TEST_P(Learned, TemplatesOfAnotherWidthAreRefusedWithBothNumbers) {
  const ResolvedProtection protection = fitted(GetParam(), population(24, 4, 20));
  const std::string error = error_of([&] { protect_dataset(protection, population(2, 2, 19), {}); });
  EXPECT_NE(error.find("19"), std::string::npos) << error;
  EXPECT_NE(error.find("20"), std::string::npos) << error;
}

TEST(Pfrnet, ReleasesTheIndependentPartOnly) {
  const Dataset train = population(24, 4, 20);
  const ResolvedProtection protection = fitted("pfrnet:epochs=1", train);
  EXPECT_EQ(protect_dataset(protection, train, {}).templates.cols(), 496U);
  const FittedState state = protection->state();
  EXPECT_EQ(state.size(), 10U);  // four layers of weights and bias, two curves: neither other encoder nor decoder
  EXPECT_EQ(state.at("layer4.weights").rows(), 496U);
  EXPECT_EQ(state.at("training_losses").size(), 1U);
}

TEST(Pfrnet, HidesOneAttribute) {
  EXPECT_NE(error_of([] {
              fitted("pfrnet", population(24, 4, 20), {"gender", "identity"});
            }).find("1 attribute"),
            std::string::npos);
}

TEST(SensitiveNets, TemplatesHaveUnitLengthAndSeveralAttributesAreTaken) {
  Dataset train = population(24, 4, 20);
  std::vector<std::string> glasses;
  for (std::size_t i = 0; i < 96; ++i) glasses.push_back(i % 8 == 0 ? "" : (i / 4 % 3 == 0 ? "yes" : "no"));
  train.labels.add_column("glasses", glasses);
  const ResolvedProtection protection = fitted("sensitivenets:epochs=2,width=12", train, {"gender", "glasses"});
  EXPECT_EQ(protection.attributes, "gender,glasses");
  const Templates projected = protect_dataset(protection, train, {}).templates;
  EXPECT_EQ(projected.cols(), 12U);
  for (std::size_t i = 0; i < 96; ++i) {
    EXPECT_NEAR(dot_product(projected.floats().row(i), projected.floats().row(i)), 1, 1e-6);
  }
}

// As it was on 2026-11-16.
TEST(HeldProtections, ThatTrain) {
  const Dataset train = population(24, 4, 12), other = population(9, 2, 12, 4);
  test::expect_held(
      {{"sensitivenets:epochs=2,batch=32", 0.0971193805},
       {"sensitivenets:layers=2,width=7,margin=0.5,weight=3,epochs=2,batch=32,validation=0", 0.228093352},
       {"pfrnet:independent=9,dependent=4,epochs=2,batch=64", -0.0849652311},
       {"pfrnet:independent=5,dependent=6,epochs=3,batch=64,patience=1,rate=0.01", 0.0090479778}},
      [&](const std::string& technique) {
        const Templates values = protect_dataset(fitted(technique, train), other, {}).templates;
        std::vector<float> all;
        for (std::size_t i = 0; i < values.rows(); ++i) {
          all.insert(all.end(), values.floats().row(i).begin(), values.floats().row(i).end());
        }
        return all;
      },
      2e-3);  // on other processors the steps of a training round differently
}

}  // namespace
}  // namespace bauta
