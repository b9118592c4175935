// Search for good parameters. What may be varied, and where, is what a technique declares (Parameter::grid).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"

namespace bauta {

enum class Search {
  grid,     ///< every combination of the declared values
  random,   ///< points drawn from the declared ranges
  bayesian  ///< where a Gaussian process expects most (Jones, Schonlau and Welch 1998)
};

std::string_view to_text(Search search);
Search parse_search(std::string_view text);

struct TuningOptions {
  Search search = Search::grid;
  std::size_t trials = 20;  ///< of random and Bayesian search
  std::uint64_t seed = 1;
};

struct Trial {
  std::string specification;
  double score = 0;
};

struct Tuned {
  std::string specification;
  double score = 0;
  std::vector<Trial> trials;  ///< in the order in which they were made, none twice
};

/// The parameters of highest `score`; of equal scores those tried first. A score that is not a number is worse than
/// any. Parameters that `fixed` gives are not varied. A space with fewer points than trials is searched completely, or
/// until nothing new is drawn; a grid of more than 1000 points is refused.
Tuned tune(const Declaration& declaration, const Specification& fixed, const TuningOptions& options,
           const std::function<double(const std::string& specification)>& score);

}  // namespace bauta
