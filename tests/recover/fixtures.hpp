// Small data for tests of recoveries.
#pragma once

#include <cmath>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/random.hpp"
#include "bauta/recover/recovery.hpp"

namespace bauta {

/// `value(row, col, stream)`, the stream being that of the row.
inline Templates templates_of(std::size_t rows, std::size_t cols, std::uint64_t seed,
                              const std::function<double(std::size_t, std::size_t, Stream&)>& value) {
  Matrix<float> values(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    Stream stream(seed, "test.templates", i);
    for (std::size_t j = 0; j < cols; ++j) values(i, j) = static_cast<float>(value(i, j, stream));
  }
  return Templates(std::move(values));
}

inline Templates gaussian_templates(std::size_t rows, std::size_t cols, std::uint64_t seed = 7) {
  return templates_of(rows, cols, seed, [](std::size_t, std::size_t, Stream& stream) { return stream.normal(); });
}

/// Every sample is a subject of its own.
inline Dataset dataset_of(Templates templates, const std::string& origin = "test data") {
  Dataset dataset;
  dataset.origin = origin;
  dataset.identity_column = "identity";
  dataset.labels = LabelTable(origin, templates.rows());
  std::vector<std::string> subjects;
  for (std::size_t i = 0; i < templates.rows(); ++i) subjects.push_back("subject " + std::to_string(i));
  dataset.labels.add_column("identity", subjects);
  dataset.templates = std::move(templates);
  return dataset;
}

/// Every sample `times` times in a row, with the column `original`.
inline Dataset enrolled(const Dataset& dataset, std::size_t times) {
  std::vector<std::size_t> rows;
  std::vector<std::string> original;
  for (std::size_t i = 0; i < dataset.size() * times; ++i) {
    rows.push_back(i / times);
    original.push_back(std::to_string(i / times + 1));
  }
  Dataset repeated = dataset.select(rows);
  repeated.labels.add_column("original", original);
  return repeated;
}

inline Dataset protect(const std::string& technique, const Dataset& dataset, std::uint64_t seed = 1) {
  return protect_dataset(make_protection(technique), dataset, {.randomness = Randomness::seeded(seed)});
}

inline Dataset recover(const std::string& recovery, const Dataset& target, const Knowledge& knowledge = {}) {
  const ResolvedRecovery resolved = make_recovery(recovery);
  fit_recovery(resolved, knowledge);
  return recover_dataset(resolved, target);
}

inline double dot_product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += double{a[j]} * b[j];
  return sum;
}

inline double cosine(std::span<const float> a, std::span<const float> b) {
  return dot_product(a, b) / std::sqrt(dot_product(a, a) * dot_product(b, b));
}

inline double mean_cosine(const Templates& a, const Templates& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) sum += cosine(a.floats().row(i), b.floats().row(i));
  return sum / static_cast<double>(a.rows());
}

inline bool same_floats(const Templates& a, const Templates& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    if (std::memcmp(a.floats().row(i).data(), b.floats().row(i).data(), a.cols() * sizeof(float)) != 0) return false;
  }
  return true;
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
