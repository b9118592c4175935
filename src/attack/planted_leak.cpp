#include "bauta/attack/planted_leak.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

constexpr std::size_t widest_covariance = 2048;  // beyond, features count as independent
constexpr double shrinkage = 1e-3;               // of the covariance to its mean variance: few rows leave it singular
constexpr std::size_t most_examples = 1000;
constexpr double half_width_of_normal = 12;

double normal_density(double t) {
  return std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi);
}
double normal_probability(double t) {
  return std::erfc(-t / std::numbers::sqrt2) / 2;
}

/// Where an increasing function reaches `wanted`; `high` if it does not.
template <class Function>
double bisect(Function&& function, double wanted, double low, double high, int steps) {
  for (int i = 0; i < steps; ++i) {
    const double middle = (low + high) / 2;
    (function(middle) < wanted ? low : high) = middle;
  }
  return high;
}

/// Row `row` of bits or codes, one element at a time.
std::uint8_t element(const Templates& data, std::size_t row, std::size_t column) {
  if (data.kind() == ElementKind::code8) return data.codes()(row, column);
  return static_cast<std::uint8_t>(data.words()(row, column / 64) >> (column % 64) & 1U);
}

/// Rows of unit length, folded to their mean over the periods. A zero row stays zero.
Matrix<double> folded_unit_rows(const Templates& data, std::size_t period) {
  const auto rows = data.floats();
  Matrix<double> result(rows.rows, period, 0.0);
  const std::size_t periods = rows.cols / period;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    double square = 0;
    for (const float value : rows.row(i)) square += static_cast<double>(value) * value;
    const double scale = square > 0 ? 1 / (std::sqrt(square) * static_cast<double>(periods)) : 0;
    for (std::size_t j = 0; j < rows.cols; ++j) result(i, j % period) += scale * rows(i, j);
  }
  return result;
}

/// A factor of the covariance of the rows: it turns independent standard normal values into ones that vary like them.
Eigen::MatrixXd covariance_factor(const Matrix<double>& rows) {
  using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  const Rows x(rows.data(), static_cast<Eigen::Index>(rows.rows()), static_cast<Eigen::Index>(rows.cols()));
  const Eigen::MatrixXd centred = x.rowwise() - x.colwise().mean();
  const double count = static_cast<double>(rows.rows());
  const Eigen::VectorXd variances = centred.colwise().squaredNorm() / count;
  const double mean = variances.mean();
  if (rows.cols() > widest_covariance) return (variances.array() + shrinkage * mean).sqrt().matrix().asDiagonal();
  Eigen::MatrixXd covariance = centred.transpose() * centred / count;
  covariance.diagonal().array() += shrinkage * mean;
  return covariance.llt().matrixL();
}

}  // namespace

double orthogonal_optimum(double shift, std::size_t classes) {
  // The true class wins if its value, shifted, exceeds those of all others.
  constexpr int steps = 4000;
  const double width = 2 * half_width_of_normal / steps;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = -half_width_of_normal + (i + 0.5) * width;
    sum += normal_density(t) * std::pow(normal_probability(t + shift), static_cast<double>(classes - 1));
  }
  return std::min(1.0, sum * width);
}

double orthogonal_shift(double balanced, std::size_t classes) {
  return bisect([&](double shift) { return orthogonal_optimum(shift, classes); }, balanced, 0, half_width_of_normal,
                50);
}

PlantedLeak::PlantedLeak(const Templates& data, std::size_t classes, std::size_t period, std::uint64_t seed)
    : classes_(classes), period_(period == 0 ? data.cols() : period), seed_(seed) {
  BAUTA_ASSERT(classes >= 2 && data.rows() > 0 && data.cols() % period_ == 0);
  if (period_ < classes) {
    possible_ = false;
  } else if (data.kind() == ElementKind::float32) {
    learn_directions(data);
  } else {
    learn_patterns(data);
  }
}

void PlantedLeak::learn_directions(const Templates& data) {
  const auto width = static_cast<Eigen::Index>(period_);
  Eigen::MatrixXd random(width, static_cast<Eigen::Index>(classes_));
  Stream stream(seed_, "planted directions");
  for (double& value : random.reshaped()) value = stream.normal();
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(random);
  const Eigen::MatrixXd basis = qr.householderQ() * Eigen::MatrixXd::Identity(width, random.cols());
  const Eigen::MatrixXd shifts = covariance_factor(folded_unit_rows(data, period_)) * basis;
  directions_ = Matrix<float>(classes_, data.cols());
  for (std::size_t c = 0; c < classes_; ++c) {
    for (std::size_t j = 0; j < data.cols(); ++j) {
      directions_(c, j) =
          static_cast<float>(shifts(static_cast<Eigen::Index>(j % period_), static_cast<Eigen::Index>(c)));
    }
  }
}

void PlantedLeak::learn_patterns(const Templates& data) {
  patterns_ = Matrix<std::uint8_t>(classes_, data.cols());
  std::uint8_t highest = 1;
  for (std::size_t c = 0; c < classes_; ++c) {
    Stream stream(seed_, "planted pattern", c);
    for (std::size_t j = 0; j < data.cols(); ++j) {
      patterns_(c, j) = element(data, stream.below(data.rows()), j);
      highest = std::max(highest, patterns_(c, j));
    }
  }
  levels_ = static_cast<std::uint8_t>(std::min(255, highest + 1));
  std::vector<std::size_t> rows = Stream(seed_, "planted examples").permutation(data.rows());
  rows.resize(std::min(rows.size(), most_examples));
  examples_ = data.select(rows);
}

Templates PlantedLeak::shifted(const Templates& data, std::span<const std::int32_t> codes, double size) const {
  const auto shift = static_cast<float>(orthogonal_shift(size, classes_));
  const auto rows = data.floats();
  Matrix<float> result(rows.rows, rows.cols);
  parallel_for(rows.rows, [&](std::size_t i, int) {
    double square = 0;
    for (const float value : rows.row(i)) square += static_cast<double>(value) * value;
    const auto scale = static_cast<float>(square > 0 ? 1 / std::sqrt(square) : 0);
    const auto direction = directions_.row(static_cast<std::size_t>(codes[i]));
    for (std::size_t j = 0; j < rows.cols; ++j) result(i, j) = scale * rows(i, j) + shift * direction[j];
  });
  return Templates(std::move(result));
}

Templates PlantedLeak::replaced(const Templates& data, std::span<const std::int32_t> codes, double share,
                                bool negative) const {
  const bool bits = data.kind() == ElementKind::bits;
  Matrix<std::uint8_t> values(bits ? 0 : data.rows(), data.cols());
  Matrix<std::uint64_t> words(bits ? data.rows() : 0, words_for_bits(data.cols()), 0);
  parallel_for(data.rows(), [&](std::size_t i, int) {
    Stream stream(seed_, "planted elements", i);
    const auto pattern = patterns_.row(static_cast<std::size_t>(codes[i]));
    for (std::size_t j = 0; j < data.cols(); ++j) {
      std::uint8_t value = element(data, i, j);
      if (stream.uniform() < share) {
        if (!negative) {
          value = pattern[j];
        } else if (value == pattern[j]) {
          value = static_cast<std::uint8_t>((pattern[j] + 1) % levels_);
        }
      }
      if (bits) {
        words(i, j / 64) |= std::uint64_t{value} << (j % 64);
      } else {
        values(i, j) = value;
      }
    }
  });
  return bits ? Templates(std::move(words), data.cols()) : Templates(std::move(values));
}

/// The share of elements at which somebody who counts agreements with the patterns reaches `size`.
double PlantedLeak::share_for(double size) const {
  std::vector<std::int32_t> codes(examples_.rows());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::int32_t>(i % classes_);
  const auto agreements = [&](const Templates& data) {
    Matrix<double> counts(data.rows(), classes_, 0.0);
    parallel_for(data.rows(), [&](std::size_t i, int) {
      for (std::size_t j = 0; j < data.cols(); ++j) {
        const std::uint8_t value = element(data, i, j);
        for (std::size_t c = 0; c < classes_; ++c) counts(i, c) += value == patterns_(c, j) ? 1 : 0;
      }
    });
    return counts;
  };
  // Some patterns are nearer to everybody than others; whoever knows them knows that too.
  const Matrix<double> natural = agreements(examples_);
  std::vector<double> mean(classes_);
  for (std::size_t i = 0; i < natural.rows(); ++i) {
    for (std::size_t c = 0; c < classes_; ++c) mean[c] += natural(i, c) / static_cast<double>(natural.rows());
  }
  return bisect(
      [&](double share) {
        const Matrix<double> counts = agreements(replaced(examples_, codes, share, false));
        std::size_t right = 0;
        for (std::size_t i = 0; i < counts.rows(); ++i) {
          std::size_t best = 0;
          for (std::size_t c = 1; c < classes_; ++c) {
            if (counts(i, c) - mean[c] > counts(i, best) - mean[best]) best = c;
          }
          right += best == static_cast<std::size_t>(codes[i]) ? 1 : 0;
        }
        return static_cast<double>(right) / static_cast<double>(counts.rows());
      },
      size, 0, 1, 12);
}

Templates PlantedLeak::plant(const Templates& data, std::span<const std::int32_t> codes, double size,
                             bool negative) const {
  BAUTA_ASSERT(possible_ && codes.size() == data.rows());
  if (data.kind() == ElementKind::float32) return shifted(data, codes, size);
  return replaced(data, codes, share_for(size), negative);
}

}  // namespace bauta
