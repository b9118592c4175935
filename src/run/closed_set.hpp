// Closed-set experiments: one data set, cut in two within each identity.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bauta/protocol/closed_set.hpp"
#include "bauta/run/anonymity.hpp"
#include "cells.hpp"

namespace bauta {

class ClosedSetData {
 public:
  ClosedSetData(const Experiment& experiment, std::filesystem::path run, std::uint64_t seed);

  [[nodiscard]] const Part& data() const { return data_; }
  [[nodiscard]] Json json() const;
  /// What everything here depends on.
  [[nodiscard]] Json inputs() const;
  /// What a technique leaves of the attribute and of the identities.
  Json measure(const std::string& technique);

 private:
  AnonymityStudy& study();

  const Experiment& experiment_;
  std::uint64_t seed_;
  ProtectionShelf shelf_;
  Part data_;
  ClosedSet split_;
  std::unique_ptr<AnonymityStudy> study_;  // made when a cell first needs it
};

std::vector<Cell> closed_set_cells(const CellContext& context, ClosedSetData& data);

/// The strongest attacker of the first technique that does something.
Json closed_set_headline(const Json& cells);

}  // namespace bauta
