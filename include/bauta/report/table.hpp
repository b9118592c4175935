// A table that is written three times: exact numbers for programs (CSV), rounded with intervals for papers (TeX) and
// for the page (HTML).
#pragma once

#include <string>
#include <vector>

#include "bauta/report/results.hpp"

namespace bauta::report {

struct Table {
  enum class Align { left, right };
  struct Column {
    std::string head;
    Align align = Align::right;
  };
  struct Cell {
    std::string text;
    std::string detail;  ///< smaller, below or behind the text: an interval
    bool starred =
        false;  ///< the most successful attack, or a value to be read with the table's notes; never colour alone
  };
  struct Row {
    std::vector<Cell> cells;
    bool marked = false;  ///< stands out, and says so in words in one of its cells
  };

  std::string name;  ///< file name without ending
  std::string caption;
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::string note;  ///< what stars and daggers mean

  std::vector<std::string> csv_head;
  std::vector<std::vector<std::string>> csv_rows;
};

/// Text cell, or a rate with its interval as the detail.
Table::Cell cell(std::string text, std::string detail = {});
Table::Cell rate_cell(Number rate, const std::optional<Interval>& ci = std::nullopt);
/// The same for a rate that may be near 1 as well as near 0.
Table::Cell mixture_cell(Number rate, const std::optional<Interval>& ci = std::nullopt);
Table::Cell decimal_cell(Number value, const std::optional<Interval>& ci, int decimals);
/// Name of a series, and a word about clear data.
Table::Cell series_cell(const Series& series);
/// "15.8 %" with "[10.0, 21.0] of 47.4 %": the interval and what is reachable.
Table::Cell suppression_cell(const std::optional<Suppression>& suppression);
/// "true", "false", or nothing where it was not looked at; for CSV.
std::string health_word(const std::optional<bool>& healthy);
/// Both bounds as fields of a CSV row, empty where there is no interval.
void add_interval(std::vector<std::string>& row, const std::optional<Interval>& ci);

std::string to_csv(const Table& table);
/// A floating table with booktabs rules.
std::string to_tex(const Table& table);
/// Scrolls sideways by itself, so that a phone keeps the page in place; the first column is the row's header.
std::string to_html(const Table& table);

/// How well each technique still recognises people.
Table recognition_table(const std::vector<RunResults>& runs);
/// The most successful attack on each technique and attribute, beside chance and the clear-data ceiling.
Table leakage_table(const std::vector<RunResults>& runs);
/// Every attack that was tried.
Table attack_table(const std::vector<RunResults>& runs);
/// One row per technique: recognition and the best attack of each kind.
Table summary_table(const std::vector<RunResults>& runs);
/// Every estimator between its floor and its ceiling, and what protection took from it.
Table estimator_table(const std::vector<RunResults>& runs);
/// Can the attacks be trusted: null controls and planted leaks.
Table health_table(const std::vector<RunResults>& runs);
/// Continuous attributes, guessed as numbers.
Table regression_table(const std::vector<RunResults>& runs);
/// What protection took from the attacker beside what it took from recognition.
Table privacy_table(const std::vector<RunResults>& runs);
/// What is in the folds.
Table protocol_table(const std::vector<RunResults>& runs);
/// Attackers who see decisions only, by number of queries.
Table decisions_table(const std::vector<RunResults>& runs);
/// One person under two keys.
Table linkage_table(const std::vector<RunResults>& runs);
/// What inversion brings back.
Table recovery_table(const std::vector<RunResults>& runs);
/// Every anonymised setting: what it is good for, and what attackers leave of its mixture.
Table anonymity_table(const std::vector<RunResults>& runs);
/// Every attacker on every anonymised setting.
Table reidentifier_table(const std::vector<RunResults>& runs);
/// What estimators and attackers reach on clear data.
Table clear_level_table(const std::vector<RunResults>& runs);
/// Parameters of anonymised settings, and on how many records they were measured.
Table setting_table(const std::vector<RunResults>& runs);

}  // namespace bauta::report
