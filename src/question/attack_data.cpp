#include "bauta/question/attack_data.hpp"

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/recovering.hpp"
#include "cells.hpp"

namespace bauta {

namespace {

/// Recoveries that can undo a technique, of those that were asked for or, where none was, of all.
std::vector<std::string> recoveries_for(const Setting& setting, const std::string& technique, bool from_pairs) {
  std::vector<std::string> asked = setting.keys["attack"]["recovery"].get<std::vector<std::string>>();
  if (asked.empty()) {
    // Those that put samples of one person together ask for more than everybody knows: they are tried when named.
    for (const auto& entry : recoveries()) {
      if (!entry.declaration.mixes) asked.push_back(entry.declaration.name);
    }
  }
  // Whoever meets each sample once has nothing for those that need it several times.
  std::erase_if(asked, [&](const std::string& recovery) {
    return !undoes(recovery, technique, setting.medium) || needs_repeated_enrolments(recovery) ||
           (from_pairs && !learned_from_pairs(recovery));
  });
  return asked;
}

/// Of recipes to learn from, to tune on if there is such a part, and to test.
AttackSplit split_of(Views& views, const std::vector<Recipe>& recipes, std::size_t rotation) {
  AttackSplit split;
  split.train = views.view(recipes.front(), rotation);
  if (recipes.size() > 2) split.dev = views.view(recipes[1], rotation);
  split.test = views.view(recipes.back(), rotation);
  return split;
}

}  // namespace

AttackData AttackData::of(const Dataset& train, const Dataset& test, const Dataset* dev) {
  AttackData data;
  data.attacked = [&train, &test, dev](std::size_t) {
    return AttackSplit{train, dev == nullptr ? std::nullopt : std::optional(*dev), test};
  };
  return data;
}

AttackSplit AttackData::under_attack(std::size_t rotation) const {
  AttackSplit split = attacked(rotation);
  if (clear && !unprotected) split.left_out = clear(rotation).test.failed();
  return split;
}

std::vector<Attempt> attempts_on(const std::string& technique, const std::vector<std::string>& adversaries,
                                 const Setting& setting) {
  std::vector<Attempt> attempts;
  for (const auto& name : adversaries) {
    const Adversary& who = find_adversary(name);
    if (!who.undoes) {
      attempts.push_back({&who});
      continue;
    }
    for (const auto& recovery : recoveries_for(setting, technique, who.from_pairs)) {
      attempts.push_back({&who, recovery});
    }
  }
  return attempts;
}

AttackCell AttackCell::of(const Json& key) {
  return {key["technique"], key.value("attribute", ""), key.value("adversary", ""), key.value("recovery", ""),
          key.value("representation", "")};
}

void require_others(const Attempt& attempt, const std::string& technique, const std::string& extractor,
                    const Arrangement& arrangement) {
  if (arrangement.has(Role::background)) return;
  if (!attempt.recovery.empty() && needs_other_people(attempt.recovery) && !attackers_of(arrangement)) {
    throw_usage("protocol.adversary",
                "'" + attempt.who->name + "' learns the way back from other people, and none are named",
                "name them: data.background");
  }
  if (attempt.who->relearns(extractor, technique)) {
    throw_usage("protocol.adversary",
                fmt::format("'{}' has {} learned from other people, protected, and none are named", attempt.who->name,
                            extractor),
                "name them: data.background");
  }
}

std::vector<Recipe> AttackCell::views(const Arrangement& arrangement) const {
  std::vector<Recipe> recipes;
  const Role attackers = *attackers_of(arrangement);
  const auto add = [&](const Form& learned, const Form& met, const Representation& seen) {
    recipes.push_back({attackers, learned, seen});
    if (arrangement.has(Role::dev)) recipes.push_back({Role::dev, learned, seen});
    recipes.push_back({attacked_of(arrangement), met, seen});
  };
  if (adversary.empty()) {
    add({technique}, {technique}, {representation});
    add({}, {}, {representation});
    return recipes;
  }
  const Adversary& who = find_adversary(adversary);
  add(who.learns(technique, recovery), who.meets(technique, recovery), who.sees(representation, technique, attackers));
  add({}, {}, who.sees_clear(representation, technique, attackers));
  return recipes;
}

std::optional<Role> attackers_of(const Arrangement& arrangement) {
  for (const Role role : {Role::attacker, Role::background}) {
    if (arrangement.has(role)) return role;
  }
  return std::nullopt;
}

Role attacked_of(const Arrangement& arrangement) {
  return arrangement.has(Role::target) ? Role::target : Role::whole;
}

std::vector<std::size_t> rotations_of(const Arrangement& arrangement) {
  const Role role = attacked_of(arrangement);
  std::vector<std::size_t> rotations;
  for (std::size_t r = 0; r < arrangement.rotations.size(); ++r) {
    const auto& rows = arrangement.rotations[r].at(role).rows;
    if (r == 0 || rows != arrangement.rotations[0].at(role).rows) rotations.push_back(r);
  }
  return rotations;
}

AttackData attack_data(Views& views, const AttackCell& cell) {
  const std::vector<Recipe> recipes = cell.views(views.arrangement());
  const auto half = static_cast<std::ptrdiff_t>(recipes.size() / 2);
  const std::vector<Recipe> own(recipes.begin(), recipes.begin() + half), clear(recipes.begin() + half, recipes.end());
  AttackData data;
  const std::vector<std::size_t> rotations = rotations_of(views.arrangement());
  data.rotations = rotations.size();
  data.unprotected = cell.adversary.empty();
  data.same_mask = cell.adversary.empty() || own.front().form.technique == own.back().form.technique;
  data.clear = [&views, clear, rotations](std::size_t r) { return split_of(views, clear, rotations[r]); };
  data.attacked = [&views, own, rotations](std::size_t r) { return split_of(views, own, rotations[r]); };
  return data;
}

void require_attackers(const Setting& setting, const Arrangement& arrangement, const std::string& what) {
  if (!attackers_of(arrangement)) {
    if (arrangement.has(Role::enrol)) {
      throw_usage("data.background",
                  "is missing: in a closed set " + what + " learns attributes from other people than those attacked",
                  "name other people there, or remove it");
    }
    throw_usage("data.attacker", "is missing, " + what + " needs it");
  }
  if (setting.attributes.empty()) throw_usage("data.attribute", "is missing, " + what + " needs it");
}

std::vector<double> edges_of(const Setting& setting, const Views& views, const std::string& attribute) {
  const auto asked = setting.classes.find(attribute);
  const bool folds = views.arrangement().folds.count > 0;
  return attribute_classes(views.clear(folds ? Role::whole : *attackers_of(views.arrangement()), 0), attribute,
                           asked == setting.classes.end() ? std::vector<double>() : asked->second)
      .edges;
}

std::vector<Asked> attack_cells(const Setting& setting, const Views& views, const std::string& technique,
                                const std::string& question, const Json& parameters, const std::string& what) {
  const Arrangement& arrangement = views.arrangement();
  require_attackers(setting, arrangement, what);
  std::vector<Asked> cells;
  for (const auto& attribute : setting.attributes) {
    Json values = parameters;
    values["edges"] = edges_of(setting, views, attribute);
    for (const auto& representation : representations_of(setting)) {
      const auto add = [&](const std::string& adversary, const std::string& recovery) {
        Json key = cell_key(question, technique, representation);
        key["attribute"] = attribute;
        if (!adversary.empty()) key["adversary"] = adversary;
        if (!recovery.empty()) key["recovery"] = recovery;
        const AttackCell cell = AttackCell::of(key);
        cells.push_back({std::move(key), values, cell.views(arrangement)});
      };
      if (!masks(technique)) {
        add({}, {});
        continue;
      }
      for (const Attempt& attempt : attempts_on(technique, setting.adversaries, setting)) {
        require_others(attempt, technique, representation, arrangement);
        add(attempt.who->name, attempt.recovery);
      }
    }
  }
  return cells;
}

}  // namespace bauta
