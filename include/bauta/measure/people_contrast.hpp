// Whether people are named more often here than there: differences of rates over people, some or all of whom are the
// same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bauta/measure/intervals.hpp"

namespace bauta {

/// Somebody's probes in one cell, and how many of them were named rightly (ties count in parts).
struct PersonHits {
  std::uint32_t person = 0;  ///< the same number is the same person in every cell
  double hits = 0;
  double probes = 0;  ///< above 0
  bool operator==(const PersonHits&) const = default;
};

/// A rate of a sum: `weight` (hits / probes - chance) / (1 - chance), over all people of the cell. With chance 0 it is
/// the plain rate.
struct WeighedRate {
  std::span<const PersonHits> people;  ///< each person once
  double weight = 1;
  double chance = 0;
};

struct PeopleContrast {
  double value = 0;
  double error = 0;  ///< standard error over people
  Interval ci;       ///< 95 %
  std::size_t people = 0;
};

struct ContrastDraws {
  std::size_t draws = 1000;
  std::uint64_t seed = 1;
};

/// The weighed sum of rates, with an interval over people: each draw takes people with replacement from all who occur,
/// the same for every rate, so that somebody who occurs in two of them is compared with themselves. A draw that leaves
/// a rate without probes says nothing. Empty where a rate has no people.
std::optional<PeopleContrast> people_contrast(std::span<const WeighedRate> rates, const ContrastDraws& draws = {});

/// Whether it differs from 0 even as the most different of `comparisons` (Bonferroni, 5 % together).
bool differs(const PeopleContrast& contrast, std::size_t comparisons = 1);

}  // namespace bauta
