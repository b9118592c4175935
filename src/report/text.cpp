// Escapes and number formats of the report.
#include "text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/spreadsheet.hpp"

namespace bauta::report {
namespace {

constexpr const char* absent = "–";

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Each of these characters becomes its text.
std::string escaped(std::string_view text, std::initializer_list<std::pair<char, std::string_view>> escapes) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto* found = std::find_if(escapes.begin(), escapes.end(), [&](const auto& one) { return one.first == c; });
    if (found == escapes.end()) {
      out += c;
    } else {
      out += found->second;
    }
  }
  return out;
}

bool finite(Number value) {
  return value && std::isfinite(*value);
}

// Two significant digits below 1 %, one decimal above; exact ends of the scale stay short.
int percent_decimals(double rate) {
  const double value = std::abs(100 * rate);
  if (value == 0 || value >= 0.95) return 1;
  return value >= 0.095 ? 2 : 3;
}

std::string percent_text(double rate, const std::optional<Interval>& ci, int decimals) {
  std::string out = fmt::format("{:.{}f} %", 100 * rate, decimals);
  if (ci) out += fmt::format(" [{:.{}f}, {:.{}f}]", 100 * ci->low, decimals, 100 * ci->high, decimals);
  return out;
}

}  // namespace

std::string escape_html(std::string_view text) {
  return escaped(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}, {'\0', ""}});
}

std::string escape_prose(std::string_view text) {
  return replace_all(escape_html(text), " %", "\u00a0%");
}

std::string script_safe_json(std::string_view json) {
  // In JSON these characters occur only inside strings, where the escape means the same.
  return replace_all(replace_all(std::string(json), "<", "\\u003c"), ">", "\\u003e");
}

std::string script_safe_code(std::string_view code) {
  std::string out(code);
  for (std::size_t at; (at = out.find("//# sourceMappingURL=")) != std::string::npos;) {
    out.erase(at, std::min(out.find('\n', at), out.size()) - at);
  }
  for (const std::string_view tag : {"</script", "<!--"}) {
    for (std::size_t at = 0; at + tag.size() <= out.size(); ++at) {
      const bool found = std::equal(tag.begin(), tag.end(), out.begin() + static_cast<std::ptrdiff_t>(at),
                                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
      if (found) out.insert(at + 1, "\\");
    }
  }
  return out;
}

std::string escape_tex(std::string_view text) {
  const std::string out = escaped(text, {{'\\', "\\textbackslash{}"},
                                         {'~', "\\textasciitilde{}"},
                                         {'^', "\\textasciicircum{}"},
                                         {'<', "\\textless{}"},
                                         {'>', "\\textgreater{}"},
                                         {'&', "\\&"},
                                         {'%', "\\%"},
                                         {'$', "\\$"},
                                         {'#', "\\#"},
                                         {'_', "\\_"},
                                         {'{', "\\{"},
                                         {'}', "\\}"},
                                         {'\n', " "},
                                         {'\r', " "}});
  return replace_all(replace_all(replace_all(out, "–", "--"), "\u00a0", "~"), "†", "\\dag{}");
}

std::string escape_csv(std::string_view text) {
  const std::string mark = is_taken_for_formula(text) ? "'" : "";
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return mark + std::string(text);
  return '"' + mark + replace_all(std::string(text), "\"", "\"\"") + '"';
}

std::string percent(Number rate) {
  return percent(rate, std::nullopt);
}

std::string percent(Number rate, const std::optional<Interval>& ci) {
  if (!finite(rate)) return absent;
  return percent_text(*rate, ci, percent_decimals(*rate));
}

std::string precise_percent(Number rate, const std::optional<Interval>& ci) {
  if (!finite(rate)) return absent;
  return percent_text(*rate, ci, std::max(percent_decimals(*rate), percent_decimals(1 - *rate)));
}

std::string percent_name(double rate) {
  return fmt::format("{:.10g} %", 100 * rate);
}

std::string decimal(Number value, int decimals) {
  if (!finite(value)) return absent;
  return std::abs(*value) < 1e9 ? fmt::format("{:.{}f}", *value, decimals) : fmt::format("{:.3e}", *value);
}

std::string exact(Number value) {
  return finite(value) ? fmt::format("{}", *value) : std::string();
}

std::string grouped(Number count) {
  if (!finite(count)) return absent;
  std::string digits = fmt::format("{:.0f}", *count);
  const std::ptrdiff_t first = digits.starts_with('-') ? 1 : 0;
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > first; at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return digits;
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text = capital(std::move(text));
  return text.find_last_of(".!?") + 1 == text.size() ? text : text + ".";
}

std::string spaced(const std::string& technique) {
  return replace_all(replace_all(technique, ":", ": "), ",", ", ");
}

std::string slug(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte)) {
      out += static_cast<char>(std::tolower(byte));
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "unnamed" : out.substr(0, 80);
}

}  // namespace bauta::report
