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
#include "text.hpp"

namespace bauta {

namespace {

constexpr std::size_t largest_file = 1U << 20;

// 2^32 bits per template bound the arithmetic that follows; real codes have thousands.
std::size_t parse_bits(const std::string& where, const std::string& text) {
  std::size_t bits = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), bits);
  if (status != std::errc() || stop != text.data() + text.size() || bits == 0 || bits > (std::size_t{1} << 32)) {
    throw_input(where, fmt::format("bits = \"{}\", expected the number of bits of a template", text));
  }
  return bits;
}

constexpr std::string_view bare_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/// One line of TOML: key = "text", key = 'text' or key = 123, with an optional comment behind it.
class LineParser {
 public:
  LineParser(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

  [[nodiscard]] bool blank() {
    skip_space();
    return at_ == text_.size() || text_[at_] == '#';
  }
  std::string key() {
    if (peek() == '"' || peek() == '\'') return string();
    std::string key = word();
    if (key.empty()) fail("no key");
    return key;
  }
  void equals() {
    if (peek() != '=') fail("no '=' behind the key");
    ++at_;
  }
  std::string value() {
    if (peek() == '"' || peek() == '\'') return string();
    // `bits = 256` without quotes is what people type.
    std::string number = word();
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) fail("the value is not a text");
    return number;
  }
  [[noreturn]] void fail(const std::string& finding) const {
    throw_input(where_, finding, "dataset.toml holds flat lines: key = \"value\"");
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string word() {
    skip_space();
    const std::size_t end = std::min(text_.find_first_not_of(bare_characters, at_), text_.size());
    std::string found(text_.substr(at_, end - at_));
    at_ = end;
    return found;
  }
  std::string string() {
    const char mark = text_[at_++];
    std::string value;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == mark) {
        ++at_;
        return value;
      }
      if (c == '\\' && mark == '"') {
        ++at_;
        escape(value);
      } else {
        value.push_back(c);
      }
    }
    fail("a text is not closed");
  }
  // `at_` is on the character behind the backslash and ends on the last one of the escape.
  void escape(std::string& value) {
    constexpr std::string_view names = "btnfr\"\\";
    constexpr std::string_view meanings = "\b\t\n\f\r\"\\";
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (const std::size_t known = names.find(c); c != '\0' && known != std::string_view::npos) {
      value.push_back(meanings[known]);
      return;
    }
    const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
    const std::string_view hex = text_.substr(std::min(at_ + 1, text_.size()), digits);
    std::uint32_t point = 0;
    const auto [stop, status] = std::from_chars(hex.data(), hex.data() + hex.size(), point, 16);
    if (digits == 0 || hex.size() != digits || status != std::errc() || stop != hex.data() + digits ||
        !is_code_point(point)) {
      fail("an unknown escape in a text");
    }
    append_utf8(value, point);
    at_ += digits;
  }

  std::string_view text_;
  std::string where_;
  std::size_t at_ = 0;
};

struct Value {
  std::string text;
  std::string where;
};

std::map<std::string, Value> parse_lines(std::string_view text, const std::string& path) {
  if (!is_plain_utf8(text)) throw_input(path, "is not UTF-8 text", "dataset.toml holds flat lines: key = \"value\"");
  std::map<std::string, Value> values;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string where = fmt::format("{} line {}", path, number);
    LineParser parser(line, where);
    if (parser.blank()) continue;
    const std::string key = parser.key();
    parser.equals();
    std::string value = parser.value();
    if (!parser.blank()) parser.fail("more text behind the value");
    if (!values.emplace(key, Value{std::move(value), where}).second)
      parser.fail(fmt::format("key '{}' appears twice", key));
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

std::string line(std::string_view key, std::string_view value) {
  const bool bare = !key.empty() && key.find_first_not_of(bare_characters) == std::string_view::npos;
  return fmt::format("{} = {}\n", bare ? std::string(key) : quote(key), quote(value));
}

}  // namespace

DatasetFile read_dataset_file(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  if (bytes.size() > largest_file) throw_input(path.string(), "is larger than 1 MiB, expected a few lines of text");
  const auto values = parse_lines({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());

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
