#include "bauta/data/subject_codes.hpp"

#include <numeric>

namespace bauta {

std::vector<std::int32_t> subject_codes(const Dataset& data) {
  std::vector<std::int32_t> subjects(data.size());
  std::iota(subjects.begin(), subjects.end(), 0);
  if (data.identity_column.empty()) return subjects;
  const Categorical identity = data.labels.categorical(data.identity_column);
  const auto named = static_cast<std::int32_t>(identity.classes.size());
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    subjects[i] = identity.codes[i] >= 0 ? identity.codes[i] : named + subjects[i];
  }
  return subjects;
}

}  // namespace bauta
