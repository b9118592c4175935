// Reading and writing dataset.toml. The keys `elements` and `bits` belong to the storage, all others to the provenance.
#include "bauta/data/provenance_file.hpp"

#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"
#include "bauta/data/mapped_file.hpp"
#include "bauta/data/toml.hpp"

namespace bauta {

namespace {

// 2^32 bits per template bound the arithmetic that follows; real codes have thousands.
std::size_t parse_bits(const std::string& where, const std::string& text) {
  std::size_t bits = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), bits);
  if (status != std::errc() || stop != text.data() + text.size() || bits == 0 || bits > (std::size_t{1} << 32)) {
    throw_input(where, fmt::format("bits = \"{}\", expected the number of bits of a template", text));
  }
  return bits;
}

struct Value {
  std::string text;
  std::string where;
};

std::map<std::string, Value> read_values(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  const auto table = parse_toml({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
  std::map<std::string, Value> values;
  for (const auto& [key, node] : table) {
    const std::string where = fmt::format("{} line {}", path.string(), node.source().begin.line);
    // `bits = 256` without quotes is what people type.
    const bool number = node.is_integer() && *node.value<std::int64_t>() >= 0;
    if (!number && !node.is_string()) {
      throw_input(where, fmt::format("the value of '{}' is not a text", key.str()),
                  "dataset.toml holds flat lines: key = \"value\"");
    }
    std::string text = number ? std::to_string(*node.value<std::int64_t>()) : *node.value<std::string>();
    values[std::string(key.str())] = {std::move(text), where};
  }
  return values;
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    // Control characters are not allowed in TOML strings as they are.
    if (c == '"' || c == '\\') {
      quoted.push_back('\\');
      quoted.push_back(c);
    } else if (code < 0x20 || code == 0x7f) {
      quoted += fmt::format("\\u{:04X}", code);
    } else {
      quoted.push_back(c);
    }
  }
  return quoted + '"';
}

constexpr std::string_view bare_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

std::string line(std::string_view key, std::string_view value) {
  const bool bare = !key.empty() && key.find_first_not_of(bare_characters) == std::string_view::npos;
  return fmt::format("{} = {}\n", bare ? std::string(key) : quote(key), quote(value));
}

}  // namespace

DatasetFile read_dataset_file(const std::filesystem::path& path) {
  const auto values = read_values(path);
  DatasetFile content;
  // A file that speaks of storage alone says nothing about a protection.
  Provenance provenance;
  bool told = false;
  for (const auto& [key, entry] : values) {
    const auto& [value, where] = entry;
    if (key == "elements") {
      if (value != "codes" && value != "float32" && value != "bits") {
        throw_input(where, fmt::format("elements = \"{}\", expected codes, bits or float32", value));
      }
      if (value == "codes") content.storage.kind = ElementKind::code8;
    } else if (key == "bits") {
      content.storage = {ElementKind::bits, parse_bits(where, value)};
    } else {
      told = true;
      if (key == "technique") {
        provenance.technique = value;
      } else if (key == "comparator") {
        provenance.comparator = value;
      } else {
        provenance.properties.emplace(key, value);
      }
    }
  }
  // Two marks that disagree would silently decide what the bytes mean.
  const auto elements = values.find("elements");
  if (elements != values.end() && (elements->second.text == "bits") != values.contains("bits")) {
    throw_input(elements->second.where,
                fmt::format("elements = \"{}\" and the key `bits` contradict each other", elements->second.text),
                "packed bits need bits = \"N\", other elements have no such key");
  }
  if (told) content.provenance = std::move(provenance);
  return content;
}

void write_dataset_file(const std::filesystem::path& path, const DatasetFile& content) {
  std::string text;
  if (content.provenance) {
    if (!content.provenance->technique.empty()) text += line("technique", content.provenance->technique);
    if (!content.provenance->comparator.empty()) text += line("comparator", content.provenance->comparator);
    for (const auto& [key, value] : content.provenance->properties) {
      if (key != "elements" && key != "bits") text += line(key, value);
    }
  }
  if (content.storage.kind == ElementKind::code8) text += line("elements", "codes");
  if (content.storage.kind == ElementKind::bits) text += line("bits", std::to_string(content.storage.bits));
  write_file(path, text);
}

}  // namespace bauta
