// A comparator turns two sets of templates into similarity scores, a tile at a time. Scores are always similarities:
// higher means more likely mated; distances are negated.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/core/matrix.hpp"
#include "bauta/core/templates.hpp"

namespace bauta {

/// Templates as a comparator wants them (normalised, block norms attached, ...). Made once, read by all threads.
class Prepared {
 public:
  virtual ~Prepared() = default;
  [[nodiscard]] virtual std::size_t rows() const = 0;
};

/// Whether templates are compared as stored references or as presented probes; most comparators do not care.
enum class Side { reference, probe };

struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

class Comparator {
 public:
  virtual ~Comparator() = default;

  /// Throws an input error for templates it cannot take (kind, width, zero or non-finite rows); `where` names their
  /// origin.
  [[nodiscard]] virtual std::unique_ptr<const Prepared> prepare(const Templates& templates, Side side,
                                                                const std::string& where) const = 0;
  /// scores(i, j) = similarity of probe probe_rows.begin + i and reference reference_rows.begin + j. Reentrant.
  /// Symmetric: once prepared, the two sides may change places.
  virtual void tile(const Prepared& probes, RowRange probe_rows, const Prepared& references, RowRange reference_rows,
                    MatrixView<float> scores) const = 0;
  /// Shape of the tiles that keep this comparator's working set in cache.
  [[nodiscard]] virtual std::size_t probe_tile() const { return 512; }
  [[nodiscard]] virtual std::size_t reference_tile() const { return 2048; }
  /// Whether a comparison costs so much more than reading its score back that repeated scans should store scores.
  [[nodiscard]] virtual bool worth_storing() const { return false; }
};

const Catalogue<Comparator>& comparators();
/// From a specification such as "cosine" or "pe-miu:block=8".
std::unique_ptr<Comparator> make_comparator(std::string_view specification);

}  // namespace bauta
