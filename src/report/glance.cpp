// The chapter at a glance: one row per technique with its use and the strongest attacker on each target.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bauta/report/summary.hpp"
#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

/// What else tells findings about a purpose apart, but for how the rightful user looks at the data.
std::map<std::string, std::string> what_for(const Finding& finding) {
  auto axes = finding.axes;
  for (const char* how : {"representation", "estimator"}) axes.erase(how);
  axes["measure"] = finding.measure;
  return axes;
}

/// Of the run's leading measure of a purpose, the value where the rightful user does best: in whatever representation,
/// by whatever estimator; of equals the first by name.
const Finding* purpose_of(const RunResults& run, const std::string& technique, const std::string& people, About about) {
  const auto found = run.findings([&](const Finding& finding) {
    return finding.about == about && finding.axis("technique") == technique && chosen_people(finding) == people;
  });
  const Finding* best = nullptr;
  for (const Finding* finding : found) {
    if (what_for(*finding) != what_for(*found.front())) continue;
    const auto less_use = [](const Finding& one) { return one.worse == Worse::higher ? one.value : -one.value; };
    const auto rank = [&](const Finding& one) { return std::pair(less_use(one), one.axes); };
    if (best == nullptr || rank(*finding) < rank(*best)) best = finding;
  }
  return best;
}

std::string purpose_text(const Finding* finding) {
  if (finding == nullptr) return "–";
  const std::string representation = finding->axis("representation");
  return fmt::format("{} {}{}", finding->measure, value_text({finding->value}, finding->unit),
                     representation.empty() ? "" : " (" + representation + ")");
}

/// Techniques in the order in which questions were asked.
std::vector<Series> techniques_of(const RunResults& run) {
  std::vector<Series> out;
  const auto add = [&](Series series) {
    const auto same = [&](const Series& other) { return other.technique == series.technique; };
    if (std::any_of(out.begin(), out.end(), same)) return;
    series.variant.clear();
    series.label = run.prefixed(series.technique);
    out.push_back(std::move(series));
  };
  for (const Cell& cell : run.cells) {
    if (!cell.findings.empty()) add(cell.series);
  }
  for (const Strongest& entry : run.ranking) add(entry.series);
  return out;
}

struct Target {
  About about = About::attribute;
  std::string attribute;

  [[nodiscard]] std::string name() const { return target_name(about, attribute); }
};

std::vector<Target> targets_of(const Runs& runs) {
  std::vector<Target> out;
  for (const RunResults& run : runs) {
    for (const Strongest& entry : run.ranking) {
      const auto same = [&](const Target& other) {
        return other.about == entry.about && other.attribute == entry.attribute;
      };
      if (is_leak(entry.about) && std::none_of(out.begin(), out.end(), same)) {
        out.push_back({entry.about, entry.attribute});
      }
    }
  }
  return out;
}

void add_purpose(Row& row, const char* head, const std::string& name, const Finding* finding) {
  const Finding value = finding ? *finding : Finding{};
  row.show(head, finding ? value_cell({value.value, value.ci}, value.unit) : Table::Cell{"–"})
      .detail(value.axis("representation").empty() ? value.measure
                                                   : value.measure + ", " + value.axis("representation"))
      .field(name, finding ? Measured{value.value, value.ci} : Measured{})
      .field(name + "_measure", Json(value.measure))
      .field(name + "_representation", Json(value.axis("representation")));
}

bool any_purpose(const Runs& runs, About about) {
  return std::any_of(runs.begin(), runs.end(), [&](const RunResults& run) {
    return !run.findings([&](const Finding& finding) { return finding.about == about; }).empty();
  });
}

Table summary_table(const Runs& runs) {
  const std::vector<Target> targets = targets_of(runs);
  Table table{"summary", "What each technique costs and what it leaves, 95 % intervals in brackets",
              "Attacks: the strongest of all attackers on each target, over all questions; the interval allows for "
              "its having been chosen."};
  bool unhealthy = false;
  for (const RunResults& run : runs) {
    const std::string people = run.headline ? run.headline->people : "";
    for (const Series& series : techniques_of(run)) {
      Row row(table);
      row.series(series);
      if (any_purpose(runs, About::recognition)) {
        add_purpose(row, "Recognition", "recognition", purpose_of(run, series.technique, people, About::recognition));
      }
      if (any_purpose(runs, About::utility)) {
        add_purpose(row, "Utility", "utility", purpose_of(run, series.technique, people, About::utility));
      }
      for (const Target& target : targets) {
        const auto found = std::find_if(run.ranking.begin(), run.ranking.end(), [&](const Strongest& entry) {
          return entry.technique == series.technique && entry.people == people && entry.about == target.about &&
                 entry.attribute == target.attribute;
        });
        const Strongest* entry = found == run.ranking.end() ? nullptr : &*found;
        const std::string attacker = entry ? entry->strongest.attacker : "";
        row.value(target.name() + ", strongest attacker", target.name(), entry ? entry->value() : Measured{},
                  entry ? entry->strongest.unit : "")
            .star(entry && !entry->healthy)
            .detail(entry ? attacker_with_means(entry->strongest) : "")
            .field(target.name() + "_attacker", Json(attacker));
        unhealthy |= entry && !entry->healthy;
      }
    }
  }
  if (unhealthy) table.note += " † No attacker is healthy: the number says nothing about protection.";
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"summary", "At a glance", "At a glance",
              "One row per technique: it should still serve its purpose, and attacks on it should be near chance."};
  Table table = summary_table(shared.runs);
  // With two techniques or fewer the sections themselves are as short.
  if (table.rows.size() > 2) out.add_long(std::move(table), "All techniques at a glance");
  return {out};
}

}  // namespace

Chapter glance_chapter() {
  return {.write = write};
}

}  // namespace bauta::report

namespace bauta {

std::string verdict(const Json& results) {
  return report::verdict_of(report::read_results(results, ""));
}

std::vector<std::vector<std::string>> summary(const Json& results) {
  using namespace report;
  const RunResults run = read_results(results, "");
  std::vector<std::vector<std::string>> rows = {{"technique", "target", "strongest attacker", "measure", "reads",
                                                 "chance", "clear data", "recognition", "utility"}};
  // What was asked of some of the people as well would bury it: that is on the page.
  const bool everybody = std::ranges::any_of(run.ranking, [](const Strongest& entry) { return entry.people.empty(); });
  for (const Strongest& entry : run.ranking) {
    if (!is_leak(entry.about) || (everybody && !entry.people.empty())) continue;
    const Finding& finding = entry.strongest;
    const Number clear = entry.on_clear().value;
    rows.push_back({entry.series.label, target_name(entry.about, entry.attribute),
                    attacker_name(finding) + (entry.healthy ? "" : " (unhealthy)"), finding.measure,
                    value_text(entry.value(), finding.unit), value_text({finding.chance}, finding.unit),
                    value_text({clear}, finding.unit) +
                        (clear && !entry.unprotected && !entry.gain.on_clear ? " (the same attacker)" : ""),
                    purpose_text(purpose_of(run, entry.technique, entry.people, About::recognition)),
                    purpose_text(purpose_of(run, entry.technique, entry.people, About::utility))});
  }
  return rows;
}

}  // namespace bauta
