// How much of an attribute a fresh attacker reads from projected rows.
#pragma once

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace bauta::training {

/// A linear classifier (ridge regression on the classes, each class weighing the same) learns the one part and is tried
/// on the other: (k * balanced accuracy - 1) / (k - 1), at least 0. 0 is chance, 1 is everything. Rows of unknown class
/// (-1) do not count.
double linear_leak(const at::Tensor& learnt_rows, const at::Tensor& learnt_codes, const at::Tensor& tried_rows,
                   const at::Tensor& tried_codes, std::int64_t classes);

}  // namespace bauta::training
