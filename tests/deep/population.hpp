// Small synthetic populations for tests of training.
#pragma once

#include <cmath>
#include <cstring>
#include <vector>

#include "bauta/core/random.hpp"
#include "bauta/deep/network.hpp"
#include "bauta/deep/sampling.hpp"
#include "bauta/deep/training.hpp"

namespace bauta {

/// Subjects around random centres; subject s is of class s % classes, which moves it along one direction.
struct Population {
  Matrix<float> rows;
  std::vector<std::int32_t> subjects;
  std::vector<std::int32_t> classes;
  std::vector<bool> held_out;

  Population(std::size_t subject_count, std::size_t per_subject, std::size_t dim, std::uint64_t seed = 5,
             int class_count = 2, double offset = 1.5)
      : rows(subject_count * per_subject, dim) {
    Stream stream(seed, "test.population");
    std::vector<double> centre(dim);
    for (std::size_t s = 0; s < subject_count; ++s) {
      const int code = static_cast<int>(s) % class_count;
      for (double& value : centre) value = stream.normal();
      centre[0] += offset * code;
      for (std::size_t k = 0; k < per_subject; ++k) {
        for (std::size_t j = 0; j < dim; ++j) {
          rows(s * per_subject + k, j) = static_cast<float>(centre[j] + 0.3 * stream.normal());
        }
        subjects.push_back(static_cast<std::int32_t>(s));
        classes.push_back(code);
      }
    }
    held_out = hold_out_subjects(subjects, 0.2, Stream(seed, "test.held"), classes);
  }

  [[nodiscard]] TrainingSet set() const { return {rows.view(), subjects, held_out}; }
  [[nodiscard]] AttributeLabels attribute(std::size_t class_count = 2) const {
    return {classes, class_count, "gender"};
  }
};

inline bool same_bits(const Network& a, const Network& b) {
  if (a.layers.size() != b.layers.size()) return false;
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    const DenseLayer& x = a.layers[i];
    const DenseLayer& y = b.layers[i];
    if (x.weights.size() != y.weights.size() || x.bias.size() != y.bias.size()) return false;
    if (std::memcmp(x.weights.data(), y.weights.data(), x.weights.size() * sizeof(float)) != 0) return false;
    if (std::memcmp(x.bias.data(), y.bias.data(), x.bias.size() * sizeof(float)) != 0) return false;
  }
  return true;
}

inline Matrix<float> outputs_of(const Network& network, MatrixView<const float> rows) {
  Matrix<float> result(rows.rows, network.outputs());
  network.forward(rows, 0, result.view());
  return result;
}

inline double squared_distance(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (double{a[j]} - b[j]) * (double{a[j]} - b[j]);
  return sum;
}

/// mean max(0, |a - p|^2 - |a - n|^2 + margin) of rows scaled to unit length.
inline double triplet_loss(const Matrix<float>& outputs, const Triplets& triplets, double margin) {
  const auto unit = [&](std::int64_t row) {
    std::vector<float> values(outputs.row(static_cast<std::size_t>(row)).begin(),
                              outputs.row(static_cast<std::size_t>(row)).end());
    double square = 0;
    for (const float value : values) square += double{value} * value;
    for (float& value : values) value = static_cast<float>(value / std::sqrt(square));
    return values;
  };
  double sum = 0;
  for (std::size_t i = 0; i < triplets.anchors.size(); ++i) {
    const auto anchor = unit(triplets.anchors[i]);
    sum += std::max(0.0, squared_distance(anchor, unit(triplets.positives[i])) -
                             squared_distance(anchor, unit(triplets.negatives[i])) + margin);
  }
  return sum / static_cast<double>(triplets.anchors.size());
}

}  // namespace bauta
