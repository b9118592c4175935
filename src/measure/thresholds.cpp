#include "bauta/measure/thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "bauta/core/error.hpp"

namespace bauta {

std::vector<Threshold> thresholds_at_fmr(std::vector<float> non_mated, const std::vector<double>& fmr) {
  BAUTA_ASSERT(!non_mated.empty());
  std::sort(non_mated.begin(), non_mated.end(), std::greater<>());
  const auto all = static_cast<double>(non_mated.size());
  std::vector<Threshold> thresholds;
  for (const double rate : fmr) {
    const auto allowed = static_cast<std::size_t>(std::min(std::floor(rate * all * (1 + 1e-12)), all));
    // Equal scores stand or fall together: step back to where the tie at the cut begins.
    std::size_t matches = allowed;
    if (matches < non_mated.size()) {
      while (matches > 0 && non_mated[matches - 1] == non_mated[matches]) --matches;
    }
    const double value = matches > 0 ? double{non_mated[matches - 1]}
                                     : double{std::nextafter(non_mated[0], std::numeric_limits<float>::infinity())};
    thresholds.push_back({rate, value, static_cast<double>(matches) / all, allowed > 0});
  }
  return thresholds;
}

}  // namespace bauta
