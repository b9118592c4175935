// Consumers that keep the best references of each probe: overall, or per class of the references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "bauta/compare/engine.hpp"

namespace bauta {

struct Neighbour {
  float score = 0;
  std::uint32_t reference = 0;
};

/// One code per reference in [0, count), or -1 to leave the reference out; no codes: no classes.
struct ReferenceClasses {
  std::vector<std::int32_t> codes;
  std::size_t count = 1;
};

/// The n best references per probe and class, best first. Without classes there is one class, 0, that all references
/// share. Equal scores are ordered by a pseudo-random key of (seed, probe, reference): never by input order.
class TopN : public TileConsumer {
 public:
  /// n is capped at the size of the smallest class (n_used()). `exclude_same_row`: probes and references are the same
  /// rows.
  TopN(std::size_t n, std::size_t probes, std::size_t references, std::uint64_t seed, ReferenceClasses classes = {},
       bool exclude_same_row = false);

  void consume(const Tile& tile) override;
  void finish(RowRange probes, int worker) override;

  /// What a run ends with: the best of a probe are among `candidates`, which are put in order and cut to n_used().
  void keep(std::size_t probe, std::vector<Neighbour>& candidates, std::size_t class_code = 0);

  [[nodiscard]] std::size_t n_used() const { return n_; }
  /// After the run: the n_used() best of a probe, best first.
  [[nodiscard]] std::span<const Neighbour> best(std::size_t probe, std::size_t class_code = 0) const;

 private:
  /// Candidates of one probe and class. Grows to twice n, then keeps the best n; `bar` is the score to reach.
  struct Reservoir {
    std::vector<Neighbour> candidates;
    float bar = -std::numeric_limits<float>::infinity();
  };

  [[nodiscard]] bool better(std::size_t probe, const Neighbour& a, const Neighbour& b) const;
  /// Leaves the best n, the last of them last.
  void cut(std::vector<Neighbour>& candidates, std::size_t probe) const;

  std::size_t n_, capacity_;  // of a reservoir: a class that fits is held whole
  std::size_t class_count_;
  std::uint64_t seed_;
  std::vector<std::int32_t> classes_;
  bool exclude_same_row_;
  std::vector<Neighbour> results_;               // probes x classes x n
  std::vector<std::vector<Reservoir>> workers_;  // per worker: probes of the current range x classes
};

}  // namespace bauta
