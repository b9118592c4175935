// The four ways to write a table.
#include "table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "text.hpp"

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

std::string to_csv(const Table& table) {
  if (!table.has_file()) return {};
  std::vector<std::string> fields;
  for (const auto& [name, value] : table.rows.front().record.items()) fields.push_back(name);
  std::string out = csv_line(fields);
  for (const Table::Row& row : table.rows) {
    BAUTA_ASSERT(row.record.size() == fields.size());
    std::vector<std::string> line;
    for (const std::string& name : fields) {
      const Json& value = row.record.at(name);
      line.push_back(value.is_number() ? exact(value.get<double>()) : text_of(value));
    }
    out += csv_line(line);
  }
  return out;
}

std::string to_json(const Table& table) {
  Json out = Json::array();
  for (const Table::Row& row : table.rows) out.push_back(row.record);
  return out.dump(1) + "\n";
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
