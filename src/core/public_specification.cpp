#include "bauta/core/public_specification.hpp"

#include <filesystem>

#include "bauta/core/named_file.hpp"

namespace bauta {

namespace {

/// What a command names is called by what is in it; of what is not there the last name stays.
std::string without_places(const std::string& command) {
  std::vector<std::string> words = command_words(called_command(command, {}));
  for (std::string& word : words) {
    // The folders that a program is given have no names yet.
    if (word.find('/') == std::string::npos || word.find("{in}") != std::string::npos ||
        word.find("{out}") != std::string::npos) {
      continue;
    }
    const std::size_t rest = word.find('=') + 1;  // 0 where there is none
    std::filesystem::path place = word.substr(rest);
    if (!place.has_filename()) place = place.parent_path();
    word = word.substr(0, rest) + place.filename().string();
  }
  return command_of(words);
}

}  // namespace

std::string public_specification(const Declaration& declaration, const Parameters& parameters) {
  std::string text = declaration.name;
  char separator = ':';
  for (const Parameter& parameter : declaration.parameters) {
    std::string value = parameters.text(parameter.name);
    if (parameter.type == ParameterType::file) value = std::filesystem::path(value).filename().string();
    if (parameter.type == ParameterType::command) value = without_places(value);
    if (parameter.type == ParameterType::folder || parameter.type == ParameterType::key || value.empty()) continue;
    text += separator + parameter.name + "=" + value;
    separator = ',';
  }
  return text;
}

}  // namespace bauta
