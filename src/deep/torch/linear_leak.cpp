#include "linear_leak.hpp"

#include <algorithm>

namespace bauta::training {
namespace {

struct Known {
  at::Tensor rows;  // doubles on the CPU, with a constant feature at the end
  at::Tensor codes;
  at::Tensor indicators;  // rows x classes
};

Known known_rows(const at::Tensor& rows, const at::Tensor& codes, std::int64_t classes) {
  const at::Tensor cpu_codes = codes.to(at::kCPU);
  const at::Tensor kept = (cpu_codes >= 0).nonzero().flatten();
  Known known;
  known.codes = cpu_codes.index_select(0, kept);
  const at::Tensor values = rows.to(at::kCPU).index_select(0, kept).to(at::kDouble);
  known.rows = at::cat({values, at::ones({values.size(0), 1}, values.options())}, 1);
  known.indicators = known.codes.unsqueeze(1).eq(at::arange(classes, at::kLong).unsqueeze(0)).to(at::kDouble);
  return known;
}

}  // namespace

double linear_leak(const at::Tensor& learnt_rows, const at::Tensor& learnt_codes, const at::Tensor& tried_rows,
                   const at::Tensor& tried_codes, std::int64_t classes) {
  const c10::NoGradGuard no_gradients;
  const Known learnt = known_rows(learnt_rows, learnt_codes, classes);
  const Known tried = known_rows(tried_rows, tried_codes, classes);
  const at::Tensor counts = tried.indicators.sum(0);
  const at::Tensor present = counts.gt(0).to(at::kDouble);
  if (learnt.rows.size(0) == 0 || present.sum().item<double>() < 2) return 0;

  const at::Tensor weights = (learnt.indicators / learnt.indicators.sum(0).clamp_min(1)).sum(1, true);
  const at::Tensor weighted = (learnt.rows * weights).t();
  at::Tensor gram = weighted.matmul(learnt.rows);
  gram.diagonal().add_(1e-6 * gram.trace() / static_cast<double>(gram.size(0)));
  const at::Tensor map = at::linalg_solve(gram, weighted.matmul(learnt.indicators));
  const at::Tensor right = tried.rows.matmul(map).argmax(1).eq(tried.codes).to(at::kDouble).unsqueeze(1);
  const at::Tensor recalls = (right * tried.indicators).sum(0) / counts.clamp_min(1);
  const double k = present.sum().item<double>();
  const double balanced = (recalls * present).sum().item<double>() / k;
  return std::max(0.0, (k * balanced - 1) / (k - 1));
}

}  // namespace bauta::training
