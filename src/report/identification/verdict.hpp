// The five hypotheses of Hanisch et al. (S4), each held against the cells of a run. What decides was fixed before any
// result was seen: the mean over all comparisons with its interval over people, and comparisons that differ the other
// way, corrected for their number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "named.hpp"

namespace bauta::report {

enum class Verdict {
  holds,
  exceptions,    ///< on average, but somewhere clearly not
  contradicted,  ///< the opposite was found
  undecided,
};

std::string to_text(Verdict verdict);

/// A difference of two rates: the first less the second.
struct Compared {
  std::string technique, system, what;  ///< what: "parrot less naive"
  std::string size = {};                ///< of the set of people, where it is not everybody
  double first = 0, second = 0;         ///< rates, of the people whom the difference is about
  PeopleContrast difference;            ///< of the rates or, where chance differs, of shares of the way from it
  bool clearly = false;                 ///< it differs from 0, corrected for all comparisons of the hypothesis
};

struct Hypothesis {
  std::string name, claim;
  Verdict verdict = Verdict::undecided;
  std::string sentence = {};  ///< numbers behind the verdict
  std::optional<PeopleContrast> mean = std::nullopt;
  std::vector<Compared> compared = {};
};

/// Those of the five that the cells tell something about.
std::vector<Hypothesis> hypotheses_of(const std::vector<NamedCell>& cells, std::uint64_t seed);

/// "+23.1 points [12.0, 34.2]": differences of rates are in percentage points.
std::string points(double difference);
std::string points(const PeopleContrast& difference);

}  // namespace bauta::report
