// Linkage: which original does an anonymised record come from? Every original is a candidate, and the attacker puts
// them in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/compare/comparator.hpp"
#include "bauta/core/standing.hpp"
#include "bauta/core/templates.hpp"
#include "bauta/protect/blend.hpp"

namespace bauta {

/// How a score becomes a probability.
enum class ScoreWeight {
  softmax,   ///< proportional to exp(score / temperature)
  gaussian,  ///< the score is a negated distance in units of deviation: proportional to exp(-score^2 / 2)
};

struct LinkageScore {
  ScoreWeight weight = ScoreWeight::softmax;
  double temperature = 1;
};

/// Where the right original (`truth`: its row) of each probe stands under a comparator.
std::vector<Standing> link_records(const Comparator& comparator, const Templates& probes, const Templates& originals,
                                   std::span<const std::size_t> truth, const LinkageScore& score,
                                   const std::string& where);

/// Anonymised records, and the originals among which they are looked for.
struct BlendedRecords {
  const Templates& anonymised;
  const Templates& originals;
  std::span<const std::int32_t> classes;  ///< of the attribute of interest, for each original; all known
  /// Row of the original that counts as the right one, for each anonymised record; it tells the record's class too.
  /// Empty: the same row.
  std::span<const std::size_t> truth = {};
  /// Records of each class that sets were drawn from, where the originals are only a sample of those. Empty: they are
  /// all.
  std::span<const std::size_t> population = {};
};

/// Nearest neighbour on the retained features, each in units of its deviation over the originals.
std::vector<Standing> link_by_retained(const Blend& blend, const BlendedRecords& records, const std::string& where);

/// The likeliest original, for an attacker who knows how records were mixed, holds all originals and sees the classes:
/// if a candidate is the right one, what remains of the record is the mean of a random set, which is nearly normal with
/// mean and covariance that follow from the originals. Candidates are the originals of the record's class.
std::vector<Standing> link_by_likelihood(const Blend& blend, const BlendedRecords& records, const std::string& where);

}  // namespace bauta
