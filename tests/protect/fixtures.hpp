// Small data for tests of protections.
#pragma once

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <unistd.h>

#include "bauta/core/random.hpp"
#include "bauta/core/secret_key.hpp"
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

template <class T>
bool same_rows(MatrixView<const T> a, MatrixView<const T> b) {
  if (a.rows != b.rows || a.cols != b.cols) return false;
  for (std::size_t i = 0; i < a.rows; ++i) {
    if (std::memcmp(a.row(i).data(), b.row(i).data(), a.cols * sizeof(T)) != 0) return false;
  }
  return true;
}

inline bool same_bits(const Templates& a, const Templates& b) {
  if (a.kind() != b.kind() || a.cols() != b.cols()) return false;
  switch (a.kind()) {
    case ElementKind::float32:
      return same_rows(a.floats(), b.floats());
    case ElementKind::code8:
      return same_rows(a.codes(), b.codes());
    case ElementKind::bits:
      return same_rows(a.words(), b.words());
  }
  return false;
}

/// Row i as numbers: features, codes, or bits as 0 and 1.
inline std::vector<float> row_of(const Templates& templates, std::size_t i) {
  std::vector<float> row(templates.cols());
  for (std::size_t j = 0; j < row.size(); ++j) {
    switch (templates.kind()) {
      case ElementKind::float32:
        row[j] = templates.floats()(i, j);
        break;
      case ElementKind::code8:
        row[j] = templates.codes()(i, j);
        break;
      case ElementKind::bits:
        row[j] = static_cast<float>(templates.words()(i, j / 64) >> (j % 64) & 1);
        break;
    }
  }
  return row;
}

/// A copy with every feature multiplied by `factor`.
inline Templates scaled(const Templates& templates, float factor) {
  Matrix<float> values(templates.rows(), templates.cols());
  for (std::size_t i = 0; i < values.rows(); ++i) {
    for (std::size_t j = 0; j < values.cols(); ++j) values(i, j) = factor * templates.floats()(i, j);
  }
  return Templates(std::move(values));
}

/// The stream that a keyed technique draws from under regime=stolen and seed 1, for computing its results again.
inline Stream key_stream(const std::string& technique) {
  return {Randomness::seeded(1).key(technique).derive(technique, "stolen"), "matrix"};
}

/// A key file with 32 bytes that depend on `first`, removed at the end.
class KeyFile {
 public:
  explicit KeyFile(char first)
      : path_(std::filesystem::temp_directory_path() / ("bauta-test-key-" + std::to_string(getpid()) + first)) {
    std::string bytes(32, first);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(i * i * 3 + i * 7 + static_cast<std::size_t>(first) + 60);
    std::ofstream(path_, std::ios::binary) << bytes;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  ~KeyFile() { std::filesystem::remove(path_); }
  KeyFile(const KeyFile&) = delete;
  KeyFile& operator=(const KeyFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

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
