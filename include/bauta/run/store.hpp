// Finished steps, content-addressed: a cell is found again by the digest of everything that went into it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bauta/core/digest.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/run/json.hpp"

namespace bauta {

/// Of labels, templates and identity column: the data as it enters a step, wherever it lies.
std::string digest(const Dataset& dataset);
/// Of the running program: a rebuilt one computes anew.
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

}  // namespace bauta
