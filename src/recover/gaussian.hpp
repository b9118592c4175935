// A Gaussian fitted to templates: what attackers believe of a template before they have seen its protected form.
#pragma once

#include <string>

#include <Eigen/Core>

#include "bauta/core/matrix.hpp"

namespace bauta {

struct Gaussian {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
  double shrinkage = 0;  ///< share of the scaled identity in the covariance
};

/// Mean, and the covariance shrunk towards a multiple of the identity by the amount of Ledoit and Wolf (2004), which
/// has an inverse however few the rows. Rows that do not differ at all are an input error that names `where`.
Gaussian fit_gaussian(MatrixView<const float> rows, const std::string& where);

}  // namespace bauta
