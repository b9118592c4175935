// Protection in the context of a data set: who its subjects are, where its randomness comes from.
#pragma once

#include <cstdint>

#include "bauta/protect/protection.hpp"

namespace bauta {

/// For an experiment everything is drawn from the seed and the data's digest; for a release from the operating system.
ProtectContext protect_context(const Dataset& dataset, std::uint64_t seed, bool release = false);

/// Every sample `times` times in a row, with columns `original` (row in `dataset`, from 1) and `enrolment` (from 1).
Dataset repeated_enrolments(const Dataset& dataset, std::size_t times);

}  // namespace bauta
