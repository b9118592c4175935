// Parts of a protocol that must not share subjects or samples are checked before anything is computed on them.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <utility>
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

/// Names of `a` and of `b` that differ in the case of letters or in zeros before a number alone: perhaps one person,
/// spelled in two ways. Each pair in order.
using AlikeNames = std::set<std::pair<std::string, std::string>>;
AlikeNames alike_names(std::span<const std::string> a, std::span<const std::string> b);
/// The sentence about them; empty: there are none.
std::string alike_names_text(const std::string& where, const AlikeNames& names);

/// Codes of different samples may coincide, by chance or because a mask keeps few; how often they do within a data set
/// tells how often they would between two.
struct Coincidences {
  std::size_t equal = 0;             ///< samples of `b` that equal one of `a`
  std::size_t samples = 0;           ///< of `b`, failed ones left out
  double expected = 0;               ///< how many would, as often as samples equal another one of their own data set
  std::size_t row_a = 0, row_b = 0;  ///< the first

  /// Beyond four standard deviations.
  [[nodiscard]] bool too_many() const;
};
/// Codes and bits of one kind and width; none of others. `people_apart`: nobody stands in both, so that only samples of
/// different people tell what chance does.
Coincidences coincidences(const Dataset& a, const Dataset& b, bool people_apart);

/// What may be one person or one sample in two parts that must be apart, and need not be. Sentences for people.
std::vector<std::string> suspected_leaks(const Dataset& a, const Dataset& b);

/// Cosine distance below which two templates are too close to be two independent samples of anything.
inline constexpr double near_duplicate_distance = 1e-3;

struct NearDuplicate {
  std::size_t row_a = 0, row_b = 0;
  double distance = 0;     ///< 1 - cosine, in single precision
  bool identical = false;  ///< the same values
  bool same_subject = false;
};

/// The row of `b` that is nearest to each row of `a`, where it is nearer than `distance`; ascending in row_a. Only
/// real-valued templates of equal width; failed samples and all-zero ones are not looked at. Of media those that are
/// the same byte by byte, of another person where there is one.
std::vector<NearDuplicate> near_duplicates(const Dataset& a, const Dataset& b,
                                           double distance = near_duplicate_distance);
/// The same within one data set: the nearest other row of each row.
std::vector<NearDuplicate> near_duplicates(const Dataset& dataset, double distance = near_duplicate_distance);

}  // namespace bauta
