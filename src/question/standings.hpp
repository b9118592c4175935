// What the standings of right candidates come to: for attackers who look for records and for those who name people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/json.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/measure/finding.hpp"
#include "bauta/measure/identification.hpp"

namespace bauta {

/// Numbers and names of people; samples without an identity are people of their own.
struct People {
  std::vector<std::uint32_t> of_row;
  std::vector<std::string> names;  ///< by number
};

/// `nameless`: what samples without an identity are called, by row; empty: by their place in these very data.
People people_of(const Dataset& data, std::span<const std::string> nameless = {});

/// Numbers of people that hold in all repetitions, in the order in which they are first named.
class PeopleNumbers {
 public:
  std::uint32_t of(const std::string& name);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;
};

/// Whose samples are judged, and how people are drawn for intervals.
struct Judged {
  std::vector<std::uint32_t> subjects;  ///< a number per sample, the same for samples of one person
  std::string people;                   ///< for Finding::drawn_over
  std::size_t bootstrap = 0;            ///< 0: no intervals
  std::uint64_t seed = 1;

  Judged() = default;
  /// `names`: of all numbers.
  Judged(std::vector<std::uint32_t> subjects_of_samples, std::span<const std::string> names, std::size_t draws,
         std::uint64_t random);
};

Mixture mixture_of(const std::vector<Standing>& standings, const Judged& judged, std::size_t k = 1);
/// `mixture` and `ci`, which is null without draws.
Json to_json(const Mixture& mixture, const Judged& judged);
/// The same with `k` and `chance` at each of `top` that leaves somebody out.
Json top_json(const std::vector<Standing>& standings, const Judged& judged, const std::vector<std::size_t>& top);
/// Ties stand in the middle of their places.
double mean_rank(const std::vector<Standing>& standings);

/// How often the right candidate comes first.
Level first_level(const Mixture& mixture, const Judged& judged);
/// The same as a finding about identity, with its draws; who found it is left to fill in.
Finding first_finding(const std::vector<Standing>& standings, const Judged& judged);

}  // namespace bauta
