#include "cells.hpp"

#include <algorithm>

namespace bauta {

std::vector<std::string> representations_of(const Setting& setting) {
  return setting.representations.empty() ? std::vector<std::string>{""} : setting.representations;
}

Json cell_key(const std::string& question, const std::string& technique, const std::string& representation) {
  Json key = {{"question", question}, {"technique", technique}};
  if (!representation.empty()) key["representation"] = representation;
  return key;
}

bool somebody_has_two_samples(const Dataset& data) {
  if (data.identity_column.empty()) return false;
  const auto counts = data.labels.categorical(data.identity_column).counts();
  return std::any_of(counts.begin(), counts.end(), [](std::size_t count) { return count > 1; });
}

}  // namespace bauta
