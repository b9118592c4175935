// D_sys, maximal linkability and their null levels.
#include "bauta/measure/unlinkability.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

double log_factorial(double n) {
  int sign = 0;
  return lgamma_r(n + 1, &sign);
}

double log_choose(double n, double k) {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// How many of `drawn` items are marked if `marked` of `all` are. Inversion that starts at the mode and works outwards,
/// so its cost is the standard deviation and not the size.
double hypergeometric(double all, double marked, double drawn, Stream& stream) {
  const double low = std::max(0.0, drawn - (all - marked)), high = std::min(drawn, marked);
  const double mode = std::clamp(std::floor((drawn + 1) * (marked + 1) / (all + 2)), low, high);
  const double peak =
      std::exp(log_choose(marked, mode) + log_choose(all - marked, drawn - mode) - log_choose(all, drawn));
  const double u = stream.uniform();
  double left = u - peak;
  double down = mode, up = mode, p_down = peak, p_up = peak;
  while (left >= 0 && (down > low || up < high)) {
    if (up < high) {
      p_up *= (marked - up) * (drawn - up) / ((up + 1) * (all - marked - drawn + up + 1));
      ++up;
      left -= p_up;
      if (left < 0) return up;
    }
    if (down > low) {
      p_down *= down * (all - marked - drawn + down) / ((marked - down + 1) * (drawn - down + 1));
      --down;
      left -= p_down;
      if (left < 0) return down;
    }
    if (p_up == 0 && p_down == 0) break;  // what is left of u is rounding
  }
  return mode;
}

}  // namespace

std::size_t linkability_bins(std::uint64_t comparisons) {
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(comparisons / 10, 1, 100));
}

std::vector<std::uint64_t> bin_starts(std::uint64_t mated, std::uint64_t non_mated, std::size_t bins) {
  std::vector<std::uint64_t> starts;
  if (bins < 2) return starts;
  const std::uint64_t half = bins / 2, all = mated + non_mated, end = std::min(mated, non_mated);
  for (std::uint64_t k = 1; k <= half; ++k) {
    starts.push_back(k * end / half);
    starts.push_back(all - k * end / half);
  }
  const std::uint64_t least = std::max<std::uint64_t>(1, end / half), most = (all - 2 * end) / half;
  for (std::uint64_t at = end;;) {
    at += std::max(least, std::min(most, at / 5));
    if (2 * at >= all) break;
    starts.push_back(at);
    starts.push_back(all - at);
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  std::erase_if(starts, [&](std::uint64_t rank) { return rank == 0 || rank >= all; });
  return starts;
}

double d_sys(std::span<const double> mated, std::span<const double> non_mated) {
  BAUTA_ASSERT(mated.size() == non_mated.size());
  double all_mated = 0, all_non = 0;
  for (double m : mated) all_mated += m;
  for (double n : non_mated) all_non += n;
  double sum = 0;
  for (std::size_t i = 0; i < mated.size(); ++i) {
    const double p = mated[i] / all_mated, q = non_mated[i] / all_non;
    if (p > q) sum += p * ((p - q) / (p + q));  // 2 LR / (1 + LR) - 1 with LR = p / q; 1 where q = 0
  }
  return std::min(sum, 1.0);
}

double maximal_linkability(std::span<const double> mated, std::span<const double> non_mated) {
  BAUTA_ASSERT(mated.size() == non_mated.size());
  const double all_mated = std::accumulate(mated.begin(), mated.end(), 0.0);
  const double all_non = std::accumulate(non_mated.begin(), non_mated.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < mated.size(); ++i) sum += std::max(mated[i] / all_mated, non_mated[i] / all_non);
  return std::clamp(std::log2(sum), 0.0, 1.0);  // rounding may leave the range by an ulp
}

std::vector<double> null_levels(LinkabilityMeasure measure, std::span<const double> mated,
                                std::span<const double> non_mated, std::size_t permutations, std::uint64_t seed) {
  double all_mated = 0, all = 0;
  for (std::size_t i = 0; i < mated.size(); ++i) {
    all_mated += mated[i];
    all += mated[i] + non_mated[i];
  }
  std::vector<double> levels(permutations);
  parallel_for(permutations, [&](std::size_t p, int) {
    Stream stream(seed, "d_sys null", p);
    std::vector<double> drawn(mated.size()), rest(mated.size());
    double left = all, left_mated = all_mated;
    for (std::size_t i = 0; i < mated.size(); ++i) {
      const double total = mated[i] + non_mated[i];
      drawn[i] = hypergeometric(left, left_mated, total, stream);
      rest[i] = total - drawn[i];
      left -= total;
      left_mated -= drawn[i];
    }
    levels[p] = measure(drawn, rest);
  });
  return levels;
}

}  // namespace bauta
