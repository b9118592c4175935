// What occurs most often.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "bauta/core/error.hpp"

namespace bauta {

/// Of several the one that comes first. There must be a value.
template <class T>
T most_frequent(const std::vector<T>& values) {
  BAUTA_ASSERT(!values.empty());
  std::map<T, std::size_t> counts;
  for (const T& value : values) ++counts[value];
  return *std::ranges::max_element(values, {}, [&](const T& value) { return counts.at(value); });
}

}  // namespace bauta
