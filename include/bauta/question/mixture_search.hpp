// The most useful setting of a technique that still mixes records well enough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bauta/core/json.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {

struct MixtureSearch {
  double target = 0;     ///< share of records whose original is not found first, at least
  bool informed = true;  ///< by the strongest attacker of all; otherwise by the one of the paper
  std::uint64_t seed = 1;
};

struct FoundSetting {
  std::optional<ResolvedProtection> protection;  ///< none where no setting reaches the target
  Json trace;                                    ///< every setting tried, with utility and mixture
  std::string best;                              ///< in one sentence: what was found, or what came nearest
};

/// Tries the grid of g, t, w and rp, except for parameters that `given` (what the user wrote) sets. Readers learn from
/// half of the data, settings are judged on a quarter; the last quarter is left for the evidence. What `fitted` learned
/// is used by all settings.
FoundSetting search_mixture(const ResolvedProtection& fitted, const Specification& given, const Dataset& dataset,
                            const MixtureSearch& search);

/// The trace, and how the setting came out on records that the search has not seen: those of the last of `cells` in
/// which somebody looked for them. Null stays null.
Json checked_search(Json trace, const Json& cells);

}  // namespace bauta
