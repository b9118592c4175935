#include "bauta/protocol/subjects.hpp"

#include <string_view>
#include <unordered_map>

namespace bauta {

Subjects subjects_of(const Dataset& dataset) {
  const bool named = !dataset.identity_column.empty();
  const Categorical identity = named ? dataset.labels.categorical(dataset.identity_column) : Categorical{};
  Subjects subjects{std::vector<std::size_t>(dataset.size()), identity.classes.size()};
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    const bool known = named && identity.codes[row] >= 0;
    subjects.of_row[row] = known ? static_cast<std::size_t>(identity.codes[row]) : subjects.count++;
  }
  return subjects;
}

std::vector<bool> under_two_names(const Dataset& dataset, const Subjects& subjects) {
  std::vector<bool> ambiguous(dataset.size(), false);
  if (dataset.templates.empty() || dataset.templates.kind() != ElementKind::float32) return ambiguous;
  const std::vector<bool> failed = dataset.failed();
  std::unordered_map<std::string_view, std::size_t> first;
  std::vector<std::size_t> first_of(dataset.size());
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    first_of[row] = failed[row] ? row : first.try_emplace(dataset.templates.row_bytes(row), row).first->second;
    if (subjects.of_row[first_of[row]] != subjects.of_row[row]) ambiguous[first_of[row]] = true;
  }
  for (std::size_t row = 0; row < dataset.size(); ++row) ambiguous[row] = ambiguous[first_of[row]];
  return ambiguous;
}

}  // namespace bauta
