// What toml++ 3.3 does not survive is refused before it sees it.
#define TOML_IMPLEMENTATION
#include "bauta/data/toml.hpp"

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "text.hpp"

namespace bauta {
namespace {

// It has undefined behaviour where it asks whether a letter such as U+00E9 is a blank (its issue 295). It asks outside
// of texts and comments, where such letters are errors anyway, in texts over several lines, and in a text that a number
// runs into. And it follows the parts of a key by calling itself: 32,000 of them (a.a.a ...) fill the stack.
constexpr std::size_t most_parts = 64;

void refuse_what_breaks_the_parser(std::string_view text, const std::string& where) {
  bool several_lines = false;  // a text over several lines may have begun
  std::size_t line = 1;
  char inside = 0;       // the quote or the # that began the text or comment
  bool number = false;   // a number may have begun and not ended
  std::size_t dots = 0;  // since something that no key goes on behind
  for (std::size_t i = text.starts_with("\xef\xbb\xbf") ? 3 : 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80 && (inside == 0 || (inside != '#' && number) || several_lines)) {
      throw_input(fmt::format("{} line {}", where, line), "a letter that is not ASCII where none may be",
                  "write such letters in comments and texts of one line, with a blank before the opening quote");
    }
    if (inside == 0) {
      const std::string_view ends_keys = ",=[]{}#\n";
      dots = c == '.' ? dots + 1 : ends_keys.find(c) != std::string_view::npos ? 0 : dots;
      if (dots >= most_parts) {
        throw_input(fmt::format("{} line {}", where, line), fmt::format("a key of more than {} parts", most_parts));
      }
    }
    if (c == '\n') {
      ++line;
      inside = 0;
      number = false;
    } else if (inside == 0 && (c == '"' || c == '\'' || c == '#')) {
      inside = c;
      several_lines = several_lines || (c != '#' && text.substr(i, 3) == std::string(3, c));
    } else if (inside == 0) {
      const bool ends = c == ' ' || c == '\t' || c == ',' || c == ']' || c == '}';
      number = !ends && (number || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.');
    } else if (inside == '"' && c == '\\' && text.substr(i + 1, 1) != "\n") {
      ++i;  // an escaped quote does not end the text
    } else if (inside != '#' && c == inside) {
      inside = 0;
      number = false;
    }
  }
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& where) {
  if (text.size() > largest_toml) throw_input(where, "is larger than 64 KiB, expected a few lines of text");
  if (!is_plain_utf8(text)) throw_input(where, "is not UTF-8 text");
  refuse_what_breaks_the_parser(text, where);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw_input(fmt::format("{} line {}", where, error.source().begin.line), std::string(error.description()));
  }
}

}  // namespace bauta
