#include "bauta/core/public_specification.hpp"

#include <filesystem>

namespace bauta {

std::string public_specification(const Declaration& declaration, const Parameters& parameters) {
  std::string text = declaration.name;
  char separator = ':';
  for (const Parameter& parameter : declaration.parameters) {
    std::string value = parameters.text(parameter.name);
    if (parameter.name == "path") value = std::filesystem::path(value).filename().string();
    if (parameter.name == "models" || parameter.name == "keyfile" || value.empty()) continue;
    text += separator + parameter.name + "=" + value;
    separator = ',';
  }
  return text;
}

}  // namespace bauta
