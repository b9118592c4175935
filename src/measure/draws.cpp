#include "bauta/measure/draws.hpp"

#include <map>
#include <utility>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

std::vector<double> drawn_balanced_accuracy(Predictions predicted, std::span<const std::int32_t> truth,
                                            std::size_t classes, std::span<const std::uint32_t> subjects,
                                            const Drawing& drawing) {
  const SubjectTallies tallies({&predicted, 1}, truth, classes, subjects);
  const Matrix<double> values = drawing.population == 0
                                    ? tallies.bootstrap(drawing.draws, drawing.seed)
                                    : tallies.bootstrap_over(drawing.population, drawing.draws, drawing.seed);
  return {values.data(), values.data() + values.size()};
}

std::vector<double> drawn_success(std::span<const std::uint8_t> success, std::span<const std::uint32_t> subjects,
                                  const Drawing& drawing) {
  std::vector<double> values;
  for (const std::uint8_t one : success) values.push_back(one != 0 ? 1 : 0);
  return drawn_mean(values, subjects, drawing);
}

std::vector<double> drawn_mean(std::span<const double> values, std::span<const std::uint32_t> subjects,
                               const Drawing& drawing) {
  BAUTA_ASSERT(!values.empty() && values.size() == subjects.size());
  std::map<std::uint32_t, std::pair<double, double>> by_subject;  // sum and count
  for (std::size_t i = 0; i < values.size(); ++i) {
    by_subject[subjects[i]].first += values[i];
    by_subject[subjects[i]].second += 1;
  }
  std::vector<std::pair<double, double>> sums(drawing.population);
  for (const auto& [subject, sum] : by_subject) {
    if (drawing.population == 0) {
      sums.push_back(sum);
    } else {
      BAUTA_ASSERT(subject < drawing.population);
      sums[subject] = sum;
    }
  }
  std::vector<double> means(drawing.draws);
  parallel_for(drawing.draws, [&](std::size_t d, int) {
    Stream stream(drawing.seed, "bootstrap", d);
    double total = 0, count = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto& drawn = sums[stream.below(sums.size())];
      total += drawn.first;
      count += drawn.second;
    }
    means[d] = total / count;
  });
  return means;
}

std::vector<double> drawn_mixture(std::size_t k, std::span<const Standing> standings,
                                  std::span<const std::uint32_t> subjects, const Drawing& drawing) {
  std::vector<double> missed;
  for (const Standing& standing : standings) missed.push_back(1 - standing.hit(k));
  return drawn_mean(missed, subjects, drawing);
}

std::string drawn_over(std::span<const std::string> names, std::uint64_t seed) {
  Hash hash;
  for (const std::string& name : names) hash.add(name);
  hash.add(&seed, sizeof seed);
  return hash.hex();
}

}  // namespace bauta
