#include "gaussian.hpp"

#include <algorithm>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

// Never quite zero, so that features without spread do not spoil the inverse.
constexpr double least_shrinkage = 1e-6;
// Rows that are converted to double at a time.
constexpr std::size_t chunk_rows = 1024;

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Strided = Eigen::Map<const RowMajor, Eigen::Unaligned, Eigen::OuterStride<>>;

Strided map(MatrixView<const float> rows) {
  return {rows.data, static_cast<Eigen::Index>(rows.rows), static_cast<Eigen::Index>(rows.cols),
          Eigen::OuterStride<>(static_cast<Eigen::Index>(rows.stride))};
}

}  // namespace

Gaussian fit_gaussian(MatrixView<const float> rows, const std::string& where) {
  const auto d = static_cast<Eigen::Index>(rows.cols);
  const auto n = static_cast<double>(rows.rows);
  Gaussian result;
  result.mean = Eigen::VectorXd::Zero(d);
  result.covariance = Eigen::MatrixXd::Zero(d, d);
  const auto chunks = [&](const auto& use) {
    for (std::size_t first = 0; first < rows.rows; first += chunk_rows) {
      use(Eigen::MatrixXd(map(rows.slice(first, std::min(chunk_rows, rows.rows - first))).cast<double>()));
    }
  };
  chunks([&](const Eigen::MatrixXd& part) { result.mean += part.colwise().sum().transpose(); });
  result.mean /= n;
  double fourth = 0;  // sum over rows of |x - mean|^4
  chunks([&](Eigen::MatrixXd part) {
    part.rowwise() -= result.mean.transpose();
    result.covariance.noalias() += part.transpose() * part;
    fourth += part.rowwise().squaredNorm().array().square().sum();
  });
  result.covariance /= n;
  const double scale = result.covariance.trace() / static_cast<double>(d);
  if (!(scale > 0)) throw_input(where, "its templates do not differ, so nothing can be learned of them");

  // Ledoit & Wolf: shrinkage = min(b, delta) / delta with delta the squared distance of the sample covariance S from
  // the scaled identity, and b the estimated squared error of S, (1/n^2) sum |x x^T - S|^2.
  const double squares = result.covariance.squaredNorm();
  const double delta = squares - static_cast<double>(d) * scale * scale;
  const double error = (fourth / n - squares) / n;
  result.shrinkage = delta > 0 ? std::clamp(error / delta, least_shrinkage, 1.0) : 1.0;
  result.covariance *= 1 - result.shrinkage;
  result.covariance.diagonal().array() += result.shrinkage * scale;
  return result;
}

}  // namespace bauta
