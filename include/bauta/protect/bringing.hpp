// Techniques that need not learn, because what was learned for them comes with the program.
#pragma once

#include <string>

#include "bauta/protect/protection.hpp"

namespace bauta {

/// fit() and restore() give it something else.
class BringingProtection {
 public:
  virtual ~BringingProtection() = default;
  /// Digest of the weights that come with it. An environment error says which are missing.
  [[nodiscard]] virtual std::string brought() const = 0;
};

/// Digest of what a technique learned, else of what it brings; empty: neither.
std::string model_of(const ResolvedProtection& protection);

}  // namespace bauta
