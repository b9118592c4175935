// Sections as HTML.
#include "section.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "text.hpp"

namespace bauta::report {
namespace {

constexpr std::size_t few_panels = 6;

std::string figure_html(const Figure& figure) {
  return fmt::format(
      "<figure>\n<h3>{}</h3>\n<div class=\"plot\" role=\"img\" tabindex=\"0\" aria-label=\"{}\" "
      "data-figure=\"{}\"></div>\n"
      "<figcaption><p>{}</p></figcaption>\n</figure>\n",
      escape_html(figure.title), escape_html(figure.alt), escape_html(figure.name), escape_prose(figure.caption));
}

std::string part_html(const Section::Part& part) {
  if (const auto* text = std::get_if<std::string>(&part.content)) return *text;
  if (const auto* table = std::get_if<Table>(&part.content)) return to_html(*table);
  return figure_html(std::get<Figure>(part.content));
}

bool is_figure(const Section::Part& part) {
  return std::holds_alternative<Figure>(part.content);
}

std::size_t panels_of(const Figure& figure) {
  return figure.spec.contains("facet") && figure.spec["facet"].contains("sort") ? figure.spec["facet"]["sort"].size()
                                                                                : 1;
}

void drop_empty(std::vector<Figure>& figures) {
  std::erase_if(figures, [](const Figure& figure) { return figure.spec.is_null(); });
}

}  // namespace

void Section::add(Table table, const std::string& fold) {
  if (!table.rows.empty()) parts.push_back({std::move(table), fold});
}

void Section::add_long(Table table, const std::string& fold, std::size_t short_rows) {
  const bool is_long = table.rows.size() > short_rows;
  add(std::move(table), is_long ? fold : "");
}

void Section::add(std::vector<Figure> figures, const std::string& secondary_fold, bool beside) {
  drop_empty(figures);
  std::stable_partition(figures.begin(), figures.end(), [](const Figure& figure) { return !figure.secondary; });
  for (Figure& figure : figures) {
    const std::string fold = figure.secondary ? secondary_fold : "";
    parts.push_back({std::move(figure), fold, beside});
  }
}

void Section::add_panels(std::vector<Figure> figures, const std::string& fold) {
  drop_empty(figures);
  const bool many =
      std::any_of(figures.begin(), figures.end(), [](const Figure& figure) { return panels_of(figure) > few_panels; });
  for (Figure& figure : figures) parts.push_back({std::move(figure), many ? fold : ""});
}

void Section::add_html(std::string html, const std::string& fold) {
  if (!html.empty()) parts.push_back({std::move(html), fold});
}

std::string Section::html() const {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool opens_fold = !parts[i].fold.empty() && (i == 0 || parts[i - 1].fold != parts[i].fold);
    const bool closes_fold = !parts[i].fold.empty() && (i + 1 == parts.size() || parts[i + 1].fold != parts[i].fold);
    const auto group = [&](std::size_t a, std::size_t b) {
      return is_figure(parts[a]) && is_figure(parts[b]) && parts[a].fold == parts[b].fold &&
             parts[a].beside == parts[b].beside;
    };
    if (opens_fold) out += fmt::format("<details><summary>{}</summary>\n", escape_html(parts[i].fold));
    if (is_figure(parts[i]) && (i == 0 || !group(i - 1, i))) {
      out += fmt::format("<div class=\"{}\">\n", parts[i].beside ? "pair" : "column");
    }
    out += part_html(parts[i]);
    if (is_figure(parts[i]) && (i + 1 == parts.size() || !group(i, i + 1))) out += "</div>\n";
    if (closes_fold) out += "</details>\n";
  }
  return out;
}

std::string fact(std::string_view name, const std::string& value, const char* width) {
  if (value.empty()) return {};
  return fmt::format("<div class=\"{}\"><dt>{}</dt><dd>{}</dd></div>\n", width, escape_html(name), escape_prose(value));
}

}  // namespace bauta::report
