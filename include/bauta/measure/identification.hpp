// Who is it? What the standing of the right candidates says about an attacker: identity mixture at k and divergence
// from guessing (Moriarty et al., Section 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/core/standing.hpp"
#include "bauta/measure/intervals.hpp"

namespace bauta {

/// A row of probabilities per probe, and what puts candidates in order: scores, or the probabilities again. `truth` is
/// the column of the right one.
std::vector<Standing> standings_of(MatrixView<const double> probabilities, MatrixView<const double> order,
                                   std::span<const std::int32_t> truth);

/// Identity mixture: share of the probes whose right candidate is not among the first k.
struct Mixture {
  std::size_t k = 1;
  double value = 0;
  Interval ci;        ///< 95 %, as share_interval() has it
  double chance = 0;  ///< of somebody who guesses
};

/// `subjects`: a number per probe, the same for probes of one person.
Mixture mixture_at(std::size_t k, std::span<const Standing> standings, std::span<const std::uint32_t> subjects);

/// Of people, not of probes: the share whom every probe of theirs gives away at once, with Wilson's 95 % interval over
/// people, and the share whom none does. Where several candidates tie for the first place, nobody is given away.
struct PeopleNamed {
  double always = 0;
  Interval always_ci;
  double never = 0;
};

PeopleNamed people_named(std::span<const Standing> standings, std::span<const std::uint32_t> subjects);

double mean_divergence(std::span<const Standing> standings);

}  // namespace bauta
