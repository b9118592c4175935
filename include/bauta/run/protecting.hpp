// Protection in the context of a data set: who its subjects are, where its randomness comes from.
#pragma once

#include <cstdint>

#include "bauta/protect/protection.hpp"

namespace bauta {

/// For an experiment everything is drawn from the seed and the data's digest; for a release from the operating system.
ProtectContext protect_context(const Dataset& dataset, std::uint64_t seed, bool release = false);

}  // namespace bauta
