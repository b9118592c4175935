#include "bauta/protocol/attacker_database.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

// One row per identity and class, in the order of names: independent of the order of rows except for the rows' own
// numbers. An attribute of the person has one class per identity; one of the sample, such as a spoken digit, several.
std::vector<std::size_t> one_sample_per_identity(const Dataset& dataset, const Categorical& identity,
                                                 const Categorical& attribute, std::uint64_t seed) {
  const std::vector<bool> failed = dataset.failed();
  std::vector<std::map<std::int32_t, std::vector<std::size_t>>> samples(identity.classes.size());
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (identity.codes[row] >= 0 && attribute.codes[row] >= 0 && !failed[row]) {
      samples[static_cast<std::size_t>(identity.codes[row])][attribute.codes[row]].push_back(row);
    }
  }
  const std::vector<double> quality =
      dataset.labels.has("quality") ? dataset.labels.numbers("quality") : std::vector<double>(dataset.size());
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::size_t item = i;  // a further class of the same person draws from a stream of its own
    for (auto& [code, rows] : samples[i]) {
      Stream(seed, "attacker sample", item).shuffle(std::span(rows));
      item += samples.size();
      chosen.push_back(*std::max_element(rows.begin(), rows.end(),
                                         [&](std::size_t a, std::size_t b) { return quality[a] < quality[b]; }));
    }
  }
  return chosen;
}

}  // namespace

AttackerDatabase attacker_database(const Dataset& dataset, const std::string& attribute, std::uint64_t seed) {
  const Categorical classes = dataset.labels.categorical(attribute);
  const Categorical identity = dataset.labels.categorical(dataset.identity_column);
  std::vector<std::vector<std::size_t>> by_class(classes.classes.size());
  for (const std::size_t row : one_sample_per_identity(dataset, identity, classes, seed)) {
    by_class[static_cast<std::size_t>(classes.codes[row])].push_back(row);
  }
  std::size_t smallest = dataset.size();
  for (std::size_t c = 0; c < by_class.size(); ++c) {
    if (by_class[c].empty()) {
      throw_input(dataset.origin, fmt::format("no identity is left whose '{}' is '{}'", attribute, classes.classes[c]));
    }
    smallest = std::min(smallest, by_class[c].size());
  }
  if (by_class.size() < 2) {
    throw_input(dataset.origin,
                fmt::format("attribute '{}' has {} class(es), at least 2 are needed", attribute, by_class.size()));
  }
  AttackerDatabase result;
  result.class_names = classes.classes;
  result.per_class = smallest;
  for (std::size_t c = 0; c < by_class.size(); ++c) {
    Stream(seed, "attacker balance", c).shuffle(std::span(by_class[c]));
    result.rows.insert(result.rows.end(), by_class[c].begin(),
                       by_class[c].begin() + static_cast<std::ptrdiff_t>(smallest));
  }
  std::sort(result.rows.begin(), result.rows.end());
  std::set<std::int32_t> people;
  for (const std::size_t row : result.rows) {
    result.classes.push_back(classes.codes[row]);
    people.insert(identity.codes[row]);
  }
  result.identities = people.size();
  return result;
}

}  // namespace bauta
