// How the numbers came about: runs, remarks, definitions, and what has no place of its own.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "page.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

// The same remark of several cells stands once, with the places that it is about.
std::string remarks_list(const RunResults& run) {
  std::map<std::string, Names> by_remark;
  for (const std::string& remark : run.remarks) by_remark[remark] = {};
  for (const std::vector<Cell>* cells : {&run.unanswered, &run.cells}) {
    for (const Cell& cell : *cells) {
      const std::string& place = cell.attribute.empty() ? cell.series.data : cell.attribute;
      for (const std::string& remark : texts(cell.values, "remarks")) {
        by_remark[remark].push_back(fmt::format("{} ({})", cell.series.label, place));
      }
    }
  }
  if (by_remark.empty()) return {};
  std::string out = "<h4>Remarks</h4>\n<ul class=\"remarks\">\n";
  for (const auto& [remark, places] : by_remark) {
    const std::string where = places.size() > 4 ? fmt::format("{} cells", places.size()) : joined(places);
    out += fmt::format("<li>{} <small>{}</small></li>\n", escape_html(remark), escape_html(where));
  }
  return out + "</ul>\n";
}

// Samples that are too alike to be independent.
std::string near_duplicates_text(const Json& found) {
  if (!found.is_object()) return {};
  const Number count = number(found, "count"), below = number(found, "below");
  const bool media = below && *below == 0;
  return fmt::format("{} {}{} one that may stand on the other side ({})",
                     !count || *count == 0 ? "no sample"
                     : *count == 1         ? "1 sample"
                                           : grouped(count) + " samples",
                     media ? "" : "nearly ", !count || *count < 2 ? "equals" : "equal",
                     media ? "byte by byte" : "cosine distance below " + exact(below));
}

Table near_duplicates_table(const Runs& runs) {
  Table table{"near-duplicates", "Samples that nearly equal one that may stand on the other side"};
  for (const RunResults& run : runs) {
    for (const Json* pair : objects(run.near_duplicates, "pairs")) {
      const Number distance = number(*pair, "distance");
      Row(table)
          .field("run", Json(run.name))
          .text("Sample", "first", text(*pair, "first"))
          .text("Nearly equals", "second", text(*pair, "second"))
          .show("Cosine distance", {distance ? fmt::format("{:.2g}", *distance) : "–"})
          .field("distance", distance);
    }
  }
  return table;
}

// Only the words that the page uses, each once.
std::string definitions_block(const std::vector<Section>& sections) {
  std::string out;
  Names done;
  for (const Section& section : sections) {
    for (const Definition& item : section.definitions) {
      if (std::find(done.begin(), done.end(), item.name) != done.end()) continue;
      done.push_back(item.name);
      out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(item.name), escape_html(item.meaning));
    }
  }
  if (out.empty()) return out;
  return "<h3>Definitions</h3>\n<div class=\"card\"><dl class=\"defs\">\n" + out + "</dl></div>\n";
}

}  // namespace

Section method_section(const Report& report) {
  Section section{"data", "Data and method", "Data, parameters and definitions",
                  "What was run on what, and what the words mean."};
  std::string out;
  for (const RunResults& run : report.runs) {
    out += fmt::format("<h3>{}</h3>\n<div class=\"card\"><dl class=\"facts plain\">\n", escape_html("Run " + run.name));
    out += fact("Bauta version", run.version.empty() ? "unknown" : run.version);
    out += fact("Seed", run.seed ? fmt::format("{:.0f}", *run.seed) : "unknown");
    out += fact("Cells", fmt::format("{} ({} failed)", run.asked, run.failed.size()));
    out += fact("Near-duplicates", near_duplicates_text(run.near_duplicates), "wide");
    out += "</dl>\n" + remarks_list(run) + "</div>\n";
    if (!run.experiment.is_null()) {
      out += fmt::format("<details><summary>Experiment as it was run</summary>\n<pre>{}</pre></details>\n",
                         escape_html(run.experiment.dump(2)));
    }
  }
  section.add_html(out);
  section.add(near_duplicates_table(report.runs), "Near-duplicates");
  section.add_html(definitions_block(report.sections));
  return section;
}

std::string rest_section(const Runs& runs) {
  std::string out;
  for (const RunResults& run : runs) {
    for (const Json& item : run.rest) {
      out += fmt::format("<pre>{}</pre>\n", escape_html((run.several ? run.name + "\n" : "") + item.dump(2)));
    }
  }
  if (out.empty()) return {};
  return "<section id=\"rest\">\n<details><summary>Everything else that the run recorded</summary>\n" + out +
         "</details>\n</section>\n";
}

}  // namespace bauta::report
