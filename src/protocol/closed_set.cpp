#include "bauta/protocol/closed_set.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/protocol/subjects.hpp"

namespace bauta {

ClosedSet closed_set_split(const Dataset& data, const std::string& attribute, double share, std::uint64_t seed) {
  BAUTA_ASSERT(share > 0 && share < 1);
  const Subjects subjects = subjects_of(data);
  const std::vector<bool> failed = data.failed();
  const Categorical classes = attribute.empty() ? Categorical{} : data.labels.categorical(attribute);
  std::map<std::size_t, std::vector<std::size_t>> rows_of;  // by identity
  for (std::size_t row = 0; row < data.size(); ++row) {
    if (!failed[row]) rows_of[subjects.of_row[row]].push_back(row);
  }
  ClosedSet split;
  split.one_sample_each =
      std::all_of(rows_of.begin(), rows_of.end(), [](const auto& entry) { return entry.second.size() == 1; });
  if (split.one_sample_each) {
    std::vector<std::size_t> all;
    all.reserve(rows_of.size());
    for (const auto& [identity, rows] : rows_of) all.push_back(rows.front());
    std::sort(all.begin(), all.end());
    rows_of = {{0, std::move(all)}};
  }
  for (auto& [identity, rows] : rows_of) {
    if (rows.size() < 2) {
      split.train.insert(split.train.end(), rows.begin(), rows.end());
      continue;
    }
    Stream stream(seed, "closed set", identity);
    stream.shuffle(std::span(rows));
    if (!attribute.empty()) {
      std::stable_sort(rows.begin(), rows.end(),
                       [&](std::size_t a, std::size_t b) { return classes.codes[a] < classes.codes[b]; });
    }
    // Every so-manieth, from a random start: whole numbers come out right for the identity and nearly so in each class.
    double position = stream.uniform();
    std::vector<std::size_t> test, train;
    for (const std::size_t row : rows) {
      position += share;
      const bool tested = position >= 1;
      (tested ? test : train).push_back(row);
      if (tested) position -= 1;
    }
    const auto move_one = [](std::vector<std::size_t>& from, std::vector<std::size_t>& to) {
      to.push_back(from.back());
      from.pop_back();
    };
    if (test.empty()) move_one(train, test);
    if (train.empty()) move_one(test, train);
    split.test.insert(split.test.end(), test.begin(), test.end());
    split.train.insert(split.train.end(), train.begin(), train.end());
  }
  if (split.test.empty()) {
    throw_input(data.origin, fmt::format("{} samples cannot be split into two parts", data.size()));
  }
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.test.begin(), split.test.end());
  return split;
}

}  // namespace bauta
