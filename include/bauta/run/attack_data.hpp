// The data of an attack on an attribute: where the attacker learns, tunes and is tested.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "bauta/data/dataset.hpp"

namespace bauta {

/// The parts share no subject, and are protected alike or not at all.
struct AttackSplit {
  Dataset train;
  std::optional<Dataset> dev = std::nullopt;
  Dataset test;
};

/// The single split across data bases, or the rotations of a protocol; each is made when somebody asks for it.
struct AttackData {
  using Split = std::function<AttackSplit(std::size_t rotation)>;

  std::size_t rotations = 1;
  Split attacked;
  Split clear = nullptr;     ///< the same samples unprotected; null: not known
  bool unprotected = false;  ///< what is attacked is clear itself

  /// One split that is there already; its data must outlive this.
  static AttackData of(const Dataset& train, const Dataset& test, const Dataset* dev = nullptr);
};

}  // namespace bauta
