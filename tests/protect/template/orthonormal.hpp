// Random orthonormal vectors and projections in double, another way than the protections compute them.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "../fixtures.hpp"

namespace bauta {

using Vectors = std::vector<std::vector<double>>;

/// Modified Gram-Schmidt, twice, of `count` vectors of `length` entries drawn one after the other.
template <class Draw>
Vectors gram_schmidt(std::size_t count, std::size_t length, Draw&& draw) {
  Vectors vectors(count, std::vector<double>(length));
  for (auto& vector : vectors) {
    for (double& value : vector) value = draw();
  }
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
    return sum;
  };
  for (std::size_t i = 0; i < count; ++i) {
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t before = 0; before < i; ++before) {
        const double overlap = dot(vectors[i], vectors[before]);
        for (std::size_t j = 0; j < length; ++j) vectors[i][j] -= overlap * vectors[before][j];
      }
    }
    const double norm = std::sqrt(dot(vectors[i], vectors[i]));
    for (double& value : vectors[i]) value /= norm;
  }
  return vectors;
}

inline Vectors transposed(const Vectors& rows) {
  Vectors result(rows[0].size(), std::vector<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) result[j][i] = rows[i][j];
  }
  return result;
}

/// Rows times a vector.
template <class Vector>
std::vector<double> product(const Vectors& rows, const Vector& vector) {
  std::vector<double> result;
  for (const auto& row : rows) {
    double sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * static_cast<double>(vector[j]);
    result.push_back(sum);
  }
  return result;
}

inline double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Elements in which two sets of protected templates differ.
inline std::size_t differing(const Templates& a, const Templates& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    const std::vector<float> x = row_of(a, i);
    const std::vector<float> y = row_of(b, i);
    for (std::size_t j = 0; j < x.size(); ++j) count += x[j] != y[j];
  }
  return count;
}

}  // namespace bauta
