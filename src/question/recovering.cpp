#include "bauta/question/recovering.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/protect/key_regime.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/protocol/subjects.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/recover/media.hpp"

namespace bauta {

namespace {

/// Recoveries learn from pairs of rows. Files that were masked have names of their own, and tell nothing.
void require_pairs(const Dataset& clear, const Dataset& hidden) {
  if (clear.size() != hidden.size() || !clear.labels.has("id") || !hidden.labels.has("id")) return;
  const auto &own = clear.labels.column("id"), &others = hidden.labels.column("id");
  const auto [one, other] = std::ranges::mismatch(own, others);
  if (one == own.end()) return;
  throw_input(clear.origin + " and " + hidden.origin,
              fmt::format("row {} is sample '{}' in one and '{}' in the other", one - own.begin() + 1, *one, *other),
              "both must hold the same samples in the same order");
}

}  // namespace

Dataset run_recovery(const Dataset& target, const RecoveryRun& run) {
  const ResolvedRecovery recovery = make_recovery(run.recovery);
  require_taken(recovery, target);
  Knowledge knowledge{.clear = run.clear, .protected_clear = run.protected_clear, .seed = run.seed};
  if (run.clear != nullptr) require_disjoint(*run.clear, target);
  if (run.clear != nullptr && run.original != nullptr) require_disjoint(*run.clear, *run.original);
  if (run.protected_clear != nullptr) require_comparable(*run.protected_clear, target);
  if (run.clear != nullptr && run.protected_clear != nullptr) require_pairs(*run.clear, *run.protected_clear);
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
  std::vector<bool> lost = clear.failed();
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
    const std::vector<bool> not_back = back.failed();
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (not_back[i]) lost[own[i]] = true;
      std::ranges::copy(back.templates.floats().row(i), values.row(own[i]).begin());
    }
    result.provenance = back.provenance;
  }
  result.templates = Templates(std::move(values));
  result.mark_failed(lost);
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
  return !(declaration.keyed && has_personal_keys(resolved));
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

}  // namespace bauta
