#include "bauta/core/public_specification.hpp"

#include <filesystem>

namespace bauta {

std::string public_specification(const Declaration& declaration, const Parameters& parameters) {
  std::string text = declaration.name;
  char separator = ':';
  for (const Parameter& parameter : declaration.parameters) {
    std::string value = parameters.text(parameter.name);
    if (parameter.type == ParameterType::file) value = std::filesystem::path(value).filename().string();
    if (parameter.type == ParameterType::folder || parameter.type == ParameterType::key || value.empty()) continue;
    text += separator + parameter.name + "=" + value;
    separator = ',';
  }
  return text;
}

}  // namespace bauta
