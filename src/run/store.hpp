// Finished steps, content-addressed: a cell is found again by the digest of everything that went into it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bauta/core/digest.hpp"
#include "bauta/core/json.hpp"
#include "bauta/data/dataset.hpp"

namespace bauta {

/// Of the running program and its modules: a rebuilt one computes anew.
const std::string& code_digest();

class CellStore {
 public:
  /// `run` is made if absent; a folder with other content is refused.
  explicit CellStore(std::filesystem::path run);
  /// For what cells are made of: in a folder of its own beside them.
  [[nodiscard]] CellStore beside(const std::string& name) const;

  [[nodiscard]] std::optional<Json> find(const std::string& digest) const;
  void put(const std::string& digest, const Json& cell) const;

 private:
  CellStore() = default;

  std::filesystem::path cells_;
};

/// One evaluation at a time works in a run's folder: a second one would lose steps that the first removes in the end.
class RunLock {
 public:
  /// `run` exists. An environment error where somebody else is at work in it.
  explicit RunLock(const std::filesystem::path& run);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int folder_;
};

}  // namespace bauta
