// The parts that losses are made of; every one of them is differentiable in its rows.
#pragma once

#include <vector>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "weights.hpp"

namespace bauta::training {

inline at::Tensor to_unit_length(const at::Tensor& rows) {
  return rows / rows.norm(2, {1}, true).clamp_min(1e-12);
}

/// mean max(0, |a - p|^2 - |a - n|^2 + margin)
inline at::Tensor triplet_loss(const at::Tensor& anchors, const at::Tensor& positives, const at::Tensor& negatives,
                               double margin) {
  const at::Tensor mated = (anchors - positives).pow(2).sum(1);
  const at::Tensor non_mated = (anchors - negatives).pow(2).sum(1);
  return at::relu(mated - non_mated + margin).mean();
}

/// Delta of SensitiveNets: zero where everybody is of the target class with probability 0.9.
inline at::Tensor sensitive_delta(const at::Tensor& target_probability) {
  return at::log1p((0.9 - target_probability).abs());
}

/// Mean Delta of the rows under a detector that this loss must not teach.
inline at::Tensor sensitive_loss(const at::Tensor& rows, const DenseStack& detector, std::int64_t target) {
  return sensitive_delta(at::softmax(detector.forward(rows, true), 1).select(1, target)).mean();
}

/// Cross-entropy of a detector on rows that it must not move; rows of unknown class (-1) do not count.
inline at::Tensor detector_loss(const at::Tensor& rows, const DenseStack& detector, const at::Tensor& codes) {
  const at::Tensor known = (codes >= 0).sum().clamp_min(1);
  return at::cross_entropy_loss(detector.forward(rows.detach()), codes, {}, at::Reduction::Sum, -1) / known;
}

/// Raw moments of a class, dimension by dimension.
inline at::Tensor class_moment(const at::Tensor& rows, int order) {
  BAUTA_ASSERT(rows.size(0) > 0);
  return rows.pow(order).mean(0);
}

/// PFRNet's L1: squared differences of the classes' first and second moments, mean over dimensions and pairs.
inline at::Tensor moment_difference(const std::vector<at::Tensor>& classes) {
  at::Tensor sum = at::zeros({}, classes.front().options());
  int pairs = 0;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size(); ++b, ++pairs) {
      for (const int order : {1, 2}) {
        sum = sum + (class_moment(classes[a], order) - class_moment(classes[b], order)).pow(2).mean();
      }
    }
  }
  return sum / pairs;
}

/// PFRNet's L2, in (0, 2]: small where the classes' moments differ.
inline at::Tensor moment_likeness(const std::vector<at::Tensor>& classes) {
  at::Tensor sum = at::zeros({}, classes.front().options());
  int pairs = 0;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size(); ++b, ++pairs) {
      for (const int order : {1, 2}) {
        const at::Tensor difference = class_moment(classes[a], order) - class_moment(classes[b], order);
        sum = sum + difference.pow(2).neg().exp().mean();
      }
    }
  }
  return sum / pairs;
}

/// Binary cross-entropy of every class over the softmax, as Keras computes it: mean over rows and classes.
inline at::Tensor softmax_binary_loss(const at::Tensor& logits, const at::Tensor& codes) {
  const at::Tensor p = at::softmax(logits, 1).clamp(1e-7, 1 - 1e-7);
  const at::Tensor own = p.gather(1, codes.unsqueeze(1));
  const at::Tensor others = at::log1p(-p).sum() - at::log1p(-own).sum();
  return -(others + own.log().sum()) / static_cast<double>(logits.numel());
}

}  // namespace bauta::training
