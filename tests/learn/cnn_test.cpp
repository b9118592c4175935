#include <algorithm>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/learn/estimator.hpp"

namespace bauta {
namespace {

/// Bars of three pixels in an image of 12 x 12, upright or lying, anywhere: no pixel by itself says which.
struct Bars {
  Matrix<float> x;
  std::vector<std::int32_t> codes;

  Bars(std::size_t count, std::uint64_t item) : x(count, 144, 0.0F) {
    Stream stream(3, "bars", item);
    for (std::size_t i = 0; i < count; ++i) {
      codes.push_back(static_cast<std::int32_t>(i % 2));
      const std::size_t row = 1 + stream.below(10), column = 1 + stream.below(10);
      for (std::size_t k = 0; k < 3; ++k) {
        x(i, i % 2 == 0 ? (row + k - 1) * 12 + column : row * 12 + column + k - 1) = 1;
      }
    }
  }
};

double right_of(const Estimator& estimator, const Bars& bars) {
  const auto said = estimator.predict(bars.x.view());
  double right = 0;
  for (std::size_t i = 0; i < said.size(); ++i) right += said[i] == bars.codes[i] ? 1 : 0;
  return right / static_cast<double>(said.size());
}

constexpr const char* small = "cnn:size=12,filters=8/8,hidden=16";

TEST(Cnn, SeesFormsWhereverTheyAre) {
  const Bars train(300, 1), test(200, 2);
  const auto cnn = make_estimator(small);
  cnn->fit(train.x.view(), train.codes, 2, {});
  EXPECT_GT(right_of(*cnn, test), 0.95);
  const auto linear = make_estimator("logistic");
  linear->fit(train.x.view(), train.codes, 2, {});
  EXPECT_LT(right_of(*linear, test), 0.7);
  const Matrix<double> p = cnn->predict_proba(test.x.view());
  for (std::size_t i = 0; i < 200; ++i) EXPECT_NEAR(p(i, 0) + p(i, 1), 1, 1e-9);
}

TEST(Cnn, SameSeedSameBitsForAnyNumberOfThreads) {
  const Bars train(150, 3);
  const auto run = [&](int count, std::uint64_t seed) {
    set_threads(count);
    const auto cnn = make_estimator(std::string(small) + ",epochs=2");
    cnn->fit(train.x.view(), train.codes, 2, {.seed = seed});
    Matrix<double> p = cnn->predict_proba(train.x.view());
    set_threads(0);
    return std::vector<double>(p.data(), p.data() + p.size());
  };
  EXPECT_EQ(run(1, 1), run(3, 1));
  EXPECT_NE(run(1, 1), run(1, 2));
}

TEST(Cnn, WhatIsNoImageIsRefusedAndOneClassIsCertain) {
  const Bars train(20, 4);
  const auto other = make_estimator("cnn");
  try {
    other->fit(train.x.view(), train.codes, 2, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.finding.find("144 features are no image of 48 x 48"), std::string::npos) << error.finding;
    EXPECT_NE(error.hint.find("pixels:size=48"), std::string::npos);
  }
  EXPECT_THROW(make_estimator("cnn:size=8,filters=4/4/4/4"), Error);
  const auto alone = make_estimator(small);
  alone->fit(train.x.view(), std::vector<std::int32_t>(20, 1), 3, {});
  EXPECT_EQ(alone->predict_proba(train.x.view())(7, 1), 1);
}

}  // namespace
}  // namespace bauta
