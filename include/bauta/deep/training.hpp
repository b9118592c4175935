// What every training takes and tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/device.hpp"
#include "bauta/core/matrix.hpp"

namespace bauta {

struct EpochLoss {
  std::size_t epoch = 0;   ///< from 1
  std::size_t epochs = 0;  ///< how many there are at most
  double training = 0;
  double validation = 0;  ///< NaN where nothing is held out
};

struct TrainingOptions {
  std::size_t epochs = 50;
  std::size_t batch = 128;
  double rate = 1e-3;
  /// Epochs without a better loss on the held-out rows after which training ends; 0: never. The weights of the best
  /// epoch are kept in any case.
  std::size_t patience = 10;
  std::uint64_t seed = 1;  ///< on the CPU: same seed, same bits, for any number of threads
  Device device = Device::cpu;
  std::function<void(const EpochLoss&)> progress = {};
};

/// A categorical column: a class code per row, -1 where it is unknown.
struct AttributeLabels {
  std::span<const std::int32_t> codes;
  std::size_t classes = 2;
  std::string name = {};  ///< for messages
};

/// Rows to learn from, and those held out to know when to stop. No subject may be in both.
struct TrainingSet {
  MatrixView<const float> inputs;
  std::span<const std::int32_t> subjects;  ///< a code of at least 0 per row
  std::vector<bool> held_out = {};         ///< empty: nothing

  /// Row numbers of one side.
  [[nodiscard]] std::vector<std::int64_t> rows(bool held) const;
  /// Only those whose class is known.
  [[nodiscard]] std::vector<std::int64_t> rows(bool held, const AttributeLabels& labels) const;
  /// Asserts sizes, and that the two sides share no subject.
  void check() const;
};

struct TrainingReport {
  std::size_t best_epoch = 0;  ///< from 1; the last one where nothing is held out
  std::vector<double> training_losses;
  std::vector<double> validation_losses;  ///< empty where nothing is held out

  [[nodiscard]] std::size_t epochs() const { return training_losses.size(); }
};

}  // namespace bauta
