// An experiment, cell by cell: each finished cell is stored at once, so that a killed run goes on where it was.
#pragma once

#include <cstdint>
#include <filesystem>

#include "bauta/core/json.hpp"
#include "bauta/run/experiment.hpp"

namespace bauta {

struct EvaluateOptions {
  std::filesystem::path out;
  std::uint64_t seed = 1;
  std::uint64_t memory = std::uint64_t{1} << 30;
  std::uint64_t disk = std::uint64_t{16} << 30;  ///< bytes that steps on the way may take
  bool keep_steps = false;                       ///< masked media and templates stay when the run is complete
};

struct EvaluateSummary {
  std::size_t cells = 0;
  std::size_t computed = 0;  ///< the others were found finished
  std::size_t failed = 0;
  std::size_t failed_by_input = 0;  ///< of these: by what the data holds
  std::uint64_t decoded = 0;        ///< media files that were decoded
  Json protocol = nullptr;          ///< folds and their balance, where there are any
};

/// All inputs and techniques are checked before anything is computed. Writes out/results.json.
EvaluateSummary evaluate(const Experiment& experiment, const EvaluateOptions& options);

}  // namespace bauta
