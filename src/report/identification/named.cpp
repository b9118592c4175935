#include "named.hpp"

#include <algorithm>
#include <map>

namespace bauta::report {
namespace {

/// Nothing unless the lists fit together.
std::vector<PersonHits> people_of(const Json& people) {
  const std::vector<double> rows = numbers(people, "row"), hits = numbers(people, "hits"),
                            probes = numbers(people, "probes");
  std::vector<PersonHits> out;
  if (rows.size() != hits.size() || rows.size() != probes.size()) return out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (probes[i] > 0 && rows[i] >= 0) out.push_back({static_cast<std::uint32_t>(rows[i]), hits[i], probes[i]});
  }
  return out;
}

}  // namespace

std::vector<NamedCell> named_cells(const RunResults& run) {
  std::vector<NamedCell> out;
  const Cells cells = cells_of(run, {"identification"}, {"people", "repeats"});
  std::map<std::string, Names> seen_by;  // of each recogniser
  for (const Cell* cell : cells) add_once(seen_by[text(cell->key, "recogniser")], text(cell->key, "representation"));
  for (const Cell* cell : cells) {
    if (cell->findings.empty() || !text(cell->key, "recovery").empty()) continue;
    NamedCell one{&cell->findings.front(),
                  cell->series.technique,
                  text(cell->key, "recogniser"),
                  text(cell->key, "adversary"),
                  cell->series.unprotected,
                  {},
                  0,
                  {},
                  {}};
    if (seen_by[one.system].size() > 1) one.system += " on " + text(cell->key, "representation");
    one.choice = {text(cell->key, "selection"), text(cell->key, "selected_on"), text(cell->key, "identities")};
    one.enrolled = number(cell->values, "identities").value_or(0);
    one.people = people_of(field(cell->values, "people"));
    one.repeats = numbers(cell->values, "repeats");
    if (!one.people.empty()) out.push_back(std::move(one));
  }
  return out;
}

std::string informed_adversary(const std::vector<NamedCell>& cells) {
  for (const char* name : {"retrained", "parrot", "lazy"}) {
    const auto has = [&](const NamedCell& cell) { return cell.adversary == name; };
    if (std::any_of(cells.begin(), cells.end(), has)) return name;
  }
  return {};
}

}  // namespace bauta::report
