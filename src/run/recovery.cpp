#include "bauta/run/recovery.hpp"

#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/comparing.hpp"

namespace bauta {

Dataset run_recovery(const Dataset& target, const RecoveryRun& run) {
  const ResolvedRecovery recovery = make_recovery(run.recovery);
  Knowledge knowledge{.clear = run.clear, .protected_clear = run.protected_clear, .seed = run.seed};
  if (run.clear != nullptr) require_disjoint(*run.clear, target);
  if (run.clear != nullptr && run.original != nullptr) require_disjoint(*run.clear, *run.original);
  if (run.protected_clear != nullptr) require_comparable(*run.protected_clear, target);
  ResolvedProtection technique;
  if (recovery.declaration->keyed) {
    if (run.technique == nullptr) technique = stolen_technique(target, run.keyfile, run.model);
    knowledge.technique = run.technique != nullptr ? run.technique : &technique;
    knowledge.key_source = Randomness::seeded(run.key_seed);
  }
  fit_recovery(recovery, knowledge);
  return recover_dataset(recovery, target);
}

}  // namespace bauta
