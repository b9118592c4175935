// People chosen by how well they are told apart, on what attackers hold: hit rates and features for protocol/, which
// puts people in order by them.
#pragma once

#include <string>
#include <vector>

#include "bauta/protocol/people_order.hpp"
#include "bauta/protocol/selection.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

/// By whom, and by what.
struct Choosing {
  std::string recogniser = {};             ///< whose hits count, and whose representation the features are of
  std::vector<std::string> metadata = {};  ///< attributes that people shall differ in
};

/// Folds of the enrolled samples that hit rates are cross-validated in.
inline constexpr std::size_t choosing_folds = 3;

/// The views that are looked at to choose people against a technique.
std::vector<Recipe> looked_at(const Selection& selection, const Choosing& choosing, const Setting& setting,
                              const std::string& technique);

/// In each rotation of everybody the order in which people are taken, of the names of those under attack. Found again
/// after a kill. Where samples are looked at, the
/// arrangement is a closed set.
std::vector<PeopleOrder> people_orders(const Selection& selection, const Choosing& choosing, const Setting& setting,
                                       const std::string& technique, Views& everybody);

/// By number in `people`, share of the samples that the recogniser names rightly: in folds of `samples`, each named by
/// what was learned from the others. NaN: they have one sample only, or none that is usable.
std::vector<double> cross_validated_hits(const Dataset& samples, const std::vector<std::string>& people,
                                         const std::string& recogniser, std::uint64_t seed);

}  // namespace bauta
