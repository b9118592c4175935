#include "random_sets.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

std::size_t RandomSets::own_of(std::size_t size, double purity) {
  const auto all = static_cast<double>(size);
  return static_cast<std::size_t>(std::clamp(std::round(purity * all), 1.0, all));
}

RandomSets::RandomSets(const Categorical& classes, const std::vector<bool>& failed, std::size_t size, double purity,
                       const std::string& attribute, const std::string& where)
    : size_(size),
      own_(own_of(size, purity)),
      codes_(classes.codes),
      place_(classes.codes.size()),
      starts_(classes.classes.size() + 1, 0) {
  const auto drawn = [&](std::size_t row) { return failed.empty() || !failed[row]; };
  for (std::size_t row = 0; row < codes_.size(); ++row) {
    if (!drawn(row)) continue;
    if (codes_[row] < 0) {
      throw_input(fmt::format("{} row {}", where, row + 1),
                  fmt::format("has no '{}', and the purity of its set counts it", attribute),
                  "leave such samples out, or give them a class");
    }
    ++starts_[static_cast<std::size_t>(codes_[row]) + 1];
  }
  for (std::size_t c = 1; c < starts_.size(); ++c) starts_[c] += starts_[c - 1];
  const std::size_t samples = starts_.back();
  if (samples > 0 && size > samples) {
    throw_usage("utility-preserving:g",
                fmt::format("sets of {} cannot be drawn from the {} samples of {}", size, samples, where));
  }
  for (std::size_t c = 0; c + 1 < starts_.size(); ++c) {
    const std::size_t members = starts_[c + 1] - starts_[c];
    if (members == 0 || (own_ <= members && size - own_ <= samples - members)) continue;
    throw_usage(
        "utility-preserving:t",
        fmt::format("purity {} of sets of {} asks for {} of one class and {} of others, and {} has {} with "
                    "{} '{}' and {} without",
                    purity, size, own_, size - own_, where, members, attribute, classes.classes[c], samples - members),
        "choose smaller sets, or another purity");
  }
  order_.resize(samples);
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t row = 0; row < codes_.size(); ++row) {
    if (!drawn(row)) continue;
    place_[row] = next[static_cast<std::size_t>(codes_[row])]++;
    order_[place_[row]] = row;
  }
}

/// Floyd's way: `count` different numbers below `from`, each set of them as likely as any other.
template <class RowOf>
void RandomSets::Drawer::choose(std::size_t count, std::size_t from, Stream& stream, RowOf&& row_of) {
  numbers_.clear();
  for (std::size_t last = from - count; last < from; ++last) {
    std::size_t number = stream.below(last + 1);
    if (taken_[number]) number = last;
    taken_[number] = true;
    numbers_.push_back(number);
  }
  for (const std::size_t number : numbers_) {
    taken_[number] = false;
    set_.push_back(row_of(number));
  }
}

std::span<const std::size_t> RandomSets::Drawer::operator()(std::size_t row, Stream& stream) {
  const auto code = static_cast<std::size_t>(sets_.codes_[row]);
  const std::size_t start = sets_.starts_[code], members = sets_.starts_[code + 1] - start;
  const std::size_t self = sets_.place_[row] - start;
  set_.assign(1, row);
  choose(sets_.own_ - 1, members - 1, stream,
         [&](std::size_t number) { return sets_.order_[start + number + (number < self ? 0 : 1)]; });
  choose(sets_.size_ - sets_.own_, sets_.order_.size() - members, stream,
         [&](std::size_t number) { return sets_.order_[number + (number < start ? 0 : members)]; });
  return set_;
}

}  // namespace bauta
