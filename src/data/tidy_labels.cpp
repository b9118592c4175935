#include "tidy_labels.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <utf8proc.h>

#include "bauta/core/error.hpp"
#include "bauta/data/dataset.hpp"
#include "text.hpp"

namespace bauta {

namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Spaces, controls, and the marks of no width that editors and spreadsheets leave.
bool is_blank(utf8proc_int32_t point) {
  if (point <= 0x20 || (point >= 0x7f && point <= 0xa0) || point == 0x200b || point == 0xfeff) return true;
  const utf8proc_category_t category = utf8proc_category(point);
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

const utf8proc_uint8_t* bytes(std::string_view text) {
  return reinterpret_cast<const utf8proc_uint8_t*>(text.data());
}

std::string_view trimmed(std::string_view text) {
  utf8proc_int32_t point = 0;
  while (!text.empty()) {
    const auto length = utf8proc_iterate(bytes(text), static_cast<utf8proc_ssize_t>(text.size()), &point);
    if (length <= 0 || !is_blank(point)) break;
    text.remove_prefix(static_cast<std::size_t>(length));
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
    const std::string_view last = text.substr(start);
    const auto length = utf8proc_iterate(bytes(last), static_cast<utf8proc_ssize_t>(last.size()), &point);
    if (length <= 0 || !is_blank(point)) break;
    text.remove_suffix(last.size());
  }
  return text;
}

std::string composed(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t length = utf8proc_map(bytes(text), static_cast<utf8proc_ssize_t>(text.size()), &made,
                                               static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  BAUTA_ASSERT(length >= 0);  // readers let well-formed text pass only
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(length)};
}

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

/// "1" for "1.0", as tables write whole numbers of a column that lacks one.
std::string_view whole_number(std::string_view text) {
  const std::size_t point = text.find('.');
  std::string_view digits = text.substr(0, point);
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const bool whole = point != std::string_view::npos && !digits.empty() &&
                     digits.find_first_not_of("0123456789") == std::string_view::npos &&
                     text.find_first_not_of('0', point + 1) == std::string_view::npos;
  return whole ? text.substr(0, point) : text;
}

void tidy_names(LabelTable& labels) {
  const std::vector<std::string>& names = labels.names();
  if (std::all_of(names.begin(), names.end(), [](const std::string& name) { return tidy_text(name) == name; })) return;
  LabelTable renamed(labels.origin(), labels.rows());
  for (const std::string& name : names) renamed.add_column(tidy_text(name), labels.column(name));
  labels = std::move(renamed);
}

}  // namespace

std::vector<std::string> missing_words() {
  return {"NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "None", "NULL", "null", "-"};
}

std::string tidy_text(std::string_view text) {
  return composed(trimmed(text));
}

void tidy_labels(LabelTable& labels, const std::vector<std::string>& missing, std::vector<std::string>& remarks) {
  tidy_names(labels);
  std::set<std::string, std::less<>> words;
  for (const std::string& word : missing) words.insert(tidy_text(word));
  Changes unknown, changed, whole;
  for (const std::string& name : labels.names()) {
    if (name == "file" || name == "failed") continue;
    const std::vector<std::string>& column = labels.column(name);
    std::vector<std::string> values;  // none before the first that changes
    std::size_t removed = 0, rewritten = 0, shortened = 0;
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (column[row].empty()) continue;
      std::string tidy = tidy_text(column[row]);
      if (tidy.empty() || words.contains(tidy)) {
        tidy.clear();
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
    if (!values.empty()) labels.replace_column(name, std::move(values));
    unknown.add(name, removed);
    changed.add(name, rewritten);
    whole.add(name, shortened);
  }
  if (!unknown.empty()) {
    remarks.push_back(fmt::format("values taken as missing: {} (blanks{}{}; --missing changes the list)",
                                  unknown.text(), missing.empty() ? "" : ", ", join(missing, ", ")));
  }
  if (!changed.empty()) {
    remarks.push_back("values without the blanks around them, or with composed letters: " + changed.text());
  }
  if (!whole.empty()) remarks.push_back("whole numbers written with decimals (1.0) are read as 1: " + whole.text());
}

}  // namespace bauta
