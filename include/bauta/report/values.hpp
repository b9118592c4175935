// Reading a JSON document with patience: what is absent or of the wrong kind is empty, never an error.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/json.hpp"

namespace bauta::report {

using bauta::Json;
using Number = std::optional<double>;

struct Interval {
  double low = 0;
  double high = 0;
};

/// The field of an object, or null.
const Json& field(const Json& object, const char* name);
/// Finite numbers only.
Number number_of(const Json& value);
Number number(const Json& object, const char* name);
/// True only where the file says so.
bool is_true(const Json& object, const char* name);
std::string plain_text(const Json& value);
std::string text(const Json& object, const char* name);
std::vector<std::string> texts(const Json& object, const char* name);
/// All numbers or nothing: a hole in the middle would shift what follows.
std::vector<double> numbers(const Json& object, const char* name);
std::optional<Interval> interval(const Json& object, const char* name);
/// Fields without a place of their own go to `rest`, under the cell's key.
void keep_unknown(const Json& object, const std::set<std::string_view>& known, const Json& key, Json& rest);

}  // namespace bauta::report
