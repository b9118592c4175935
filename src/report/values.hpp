// Reading a JSON document with patience: what is absent or of the wrong kind is empty, never an error.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bauta/core/json.hpp"
#include "bauta/measure/intervals.hpp"

namespace bauta::report {

using Number = std::optional<double>;
using Names = std::vector<std::string>;

/// A number with its 95 % interval.
struct Measured {
  Number value = std::nullopt;
  std::optional<Interval> ci = std::nullopt;
};

/// What a cell shows; remembers which fields were asked for, so that nothing else is lost.
class Values {
 public:
  Values() = default;
  explicit Values(Json values) : json_(std::move(values)) {}

  [[nodiscard]] const Json& at(const char* name) const;
  /// Fields that nobody asked for.
  [[nodiscard]] Json unread() const;

 private:
  Json json_;
  mutable std::set<std::string, std::less<>> asked_;
};

/// The field of an object, or null.
const Json& field(const Json& object, const char* name);
inline const Json& field(const Values& values, const char* name) {
  return values.at(name);
}

/// Finite numbers only.
Number number_of(const Json& value);
std::string text_of(const Json& value);
Names texts_of(const Json& value);
/// All numbers or nothing: a hole in the middle would shift what follows.
std::vector<double> numbers_of(const Json& value);
std::optional<Interval> interval_of(const Json& value);
std::optional<bool> flag_of(const Json& value);
/// Numbers by their names.
std::vector<std::pair<std::string, double>> named_numbers_of(const Json& value);

/// The objects of a list.
std::vector<const Json*> objects_of(const Json& value);

Number number(const auto& object, const char* name) {
  return number_of(field(object, name));
}
std::string text(const auto& object, const char* name) {
  return text_of(field(object, name));
}
Names texts(const auto& object, const char* name) {
  return texts_of(field(object, name));
}
std::vector<double> numbers(const auto& object, const char* name) {
  return numbers_of(field(object, name));
}
std::vector<const Json*> objects(const auto& object, const char* name) {
  return objects_of(field(object, name));
}
std::optional<Interval> interval(const auto& object, const char* name = "ci") {
  return interval_of(field(object, name));
}
/// True only where the file says so.
bool is_true(const auto& object, const char* name) {
  return flag_of(field(object, name)) == true;
}
/// A number and, beside it, its interval; neither without the number.
Measured measured(const auto& object, const char* name = "value", const char* ci = "ci") {
  const Number value = number(object, name);
  return value ? Measured{value, interval(object, ci)} : Measured{};
}

void add_once(Names& list, const std::string& item);
/// "a, b, c".
std::string joined(const Names& names, const char* separator = ", ");

}  // namespace bauta::report
