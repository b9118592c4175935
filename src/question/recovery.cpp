#include "bauta/question/recovery.hpp"

#include <algorithm>
#include <optional>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/protocol/subjects.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/recover/media.hpp"
#include "cells.hpp"

namespace bauta {

Dataset run_recovery(const Dataset& target, const RecoveryRun& run) {
  const ResolvedRecovery recovery = make_recovery(run.recovery);
  require_taken(recovery, target);
  Knowledge knowledge{.clear = run.clear, .protected_clear = run.protected_clear, .seed = run.seed};
  if (run.clear != nullptr) require_disjoint(*run.clear, target);
  if (run.clear != nullptr && run.original != nullptr) require_disjoint(*run.clear, *run.original);
  if (run.protected_clear != nullptr) require_comparable(*run.protected_clear, target);
  ResolvedProtection technique;
  std::optional<ResolvedProtection> known;
  if (recovery.declaration->keyed) {
    if (run.technique == nullptr) technique = stolen_technique(target, run.keyfile, run.model);
    knowledge.technique = run.technique != nullptr ? run.technique : &technique;
    knowledge.key_source = Randomness::seeded(run.key_seed);
  } else if (undoes_media(*recovery.declaration)) {
    known = run.technique == nullptr ? recorded_protection(target) : std::nullopt;
    knowledge.technique = known ? &*known : run.technique;
  }
  fit_recovery(recovery, knowledge);
  return recover_dataset(recovery, target);
}

Dataset recover_own(const Dataset& clear, const Dataset& hidden, const RecoveryRun& run) {
  const Subjects subjects = subjects_of(clear);
  std::vector<std::size_t> halves[2];
  for (std::size_t row = 0; row < clear.size(); ++row) {
    halves[Stream(run.seed, "halves", subjects.of_row[row]).below(2)].push_back(row);
  }
  Dataset result = clear;
  Matrix<float> values;
  for (const int half : {0, 1}) {
    const std::vector<std::size_t>& own = halves[half];
    const Dataset known = clear.select(halves[1 - half]), known_hidden = hidden.select(halves[1 - half]);
    RecoveryRun part = run;
    part.clear = &known;
    part.protected_clear = &known_hidden;
    const Dataset back = run_recovery(hidden.select(own), part);
    if (back.size() != own.size() || back.templates.kind() != ElementKind::float32) {
      throw_input(hidden.origin, run.recovery + " brings back something else than a template of each sample",
                  "leave this adversary out for this technique");
    }
    if (values.rows() == 0) values = Matrix<float>(clear.size(), back.templates.cols());
    for (std::size_t i = 0; i < own.size(); ++i) {
      std::ranges::copy(back.templates.floats().row(i), values.row(own[i]).begin());
    }
    result.provenance = back.provenance;
  }
  result.templates = Templates(std::move(values));
  return result;
}

const Declaration& recovery_declaration(const std::string& recovery) {
  return find_entry(recoveries(), "recovery", Specification::parse(recovery).name).declaration;
}

bool undoes(const std::string& recovery, const std::string& technique, const std::string& medium) {
  const Declaration& declaration = recovery_declaration(recovery);
  const ResolvedProtection resolved = make_protection(technique);
  if (!can_undo(declaration, *resolved.declaration)) return false;
  const std::string& masked = resolved.declaration->medium == "any" ? medium : resolved.declaration->medium;
  if (undoes_media(declaration) && declaration.medium != masked) return false;
  // Whoever needs the key has none where keys are secret.
  return !(declaration.keyed && resolved.declaration->keyed && resolved.parameters.text("regime") == "secret");
}

bool learned_from_pairs(const std::string& recovery) {
  const Declaration& declaration = recovery_declaration(recovery);
  return declaration.learns && !declaration.keyed && !declaration.undoes;
}

bool needs_other_people(const std::string& recovery) {
  const Declaration& declaration = recovery_declaration(recovery);
  return declaration.learns || !undoes_media(declaration);
}

bool needs_repeated_enrolments(const std::string& recovery) {
  return recovery_declaration(recovery).needs_repeats;
}

namespace {

/// Whose templates attackers hold: of people of their own or, in a closed set, of others.
Role attackers_of(const Arrangement& arrangement) {
  if (arrangement.has(Role::attacker)) return Role::attacker;
  if (arrangement.has(Role::background)) return Role::background;
  if (arrangement.has(Role::enrol)) {
    throw_usage("data.background", "is missing: in a closed set attack.recovery learns from other people");
  }
  throw_usage("data.attacker", "is missing, attack.recovery needs it");
}

class RecoveryQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "recovery",
            .paper = "",
            .doc = "how near do inversions come to the originals, and whom and what do they give away?",
            .keys = {texts_key("attack", "recovery", Json::array(), "inversions, as bauta list recoveries has them",
                               [](const std::string& text) { (void)make_recovery(text); }),
                     count_key("attack", "enrolments", 10, "of each sample, for inversions that need several", 1),
                     bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    Json values = parameters(setting);
    if (values["recovery"].empty()) return {};
    // Recoveries may be named for adversaries alone, whose recognisers bring their own representation.
    if (setting.medium != "template" && setting.representations.empty()) return {};
    const Arrangement& arrangement = views.arrangement();
    const bool nobody = !arrangement.has(Role::attacker) && !arrangement.has(Role::background);
    const auto taught = [](const Json& name) { return needs_other_people(name); };
    if (nobody && std::ranges::none_of(values["recovery"], taught)) return {};  // they are for adversaries
    const Role attackers = attackers_of(arrangement);
    // In a closed set samples of known people are compared with others of the same: all of them are undone.
    const Role target = arrangement.has(Role::target) ? Role::target : Role::whole;
    std::vector<std::string> attributes = setting.attributes;
    const Dataset known = views.clear(attackers, 0);
    std::erase_if(attributes, [&](const std::string& name) { return !known.labels.has(name); });
    std::vector<Asked> cells;
    for (const Json& name : values["recovery"]) {
      const std::string recovery = name;
      if (!undoes(recovery, technique, setting.medium)) continue;
      Json own = values;
      own.erase("recovery");
      own["attributes"] = attributes;
      if (!needs_repeated_enrolments(recovery)) own["enrolments"] = 1;
      const std::size_t times = own["enrolments"];
      for (const std::string& seen : representations_of(setting)) {
        Json key = cell_key("recovery", technique, seen);
        key["recovery"] = recovery;
        cells.push_back({std::move(key),
                         own,
                         {{attackers, {}, {seen}},
                          {attackers, {technique}, {seen}},
                          {target, {}, {seen}},
                          {target, {.technique = technique, .enrolments = times}, {seen}},
                          {target, {.technique = technique, .recovery = recovery, .enrolments = times}, {seen}}}});
      }
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    std::vector<Dataset> clear, masked, original, enrolled, recovered;
    const std::vector<Roles>& roles = views.arrangement().rotations;
    const Role target = asked.views[2].role;
    for (std::size_t r = 0; r < views.rotations(); ++r) {
      // A closed set that is split again holds the same people: they are undone once.
      if (r > 0 && roles[r].at(target).rows == roles[0].at(target).rows) continue;
      clear.push_back(views.view(asked.views[0], r));
      masked.push_back(views.view(asked.views[1], r));
      original.push_back(views.view(asked.views[2], r));
      enrolled.push_back(views.view(asked.views[3], r));
      recovered.push_back(views.view(asked.views[4], r));
    }
    std::vector<RecoveryRotation> rotations;
    for (std::size_t r = 0; r < recovered.size(); ++r) {
      rotations.push_back({&recovered[r], &original[r], &clear[r], &enrolled[r], &masked[r]});
    }
    const RecoveryCheck check{.attributes = asked.parameters["attributes"].get<std::vector<std::string>>(),
                              .bootstrap = asked.parameters["bootstrap"],
                              .seed = views.seed(),
                              .memory = views.memory()};
    return run_recovery_check(rotations, check);
  }
};

}  // namespace

std::unique_ptr<Question> recovery_question() {
  return std::make_unique<RecoveryQuestion>();
}

}  // namespace bauta
