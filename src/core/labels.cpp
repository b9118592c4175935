#include "bauta/core/labels.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr std::size_t max_classes_of_numbers = 20;

std::optional<double> parse_number(const std::string& text) {
  double value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, status] = std::from_chars(begin, end, value);
  if (status != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::size_t> Categorical::counts() const {
  std::vector<std::size_t> count(classes.size(), 0);
  for (const std::int32_t code : codes) {
    if (code >= 0) ++count[static_cast<std::size_t>(code)];
  }
  return count;
}

void LabelTable::add_column(std::string name, std::vector<std::string> values) {
  BAUTA_ASSERT(values.size() == rows_);
  if (has(name)) throw_input(origin_, "column '" + name + "' appears twice", "rename one of them");
  names_.push_back(std::move(name));
  columns_.push_back(std::move(values));
}

void LabelTable::replace_column(std::string_view name, std::vector<std::string> values) {
  BAUTA_ASSERT(values.size() == rows_);
  const auto place = static_cast<std::size_t>(&column(name) - columns_.data());
  columns_[place] = std::move(values);
}

void LabelTable::set_column(const std::string& name, std::vector<std::string> values) {
  has(name) ? replace_column(name, std::move(values)) : add_column(name, std::move(values));
}

bool LabelTable::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

const std::vector<std::string>& LabelTable::column(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw_usage(origin_, "no column '" + std::string(name) + "'", suggest(name, names_));
  return columns_[static_cast<std::size_t>(found - names_.begin())];
}

Categorical LabelTable::categorical(std::string_view name) const {
  const auto& values = column(name);
  Categorical result;
  std::unordered_set<std::string_view> seen;
  for (const auto& value : values) {
    if (!value.empty() && seen.insert(value).second) result.classes.push_back(value);
  }
  const bool numeric = std::all_of(result.classes.begin(), result.classes.end(),
                                   [](const auto& text) { return parse_number(text).has_value(); });
  std::sort(result.classes.begin(), result.classes.end(), [&](const auto& a, const auto& b) {
    if (numeric) {
      const double x = *parse_number(a);
      const double y = *parse_number(b);
      if (x != y) return x < y;
    }
    return a < b;
  });
  std::unordered_map<std::string_view, std::int32_t> code_of;
  for (std::size_t i = 0; i < result.classes.size(); ++i) code_of[result.classes[i]] = static_cast<std::int32_t>(i);
  result.codes.reserve(values.size());
  for (const auto& value : values) result.codes.push_back(value.empty() ? -1 : code_of.at(value));
  return result;
}

std::vector<double> LabelTable::numbers(std::string_view name) const {
  const auto& values = column(name);
  std::vector<double> result(values.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty()) continue;
    const auto number = parse_number(values[i]);
    if (!number) {
      throw_input(origin_ + " row " + std::to_string(row_there(i) + 1),
                  "'" + values[i] + "' in column '" + std::string(name) + "' is not a number");
    }
    result[i] = *number;
  }
  return result;
}

ColumnKind LabelTable::kind(std::string_view name) const {
  std::unordered_set<double> distinct;
  for (const auto& value : column(name)) {
    if (value.empty()) continue;
    const auto number = parse_number(value);
    if (!number) return ColumnKind::categorical;
    distinct.insert(*number);
  }
  return distinct.size() > max_classes_of_numbers ? ColumnKind::continuous : ColumnKind::categorical;
}

LabelTable LabelTable::select(const std::vector<std::size_t>& rows) const {
  LabelTable part(origin_, rows.size());
  part.rows_there_ = rows_there_;
  part.places_.reserve(rows.size());
  for (const std::size_t row : rows) part.places_.push_back(row_there(row));
  for (std::size_t c = 0; c < names_.size(); ++c) {
    std::vector<std::string> values;
    values.reserve(rows.size());
    for (const std::size_t row : rows) values.push_back(columns_[c].at(row));
    part.add_column(names_[c], std::move(values));
  }
  return part;
}

LabelTable LabelTable::with_origin(std::string origin) const {
  LabelTable renamed = *this;
  renamed.origin_ = std::move(origin);
  return renamed;
}

}  // namespace bauta
