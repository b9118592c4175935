// All-pairs comparison: tiles of scores are made while they fit the cache and handed at once to consumers. The score
// matrix is never held; memory is one tile per thread plus what the consumers keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/compare/comparator.hpp"

namespace bauta {

/// scores(i, j) belongs to probe probes.begin + i and reference references.begin + j.
struct Tile {
  RowRange probes;
  RowRange references;
  MatrixView<const float> scores;
  int worker = 0;  ///< thread that made it, in [0, threads())
};

class TileConsumer {
 public:
  virtual ~TileConsumer() = default;
  /// Called by several threads at once, but one probe range stays with one thread, and its references come in ascending
  /// order.
  virtual void consume(const Tile& tile) = 0;
  /// All references of these probes were seen. Called by the same thread.
  virtual void finish(RowRange probes, int worker);
};

enum class Pairs {
  all,       ///< every probe against every reference
  distinct,  ///< probes and references are the same rows: each unordered pair of different rows once (reference >
             ///< probe). Tiles on the diagonal also hold the other pairs; consumers skip them with first_reference().
};

/// First column of the tile that counts for probe row i (0-based in the tile).
std::size_t first_reference(const Tile& tile, std::size_t i, Pairs pairs);

/// Runs every tile through every consumer, on all threads. Tiling does not depend on the number of threads.
void compare_all(const Comparator& comparator, const Prepared& probes, const Prepared& references, Pairs pairs,
                 std::span<TileConsumer* const> consumers, const std::string& progress = "comparing");

}  // namespace bauta
