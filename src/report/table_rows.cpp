// What people and programs read in a row.
#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "table.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

// "86.3 % [84.1, 88.2]" cut behind the value.
Table::Cell cut(const std::string& value, const std::string& whole) {
  return {value, whole.size() > value.size() ? whole.substr(value.size() + 1) : std::string()};
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "–" : text;
}

}  // namespace

Table::Cell rate_cell(const Measured& rate) {
  return cut(percent(rate.value), percent(rate.value, rate.ci));
}

Table::Cell precise_cell(const Measured& rate) {
  return cut(precise_percent(rate.value), precise_percent(rate.value, rate.ci));
}

Table::Cell decimal_cell(const Measured& value, int decimals) {
  const auto digits = [&](double number) { return report::decimal(number, decimals); };
  return {report::decimal(value.value, decimals),
          value.ci ? fmt::format("[{}, {}]", digits(value.ci->low), digits(value.ci->high)) : std::string()};
}

Table::Cell value_cell(const Measured& value, const std::string& unit) {
  if (unit == "rate") return rate_cell(value);
  Table::Cell out = decimal_cell(value, 3);
  if (!unit.empty() && value.value) out.text += " " + unit;
  return out;
}

std::string plain(const Table::Cell& cell) {
  return cell.detail.empty() ? cell.text : cell.text + " " + cell.detail;
}

Row::Row(Table& table) : table_(table), row_(table.rows.size()) {
  table.rows.emplace_back();
}

Row& Row::show(const std::string& head, Table::Cell cell, Table::Align align) {
  std::vector<Table::Cell>& cells = table_.rows[row_].cells;
  if (row_ == 0) table_.columns.push_back({head, align});
  BAUTA_ASSERT(cells.size() < table_.columns.size() && table_.columns[cells.size()].head == head);
  cells.push_back(std::move(cell));
  return *this;
}

Row& Row::field(const std::string& name, Json value) {
  Json& record = table_.rows[row_].record;
  // Classes and attributes have names of their own, which may be a column's.
  std::string free = name;
  while (record.contains(free)) free += "_";
  BAUTA_ASSERT(row_ == 0 || table_.rows.front().record.contains(free));
  record[free] = std::move(value);
  return *this;
}

Row& Row::field(const std::string& name, Number value) {
  return field(name, value ? Json(*value) : Json());
}

Row& Row::field(const std::string& name, const Measured& value) {
  field(name, value.value);
  field(name + "_low", value.ci ? Number(value.ci->low) : std::nullopt);
  return field(name + "_high", value.ci ? Number(value.ci->high) : std::nullopt);
}

Row& Row::text(const std::string& head, const char* name, const std::string& value, const std::string& detail) {
  return show(head, {or_dash(value), detail}, Table::Align::left).field(name, Json(value));
}

Row& Row::count(const std::string& head, const char* name, Number value) {
  return show(head, {grouped(value)}).field(name, value);
}

Row& Row::rate(const std::string& head, const std::string& name, Number value) {
  return show(head, {percent(value)}).field(name, value);
}

Row& Row::rate(const std::string& head, const std::string& name, const Measured& value) {
  return show(head, rate_cell(value)).field(name, value);
}

Row& Row::precise(const std::string& head, const std::string& name, Number value) {
  return show(head, {precise_percent(value)}).field(name, value);
}

Row& Row::precise(const std::string& head, const std::string& name, const Measured& value) {
  return show(head, precise_cell(value)).field(name, value);
}

Row& Row::decimal(const std::string& head, const std::string& name, Number value, int decimals) {
  return show(head, {report::decimal(value, decimals)}).field(name, value);
}

Row& Row::decimal(const std::string& head, const std::string& name, const Measured& value, int decimals) {
  return show(head, decimal_cell(value, decimals)).field(name, value);
}

Row& Row::value(const std::string& head, const std::string& name, const Measured& value, const std::string& unit) {
  return show(head, value_cell(value, unit)).field(name, value);
}

Row& Row::series(const Series& series) {
  field("run", Json(series.run));
  text("Technique", "technique", series.technique, series.unprotected ? "clear data" : "");
  table_.rows[row_].cells.back().text = series.label;
  return field("variant", Json(series.variant));
}

Row& Row::suppression(const Measured& suppression, Number reachable) {
  rate("Suppression", "suppression", suppression);
  if (reachable) detail("of " + percent(reachable));
  return field("reachable", reachable);
}

Row& Row::health(const char* head, const std::optional<bool>& healthy) {
  if (head) {
    show(head, {!healthy ? "not checked" : *healthy ? "healthy" : "unhealthy"}, Table::Align::left);
    star(healthy == false);
  }
  return field("healthy", healthy ? Json(*healthy) : Json());
}

Row& Row::star(bool starred) {
  table_.rows[row_].cells.back().starred = starred;
  return *this;
}

Row& Row::detail(const std::string& more) {
  std::string& text = table_.rows[row_].cells.back().detail;
  if (!more.empty()) text += (text.empty() ? "" : " ") + more;
  return *this;
}

Row& Row::mark(bool marked) {
  table_.rows[row_].marked = marked;
  return *this;
}

}  // namespace bauta::report
