// Expected values marked "references.py" come from scikit-learn 1.2.1 through tests/learn/references.py.
#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/learn/estimator.hpp"
#include "population.hpp"

namespace bauta {
namespace {

TEST(Knn, SharesAreThoseOfScikitLearn) {
  const Population train(7, 200, 8);
  const Population points(8, 6, 8);
  const auto knn = make_estimator("knn");
  knn->fit(train.x.view(), train.classes({-0.4, 0.4}), 3, {});
  const Matrix<double> p = knn->predict_proba(points.x.view());
  const std::vector<double> expected = {0, 0, 1, 0.4, 0.6, 0, 0, 0.2, 0.8, 0, 1, 0, 0, 0.2, 0.8, 0.6, 0.4, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(p.data()[i], expected[i], 1e-12);  // references.py
}

TEST(Knn, AnyComparatorDefinesNearness) {
  // By hand: (1, 0) is nearer to (0, 0) by distance, but has the direction of (9, 1).
  Matrix<float> x(2, 2);
  x(0, 0) = 0;
  x(0, 1) = 0.1F;
  x(1, 0) = 9;
  x(1, 1) = 1;
  Matrix<float> probe(1, 2, 0.0F);
  probe(0, 0) = 1;
  const std::vector<std::int32_t> codes = {0, 1};
  const auto by_distance = make_estimator("knn:k=1");
  by_distance->fit(x.view(), codes, 2, {});
  EXPECT_EQ(by_distance->predict(probe.view())[0], 0);
  const auto by_angle = make_estimator("knn:k=1,comparator=cosine");
  by_angle->fit(x.view(), codes, 2, {});
  EXPECT_EQ(by_angle->predict(probe.view())[0], 1);
  EXPECT_NO_THROW(make_estimator("knn:comparator=pe-miu:block=1"));
  EXPECT_THROW(make_estimator("knn:comparator=nearness"), Error);
}

// 100 copies of one point in each class: votes come from both, whatever stands first.
TEST(Knn, TiesAreNotResolvedByTheOrderOfTheTrainingData) {
  Matrix<float> x(200, 3, 1.0F);
  std::vector<std::int32_t> codes(200, 0);
  for (std::size_t i = 100; i < 200; ++i) codes[i] = 1;
  Matrix<float> probes(400, 3, 0.0F);
  const auto knn = make_estimator("knn:k=1");
  knn->fit(x.view(), codes, 2, {});
  const auto predicted = knn->predict(probes.view());
  const auto ones = std::count(predicted.begin(), predicted.end(), 1);
  EXPECT_NEAR(static_cast<double>(ones), 200, 50);  // five standard deviations of a fair coin
}

TEST(Knn, FewerSamplesThanNeighboursAllVote) {
  Matrix<float> x(2, 1, 0.0F);
  const auto knn = make_estimator("knn");
  knn->fit(x.view(), std::vector<std::int32_t>{1, 0}, 2, {});
  EXPECT_EQ(knn->predict_proba(x.view())(0, 0), 0.5);
}

}  // namespace
}  // namespace bauta
