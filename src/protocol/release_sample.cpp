#include "bauta/protocol/release_sample.hpp"

#include <algorithm>
#include <map>

#include "bauta/core/random.hpp"
#include "bauta/protocol/closed_set.hpp"
#include "bauta/protocol/subjects.hpp"

namespace bauta {

namespace {

// Of one person at least so many are drawn before another's turn comes.
constexpr std::size_t least_per_person = 40;

std::vector<std::size_t> drawn_rows(const Dataset& dataset, std::uint64_t seed, std::size_t most) {
  const Subjects subjects = subjects_of(dataset);
  const std::vector<bool> failed = dataset.failed();
  std::vector<std::vector<std::size_t>> people(subjects.count);
  std::size_t samples = 0;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (failed[row]) continue;
    people[subjects.of_row[row]].push_back(row);
    ++samples;
  }
  const std::size_t each = samples <= most ? samples : std::max(least_per_person, most / people.size());
  std::vector<std::size_t> rows;
  for (const std::size_t person : Stream(seed, "people of a release").permutation(people.size())) {
    std::vector<std::size_t>& own = people[person];
    Stream(seed, "samples of a release", person).shuffle(std::span(own));
    own.resize(std::min({own.size(), each, most - rows.size()}));
    rows.insert(rows.end(), own.begin(), own.end());
    if (rows.size() == most) break;
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<std::size_t> at(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& places) {
  std::vector<std::size_t> result;
  result.reserve(places.size());
  for (const std::size_t place : places) result.push_back(rows[place]);
  return result;
}

}  // namespace

ReleaseSample release_sample(const Dataset& dataset, const std::string& attribute, std::uint64_t seed,
                             std::size_t most) {
  ReleaseSample sample;
  sample.rows = drawn_rows(dataset, seed, most);
  sample.data = dataset.select(sample.rows);
  const std::vector<bool> failed = dataset.failed();
  sample.whole =
      sample.rows.size() + static_cast<std::size_t>(std::count(failed.begin(), failed.end(), true)) == dataset.size();
  const ClosedSet outer = closed_set_split(sample.data, attribute, 0.25, seed);
  sample.one_sample_each = outer.one_sample_each;
  if (sample.one_sample_each) sample.data.identity_column.clear();
  sample.evidence = outer.test;
  const ClosedSet inner = closed_set_split(sample.data.select(outer.train), attribute, 1.0 / 3, seed + 1);
  sample.learn = at(outer.train, inner.train);
  sample.search = at(outer.train, inner.test);
  return sample;
}

}  // namespace bauta
