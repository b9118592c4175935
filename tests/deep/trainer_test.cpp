#include "bauta/deep/trainer.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "population.hpp"

namespace bauta {
namespace {

double accuracy(const Network& network, const Population& people) {
  const Matrix<float> logits = outputs_of(network, people.rows.view());
  double right = 0;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    const auto row = logits.row(i);
    right += std::max_element(row.begin(), row.end()) - row.begin() == people.classes[i];
  }
  return right / static_cast<double>(logits.rows());
}

/// Two classes that no straight line parts: the sign of the product of the first two features.
Population exclusive_or(std::uint64_t seed) {
  Population people(400, 1, 4, seed, 2, 0);
  for (std::size_t i = 0; i < 400; ++i) people.classes[i] = people.rows(i, 0) * people.rows(i, 1) > 0;
  return people;
}

TEST(Classifier, LearnsWhatIsNotLinear) {
  const Population train = exclusive_or(1);
  const TrainedNetwork trained = trainer().train_classifier(train.set(), train.attribute(), MlpOptions());
  EXPECT_EQ(trained.network.layers.size(), 2U);
  EXPECT_EQ(trained.network.layers.front().outputs(), 100U);
  EXPECT_GT(accuracy(trained.network, exclusive_or(2)), 0.9);
  EXPECT_LT(trained.report.training_losses.back(), trained.report.training_losses.front() / 2);
}

TEST(Classifier, UnknownClassesAreNotLearnt) {
  Population some = exclusive_or(1);
  Population fewer = exclusive_or(1);
  for (std::size_t i = 0; i < 400; i += 4) {
    some.classes[i] = -1;
    for (float& value : some.rows.row(i)) value = 1000;  // would ruin everything
    fewer.classes[i] = -1;
  }
  MlpOptions options;
  options.training.epochs = 5;
  const TrainedNetwork a = trainer().train_classifier(some.set(), some.attribute(), options);
  const TrainedNetwork b = trainer().train_classifier(fewer.set(), fewer.attribute(), options);
  EXPECT_TRUE(same_bits(a.network, b.network));
}

// The best linear map of noise-free data Y = X A has no error; an MLP without hidden layers must find it.
TEST(Regressor, WithoutHiddenLayersFindsTheLinearMap) {
  const Population people(100, 4, 3, 9, 2, 0);
  Matrix<float> targets(400, 2);
  for (std::size_t i = 0; i < 400; ++i) {
    targets(i, 0) = 2 * people.rows(i, 0) - people.rows(i, 2);
    targets(i, 1) = 0.5F * people.rows(i, 1) + 3;
  }
  MlpOptions options;
  options.hidden = {};
  options.l2 = 0;
  options.tolerance = 0;
  options.training.rate = 0.02;
  options.training.epochs = 1000;
  const TrainedNetwork trained = trainer().train_regressor(people.set(), targets.view(), options);
  ASSERT_EQ(trained.network.layers.size(), 1U);
  const DenseLayer& layer = trained.network.layers.front();
  const std::vector<double> expected = {2, 0, -1, 0, 0.5, 0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(layer.weights.data()[i], expected[i], 0.02) << i;
  EXPECT_NEAR(layer.bias[0], 0, 0.02);
  EXPECT_NEAR(layer.bias[1], 3, 0.02);
}

TEST(Regressor, KeepsTheWeightsOfTheBestEpochOnHeldOutSubjects) {
  const Population people(40, 3, 8, 3, 2, 0);
  Matrix<float> targets(120, 1);
  Stream noise(1, "test.noise");  // nothing to learn: it can only learn by heart
  for (std::size_t i = 0; i < 120; ++i) targets(i, 0) = static_cast<float>(noise.normal());
  MlpOptions options;
  options.hidden = {64};
  options.tolerance = 0;
  options.training.rate = 0.01;
  std::size_t told = 0;
  options.training.progress = [&](const EpochLoss& loss) {
    EXPECT_EQ(loss.epoch, ++told);
    EXPECT_EQ(loss.epochs, 200U);
  };
  const TrainedNetwork trained = trainer().train_regressor(people.set(), targets.view(), options);
  const TrainingReport& report = trained.report;
  EXPECT_EQ(told, report.epochs());
  EXPECT_EQ(report.epochs(), report.best_epoch + 10);  // patience
  EXPECT_EQ(report.validation_losses.size(), report.epochs());
  const double least = *std::min_element(report.validation_losses.begin(), report.validation_losses.end());
  EXPECT_EQ(report.validation_losses[report.best_epoch - 1], least);
  const Matrix<float> outputs = outputs_of(trained.network, people.rows.view());
  double error = 0;
  double count = 0;
  for (std::size_t i = 0; i < 120; ++i) {
    if (!people.held_out[i]) continue;
    error += (double{outputs(i, 0)} - targets(i, 0)) * (double{outputs(i, 0)} - targets(i, 0));
    ++count;
  }
  EXPECT_NEAR(error / count, least, 1e-5);
}

TEST(Training, SameSeedSameBitsForAnyNumberOfThreads) {
  const Population people = exclusive_or(1);
  MlpOptions options;
  options.training.epochs = 10;
  const auto train = [&] { return trainer().train_classifier(people.set(), people.attribute(), options).network; };
  const int before = threads();
  set_threads(1);
  const Network one = train();
  set_threads(4);
  const Network four = train();
  Network elsewhere;
  std::thread([&] { elsewhere = train(); }).join();
  std::vector<Network> inside(3);
  parallel_for(3, [&](std::size_t i, int) { inside[i] = train(); });
  set_threads(before);
  EXPECT_TRUE(same_bits(one, four));
  EXPECT_TRUE(same_bits(one, elsewhere));
  for (const Network& network : inside) EXPECT_TRUE(same_bits(one, network));
  options.training.seed = 2;
  EXPECT_FALSE(same_bits(one, train()));
}

TEST(Training, ALossOutOfBoundsIsTold) {
  Population people = exclusive_or(1);
  Matrix<float> targets(400, 1, 1e30F);
  try {
    (void)trainer().train_regressor(people.set(), targets.view(), MlpOptions());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.finding.find("epoch 1"), std::string::npos) << error.finding;
  }
}

TEST(Training, ADeviceThatIsNotThereIsRefused) {
  EXPECT_TRUE(trainer().has_device(Device::cpu));
  if (trainer().has_device(Device::cuda)) GTEST_SKIP() << "there is a CUDA device";
  const Population people = exclusive_or(1);
  MlpOptions options;
  options.training.device = Device::cuda;
  try {
    (void)trainer().train_classifier(people.set(), people.attribute(), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::environment);
    EXPECT_EQ(error.where, "--device cuda");
  }
}

}  // namespace
}  // namespace bauta
