#include "bauta/run/reading.hpp"

#include <filesystem>

#include "bauta/protocol/subject_parts.hpp"

namespace bauta {

Dataset read_data(const std::string& name, const ReadOptions& options) {
  const std::size_t at = name.rfind('@');
  // A part has digits and one slash after the '@'; a path that exists as it stands is a path.
  if (at == std::string::npos || std::filesystem::exists(name)) return read_dataset(name, options);
  const PartNumber part = parse_part(std::string_view(name).substr(at + 1));
  return subject_part(read_dataset(name.substr(0, at), options), part);
}

}  // namespace bauta
