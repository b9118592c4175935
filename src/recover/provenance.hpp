// What the record of recovered data says.
#pragma once

#include <map>
#include <string>

#include "bauta/recover/recovery.hpp"

namespace bauta {

/// `comparator`: of what came back, where nothing lies below that has one of its own.
Provenance recovered_provenance(const ResolvedRecovery& recovery, const Dataset& target, const std::string& comparator,
                                const std::map<std::string, std::string>& properties);

}  // namespace bauta
