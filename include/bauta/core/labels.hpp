// What is known about each sample, as columns of text; a column becomes classes or numbers when somebody asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bauta {

/// A column as classes: classes are sorted (numerically if all are numbers), code -1 is a missing (empty) value.
struct Categorical {
  std::vector<std::string> classes;
  std::vector<std::int32_t> codes;

  [[nodiscard]] std::vector<std::size_t> counts() const;
};

enum class ColumnKind { categorical, continuous };

class LabelTable {
 public:
  LabelTable() = default;
  /// `origin` is the file that errors name.
  LabelTable(std::string origin, std::size_t rows) : origin_(std::move(origin)), rows_(rows), rows_there_(rows) {}

  void add_column(std::string name, std::vector<std::string> values);
  /// Throws like column() where there is none of that name.
  void replace_column(std::string_view name, std::vector<std::string> values);
  /// Adds it, or replaces the one of that name.
  void set_column(const std::string& name, std::vector<std::string> values);

  [[nodiscard]] const std::string& origin() const { return origin_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// How many rows the origin has, and which of them this is: selections remember.
  [[nodiscard]] std::size_t rows_there() const { return rows_there_; }
  [[nodiscard]] std::size_t row_there(std::size_t row) const { return places_.empty() ? row : places_[row]; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool has(std::string_view name) const;
  /// Throws a usage error that suggests the nearest column.
  [[nodiscard]] const std::vector<std::string>& column(std::string_view name) const;
  [[nodiscard]] Categorical categorical(std::string_view name) const;
  /// Every value must be a number or empty (NaN); otherwise an input error names the row.
  [[nodiscard]] std::vector<double> numbers(std::string_view name) const;
  /// Continuous: all numbers with more than 20 distinct values. Otherwise categorical.
  [[nodiscard]] ColumnKind kind(std::string_view name) const;
  [[nodiscard]] LabelTable select(const std::vector<std::size_t>& rows) const;
  /// The same under another name.
  [[nodiscard]] LabelTable with_origin(std::string origin) const;

 private:
  std::string origin_;
  std::size_t rows_ = 0, rows_there_ = 0;
  std::vector<std::size_t> places_;  // empty: all rows, in order
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> columns_;
};

}  // namespace bauta
