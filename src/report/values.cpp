// Fields of a JSON document that somebody else wrote.
#include "bauta/report/values.hpp"

#include <cmath>

namespace bauta::report {

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

Number number(const Json& object, const char* name) {
  return number_of(field(object, name));
}

bool is_true(const Json& object, const char* name) {
  const Json& value = field(object, name);
  return value.is_boolean() && value.get<bool>();
}

std::string plain_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? std::string() : value.dump();
}

std::string text(const Json& object, const char* name) {
  return plain_text(field(object, name));
}

std::vector<std::string> texts(const Json& object, const char* name) {
  std::vector<std::string> out;
  const Json& list = field(object, name);
  if (list.is_string()) out.push_back(list.get<std::string>());
  if (!list.is_array()) return out;
  for (const Json& item : list) out.push_back(plain_text(item));
  return out;
}

std::vector<double> numbers(const Json& object, const char* name) {
  std::vector<double> out;
  const Json& list = field(object, name);
  if (!list.is_array()) return out;
  for (const Json& item : list) {
    const Number value = number_of(item);
    if (!value) return {};
    out.push_back(*value);
  }
  return out;
}

std::optional<Interval> interval(const Json& object, const char* name) {
  const std::vector<double> bounds = numbers(object, name);
  if (bounds.size() != 2) return std::nullopt;
  return Interval{bounds[0], bounds[1]};
}

void keep_unknown(const Json& object, const std::set<std::string_view>& known, const Json& key, Json& rest) {
  Json unknown = Json::object();
  if (object.is_object()) {
    for (const auto& [name, value] : object.items()) {
      if (!known.contains(name)) unknown[name] = value;
    }
  }
  if (!unknown.empty()) rest.push_back({{"key", key}, {"values", std::move(unknown)}});
}

}  // namespace bauta::report
