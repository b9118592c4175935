#include "epochs.hpp"

#include <algorithm>
#include <cmath>

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta::training {

at::Device device_of(const TrainingOptions& options) {
  if (options.device == Device::cpu) return at::kCPU;
  if (!at::hasCUDA()) {
    throw_environment("--device cuda", "LibTorch sees no CUDA device here",
                      "train with --device cpu, or build with -DBAUTA_TORCH=FOLDER of a CUDA LibTorch");
  }
  return at::kCUDA;
}

SingleThread::SingleThread() : before_(at::get_num_threads()) {
  at::set_num_threads(1);
}

SingleThread::~SingleThread() {
  at::set_num_threads(before_);
}

TrainingReport run_epochs(const TrainingOptions& options, const std::vector<at::Tensor>& state,
                          const std::function<EpochResult(std::size_t)>& body, Stopping stopping) {
  TrainingReport report;
  std::vector<at::Tensor> best_state;
  double best = std::numeric_limits<double>::infinity();
  double to_beat = best;
  std::size_t without_better = 0;
  for (std::size_t epoch = 1; epoch <= options.epochs; ++epoch) {
    const EpochResult result = body(epoch);
    const bool validated = !std::isnan(result.validation);
    if (!std::isfinite(result.training) || std::isinf(result.validation)) {
      throw_usage("training", fmt::format("the loss left all bounds in epoch {}", epoch), "choose a smaller rate");
    }
    report.training_losses.push_back(result.training);
    if (validated) report.validation_losses.push_back(result.validation);
    if (options.progress) options.progress({epoch, options.epochs, result.training, result.validation});
    if (!validated) report.best_epoch = epoch;
    if (result.ends) break;
    if (!result.counts || (!validated && !stopping.on_training)) continue;

    const double loss = validated ? result.validation : result.training;
    without_better = loss < to_beat - stopping.tolerance ? 0 : without_better + 1;
    to_beat = std::min(to_beat, loss);
    if (validated && loss < best) {
      best = loss;
      report.best_epoch = epoch;
      best_state.clear();
      for (const at::Tensor& tensor : state) best_state.push_back(tensor.detach().clone());
    }
    if (options.patience > 0 && without_better >= options.patience) break;
  }
  if (report.best_epoch == 0) report.best_epoch = report.epochs();  // none counted
  const c10::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < best_state.size(); ++i) at::Tensor(state[i]).copy_(best_state[i]);
  return report;
}

std::vector<std::pair<std::int64_t, std::int64_t>> batch_bounds(std::size_t rows, std::size_t batch) {
  std::vector<std::pair<std::int64_t, std::int64_t>> bounds;
  for (std::size_t first = 0; first < rows; first += batch) {
    const std::size_t count = std::min(batch, rows - first);
    if (count == 1 && !bounds.empty()) {
      bounds.back().second += 1;
    } else {
      bounds.emplace_back(first, count);
    }
  }
  return bounds;
}

void MeanLoss::add(const at::Tensor& loss, std::int64_t rows) {
  const c10::NoGradGuard no_gradients;
  sum_.add_(loss.detach().to(at::kDouble), static_cast<double>(rows));
  rows_ += rows;
}

}  // namespace bauta::training
