// The three families of protections as they are trained: what comes back is checked against formulas in plain C++.
#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/deep/trainer.hpp"
#include "population.hpp"

namespace bauta {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.what()) + "; " + error.hint;
  }
  return "no error";
}

Triplets judging_triplets(const Population& people, const char* purpose) {
  Stream stream(1, purpose);
  TripletSampler sampler(people.subjects, people.set().rows(true));
  return sampler.draw(sampler.anchors(), stream);
}

ExpansionOptions small_expansion() {
  ExpansionOptions options;
  options.training.epochs = 20;
  options.training.batch = 32;
  options.training.rate = 1;
  options.features = 128;
  return options;
}

TEST(Expansion, TheFoldedNetworkIsTheTrainedOne) {
  const Population people(50, 6, 16);
  const TrainedNetwork trained = trainer().train_expansion(people.set(), small_expansion());
  const Network& network = trained.network;
  ASSERT_EQ(network.layers.size(), 3U);
  EXPECT_EQ(network.layers[0].outputs(), 256U);
  EXPECT_EQ(network.layers[1].outputs(), 512U);
  EXPECT_EQ(network.outputs(), 128U);
  EXPECT_EQ(network.layers[2].activation, Activation::tanh);
  const double expected = trained.report.validation_losses[trained.report.best_epoch - 1];
  const Matrix<float> outputs = outputs_of(network, people.rows.view());
  EXPECT_NEAR(triplet_loss(outputs, judging_triplets(people, "expansion.judges"), 0.2), expected, 1e-5);
}

TEST(Expansion, LearnsIdentitiesWithEitherLoss) {
  const Population people(50, 6, 16);
  for (const auto loss : {ExpansionOptions::Loss::binary, ExpansionOptions::Loss::categorical}) {
    ExpansionOptions options = small_expansion();
    options.loss = loss;
    const TrainedNetwork trained = trainer().train_expansion(people.set(), options);
    EXPECT_LT(trained.report.training_losses.back(), 0.8 * trained.report.training_losses.front());
  }
}

TEST(Expansion, SameSeedSameBits) {
  const Population people(30, 4, 16);
  ExpansionOptions options = small_expansion();
  options.training.epochs = 3;
  const int before = threads();
  const TrainedNetwork a = trainer().train_expansion(people.set(), options);
  set_threads(3);
  const TrainedNetwork b = trainer().train_expansion(people.set(), options);
  set_threads(before);
  EXPECT_TRUE(same_bits(a.network, b.network));
  EXPECT_EQ(a.report.training_losses, b.report.training_losses);
}

SensitiveNetsOptions small_sensitivenets() {
  SensitiveNetsOptions options;
  options.training.epochs = 10;
  options.training.batch = 32;
  return options;
}

TEST(SensitiveNets, ReportsTheTripletLossOfItsUnitLengthOutputs) {
  const Population people(60, 5, 16);
  const TrainedNetwork trained = trainer().train_sensitivenets(people.set(), {}, small_sensitivenets());
  ASSERT_EQ(trained.network.layers.size(), 4U);
  EXPECT_EQ(trained.network.outputs(), 16U);
  const Matrix<float> outputs = outputs_of(trained.network, people.rows.view());
  for (std::size_t i = 0; i < 10; ++i) {
    double square = 0;
    for (const float value : outputs.row(i)) square += double{value} * value;
    EXPECT_NEAR(square, 1, 1e-6);
  }
  EXPECT_NEAR(triplet_loss(outputs, judging_triplets(people, "sensitivenets.judges"), 0.2),
              trained.report.validation_losses[trained.report.best_epoch - 1], 1e-5);
  EXPECT_LT(trained.report.training_losses.back(), trained.report.training_losses.front() / 2);
}

TEST(SensitiveNets, WithWeightZeroIsPlainTripletLearningToTheBit) {
  const Population people(40, 4, 12);
  SensitiveNetsOptions options = small_sensitivenets();
  options.balanced_anchors = false;
  const TrainedNetwork plain = trainer().train_sensitivenets(people.set(), {}, options);
  options.weight = 0;
  const TrainedNetwork zero = trainer().train_sensitivenets(people.set(), {people.attribute()}, options);
  EXPECT_TRUE(same_bits(plain.network, zero.network));
  EXPECT_EQ(plain.report.validation_losses, zero.report.validation_losses);
  options.weight = 1;
  EXPECT_FALSE(
      same_bits(plain.network, trainer().train_sensitivenets(people.set(), {people.attribute()}, options).network));
}

TEST(SensitiveNets, TheBestEpochIsNeverInTheWarmUp) {
  const Population people(40, 4, 12);
  SensitiveNetsOptions options = small_sensitivenets();
  options.warm_up = 9;
  const TrainedNetwork trained = trainer().train_sensitivenets(people.set(), {people.attribute()}, options);
  EXPECT_EQ(trained.report.best_epoch, 10U);
}

TEST(SensitiveNets, TakesSeveralAttributesOfSeveralClassesAndRepeatsItself) {
  Population people(40, 4, 12, 5, 3);
  std::vector<std::int32_t> second = people.classes;
  for (std::size_t i = 0; i < second.size(); ++i)
    second[i] = people.subjects[i] % 5 == 0 ? -1 : people.subjects[i] / 5 % 2;
  SensitiveNetsOptions options = small_sensitivenets();
  options.training.epochs = 3;
  const std::vector<AttributeLabels> attributes = {people.attribute(3), {second, 2, "age"}};
  const int before = threads();
  const TrainedNetwork a = trainer().train_sensitivenets(people.set(), attributes, options);
  set_threads(3);
  const TrainedNetwork b = trainer().train_sensitivenets(people.set(), attributes, options);
  set_threads(before);
  EXPECT_TRUE(same_bits(a.network, b.network));
  EXPECT_FALSE(
      same_bits(a.network, trainer().train_sensitivenets(people.set(), {people.attribute(3)}, options).network));
}

/// Mean of z^order of a class, dimension by dimension.
std::vector<double> moment(const Matrix<float>& codes, const Population& people, int code, int order) {
  std::vector<double> sum(codes.cols(), 0);
  double count = 0;
  for (std::size_t i = 0; i < codes.rows(); ++i) {
    if (!people.held_out[i] || people.classes[i] != code) continue;
    for (std::size_t j = 0; j < codes.cols(); ++j)
      sum[j] += order == 1 ? codes(i, j) : double{codes(i, j)} * codes(i, j);
    ++count;
  }
  for (double& value : sum) value /= count;
  return sum;
}

template <class Term>
double mean_over_moments(const Matrix<float>& codes, const Population& people, Term&& term) {
  double sum = 0;
  for (const int order : {1, 2}) {
    const std::vector<double> a = moment(codes, people, 0, order);
    const std::vector<double> b = moment(codes, people, 1, order);
    for (std::size_t j = 0; j < a.size(); ++j) sum += term(a[j] - b[j]) / static_cast<double>(a.size());
  }
  return sum;
}

TEST(Pfrnet, ReportsItsLossOnHeldOutSubjects) {
  const Population people(60, 5, 32);
  PfrnetOptions options;
  options.training.epochs = 4;
  const TrainedPfrnet trained = trainer().train_pfrnet(people.set(), people.attribute(), options);
  EXPECT_EQ(trained.independent.outputs(), 496U);
  EXPECT_EQ(trained.dependent.outputs(), 16U);
  EXPECT_EQ(trained.decoder.inputs(), 512U);
  EXPECT_EQ(trained.decoder.outputs(), 32U);

  const Matrix<float> kept = outputs_of(trained.independent, people.rows.view());
  const Matrix<float> hidden = outputs_of(trained.dependent, people.rows.view());
  Matrix<float> both(kept.rows(), 512);
  for (std::size_t i = 0; i < both.rows(); ++i) {
    std::copy(kept.row(i).begin(), kept.row(i).end(), both.row(i).begin());
    std::copy(hidden.row(i).begin(), hidden.row(i).end(), both.row(i).begin() + 496);
  }
  const Matrix<float> rebuilt = outputs_of(trained.decoder, both.view());
  double error = 0;
  double count = 0;
  for (std::size_t i = 0; i < both.rows(); ++i) {
    if (!people.held_out[i]) continue;
    error += squared_distance(rebuilt.row(i), people.rows.row(i)) / 32;
    ++count;
  }
  const double expected = error / count + 0.01 * mean_over_moments(kept, people, [](double x) { return x * x; }) +
                          0.01 * mean_over_moments(hidden, people, [](double x) { return std::exp(-x * x); });
  EXPECT_NEAR(trained.report.validation_losses[trained.report.best_epoch - 1], expected, 1e-4 * expected);
}

TEST(Pfrnet, LearnsToRebuildTemplatesAndRepeatsItself) {
  const Population people(60, 5, 32);
  PfrnetOptions options;
  options.training.epochs = 15;
  const int before = threads();
  const TrainedPfrnet trained = trainer().train_pfrnet(people.set(), people.attribute(), options);
  set_threads(3);
  const TrainedPfrnet again = trainer().train_pfrnet(people.set(), people.attribute(), options);
  set_threads(before);
  EXPECT_LT(trained.report.training_losses.back(), trained.report.training_losses.front() / 2);
  EXPECT_TRUE(same_bits(trained.independent, again.independent));
  EXPECT_TRUE(same_bits(trained.decoder, again.decoder));
}

TEST(Cuda, TheLossIsThatOfTheNetworkThatComesBack) {
  if (!trainer().has_device(Device::cuda)) GTEST_SKIP() << "no CUDA device";
  const Population people(60, 5, 32);
  SensitiveNetsOptions options = small_sensitivenets();
  options.training.device = Device::cuda;
  const TrainedNetwork trained = trainer().train_sensitivenets(people.set(), {}, options);
  EXPECT_NEAR(triplet_loss(outputs_of(trained.network, people.rows.view()),
                           judging_triplets(people, "sensitivenets.judges"), 0.2),
              trained.report.validation_losses[trained.report.best_epoch - 1], 1e-4);
  ExpansionOptions expansion = small_expansion();
  expansion.training.device = Device::cuda;
  const TrainedNetwork expanded = trainer().train_expansion(people.set(), expansion);
  EXPECT_NEAR(
      triplet_loss(outputs_of(expanded.network, people.rows.view()), judging_triplets(people, "expansion.judges"), 0.2),
      expanded.report.validation_losses[expanded.report.best_epoch - 1], 1e-4);
  PfrnetOptions pfrnet;
  pfrnet.training.device = Device::cuda;
  pfrnet.training.epochs = 15;
  const TrainedPfrnet rebuilt = trainer().train_pfrnet(people.set(), people.attribute(), pfrnet);
  EXPECT_LT(rebuilt.report.training_losses.back(), rebuilt.report.training_losses.front() / 2);
}

TEST(Pfrnet, AClassWithoutSamplesIsRefusedByName) {
  const Population people(20, 5, 8);
  const std::string error = error_of([&] { (void)trainer().train_pfrnet(people.set(), people.attribute(3), {}); });
  EXPECT_NE(error.find("class 3 of 3 of attribute 'gender'"), std::string::npos) << error;
}

TEST(Pfrnet, SmallBatchesAreRefused) {
  const Population people(20, 5, 8);
  PfrnetOptions options;
  options.training.batch = 63;
  EXPECT_NE(error_of([&] { (void)trainer().train_pfrnet(people.set(), people.attribute(), options); }).find("64"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
