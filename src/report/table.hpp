// A table that is written four times: exact numbers for programs (CSV, JSON), rounded with intervals for papers (TeX)
// and for the page (HTML).
#pragma once

#include <string>
#include <vector>

#include "ranking.hpp"
#include "series.hpp"
#include "values.hpp"

namespace bauta::report {

struct Table {
  enum class Align { left, right };
  struct Column {
    std::string head;
    Align align = Align::right;
  };
  struct Cell {
    std::string text;
    std::string detail = {};  ///< smaller, below or behind the text: an interval
    bool starred = false;     ///< to be read with the table's notes; never colour alone
  };
  struct Row {
    std::vector<Cell> cells = {};
    Json record = Json::object();  ///< exact values by name, for programs
    bool marked = false;           ///< stands out, and says so in words in one of its cells
  };

  std::string name;  ///< file name without ending
  std::string caption;
  std::string note = {};  ///< what stars and daggers mean
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};

  /// Tables without values for programs stand on the page only.
  [[nodiscard]] bool has_file() const { return !rows.empty() && !rows.front().record.empty(); }
};

/// Adds a row, column by column. Each call gives the head of the column, what people read, and the exact values under
/// their names; the first row makes the columns, and the others must have the same.
class Row {
 public:
  explicit Row(Table& table);

  /// For people and for programs.
  Row& text(const std::string& head, const char* name, const std::string& value, const std::string& detail = {});
  Row& count(const std::string& head, const char* name, Number value);
  Row& rate(const std::string& head, const std::string& name, Number value);
  Row& rate(const std::string& head, const std::string& name, const Measured& value);
  /// The same for rates that may be near 1 as well as near 0.
  Row& precise(const std::string& head, const std::string& name, Number value);
  Row& precise(const std::string& head, const std::string& name, const Measured& value);
  Row& decimal(const std::string& head, const std::string& name, Number value, int decimals);
  Row& decimal(const std::string& head, const std::string& name, const Measured& value, int decimals);
  /// In its unit: percent for rates, bits as bits.
  Row& value(const std::string& head, const std::string& name, const Measured& value, const std::string& unit);
  /// The technique, with a word about clear data; run, technique and variant for programs.
  Row& series(const Series& series);
  /// "15.8 %" with "[10.0, 21.0] of 47.4 %": what protection took, and what there was to take down to chance.
  Row& suppression(const Measured& suppression, Number reachable);
  /// "healthy", "unhealthy†", "not checked"; without a head for programs only.
  Row& health(const char* head, const std::optional<bool>& healthy);

  /// For people only.
  Row& show(const std::string& head, Table::Cell cell, Table::Align align = Table::Align::right);
  /// For programs only; an interval becomes two fields.
  Row& field(const std::string& name, Json value);
  Row& field(const std::string& name, Number value);
  Row& field(const std::string& name, const Measured& value);

  /// Of the cell that was shown last.
  Row& star(bool starred);
  Row& detail(const std::string& more);
  Row& mark(bool marked);

 private:
  Table& table_;
  std::size_t row_;
};

/// A rate in percent with its interval as the detail; decimals likewise.
Table::Cell rate_cell(const Measured& rate);
Table::Cell precise_cell(const Measured& rate);
Table::Cell decimal_cell(const Measured& value, int decimals);
Table::Cell value_cell(const Measured& value, const std::string& unit);
/// The text and its detail in one line.
std::string plain(const Table::Cell& cell);

std::string to_csv(const Table& table);
/// A list of records.
std::string to_json(const Table& table);
/// A floating table with booktabs rules.
std::string to_tex(const Table& table);
/// Scrolls sideways by itself, so that a phone keeps the page in place; the first column is the row's header.
std::string to_html(const Table& table);

}  // namespace bauta::report
