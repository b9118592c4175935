#include "closed_set_cells.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/question/protecting.hpp"
#include "cells.hpp"

namespace bauta {

bool without_templates(const Setting& setting) {
  return setting.medium != "template" && setting.representations.empty();
}

std::vector<Asked> closed_set_cells(const Setting& setting, const Views& views, const std::string& technique,
                                    const std::string& question, const Json& parameters) {
  if (!views.arrangement().has(Role::enrol) || without_templates(setting)) return {};
  std::vector<Form> forms = {Form{}};
  if (masks(technique)) forms.push_back({technique});
  std::vector<Asked> cells;
  for (const auto& representation : representations_of(setting)) {
    Asked asked{cell_key(question, technique, representation), parameters, {}};
    for (const Form& form : forms) {
      for (const Role role : {Role::enrol, Role::probe}) asked.views.push_back({role, form, {representation}});
    }
    cells.push_back(std::move(asked));
  }
  return cells;
}

ClosedSetData closed_set_data(const Asked& asked, Views& views) {
  ClosedSetData data{views.view(asked.views[0], 0), views.view(asked.views[1], 0), {}, {}, {}};
  const bool named = !views.arrangement().one_sample_each;
  const std::vector<bool> lost = data.enrol.failed(), lost_probe = data.probe.failed();
  std::vector<std::size_t> enrol, probe;
  std::set<std::string> known;
  for (std::size_t row = 0; row < data.enrol.size(); ++row) {
    if (lost[row]) continue;
    enrol.push_back(row);
    if (named) known.insert(data.enrol.labels.column(data.enrol.identity_column)[row]);
  }
  for (std::size_t row = 0; row < data.probe.size(); ++row) {
    const bool stranger = named && !known.contains(data.probe.labels.column(data.probe.identity_column)[row]);
    if (!lost_probe[row] && !stranger) probe.push_back(row);
  }
  if (enrol.empty() || probe.empty()) {
    throw_input(data.enrol.origin, "too many samples failed: nothing is left to learn from, or to judge");
  }
  std::string split = views.arrangement().text;
  if (views.rotations() > 1) split += fmt::format("; of {} repetitions the first", views.rotations());
  data.counts = {
      {"records", probe.size()},
      {"train_records", enrol.size()},
      {"failures", std::count(lost.begin(), lost.end(), true) + std::count(lost_probe.begin(), lost_probe.end(), true)},
      {"split", std::move(split)}};
  const auto keep = [](Dataset& part, const std::vector<std::size_t>& rows) {
    if (rows.size() < part.size()) part = part.select(rows);
  };
  keep(data.enrol, enrol);
  keep(data.probe, probe);
  if (asked.views.size() == 2) return data;
  data.protected_enrol = views.view(asked.views[2], 0);
  data.protected_probe = views.view(asked.views[3], 0);
  keep(*data.protected_enrol, enrol);
  keep(*data.protected_probe, probe);
  // A sample that is lost only when it is masked is judged, as one that tells nothing.
  const auto lost_in = [](const Dataset& part) {
    const std::vector<bool> failed = part.failed();
    return static_cast<std::size_t>(std::count(failed.begin(), failed.end(), true));
  };
  const std::size_t masked = lost_in(*data.protected_enrol) + lost_in(*data.protected_probe);
  if (masked > 0) data.counts["masked_failures"] = masked;
  return data;
}

}  // namespace bauta
