#include "bauta/measure/identification.hpp"

#include <map>

#include "bauta/core/error.hpp"

namespace bauta {

std::vector<Standing> standings_of(MatrixView<const double> probabilities, MatrixView<const double> order,
                                   std::span<const std::int32_t> truth) {
  BAUTA_ASSERT(truth.size() == probabilities.rows && order.rows == probabilities.rows &&
               order.cols == probabilities.cols);
  std::vector<Standing> standings;
  for (std::size_t i = 0; i < probabilities.rows; ++i) {
    const auto row = probabilities.row(i);
    const auto right = static_cast<std::size_t>(truth[i]);
    Standing standing{.tied = 0, .candidates = static_cast<std::uint32_t>(row.size()), .posterior = row[right]};
    double entropy = 0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (order(i, c) > order(i, right)) ++standing.above;
      if (order(i, c) == order(i, right)) ++standing.tied;
      if (row[c] > 0) entropy -= row[c] * std::log(row[c]);
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

PeopleNamed people_named(std::span<const Standing> standings, std::span<const std::uint32_t> subjects) {
  BAUTA_ASSERT(!standings.empty() && standings.size() == subjects.size());
  struct Person {
    bool always = true, never = true;
  };
  std::map<std::uint32_t, Person> people;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const bool named = standings[i].hit(1) == 1;
    Person& person = people[subjects[i]];
    (named ? person.never : person.always) = false;
  }
  std::uint64_t always = 0, never = 0;
  for (const auto& [number, person] : people) {
    always += person.always;
    never += person.never;
  }
  const auto all = static_cast<double>(people.size());
  return {static_cast<double>(always) / all, wilson(always, people.size()), static_cast<double>(never) / all};
}

double mean_divergence(std::span<const Standing> standings) {
  BAUTA_ASSERT(!standings.empty());
  double sum = 0;
  for (const Standing& standing : standings) sum += standing.divergence;
  return sum / static_cast<double>(standings.size());
}

}  // namespace bauta
