#include "bauta/measure/people_contrast.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/paired.hpp"

namespace bauta {

namespace {

/// Of one person, in one rate.
struct Entry {
  std::size_t rate;
  double hits, probes;
};

/// The weighed sum from the sums of each rate; NaN where one has no probes.
double combined(std::span<const WeighedRate> rates, std::span<const double> hits, std::span<const double> probes) {
  double sum = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    sum += rates[k].weight * (hits[k] / probes[k] - rates[k].chance) / (1 - rates[k].chance);
  }
  return sum;
}

/// As many people of equal influence as they are worth.
double worth(std::span<const WeighedRate> rates, const std::vector<std::vector<Entry>>& people,
             std::span<const double> hits, std::span<const double> probes) {
  double squares = 0, fourths = 0;
  for (const auto& entries : people) {
    double influence = 0;
    for (const auto& [k, own_hits, own_probes] : entries) {
      influence += rates[k].weight / (1 - rates[k].chance) * (own_hits - hits[k] / probes[k] * own_probes) / probes[k];
    }
    squares += influence * influence;
    fourths += influence * influence * influence * influence;
  }
  return fourths > 0 ? std::max(2.0, squares * squares / fourths) : static_cast<double>(people.size());
}

double deviation(const std::vector<double>& values) {
  double mean = 0, square = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  for (const double value : values) square += (value - mean) * (value - mean);
  return std::sqrt(square / static_cast<double>(values.size()));
}

}  // namespace

std::optional<PeopleContrast> people_contrast(std::span<const WeighedRate> rates, const ContrastDraws& draws) {
  std::map<std::uint32_t, std::vector<Entry>> by_person;
  std::vector<double> hits(rates.size(), 0.0), probes(rates.size(), 0.0);
  double unit = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    if (rates[k].people.empty()) return std::nullopt;
    for (const PersonHits& one : rates[k].people) {
      by_person[one.person].push_back({k, one.hits, one.probes});
      hits[k] += one.hits;
      probes[k] += one.probes;
    }
    unit += std::abs(rates[k].weight) / (1 - rates[k].chance);
  }
  if (rates.empty()) return std::nullopt;
  std::vector<std::vector<Entry>> people;
  for (auto& [person, entries] : by_person) people.push_back(std::move(entries));
  std::vector<double> drawn(draws.draws);
  parallel_for(draws.draws, [&](std::size_t d, int) {
    Stream stream(draws.seed, "people who are compared", d);
    std::vector<double> drawn_hits(rates.size(), 0.0), drawn_probes(rates.size(), 0.0);
    for (std::size_t i = 0; i < people.size(); ++i) {
      for (const Entry& entry : people[stream.below(people.size())]) {
        drawn_hits[entry.rate] += entry.hits;
        drawn_probes[entry.rate] += entry.probes;
      }
    }
    drawn[d] = combined(rates, drawn_hits, drawn_probes);
  });
  std::erase_if(drawn, [](double value) { return !std::isfinite(value); });
  PeopleContrast contrast;
  contrast.value = combined(rates, hits, probes);
  contrast.people = people.size();
  const double subjects = worth(rates, people, hits, probes);
  contrast.error = drawn.empty() ? unit : deviation(drawn) * std::sqrt(subjects / (subjects - 1));
  if (const auto ci = drawn.empty() ? std::nullopt : widened_percentiles(drawn, subjects)) {
    contrast.ci = *ci;
  } else {
    // All draws alike: nobody was seen to differ, which is not that nobody does.
    const double half = unit / 2 * wilson(0, people.size()).high;
    contrast.ci = {contrast.value - half, contrast.value + half};
  }
  return contrast;
}

bool differs(const PeopleContrast& contrast, std::size_t comparisons) {
  const double least = probit(1 - 0.025 / static_cast<double>(std::max<std::size_t>(comparisons, 1)));
  return std::abs(contrast.value) > least * contrast.error && (contrast.ci.low > 0 || contrast.ci.high < 0);
}

}  // namespace bauta
