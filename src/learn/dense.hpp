// Dense linear algebra in double on float data: moments, and eigenvectors of symmetric matrices.
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "bauta/core/matrix.hpp"
#include "widen.hpp"

namespace bauta {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> column_means(MatrixView<const float> x);

Dense centred(MatrixView<const float> x, const std::vector<double>& means);

/// x^T x (lower triangle) and x^T y of centred columns; summed in parts that do not depend on threads.
void centred_moments(MatrixView<const float> x, const std::vector<double>& x_means, MatrixView<const float> y,
                     const std::vector<double>& y_means, Dense& square, Dense& cross);

/// sum_i weights[i] x_i x_i^T (lower triangle); `ones` appends a constant 1 to every x_i. Weights are not negative.
Dense weighted_square(MatrixView<const float> x, const std::vector<double>& weights, bool ones);

/// Eigenvectors of a symmetric matrix (lower triangle) replace it, one per row; returns the eigenvalues, ascending.
std::vector<double> decompose(Dense& matrix);

}  // namespace bauta
