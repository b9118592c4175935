// The loop that every training runs: epochs, the best weights so far, and when to stop.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "bauta/deep/training.hpp"

namespace bauta::training {

/// Where to train; an environment error if it cannot be done here.
at::Device device_of(const TrainingOptions& options);

/// LibTorch on one thread while this lives, because its sums depend on the number of threads.
class SingleThread {
 public:
  SingleThread();
  ~SingleThread();
  SingleThread(const SingleThread&) = delete;
  SingleThread& operator=(const SingleThread&) = delete;

 private:
  int before_;
};

struct EpochResult {
  double training = 0;
  double validation = std::numeric_limits<double>::quiet_NaN();
  bool counts = true;  ///< whether this epoch may be the best one
  bool ends = false;   ///< whether it is the last
};

struct Stopping {
  double tolerance = 0;      ///< an improvement smaller than this is none
  bool on_training = false;  ///< where nothing is held out, stop by the training loss
};

/// Runs body(epoch), epoch = 1, 2, ...; `state` is set back to its best epoch in the end.
TrainingReport run_epochs(const TrainingOptions& options, const std::vector<at::Tensor>& state,
                          const std::function<EpochResult(std::size_t epoch)>& body, Stopping stopping = {});

/// [0, rows) in batches; a rest of one row joins the batch before it.
std::vector<std::pair<std::int64_t, std::int64_t>> batch_bounds(std::size_t rows, std::size_t batch);

/// A mean over batches that is read once in an epoch.
class MeanLoss {
 public:
  explicit MeanLoss(at::Device device) : sum_(at::zeros({}, at::TensorOptions(device).dtype(at::kDouble))) {}
  void add(const at::Tensor& loss, std::int64_t rows);
  [[nodiscard]] double value() const { return sum_.item<double>() / static_cast<double>(rows_); }

 private:
  at::Tensor sum_;
  std::int64_t rows_ = 0;
};

}  // namespace bauta::training
