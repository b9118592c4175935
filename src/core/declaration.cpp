#include "bauta/core/declaration.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/named_file.hpp"

namespace bauta {

std::string_view to_text(ParameterType type) {
  switch (type) {
    case ParameterType::integer:
      return "integer";
    case ParameterType::real:
      return "real";
    case ParameterType::text:
      return "text";
    case ParameterType::choice:
      return "choice";
    case ParameterType::file:
      return "file";
    case ParameterType::folder:
      return "folder";
    case ParameterType::key:
      return "key";
    case ParameterType::command:
      return "command";
  }
  return "unknown";
}

namespace {

/// Where the part `key=value` ends that begins at `begin`: at a comma, but not at one in quotes around the value.
std::size_t end_of_part(std::string_view text, std::size_t begin) {
  const std::size_t comma = text.find(',', begin), equals = text.find('=', begin);
  if (equals >= comma || equals + 1 >= text.size()) return comma;
  const char quote = text[equals + 1];
  if (quote != '"' && quote != '\'') return comma;
  const std::size_t closing = text.find(quote, equals + 2);
  if (closing == std::string_view::npos) return comma;
  if (closing + 1 == text.size()) return std::string_view::npos;
  return text[closing + 1] == ',' ? closing + 1 : comma;
}

std::string without_quotes(std::string_view value) {
  const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                      value.find(value.front(), 1) == value.size() - 1;
  return std::string(quoted ? value.substr(1, value.size() - 2) : value);
}

/// As parse() reads it.
std::string with_quotes(const std::string& value) {
  if (value.find(',') == std::string::npos && without_quotes(value) == value) return value;
  const char quote = value.find('"') == std::string::npos ? '"' : '\'';
  return quote + value + quote;
}

void append_value(std::string& text, const std::string& name, const std::string& value) {
  text += (text.find(':') == std::string::npos ? ":" : ",") + name + "=" + with_quotes(value);
}

}  // namespace

std::string Specification::text() const {
  std::string all = name;
  for (const auto& [key, value] : values) append_value(all, key, value);
  return all;
}

Specification Specification::parse(std::string_view text) {
  Specification result;
  const std::size_t colon = text.find(':');
  result.name = std::string(text.substr(0, colon));
  if (result.name.empty())
    throw_usage("'" + std::string(text) + "'", "no name given", "write NAME or NAME:key=value,key=value");
  if (colon == std::string_view::npos) return result;
  std::string_view rest = text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = end_of_part(rest, 0);
    const std::string_view pair = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw_usage("'" + std::string(text) + "'", "'" + std::string(pair) + "' is not key=value",
                  "write NAME:key=value,key=value");
    }
    const std::string key(pair.substr(0, equals));
    if (!result.values.emplace(key, without_quotes(pair.substr(equals + 1))).second) {
      throw_usage("'" + std::string(text) + "'", "parameter '" + key + "' is given twice");
    }
  }
  return result;
}

namespace {

// Every number has finite bounds, also where a declaration names none: what is larger is no setting, and 1e39 is not
// even a number in the precision of templates.
constexpr double largest_parameter = 1 << 30;

template <class Number>
Number parse_value(const Parameter& parameter, const std::string& where, const std::string& text) {
  Number value{};
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || stop != text.data() + text.size()) {
    throw_usage(where, fmt::format("'{}' is not {}", text,
                                   parameter.type == ParameterType::integer ? "an integer" : "a number"));
  }
  return value;
}

void check_value(const Declaration& declaration, const Parameter& parameter, const std::string& text) {
  const std::string where = declaration.name + ":" + parameter.name;
  if (parameter.type == ParameterType::choice) {
    if (std::find(parameter.choices.begin(), parameter.choices.end(), text) == parameter.choices.end()) {
      throw_usage(where, "'" + text + "' is not one of its values", suggest(text, parameter.choices));
    }
    return;
  }
  if (parameter.type == ParameterType::text || parameter.type == ParameterType::command || names_file(parameter.type))
    return;
  const double value = parameter.type == ParameterType::integer
                           ? static_cast<double>(parse_value<std::int64_t>(parameter, where, text))
                           : parse_value<double>(parameter, where, text);
  const double low = std::max(parameter.low, -largest_parameter), high = std::min(parameter.high, largest_parameter);
  if (!std::isfinite(value) || value < low || value > high) {
    throw_usage(where, fmt::format("{} is outside of [{}, {}]", text, low, high));
  }
}

/// How a value is written where others read it.
std::string called_by(const Declaration& declaration, const Parameter& parameter, const std::string& value) {
  if (parameter.type == ParameterType::command) return called_command(value, {});
  if (!names_file(parameter.type) || std::ranges::find(parameter.choices, value) != parameter.choices.end())
    return value;
  const bool key = parameter.type == ParameterType::key;
  if (auto called = key ? called_key(value) : called_by_contents(value, parameter.type == ParameterType::file))
    return *called;
  // Records name files that may lie elsewhere; whoever reads them complains. A key that fell silent would be another
  // key.
  if (parameter.type == ParameterType::file) return value;
  throw_usage(declaration.name + ":" + parameter.name,
              fmt::format("'{}' cannot be read as a {}", value, key ? "file" : "folder"));
}

/// A share in percent as a plain number, so that a setting has one name.
std::string plain(const Parameter& parameter, const std::string& text) {
  const bool share = parameter.type == ParameterType::real && parameter.low == 0 && parameter.high == 1;
  if (!share || !text.ends_with('%')) return text;
  const std::optional<double> value = parse_share(text);
  return value ? fmt::format("{}", *value) : text;
}

}  // namespace

std::optional<double> parse_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return percent ? value / 100 : value;
}

std::vector<std::string> split_specifications(std::string_view text) {
  std::vector<std::string> specifications;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(end_of_part(text, begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const bool value = part.find('=') < part.find(':');
    if (value && !specifications.empty()) {
      specifications.back() += "," + std::string(part);
    } else {
      specifications.emplace_back(part);
    }
    begin = end + 1;
  }
  return specifications;
}

Parameters::Parameters(const Declaration& declaration, const Specification& specification) {
  std::vector<std::string> known;
  for (const auto& parameter : declaration.parameters) known.push_back(parameter.name);
  for (const auto& [name, value] : specification.values) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw_usage(declaration.name, "no parameter '" + name + "'",
                  known.empty() ? "it has no parameters" : suggest(name, known));
    }
  }
  resolved_ = brief_ = declaration.name;
  for (const auto& parameter : declaration.parameters) {
    const auto given = specification.values.find(parameter.name);
    const std::string value =
        plain(parameter, given == specification.values.end() ? parameter.default_value : given->second);
    check_value(declaration, parameter, value);
    values_[parameter.name] = names_file(parameter.type) ? place_of(value) : value;
    if (parameter.type == ParameterType::command) values_[parameter.name] = placed_command(value);
    if (value.empty()) continue;  // an optional text that was not given
    // A program may write into what its command names: the run that has begun calls it as it was.
    const bool command = parameter.type == ParameterType::command;
    const std::string called = called_by(declaration, parameter, command ? value : values_[parameter.name]);
    append_value(resolved_, parameter.name, called);
    if (value != parameter.default_value) append_value(brief_, parameter.name, called);
  }
}

const std::string& Parameters::text(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  BAUTA_ASSERT(found != values_.end());
  return found->second;
}

std::int64_t Parameters::integer(std::string_view name) const {
  const std::string& value = text(name);
  std::int64_t result = 0;
  std::from_chars(value.data(), value.data() + value.size(), result);
  return result;
}

double Parameters::real(std::string_view name) const {
  const std::string& value = text(name);
  double result = 0;
  std::from_chars(value.data(), value.data() + value.size(), result);
  return result;
}

std::string Parameters::fill(std::string pattern) const {
  for (const auto& [name, value] : values_) {
    const std::string hole = "{" + name + "}";
    for (std::size_t at = pattern.find(hole); at != std::string::npos; at = pattern.find(hole, at + value.size())) {
      pattern.replace(at, hole.size(), value);
    }
  }
  return pattern;
}

}  // namespace bauta
