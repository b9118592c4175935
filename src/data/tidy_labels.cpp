#include "tidy_labels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/data/dataset.hpp"
#include "bauta/data/label_files.hpp"
#include "text.hpp"
#include "tidy_text.hpp"

namespace bauta {

namespace {

/// What was changed in which columns: "3 of 'age', 1 of 'gender'".
class Changes {
 public:
  void add(const std::string& column, std::size_t count) {
    if (count > 0) columns_.push_back(fmt::format("{} of '{}'", count, column));
  }
  [[nodiscard]] bool empty() const { return columns_.empty(); }
  [[nodiscard]] std::string text() const { return join(columns_, ", "); }

 private:
  std::vector<std::string> columns_;
};

/// Texts that are no values where all others are finite numbers, which is known at the end of a column.
class AmongNumbers {
 public:
  explicit AmongNumbers(const MissingWords& words) : words_(words) {}

  void add(std::string_view tidy, std::size_t row) {
    if (words_.contains_among_numbers(tidy)) {
      rows_.push_back(row);
    } else if (only_numbers_) {
      const auto number = parse_number(tidy);
      only_numbers_ = number && std::isfinite(*number);
      numbers_ = true;
    }
  }
  [[nodiscard]] std::vector<std::size_t> missing() const {
    return only_numbers_ && numbers_ ? rows_ : std::vector<std::size_t>();
  }

 private:
  const MissingWords& words_;
  std::vector<std::size_t> rows_;
  bool only_numbers_ = true, numbers_ = false;
};

void tidy_names(LabelTable& labels) {
  const std::vector<std::string>& names = labels.names();
  if (std::all_of(names.begin(), names.end(), [](const std::string& name) { return tidy_text(name) == name; })) return;
  LabelTable renamed(labels.origin(), labels.rows());
  for (const std::string& name : names) renamed.add_column(tidy_text(name), labels.column(name));
  labels = std::move(renamed);
}

/// All spellings of each number of a column; none where something else stands in it, too.
std::map<double, std::set<std::string>> spellings_of(const std::vector<std::string>& column) {
  std::map<double, std::set<std::string>> spellings;
  for (const std::string& value : column) {
    if (value.empty()) continue;
    const auto number = parse_number(value);
    if (!number || !std::isfinite(*number)) return {};
    spellings[*number].insert(value);
  }
  return spellings;
}

bool is_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::vector<std::string> missing_words() {
  return {"NA", "N/A", "#N/A", "<NA>", "NaN", "None", "NULL", "-"};
}

void tidy_labels(LabelTable& labels, const std::vector<std::string>& missing, std::vector<std::string>& remarks) {
  tidy_names(labels);
  const MissingWords words(missing);
  Changes unknown, changed, whole;
  for (const std::string& name : labels.names()) {
    if (name == "file" || name == "failed") continue;
    const std::vector<std::string>& column = labels.column(name);
    std::unordered_map<std::string_view, std::string> known;  // what is not ASCII takes long and is often repeated
    const auto tidied = [&](const std::string& value) {
      if (is_tidy_ascii(value)) return words.contains(value) ? std::string() : value;
      const auto [place, fresh] = known.try_emplace(value);
      if (fresh) place->second = tidy_text(value);
      if (fresh && words.contains(place->second)) place->second.clear();
      return place->second;
    };
    std::vector<std::string> values;  // none before the first that changes
    std::size_t removed = 0, rewritten = 0, shortened = 0;
    AmongNumbers among_numbers(words);
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (column[row].empty()) continue;
      std::string tidy = tidied(column[row]);
      if (!tidy.empty()) among_numbers.add(tidy, row);
      if (tidy.empty()) {
        ++removed;
      } else if (const std::string_view number = whole_number(tidy); number != tidy) {
        tidy.resize(number.size());
        ++shortened;
      } else if (tidy != column[row]) {
        ++rewritten;
      } else {
        continue;
      }
      if (values.empty()) values = column;
      values[row] = std::move(tidy);
    }
    for (const std::size_t row : among_numbers.missing()) {
      if (values.empty()) values = column;
      values[row].clear();
      ++removed;
    }
    if (!values.empty()) labels.replace_column(name, std::move(values));
    unknown.add(name, removed);
    changed.add(name, rewritten);
    whole.add(name, shortened);
  }
  if (!unknown.empty()) {
    remarks.push_back(fmt::format("values taken as missing: {} (blanks{}; --missing changes the list)", unknown.text(),
                                  missing.empty() ? "" : ", " + join(missing, ", ") + ", in capitals or not"));
  }
  if (!changed.empty()) remarks.push_back(fmt::format("values {}: {}", in_one_spelling, changed.text()));
  if (!whole.empty()) remarks.push_back("whole numbers written with decimals (1.0) are read as 1: " + whole.text());
}

void unite_numbers(LabelTable& labels, const std::string& identity, std::vector<std::string>& remarks) {
  Changes united;
  for (const std::string& name : labels.names()) {
    if (name == "file" || name == "failed" || name == "id" || name == identity || names_identities(name)) continue;
    if (labels.kind(name) == ColumnKind::continuous) continue;  // measured, and no class
    std::unordered_map<std::string, std::string> other;         // of each spelling that is not the usual one
    for (const auto& [number, spellings] : spellings_of(labels.column(name))) {
      const std::string usual = fmt::format("{}", number == 0 ? 0.0 : number);
      if (spellings.size() == 1 && is_digits(*spellings.begin())) continue;
      for (const std::string& spelling : spellings) {
        if (spelling != usual) other[spelling] = usual;
      }
    }
    if (other.empty()) continue;
    std::vector<std::string> values = labels.column(name);
    std::size_t changed = 0;
    for (std::string& value : values) {
      const auto found = other.find(value);
      if (found == other.end()) continue;
      value = found->second;
      ++changed;
    }
    labels.replace_column(name, std::move(values));
    united.add(name, changed);
  }
  if (!united.empty()) remarks.push_back("equal numbers are one class (0.50 is 0.5): " + united.text());
}

}  // namespace bauta
