#include "bauta/learn/estimator.hpp"

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "population.hpp"

namespace bauta {
namespace {

TEST(Estimator, EveryOneOfTheCatalogueLearnsAPlainDifference) {
  const Population train(11, 300, 4);
  const Population test(12, 300, 4);
  const auto truth = test.classes({0});
  for (const auto& entry : estimators()) {
    if (!entry.declaration.representation.empty()) continue;  // learns from images
#ifndef BAUTA_TRAINS
    if (entry.declaration.name == "mlp") continue;
#endif
    const auto estimator = make_estimator(entry.declaration.name);
    estimator->fit(train.x.view(), train.classes({0}), 2, {});
    const Matrix<double> p = estimator->predict_proba(test.x.view());
    ASSERT_EQ(p.rows(), 300U);
    ASSERT_EQ(p.cols(), 2U);
    const auto predicted = estimator->predict(test.x.view());
    double right = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      EXPECT_NEAR(p(i, 0) + p(i, 1), 1, 1e-12);
      right += predicted[i] == truth[i] ? 1.0 / 300 : 0;
    }
    // The noise leaves about 80 % to the best rule; guessing reaches 50 %.
    EXPECT_GT(right, 0.7) << entry.declaration.name;
  }
}

TEST(Estimator, OfEquallyLikelyClassesTheLowestIsTold) {
  Matrix<double> p(2, 3, 0.25);
  p(1, 2) = 0.5;
  EXPECT_EQ(likeliest(p.view()), (std::vector<std::int32_t>{0, 2}));
}

TEST(Estimator, UnknownNamesAreRefusedWithTheNearest) {
  try {
    make_estimator("random-forrest");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint.find("random-forest"), std::string::npos);
  }
  EXPECT_THROW(make_estimator("random-forest:trees=0"), Error);
}

}  // namespace
}  // namespace bauta
