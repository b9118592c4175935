// Small data for tests of protections.
#pragma once

#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/random.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {

inline Templates gaussian_templates(std::size_t rows, std::size_t cols, std::uint64_t seed = 7) {
  Matrix<float> values(rows, cols);
  Stream stream(seed, "test.templates");
  for (float& value : std::span(values.data(), values.size())) value = static_cast<float>(stream.normal());
  return Templates(std::move(values));
}

inline Templates repeated_row(const std::vector<float>& row, std::size_t rows) {
  Matrix<float> values(rows, row.size());
  for (std::size_t i = 0; i < rows; ++i) std::copy(row.begin(), row.end(), values.row(i).begin());
  return Templates(std::move(values));
}

inline double dot_product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += double{a[j]} * b[j];
  return sum;
}

inline double cosine(std::span<const float> a, std::span<const float> b) {
  return dot_product(a, b) / std::sqrt(dot_product(a, a) * dot_product(b, b));
}

inline bool same_bits(const Templates& a, const Templates& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    if (std::memcmp(a.floats().row(i).data(), b.floats().row(i).data(), a.cols() * sizeof(float)) != 0) return false;
  }
  return true;
}

/// A data set with `per_subject` consecutive samples of each subject.
inline Dataset dataset_of(Templates templates, std::size_t per_subject) {
  Dataset dataset;
  dataset.origin = "test data";
  dataset.identity_column = "identity";
  dataset.labels = LabelTable("test data", templates.rows());
  std::vector<std::string> subjects;
  for (std::size_t i = 0; i < templates.rows(); ++i) subjects.push_back("subject " + std::to_string(i / per_subject));
  dataset.labels.add_column("identity", subjects);
  dataset.templates = std::move(templates);
  return dataset;
}

/// What the error that `action` throws says, with its hint; "no error" if it throws none.
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.what()) + "; " + error.hint;
  }
  return "no error";
}

}  // namespace bauta
