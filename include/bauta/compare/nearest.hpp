// The nearest references of every probe. Where the machine allows, most references are ruled out by a cheap bound.
#pragma once

#include <memory>
#include <string>

#include "bauta/compare/top_n.hpp"

namespace bauta {

class Screen;

/// References among which the nearest of any probes are looked for, again and again.
class NeighbourSearch {
 public:
  /// `comparator` must outlive the search.
  NeighbourSearch(const Comparator& comparator, const Templates& references, const std::string& where);
  ~NeighbourSearch();

  /// The n nearest of each probe; see TopN about equally near ones.
  [[nodiscard]] TopN nearest(const Templates& probes, std::size_t n, std::uint64_t seed,
                             const std::string& where) const;

 private:
  const Comparator& comparator_;
  std::unique_ptr<const Prepared> references_;
  std::unique_ptr<const Screen> screen_;
};

}  // namespace bauta
