// Steps that cost something (masked media, extracted templates), made once per recipe and found again after a kill.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "bauta/data/dataset.hpp"

namespace bauta {

class StepStore {
 public:
  /// `budget`: bytes that finished steps may take; beyond it those that were not used for longest go first.
  StepStore(std::filesystem::path folder, std::uint64_t budget) : folder_(std::move(folder)), budget_(budget) {}

  /// Media of a data set as `masked` gives them, without loss on disk. Made in batches; a batch that is done stays
  /// done. `what` is said once, when the step is begun.
  [[nodiscard]] Dataset media(const std::string& digest, const std::string& what, const Dataset& masked);
  /// The templates that `make` gives.
  [[nodiscard]] Dataset templates(const std::string& digest, const std::string& what,
                                  const std::function<Dataset()>& make);
  /// Removes all steps.
  void clear() const;

 private:
  /// The folder of a step (mode 0700), marked as used just now.
  std::filesystem::path open(const std::string& digest) const;
  [[nodiscard]] static bool finished(const std::filesystem::path& step);
  void finish(const std::filesystem::path& step) const;

  std::filesystem::path folder_;
  std::uint64_t budget_;
};

}  // namespace bauta
