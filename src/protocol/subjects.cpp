#include "bauta/protocol/subjects.hpp"

#include <string_view>
#include <unordered_map>

#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"

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

namespace {

/// The bytes of templates, or the digests of media; empty texts: failed or missing. Nothing of codes.
std::vector<std::string> contents_of(const Dataset& dataset) {
  std::vector<std::string> contents(dataset.size());
  const std::vector<bool> failed = dataset.failed();
  if (dataset.templates.empty() && dataset.media != nullptr) {
    parallel_for(contents.size(), [&](std::size_t row, int) {
      if (!failed[row] && dataset.media->present(row)) contents[row] = dataset.media->digest(row);
    });
    return contents;
  }
  if (dataset.templates.empty() || dataset.templates.kind() != ElementKind::float32) return {};
  for (std::size_t row = 0; row < contents.size(); ++row) {
    if (!failed[row]) contents[row] = dataset.templates.row_bytes(row);
  }
  return contents;
}

}  // namespace

std::vector<bool> under_two_names(const Dataset& dataset, const Subjects& subjects) {
  std::vector<bool> ambiguous(dataset.size(), false);
  const std::vector<std::string> contents = contents_of(dataset);
  if (contents.empty()) return ambiguous;
  std::unordered_map<std::string_view, std::size_t> first;
  std::vector<std::size_t> first_of(dataset.size());
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    first_of[row] = contents[row].empty() ? row : first.try_emplace(contents[row], row).first->second;
    if (subjects.of_row[first_of[row]] != subjects.of_row[row]) ambiguous[first_of[row]] = true;
  }
  for (std::size_t row = 0; row < dataset.size(); ++row) ambiguous[row] = ambiguous[first_of[row]];
  return ambiguous;
}

}  // namespace bauta
