// A protection maps templates to protected templates, block of rows by block of rows, so that data of any size streams
// through.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/core/random.hpp"
#include "bauta/core/templates.hpp"
#include "bauta/data/dataset.hpp"

namespace bauta {

/// What a protection may know besides the templates.
struct ProtectContext {
  Randomness randomness = Randomness::seeded(1);
  /// Subject of each row of the whole data set (for user-specific keys); may be empty.
  std::vector<std::string> subjects = {};
  /// Rows of the whole data set where nothing was extracted: whatever stands there is no template. Empty: none.
  std::vector<bool> failed = {};
};

class Protection {
 public:
  virtual ~Protection() = default;

  /// Learning protections fit here; training-free ones ignore it.
  virtual void fit(const Dataset& train, const std::string& attribute, const ProtectContext& context);

  /// Refuses templates it cannot take, before any work is done; `where` names their origin. Failed rows are passed
  /// over.
  virtual void check(const Templates& input, const std::string& where, const ProtectContext& context) const = 0;

  /// Protects a block: row i of `block` is sample `first + i` of the data set. Randomness is keyed by that number, so
  /// the result does not depend on how the data was cut into blocks, nor on threads. An empty block gives an empty
  /// result of the kind and width that all blocks have. What it makes of failed rows is meaningless, but it must
  /// survive them.
  [[nodiscard]] virtual Templates protect(const Templates& block, std::size_t first,
                                          const ProtectContext& context) const = 0;

 protected:
  static void require_floats(const Templates& input, std::string_view technique, const std::string& where);
};

const Catalogue<Protection>& protections();

/// A protection ready for use, with what its declaration and parameters resolved to.
struct ResolvedProtection {
  std::unique_ptr<Protection> protection;
  const Declaration* declaration = nullptr;
  Parameters parameters;
  std::string comparator;  ///< its own comparator with parameters filled in; empty: the user's choice
};

ResolvedProtection make_protection(std::string_view specification);

/// Protects a whole data set in blocks on all threads and records the provenance (never a key, nor where one lies).
/// Labels stay as they are, failed samples become zero rows. Subjects and failures that `context` does not name come
/// from the data.
Dataset protect_dataset(const ResolvedProtection& protection, const Dataset& dataset, const ProtectContext& context);

}  // namespace bauta
