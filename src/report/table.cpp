// The three ways to write a table.
#include "bauta/report/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/report/text.hpp"

namespace bauta::report {
namespace {

constexpr const char* star = "†";
// Rows beyond which a table scrolls by itself below its own head.
constexpr std::size_t tall = 30;
// Letters beyond which a detail may break into lines; intervals stay whole.
constexpr std::size_t wide_detail = 28;

std::string csv_line(const std::vector<std::string>& fields) {
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) out += (i ? "," : "") + escape_csv(fields[i]);
  return out + "\n";
}

// A technique's text is one long word; it may break where its parameters begin.
std::string breakable(std::string_view text) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t next = std::min(text.find_first_of(":,", from), text.size() - 1) + 1;
    out += (from ? "<wbr>" : "") + escape_html(text.substr(from, next - from));
    from = next;
  }
  return out;
}

const char* align_class(const Table::Column& column) {
  return column.align == Table::Align::left ? "left" : "right";
}

}  // namespace

Table::Cell cell(std::string text, std::string detail) {
  return {std::move(text), std::move(detail), false};
}

Table::Cell rate_cell(Number rate, const std::optional<Interval>& ci) {
  const std::string value = percent(rate);
  const std::string whole = percent(rate, ci);
  return {value, whole.size() > value.size() ? whole.substr(value.size() + 1) : std::string(), false};
}

Table::Cell mixture_cell(Number rate, const std::optional<Interval>& ci) {
  const std::string value = precise_percent(rate);
  const std::string whole = precise_percent(rate, ci);
  return cell(value, whole.size() > value.size() ? whole.substr(value.size() + 1) : "");
}

Table::Cell decimal_cell(Number value, const std::optional<Interval>& ci, int decimals) {
  return cell(decimal(value, decimals),
              ci ? fmt::format("[{}, {}]", decimal(ci->low, decimals), decimal(ci->high, decimals)) : std::string());
}

Table::Cell series_cell(const Series& series) {
  return cell(series.label, series.clear() ? "clear data" : "");
}

Table::Cell suppression_cell(const std::optional<Suppression>& suppression) {
  if (!suppression) return cell("–");
  Table::Cell out = rate_cell(suppression->value, suppression->ci);
  if (suppression->reachable) {
    out.detail += fmt::format("{}of {}", out.detail.empty() ? "" : " ", percent(suppression->reachable));
  }
  return out;
}

std::string health_word(const std::optional<bool>& healthy) {
  if (!healthy) return {};
  return *healthy ? "true" : "false";
}

void add_interval(std::vector<std::string>& row, const std::optional<Interval>& ci) {
  row.push_back(ci ? exact(ci->low) : std::string());
  row.push_back(ci ? exact(ci->high) : std::string());
}

std::string to_csv(const Table& table) {
  std::string out = csv_line(table.csv_head);
  for (const auto& row : table.csv_rows) {
    BAUTA_ASSERT(row.size() == table.csv_head.size());
    out += csv_line(row);
  }
  return out;
}

std::string to_tex(const Table& table) {
  std::string columns;
  std::string head;
  for (const Table::Column& column : table.columns) {
    columns += column.align == Table::Align::left ? 'l' : 'r';
    head += (head.empty() ? "" : " & ") + escape_tex(column.head);
  }
  std::string out = fmt::format(
      "% needs \\usepackage{{booktabs}} and UTF-8 input\n\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n"
      "  \\label{{tab:{}}}\n  \\begin{{tabular}}{{{}}}\n    \\toprule\n    {} \\\\\n    \\midrule\n",
      escape_tex(table.caption), table.name, columns, head);
  for (const Table::Row& row : table.rows) {
    std::string line;
    for (const Table::Cell& item : row.cells) {
      std::string text = escape_tex(item.text);
      if (item.starred) text += "\\textsuperscript{\\dag}";
      if (!item.detail.empty()) text += " {\\small " + escape_tex(item.detail) + "}";
      if (row.marked) text = "\\textbf{" + text + "}";
      line += (line.empty() ? "" : " & ") + text;
    }
    out += "    " + line + " \\\\\n";
  }
  out += "    \\bottomrule\n  \\end{tabular}\n";
  if (!table.note.empty()) out += "  \\par\\smallskip\\footnotesize " + escape_tex(table.note) + "\n";
  return out + "\\end{table}\n";
}

std::string to_html(const Table& table) {
  std::string out = fmt::format(
      "<div class=\"table{2}\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">\n<table id=\"table-{1}\">\n"
      "<caption><span>{0}</span></caption>\n<thead><tr>",
      escape_html(table.caption), table.name, table.rows.size() > tall ? " tall" : "");
  for (const Table::Column& column : table.columns) {
    out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", align_class(column), escape_prose(column.head));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const Table::Row& row : table.rows) {
    BAUTA_ASSERT(row.cells.size() == table.columns.size());
    out += row.marked ? "<tr class=\"marked\">" : "<tr>";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Table::Cell& item = row.cells[i];
      const std::string tag = i == 0 ? "th scope=\"row\"" : "td";
      std::string text = i == 0 ? breakable(item.text) : escape_html(item.text);
      if (item.starred) text += fmt::format("<abbr title=\"see the note below the table\">{}</abbr>", star);
      if (!item.detail.empty()) {
        const bool wraps = item.detail.size() > wide_detail;
        text += (wraps ? " <small class=\"long\">" : " <small>") + escape_html(item.detail) + "</small>";
      }
      out += fmt::format("<{} class=\"{}\">{}</{}>", tag, align_class(table.columns[i]), text, tag.substr(0, 2));
    }
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n</div>\n";
  if (!table.note.empty()) out += "<p class=\"note\">" + escape_html(table.note) + "</p>\n";
  return out;
}

}  // namespace bauta::report
