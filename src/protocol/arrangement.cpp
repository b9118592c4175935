#include "bauta/protocol/arrangement.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/protocol/closed_set.hpp"
#include "bauta/protocol/leak_guard.hpp"

namespace bauta {

namespace {

constexpr auto role_names = std::to_array<std::pair<Role, std::string_view>>({{Role::whole, "whole"},
                                                                              {Role::target, "target"},
                                                                              {Role::attacker, "attacker"},
                                                                              {Role::dev, "dev"},
                                                                              {Role::fit, "fit"},
                                                                              {Role::fit_dev, "fit_dev"},
                                                                              {Role::enrol, "enrol"},
                                                                              {Role::probe, "probe"},
                                                                              {Role::background, "background"}});

Rows all_rows(const Dataset& data, std::size_t source) {
  Rows rows{source, std::vector<std::size_t>(data.size())};
  std::iota(rows.rows.begin(), rows.rows.end(), std::size_t{0});
  return rows;
}

/// Roles that are whole data sets, in every rotation; with whom they share nobody.
void add_given(Arrangement& arrangement, const Sources& sources) {
  std::size_t source = 0;
  const auto add = [&](const Dataset* data, Role role) {
    if (data == nullptr) return;
    for (Roles& roles : arrangement.rotations) roles.emplace(role, all_rows(*data, source));
    ++source;
  };
  add(sources.target, Role::whole);
  add(sources.attacker, Role::attacker);
  add(sources.dev, Role::dev);
  add(sources.fit, Role::fit);
  add(sources.background, Role::background);
}

void require_apart(Arrangement& arrangement, std::initializer_list<Role> roles) {
  for (auto a = roles.begin(); a != roles.end(); ++a) {
    for (auto b = std::next(a); b != roles.end(); ++b) {
      if (arrangement.has(*a) && arrangement.has(*b)) arrangement.disjoint.emplace_back(*a, *b);
    }
  }
}

}  // namespace

std::string_view to_text(Role role) {
  return std::find_if(role_names.begin(), role_names.end(), [&](const auto& entry) { return entry.first == role; })
      ->second;
}

std::vector<const Dataset*> Sources::given() const {
  std::vector<const Dataset*> all = {target, attacker, dev, fit, background};
  std::erase(all, nullptr);
  return all;
}

Arrangement cross_database(const Sources& sources) {
  Arrangement arrangement{.kind = "cross-database", .text = "cross-database", .rotations = {Roles{}}};
  add_given(arrangement, sources);
  arrangement.rotations[0][Role::target] = arrangement.rotations[0][Role::whole];
  require_apart(arrangement, {Role::attacker, Role::target, Role::dev});
  require_apart(arrangement, {Role::fit, Role::target});
  require_apart(arrangement, {Role::fit, Role::attacker});
  require_apart(arrangement, {Role::fit, Role::dev});
  require_apart(arrangement, {Role::background, Role::target});
  return arrangement;
}

Arrangement privacy_evaluation(const Sources& sources, const Pep& pep, const std::string& attribute,
                               std::size_t rotations, std::uint64_t seed) {
  const Dataset& data = *sources.target;
  if (rotations > pep.folds()) {
    throw_usage("protocol.repeats", fmt::format("{} has {} rotations, not {}", to_text(pep), pep.folds(), rotations));
  }
  Arrangement arrangement{.kind = to_text(pep.kind), .text = to_text(pep), .rotations = {}};
  arrangement.balanced_on = attribute;
  arrangement.folds = subject_folds(data, attribute, pep.folds(), seed);
  arrangement.remarks = arrangement.folds.remarks;
  for (const auto& warning : pep_warnings(pep)) arrangement.remarks.push_back(warning);
  for (const PepParts& parts : pep_rotations(pep, data, arrangement.folds, attribute, seed)) {
    if (rotations > 0 && arrangement.rotations.size() == rotations) break;
    Roles roles;
    const auto add = [&](Role role, const std::vector<std::size_t>& rows) {
      if (!rows.empty()) roles.emplace(role, Rows{0, rows});
    };
    add(Role::attacker, parts.train);
    add(Role::dev, parts.dev);
    add(Role::target, parts.test);
    add(Role::fit, parts.fit);
    add(Role::fit_dev, parts.fit_dev);
    arrangement.rotations.push_back(std::move(roles));
  }
  Sources only{.target = sources.target, .background = sources.background};
  add_given(arrangement, only);
  require_apart(arrangement, {Role::attacker, Role::dev, Role::target});
  if (pep.kind == PepKind::lbs) require_apart(arrangement, {Role::fit, Role::fit_dev, Role::target});
  require_apart(arrangement, {Role::background, Role::target});
  return arrangement;
}

Arrangement closed_set(const Sources& sources, const std::string& attribute, double test_share, std::size_t repeats,
                       std::uint64_t seed) {
  const ClosedSet split = closed_set_split(*sources.target, attribute, test_share, seed);
  const std::string whose = split.one_sample_each ? (attribute.empty() ? "kind" : attribute)
                            : attribute.empty()   ? "identity"
                                                  : "identity and " + attribute;
  Arrangement arrangement{
      .kind = "closed-set",
      .text = fmt::format("{:g} % of the samples of each {} are anonymised and judged, the others are learned from",
                          100 * test_share, whose),
      .rotations = {{{Role::enrol, Rows{0, split.train}}, {Role::probe, Rows{0, split.test}}}},
      .repeated = true,
      .one_sample_each = split.one_sample_each};
  for (std::size_t repeat = 1; repeat < repeats; ++repeat) {
    const std::uint64_t own = Stream(seed, "repeated closed set", repeat).next64();
    const ClosedSet again = closed_set_split(*sources.target, attribute, test_share, own);
    arrangement.rotations.push_back({{Role::enrol, Rows{0, again.train}}, {Role::probe, Rows{0, again.test}}});
  }
  add_given(arrangement, {.target = sources.target, .fit = sources.fit, .background = sources.background});
  for (const Role apart : {Role::fit, Role::background}) {
    require_apart(arrangement, {apart, Role::enrol});
    require_apart(arrangement, {apart, Role::probe});
  }
  return arrangement;
}

std::vector<std::string> people_under_attack(const Arrangement& arrangement, const Sources& sources,
                                             std::size_t rotation) {
  if (arrangement.one_sample_each || sources.target->identity_column.empty()) {
    throw_usage("protocol.identities", "people are chosen, and " + sources.target->origin + " names nobody twice",
                "remove it");
  }
  const auto& names = sources.target->labels.column(sources.target->identity_column);
  const Roles& roles = arrangement.rotations[rotation];
  std::set<std::string> people;
  for (const std::size_t row : roles.at(arrangement.has(Role::probe) ? Role::probe : Role::whole).rows) {
    people.insert(names[row]);
  }
  people.erase("");
  return {people.begin(), people.end()};
}

Arrangement only_people(Arrangement arrangement, const Sources& sources, const Selection& selection,
                        std::span<const PeopleOrder> orders) {
  if (selection.everybody()) return arrangement;
  for (std::size_t r = 0; r < arrangement.rotations.size(); ++r) {
    const std::vector<std::string> chosen =
        selected(selection, people_under_attack(arrangement, sources, r), orders[r]);
    const auto& names = sources.target->labels.column(sources.target->identity_column);
    for (auto& [role, rows] : arrangement.rotations[r]) {
      if (rows.source != 0 || role == Role::fit || role == Role::fit_dev) continue;
      std::erase_if(rows.rows,
                    [&](std::size_t row) { return !std::binary_search(chosen.begin(), chosen.end(), names[row]); });
      if (rows.rows.empty()) {
        throw_usage("protocol.identities",
                    fmt::format("none of the {} people chosen is among the {}", chosen.size(), to_text(role)),
                    "choose more");
      }
    }
  }
  return arrangement;
}

Arrangement only_people(Arrangement arrangement, const Sources& sources, const Selection& selection,
                        std::uint64_t seed) {
  if (selection.everybody()) return arrangement;
  std::vector<PeopleOrder> orders;
  for (std::size_t r = 0; r < arrangement.rotations.size(); ++r) {
    const std::size_t people = people_under_attack(arrangement, sources, r).size();
    orders.push_back(random_order(people, {seed, arrangement.repeated ? r : 0}));
  }
  return only_people(std::move(arrangement), sources, selection, orders);
}

namespace {

/// Names in these rows.
std::vector<std::string> people_of(const Dataset& data, const std::vector<std::size_t>& rows) {
  std::vector<std::string> people;
  if (data.identity_column.empty()) return people;
  const auto& names = data.labels.column(data.identity_column);
  for (const std::size_t row : rows) people.push_back(names[row]);
  return people;
}

}  // namespace

void guard(const Arrangement& arrangement, const Sources& sources) {
  const std::vector<const Dataset*> data = sources.given();
  for (const Roles& roles : arrangement.rotations) {
    std::map<Role, Dataset> parts;
    for (const auto& [a, b] : arrangement.disjoint) {
      for (const Role role : {a, b}) {
        if (parts.contains(role)) continue;
        const Rows& rows = roles.at(role);
        const bool everything = rows.rows.size() == data[rows.source]->size();
        parts.emplace(role, everything ? *data[rows.source] : data[rows.source]->select(rows.rows));
      }
      const NamedPart named[] = {{std::string(to_text(a)), &parts.at(a)}, {std::string(to_text(b)), &parts.at(b)}};
      require_disjoint(named);
    }
  }
}

std::vector<std::string> suspected_leaks(const Arrangement& arrangement, const Sources& sources) {
  const std::vector<const Dataset*> data = sources.given();
  std::map<std::pair<std::size_t, std::size_t>, AlikeNames> within;  // by the data sets of two roles, or the only one
  for (const Roles& roles : arrangement.rotations) {
    for (const auto& [a, b] : arrangement.disjoint) {
      const Rows &own = roles.at(a), &others = roles.at(b);
      AlikeNames& names = within[std::minmax(own.source, others.source)];
      if (own.source != others.source) continue;
      const Dataset& both = *data[own.source];
      names.merge(alike_names(people_of(both, own.rows), people_of(both, others.rows)));
    }
  }
  std::vector<std::string> suspected;
  for (const auto& [sources_of_two, names] : within) {
    const auto& [a, b] = sources_of_two;
    if (a != b) {
      for (std::string& text : suspected_leaks(*data[a], *data[b])) suspected.push_back(std::move(text));
    } else if (!names.empty()) {
      suspected.push_back(alike_names_text(data[a]->origin, names));
    }
  }
  return suspected;
}

}  // namespace bauta
