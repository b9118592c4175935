// A recovery is an attacker who undoes a protection: from protected templates or masked media and from what they know
// back to what classifiers, comparators and extractors for clear data can take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/core/templates.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {

/// What the attacker has. A recovery refuses to go without what it needs, and ignores the rest. What is pointed to must
/// outlive fit(), and the recovery itself where a technique is stolen.
struct Knowledge {
  const Dataset* clear = nullptr;                 ///< templates or media of other people as they are
  const Dataset* protected_clear = nullptr;       ///< the same rows, protected like the target
  const ResolvedProtection* technique = nullptr;  ///< what protected the target; stolen: with its key or model
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

  /// Templates. Results depend on data, knowledge and seed alone, not on threads. What it makes of failed rows is
  /// meaningless, but it must survive them.
  [[nodiscard]] virtual Recovered recover(const Dataset& target) const;

  /// A masked medium, which is sample `sample` of the data set; for recoveries whose declared medium is no template.
  /// Called from several threads at once. An input error: nothing comes back of this one.
  [[nodiscard]] virtual Medium undo(const Medium& medium, std::size_t sample) const;
  /// A recovery that makes each medium out of others as well (declared: it mixes): itself on the masked data set. Null:
  /// each is undone for itself.
  [[nodiscard]] virtual std::unique_ptr<const Recovery> among(const Dataset& masked) const;
  /// What fit() found out, recorded beside media that were undone.
  [[nodiscard]] virtual std::map<std::string, std::string> properties() const { return {}; }
  /// What fit() learned of media, and the way back. restore() checks every shape: `where` names the file.
  [[nodiscard]] virtual FittedState state() const { return {}; }
  virtual void restore(const FittedState& state, const std::string& where);
};

const Catalogue<Recovery>& recoveries();
/// Whether a recovery can be tried on a technique, by what both declare: it undoes what the technique does, or runs a
/// technique that was stolen, or takes any.
bool can_undo(const Declaration& recovery, const Declaration& technique);

using ResolvedRecovery = Resolved<Recovery>;
ResolvedRecovery make_recovery(std::string_view specification);

/// Checks that the rows of a pair correspond, takes out those that failed on either side, and fits.
void fit_recovery(const ResolvedRecovery& recovery, const Knowledge& knowledge);

/// What a recovery for media learned, in one file (.npz, mode 0600), and the way back.
void save_recovery(const ResolvedRecovery& recovery, const std::filesystem::path& path);
ResolvedRecovery load_recovery(const std::filesystem::path& path, std::string_view specification);

/// Recovers a whole data set: labels are kept, failed samples become zero rows, and the provenance says that this is
/// clear data again (or what the protection had been applied to), by which recovery, and what it had been. Media are
/// undone on demand, by one thread or many, in any order, the same.
Dataset recover_dataset(const ResolvedRecovery& recovery, const Dataset& target);

/// What protected `target` according to its record, with the attacker's loot: a key file, a fitted model, or neither
/// where the key came from a seed. Refuses data without a record and keys that were never kept.
ResolvedProtection stolen_technique(const Dataset& target, const std::string& keyfile, const std::string& model);
/// The same as far as everybody knows it, without any loot. Empty where there is no record, or it does not tell enough.
std::optional<ResolvedProtection> recorded_protection(const Dataset& target);

}  // namespace bauta
