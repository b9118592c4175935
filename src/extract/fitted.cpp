// Fitted extractors: learning from media, and what was learned in one file.
#include <fmt/format.h>

#include "bauta/data/npz.hpp"
#include "bauta/extract/extractor.hpp"

namespace bauta {
namespace {

// A member name that cannot be confused with arrays of an extractor.
constexpr std::string_view extractor_key = "bauta.extractor";

}  // namespace

void fit_extractor(const ResolvedExtractor& resolved, const Dataset& media) {
  BAUTA_ASSERT(!resolved->base().empty());
  const Dataset seen = extract_dataset(make_extractor(resolved->base()), media);
  if (const std::string teacher = resolved->teacher(); teacher.empty()) {
    resolved->fit(seen);
  } else {
    resolved->fit_taught(seen, extract_dataset(make_extractor(teacher), media));
  }
}

void save_extractor(const ResolvedExtractor& resolved, const std::filesystem::path& path) {
  BAUTA_ASSERT(!resolved->model().empty());
  NpzWriter writer(path);
  writer.add(extractor_key, std::vector<std::string>{resolved.parameters.resolved()});
  for (const auto& [name, values] : resolved->state()) writer.add(name, values.view());
  writer.commit();
}

ResolvedExtractor load_extractor(const std::filesystem::path& path, std::string_view specification) {
  ResolvedExtractor resolved = make_extractor(specification);
  std::vector<std::string> remarks;
  std::string fitted;
  LearnedArrays state;
  for (const NpzArray& entry : read_npz(path, extractor_key, remarks)) {
    if (entry.key != extractor_key) {
      state.emplace(entry.key, to_doubles(entry.array));
    } else if (const auto texts = to_text_column(entry.array); !texts.empty()) {
      fitted = texts[0];
    }
  }
  if (fitted != resolved.parameters.resolved()) {
    throw_input(path.string(), fmt::format("holds a fitted '{}', not {}", fitted, resolved.parameters.resolved()));
  }
  resolved->restore(std::move(state), path.string());
  return resolved;
}

}  // namespace bauta
