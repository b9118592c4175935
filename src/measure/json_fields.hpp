// Fields of a JSON document, written where there is a value and read with patience.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "bauta/core/json.hpp"
#include "bauta/measure/intervals.hpp"

namespace bauta {

inline Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}
inline Json or_null(const std::optional<Interval>& ci) {
  return ci ? Json({ci->low, ci->high}) : Json(nullptr);
}
inline Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

/// The field of an object, or null.
inline const Json& field(const Json& object, const char* name) {
  static const Json none;
  const auto found = object.find(name);
  return object.is_object() && found != object.end() ? *found : none;
}
/// Finite numbers only.
inline std::optional<double> read_number(const Json& json) {
  if (!json.is_number() || !std::isfinite(json.get<double>())) return std::nullopt;
  return json.get<double>();
}
inline std::string read_text(const Json& json) {
  return json.is_string() ? json.get<std::string>() : std::string();
}
inline std::optional<Interval> read_interval(const Json& json) {
  if (!json.is_array() || json.size() != 2) return std::nullopt;
  const auto low = read_number(json[0]), high = read_number(json[1]);
  return low && high ? std::optional(Interval{*low, *high}) : std::nullopt;
}

}  // namespace bauta
