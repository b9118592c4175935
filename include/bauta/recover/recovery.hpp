// A recovery is an attacker who undoes a protection: from protected templates and from what they know back to templates
// that classifiers and comparators for clear data can take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/core/templates.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {

/// What the attacker has. A recovery refuses to go without what it needs, and ignores the rest. What is pointed to must
/// outlive the recovery.
struct Knowledge {
  const Dataset* clear = nullptr;                 ///< templates of other people as they are
  const Dataset* protected_clear = nullptr;       ///< the same rows, protected like the target
  const ResolvedProtection* technique = nullptr;  ///< stolen: what protected the target, with its key or model
  Randomness key_source = Randomness::seeded(1);  ///< stolen: where that key comes from if not from a file
  std::uint64_t seed = 1;                         ///< of the attacker's own draws
};

struct Recovered {
  Templates templates;
  std::vector<std::size_t> rows = {};                  ///< the target's row that each stands for; empty: all, in order
  std::map<std::string, std::string> properties = {};  ///< what else was found out, recorded beside the result
};

class Recovery {
 public:
  virtual ~Recovery() = default;

  /// Learns from what the attacker knows. Failed rows were taken out, and pairs correspond.
  virtual void fit(const Knowledge& knowledge);
  /// Results depend on data, knowledge and seed alone, not on threads. What it makes of failed rows is meaningless, but
  /// it must survive them.
  [[nodiscard]] virtual Recovered recover(const Dataset& target) const = 0;
};

const Catalogue<Recovery>& recoveries();

using ResolvedRecovery = Resolved<Recovery>;
ResolvedRecovery make_recovery(std::string_view specification);

/// Checks that the rows of a pair correspond, takes out those that failed on either side, and fits.
void fit_recovery(const ResolvedRecovery& recovery, const Knowledge& knowledge);

/// Recovers a whole data set: labels are kept, failed samples become zero rows, and the provenance says that this is
/// clear data again (or what the protection had been applied to), by which recovery, and what it had been.
Dataset recover_dataset(const ResolvedRecovery& recovery, const Dataset& target);

/// What protected `target` according to its record, with the attacker's loot: a key file, a fitted model, or neither
/// where the key came from a seed. Refuses data without a record and keys that were never kept.
ResolvedProtection stolen_technique(const Dataset& target, const std::string& keyfile, const std::string& model);

}  // namespace bauta
