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

/// Anonymised records, row by row those of `originals`; both with classes of the attribute of interest.
struct BlendedRecords {
  const Templates& anonymised;
  const Templates& originals;
  std::span<const std::int32_t> classes;  ///< all known
  /// Row of the original that counts as the right one, in the same class; empty: the same row.
  std::span<const std::size_t> truth = {};
};

/// Nearest neighbour on the retained features, each in units of its deviation over the originals.
std::vector<Standing> link_by_retained(const Blend& blend, const BlendedRecords& records, const std::string& where);

/// The likeliest original, for an attacker who knows how records were mixed, holds all originals and sees the classes:
/// if a candidate is the right one, what remains of the record is the mean of a random set, which is nearly normal with
/// mean and covariance that follow from the originals. Candidates are the originals of the record's class.
std::vector<Standing> link_by_likelihood(const Blend& blend, const BlendedRecords& records, const std::string& where);

}  // namespace bauta
