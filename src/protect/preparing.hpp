// What comes before a data set is protected, whatever its medium.
#pragma once

#include <memory>

#include "bauta/protect/protection.hpp"

namespace bauta {

/// The context with subjects and failures of the data where it names none. A usage error for a technique that learns
/// and has not been fitted.
ProtectContext complete_context(const ResolvedProtection& resolved, const Dataset& dataset,
                                const ProtectContext& context);

/// The protection itself, or what it becomes on this data set.
std::shared_ptr<const Protection> on_data(const ResolvedProtection& resolved, const Dataset& dataset,
                                          const ProtectContext& context);

/// What the record of the protected data set says, but for the promise. Never a key, nor where one lies.
Provenance provenance_of(const ResolvedProtection& resolved, const Dataset& dataset, const ProtectContext& context);

}  // namespace bauta
