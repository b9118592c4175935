// Fields of a JSON document that somebody else wrote.
#include "values.hpp"

#include <algorithm>
#include <cmath>

namespace bauta::report {

const Json& Values::at(const char* name) const {
  asked_.insert(name);
  return field(json_, name);
}

Json Values::unread() const {
  Json out = Json::object();
  if (!json_.is_object()) return out;
  for (const auto& [name, value] : json_.items()) {
    if (!asked_.contains(name)) out[name] = value;
  }
  return out;
}

const Json& field(const Json& object, const char* name) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

Number number_of(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  return std::isfinite(number) ? Number(number) : std::nullopt;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::string() : value.dump();
}

Names texts_of(const Json& value) {
  Names out;
  if (value.is_string()) out.push_back(value.get<std::string>());
  if (!value.is_array()) return out;
  for (const Json& item : value) out.push_back(text_of(item));
  return out;
}

std::vector<double> numbers_of(const Json& value) {
  std::vector<double> out;
  if (!value.is_array()) return out;
  for (const Json& item : value) {
    const Number number = number_of(item);
    if (!number) return {};
    out.push_back(*number);
  }
  return out;
}

std::vector<const Json*> objects_of(const Json& value) {
  std::vector<const Json*> out;
  if (!value.is_array()) return out;
  for (const Json& item : value) {
    if (item.is_object()) out.push_back(&item);
  }
  return out;
}

std::optional<Interval> interval_of(const Json& value) {
  const std::vector<double> bounds = numbers_of(value);
  if (bounds.size() != 2) return std::nullopt;
  return Interval{bounds[0], bounds[1]};
}

std::optional<bool> flag_of(const Json& value) {
  return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

std::vector<std::pair<std::string, double>> named_numbers_of(const Json& value) {
  std::vector<std::pair<std::string, double>> out;
  if (!value.is_object()) return out;
  for (const auto& [name, item] : value.items()) {
    if (const Number number = number_of(item)) out.emplace_back(name, *number);
  }
  return out;
}

void add_once(Names& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

std::string joined(const Names& names, const char* separator) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : separator) + name;
  return out;
}

}  // namespace bauta::report
