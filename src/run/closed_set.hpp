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

/// One data set in one representation.
class ClosedSetData {
 public:
  /// `media` must outlive it; `representation`: how its media become templates, empty where it has templates.
  ClosedSetData(const Experiment& experiment, const Part& media, std::string representation, std::filesystem::path run,
                std::uint64_t seed);

  [[nodiscard]] const std::string& representation() const { return representation_; }
  /// What everything here depends on.
  [[nodiscard]] Json inputs() const;
  /// What a technique leaves of the attribute and of the identities.
  Json measure(const std::string& technique);

 private:
  AnonymityStudy& study();

  const Experiment& experiment_;
  const Part& media_;
  std::string representation_;
  std::uint64_t seed_;
  ProtectionShelf shelf_;
  ClosedSet split_;
  std::string extracted_with_;  // resolved extractor, and the digest of its model
  std::size_t failures_ = 0;
  std::unique_ptr<AnonymityStudy> study_;  // made when a cell first needs it
};

/// The data of a closed set as the experiment names it; identities may be absent.
Part closed_set_part(const Experiment& experiment);
Json closed_set_json(const Experiment& experiment, const Part& part, std::uint64_t seed);

std::vector<Cell> closed_set_cells(const CellContext& context, const std::vector<std::unique_ptr<ClosedSetData>>& data);

/// The strongest attacker of the first technique that does something.
Json closed_set_headline(const Json& cells);

}  // namespace bauta
