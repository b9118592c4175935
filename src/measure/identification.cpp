#include "bauta/measure/identification.hpp"

#include "bauta/core/error.hpp"

namespace bauta {

std::vector<Standing> standings_of(MatrixView<const double> probabilities, std::span<const std::int32_t> truth) {
  BAUTA_ASSERT(truth.size() == probabilities.rows);
  std::vector<Standing> standings;
  for (std::size_t i = 0; i < probabilities.rows; ++i) {
    const auto row = probabilities.row(i);
    const double own = row[static_cast<std::size_t>(truth[i])];
    Standing standing{.tied = 0, .candidates = static_cast<std::uint32_t>(row.size()), .posterior = own};
    double entropy = 0;
    for (const double p : row) {
      if (p > own) ++standing.above;
      if (p == own) ++standing.tied;
      if (p > 0) entropy -= p * std::log(p);
    }
    standing.divergence = std::max(0.0, std::log(static_cast<double>(row.size())) - entropy);
    standings.push_back(standing);
  }
  return standings;
}

Mixture mixture_at(std::size_t k, std::span<const Standing> standings, std::span<const std::uint32_t> subjects) {
  BAUTA_ASSERT(!standings.empty() && subjects.size() == standings.size());
  std::vector<double> missed;
  double sum = 0, chance = 0;
  for (const Standing& standing : standings) {
    missed.push_back(1 - standing.hit(k));
    sum += missed.back();
    chance += 1 - standing.chance(k);
  }
  const auto count = static_cast<double>(standings.size());
  return {k, sum / count, share_interval(missed, subjects), chance / count};
}

double mean_divergence(std::span<const Standing> standings) {
  BAUTA_ASSERT(!standings.empty());
  double sum = 0;
  for (const Standing& standing : standings) sum += standing.divergence;
  return sum / static_cast<double>(standings.size());
}

}  // namespace bauta
