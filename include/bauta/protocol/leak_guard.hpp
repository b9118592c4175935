// Parts of a protocol that must not share subjects or samples are checked before anything is computed on them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

struct NamedPart {
  std::string name;
  const Dataset* data = nullptr;
};

/// Throws an input error that names the identities, or the byte-identical templates, that stand in more than one part.
void require_disjoint(std::span<const NamedPart> parts);
void require_disjoint(const Dataset& a, const Dataset& b);

/// Cosine distance below which two templates are too close to be two independent samples of anything.
inline constexpr double near_duplicate_distance = 1e-3;

struct NearDuplicate {
  std::size_t row_a = 0, row_b = 0;
  double distance = 0;     ///< 1 - cosine, in single precision
  bool identical = false;  ///< the same values
  bool same_subject = false;
};

/// The row of `b` that is nearest to each row of `a`, where it is nearer than `distance`; ascending in row_a. Only
/// real-valued templates of equal width; failed samples and all-zero ones are not looked at.
std::vector<NearDuplicate> near_duplicates(const Dataset& a, const Dataset& b,
                                           double distance = near_duplicate_distance);
/// The same within one data set: the nearest other row of each row.
std::vector<NearDuplicate> near_duplicates(const Dataset& dataset, double distance = near_duplicate_distance);

}  // namespace bauta
