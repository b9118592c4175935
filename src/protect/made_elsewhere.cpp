#include "made_elsewhere.hpp"

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

Medium made_elsewhere(const std::vector<std::filesystem::path>& files, const Medium& clear, const std::string& where) {
  if (files.empty()) throw_input(where, "nothing was made of it");
  if (files.size() > 1) throw_input(where, fmt::format("{} files were made of it", files.size()));
  try {
    Medium made = read_medium(files[0]);
    if (kind_of(made) == kind_of(clear)) return made;
  } catch (const Error& error) {
    throw_input(where, "what was made of it " + error.finding);
  }
  throw_input(where, fmt::format("what was made of it is no {}", kind_of(clear)));
}

}  // namespace bauta
