// The chapter about samples that nothing could be made of: which, and why.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

constexpr std::size_t rows_at_most = 10;

/// Samples that were lost in the same way, however they were masked and whoever looked.
struct Lost {
  const Json* first = nullptr;
  Names techniques, extractors;
};

std::vector<Lost> lost_of(const RunResults& run) {
  std::vector<Lost> all;
  for (const Json* entry : objects_of(run.lost)) {
    const auto alike = [&](const Lost& other) {
      return std::ranges::all_of(std::initializer_list<const char*>{"data", "role", "rotation", "samples", "reasons"},
                                 [&](const char* name) { return field(*other.first, name) == field(*entry, name); });
    };
    auto found = std::ranges::find_if(all, alike);
    if (found == all.end()) found = all.insert(all.end(), {entry, {}, {}});
    std::string technique = text(*entry, "technique");
    if (const std::string recovery = text(*entry, "recovery"); !recovery.empty())
      technique += ", undone by " + recovery;
    add_once(found->techniques, flag_of(field(*entry, "unprotected")) == true ? "clear data" : technique);
    // Data that holds templates needs none.
    if (const std::string extractor = text(*entry, "extractor"); !extractor.empty()) {
      add_once(found->extractors, extractor);
    }
  }
  return all;
}

std::string few(const Names& names, const char* what) {
  return names.size() > 3 ? fmt::format("{} and {} more {}", names.front(), names.size() - 1, what) : joined(names);
}

/// "5, 12, 13 and 7 more".
std::string rows_text(const std::vector<double>& rows, std::size_t at_most) {
  Names shown;
  for (std::size_t i = 0; i < std::min(rows.size(), at_most); ++i) shown.push_back(fmt::format("{:.0f}", rows[i]));
  const std::string more = rows.size() > at_most ? fmt::format(" and {} more", rows.size() - at_most) : std::string();
  return joined(shown) + more;
}

Table lost_table(const Runs& runs) {
  Table table{
      "lost", "Samples without a template, by the reason",
      "Rows count from 1 in the data; bauta inspect DATA tells the names of files that cannot be read. Rows where "
      "clear data stands too were lost before they were masked."};
  for (const RunResults& run : runs) {
    for (const Lost& lost : lost_of(run)) {
      for (const Json* reason : objects(*lost.first, "reasons")) {
        const std::vector<double> rows = numbers(*reason, "rows");
        const std::string role = text(*lost.first, "role");
        Row(table)
            .field("run", Json(run.name))
            .text("Data", "data", run.prefixed(text(*lost.first, "data")), role)
            .field("role", Json(role))
            .field("rotation", number(*lost.first, "rotation"))
            .show("Masked with", {few(lost.techniques, "techniques")}, Table::Align::left)
            .field("techniques", Json(joined(lost.techniques, "; ")))
            .show("Seen by", {few(lost.extractors, "extractors")}, Table::Align::left)
            .field("extractors", Json(joined(lost.extractors, "; ")))
            .text("Reason", "reason", text(*reason, "reason"))
            .count("Samples", "count", static_cast<double>(rows.size()))
            .count("of", "samples", number(*lost.first, "samples"))
            .show("Rows", {rows_text(rows, rows_at_most)}, Table::Align::left)
            .field("rows", Json(rows_text(rows, rows.size())));
      }
    }
  }
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{
      "lost", "Without a template", "Which samples could not be judged?",
      "Nothing could be made of these. They are counted among the samples, and nobody compared them: what stands "
      "on this page is true of the others."};
  out.add_long(lost_table(shared.runs), "Samples without a template, one by one");
  return {out};
}

void tell(const RunResults& run, Card& card) {
  std::map<std::string, std::pair<double, double>> clear;  // of each data set: lost at most, of how many
  for (const Json* entry : objects_of(run.lost)) {
    const Number failed = number(*entry, "failed"), samples = number(*entry, "samples");
    if (flag_of(field(*entry, "unprotected")) != true || !failed || !samples) continue;
    auto& most = clear[text(*entry, "data")];
    most = std::max(most, {*failed, *samples});
  }
  Names parts;
  for (const auto& [data, counts] : clear) {
    parts.push_back(fmt::format("{} of {} in {}", grouped(counts.first), grouped(counts.second), data));
  }
  if (!parts.empty()) card.facts.push_back({"Media without a template", joined(parts) + ": nobody judged them"});
}

}  // namespace

Chapter lost_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
