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

namespace {

std::size_t lost_in(const Dataset& part) {
  const std::vector<bool> failed = part.failed();
  return static_cast<std::size_t>(std::count(failed.begin(), failed.end(), true));
}

void keep(Dataset& part, const std::vector<std::size_t>& rows) {
  if (rows.size() < part.size()) part = part.select(rows);
}

/// Names of samples without an identity: of one that is judged again in another repetition the same.
std::vector<std::string> nameless(const Views& views, std::size_t repetition, const std::vector<std::size_t>& probe) {
  const std::string whose = digest(views.clear(Role::whole, repetition));
  const std::vector<std::size_t>& rows = views.arrangement().rotations[repetition].at(Role::probe).rows;
  std::vector<std::string> names;
  for (const std::size_t row : probe) names.push_back(fmt::format("sample {} of {}", rows[row], whose));
  return names;
}

ClosedSetData closed_set_data(const Asked& asked, Views& views, std::size_t repetition) {
  ClosedSetData data{views.view(asked.views[0], repetition), views.view(asked.views[1], repetition), {}, {}};
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
  data.failures = lost_in(data.enrol) + lost_in(data.probe);
  keep(data.enrol, enrol);
  keep(data.probe, probe);
  const bool alone = named || views.rotations() == 1;
  data.people = people_of(data.probe, alone ? std::vector<std::string>() : nameless(views, repetition, probe));
  if (asked.views.size() == 2) return data;
  data.protected_enrol = views.view(asked.views[2], repetition);
  data.protected_probe = views.view(asked.views[3], repetition);
  keep(*data.protected_enrol, enrol);
  keep(*data.protected_probe, probe);
  // A sample that is lost only when it is masked is judged, as one that tells nothing.
  data.masked_failures = lost_in(*data.protected_enrol) + lost_in(*data.protected_probe);
  return data;
}

}  // namespace

Json each_repetition(const Asked& asked, Views& views,
                     const std::function<void(const ClosedSetData& data, std::size_t repetition)>& look) {
  std::size_t records = 0, train_records = 0, failures = 0, masked_failures = 0;
  for (std::size_t r = 0; r < views.rotations(); ++r) {
    const ClosedSetData data = closed_set_data(asked, views, r);
    look(data, r);
    records += data.probe.size();
    train_records += data.enrol.size();
    failures += data.failures;
    masked_failures += data.masked_failures;
  }
  Json counts = {{"records", records}, {"train_records", train_records}, {"failures", failures}};
  counts["split"] = views.arrangement().text;
  if (masked_failures > 0) counts["masked_failures"] = masked_failures;
  if (views.rotations() > 1) counts["repetitions"] = views.rotations();
  return counts;
}

}  // namespace bauta
