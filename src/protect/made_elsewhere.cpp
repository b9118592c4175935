#include "made_elsewhere.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/media_source.hpp"

namespace bauta {

Medium made_elsewhere(const std::vector<std::filesystem::path>& files, const Medium& clear, const std::string& where) {
  if (files.empty()) throw_input(where, nothing_made);
  if (files.size() > 1) throw_input(where, fmt::format("{} files were made of it", files.size()));
  try {
    Medium made = file_media(files[0].parent_path(), {files[0].filename()})->load(0);
    if (kind_of(made) == kind_of(clear)) {
      // Arrays name no joints; as many as before are the same.
      if (auto* motion = std::get_if<Motion>(&made)) {
        const Motion& before = std::get<Motion>(clear);
        if (motion->names.empty() && motion->joints == before.joints) motion->names = before.names;
      }
      return made;
    }
  } catch (const Error& error) {
    throw_input(where, "what was made of it " + error.finding);
  }
  throw_input(where, fmt::format("what was made of it is no {}", kind_of(clear)));
}

Dataset read_made(const std::filesystem::path& folder) {
  ReadOptions options;
  options.identity_required = options.templates_required = false;
  return read_dataset(folder, options);
}

std::vector<std::size_t> places_of(const std::vector<std::string>& own, const std::vector<std::string>& made,
                                   const std::string& column, const std::string& where) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t row = 0; row < made.size(); ++row) {
    if (made[row].empty() || places.try_emplace(made[row], row).second) continue;
    throw_input(where, fmt::format("'{}' stands twice in column '{}'", made[row], column));
  }
  std::vector<std::size_t> rows;
  for (const std::string& name : own) {
    const auto found = name.empty() ? places.end() : places.find(name);
    rows.push_back(found == places.end() ? nowhere : found->second);
  }
  return rows;
}

MadeTemplates::MadeTemplates(const Templates& made, std::vector<std::size_t> rows, const std::vector<bool>& failed,
                             const std::string& reason, const std::string& where) {
  if (!rows.empty() && std::ranges::count(rows, nowhere) == std::ssize(rows)) {
    throw_input(where, fmt::format("holds none of the {} samples", rows.size()));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != nowhere) continue;
    rows[i] = 0;  // nobody looks at it
    if (failed.empty() || !failed[i]) lost_[i] = reason;
  }
  made_ = made.select(rows);
}

}  // namespace bauta
