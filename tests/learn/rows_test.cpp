// Rows are worked on in blocks and sums are made of parts: a row's result does not depend on its place, nor a sum on
// how it was cut.
#include <gtest/gtest.h>

#include "bauta/learn/estimator.hpp"
#include "bauta/learn/pca.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/learn/regressor.hpp"
#include "bauta/learn/ridge.hpp"
#include "bauta/learn/whitening.hpp"
#include "dense.hpp"
#include "population.hpp"

namespace bauta {
namespace {

/// `result(rows)`: one row for each. Looked at are the ends of blocks of 256 and 1,024 rows.
template <class Result>
void expect_rows_alone(const Matrix<float>& x, double tolerance, Result&& result) {
  const auto all = result(x.view());
  ASSERT_EQ(all.rows(), x.rows());
  for (const std::size_t row : {0U, 255U, 256U, 511U, 512U, 1023U, 1024U, 1099U}) {
    const auto alone = result(x.view().slice(row, 1));
    ASSERT_EQ(alone.rows(), 1U);
    for (std::size_t j = 0; j < all.cols(); ++j) {
      EXPECT_NEAR(static_cast<double>(all(row, j)), static_cast<double>(alone(0, j)), tolerance) << row << " " << j;
    }
  }
}

struct Many {
  Population train{5, 90, 6};
  Matrix<float> x = Lcg(9).matrix(1100, 6);
};

TEST(Rows, OfEstimatorsDoNotDependOnTheirPlace) {
  const Many many;
  for (const char* name : {"knn:k=3", "lda", "logistic", "random-forest:trees=5", "svm-linear", "svm-rbf",
                           "lda:calibration=isotonic", "svm-poly:calibration=sigmoid"}) {
    SCOPED_TRACE(name);
    const auto estimator = make_estimator(name);
    estimator->fit(many.train.x.view(), many.train.classes({-0.3, 0.5}), 3, {});
    expect_rows_alone(many.x, 1e-9, [&](MatrixView<const float> rows) { return estimator->predict_proba(rows); });
  }
}

TEST(Rows, OfRegressorsDoNotDependOnTheirPlace) {
  const Many many;
  for (const char* name : {"knn:k=3", "random-forest:trees=5", "ridge", "svm-linear", "svm-rbf"}) {
    SCOPED_TRACE(name);
    const auto regressor = make_regressor(name);
    regressor->fit(many.train.x.view(), many.train.level, {});
    expect_rows_alone(many.x, 1e-6, [&](MatrixView<const float> rows) {
      const std::vector<double> values = regressor->predict(rows);
      Matrix<double> column(values.size(), 1);
      std::copy(values.begin(), values.end(), column.data());
      return column;
    });
  }
}

TEST(Rows, OfTransformationsDoNotDependOnTheirPlace) {
  const Many many;
  const Pca pca = Pca::fit(many.train.x.view());
  expect_rows_alone(many.x, 1e-6, [&](MatrixView<const float> rows) { return pca.transform(rows); });
  const Whitening whitening(many.train.x.view(), std::vector<double>(90, 1));
  expect_rows_alone(many.x, 1e-4, [&](MatrixView<const float> rows) {
    Matrix<double> wide(rows.rows, rows.cols);
    for (std::size_t i = 0; i < rows.rows; ++i) std::ranges::copy(rows.row(i), wide.row(i).begin());
    return whitening.apply(wide.view());
  });
  for (const char* steps : {"unit", "unit,zscore", "minmax"}) {
    Preparation preparation(steps);
    preparation.fit(many.train.x.view());
    expect_rows_alone(many.x, 1e-6, [&](MatrixView<const float> rows) { return preparation.apply(rows); });
  }
  Matrix<float> y(90, 2);
  for (std::size_t i = 0; i < 90; ++i) {
    y(i, 0) = static_cast<float>(many.train.level[i]);
    y(i, 1) = many.train.x(i, 1);
  }
  const Ridge ridge = Ridge::fit(many.train.x.view(), y.view());
  expect_rows_alone(many.x, 1e-6, [&](MatrixView<const float> rows) { return ridge.predict(rows); });
}

// Sums of products by definition, for fewer rows than parts and for more than a block in each part.
TEST(Dense, MomentsByDefinition) {
  for (const std::size_t rows : {1U, 7U, 100U, 2049U, 4200U}) {
    SCOPED_TRACE(rows);
    const Matrix<float> x = Lcg(rows).matrix(rows, 3), y = Lcg(rows + 1).matrix(rows, 2);
    const std::vector<double> means = column_means(x.view()), y_means = column_means(y.view());
    Dense square, cross;
    centred_moments(x.view(), means, y.view(), y_means, square, cross);
    for (int j = 0; j < 3; ++j) {
      double mean = 0;
      for (std::size_t i = 0; i < rows; ++i) mean += x(i, static_cast<std::size_t>(j)) / static_cast<double>(rows);
      EXPECT_NEAR(means[static_cast<std::size_t>(j)], mean, 1e-12);
      const auto of = [&](const Matrix<float>& values, const std::vector<double>& centre, std::size_t i, int k) {
        return values(i, static_cast<std::size_t>(k)) - centre[static_cast<std::size_t>(k)];
      };
      for (int k = 0; k <= j; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < rows; ++i) sum += of(x, means, i, j) * of(x, means, i, k);
        EXPECT_NEAR(square(j, k), sum, 1e-9);
      }
      for (int k = 0; k < 2; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < rows; ++i) sum += of(x, means, i, j) * of(y, y_means, i, k);
        EXPECT_NEAR(cross(j, k), sum, 1e-9);
      }
    }
  }
}

TEST(Dense, WeightedSquareByDefinition) {
  for (const std::size_t rows : {1U, 300U, 2500U}) {
    const Matrix<float> x = Lcg(rows).matrix(rows, 3);
    std::vector<double> weights;
    for (std::size_t i = 0; i < rows; ++i) weights.push_back(static_cast<double>(i % 4));
    for (const bool ones : {false, true}) {
      const Dense square = weighted_square(x.view(), weights, ones);
      ASSERT_EQ(square.rows(), ones ? 4 : 3);
      const auto at = [&](std::size_t i, int j) { return j == 3 ? 1.0 : double{x(i, static_cast<std::size_t>(j))}; };
      for (int j = 0; j < square.rows(); ++j) {
        for (int k = 0; k <= j; ++k) {
          double sum = 0;
          for (std::size_t i = 0; i < rows; ++i) sum += weights[i] * at(i, j) * at(i, k);
          EXPECT_NEAR(square(j, k), sum, 1e-9) << rows << " " << j << " " << k;
        }
      }
    }
  }
}

}  // namespace
}  // namespace bauta
