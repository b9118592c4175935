#include "bauta/core/public_specification.hpp"

#include <filesystem>

#include "bauta/core/named_file.hpp"

namespace bauta {

namespace {

std::string without_places(const std::string& command) {
  std::vector<std::string> words = command_words(command);
  for (std::string& word : words) {
    if (word.find('/') != std::string::npos) word = std::filesystem::path(word).filename().string();
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
