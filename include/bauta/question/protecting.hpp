// Protection in the context of a data set: who its subjects are, where its randomness comes from.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "bauta/protect/protection.hpp"

namespace bauta {

/// For an experiment everything is drawn from the seed and the data's digest; for a release from the operating system.
ProtectContext protect_context(const Dataset& dataset, std::uint64_t seed, bool release = false);

/// Every sample `times` times in a row, with columns `original` (row in `dataset`, from 1) and `enrolment` (from 1).
Dataset repeated_enrolments(const Dataset& dataset, std::size_t times);

const Declaration& protection_declaration(const std::string& technique);
/// Whether a technique does anything.
bool masks(const std::string& technique);
/// Whether `extractor` sees masked media. What masks templates comes after it, and no extractor means that templates
/// are stored.
bool masked_before(const std::string& extractor, const std::string& technique);
/// A technique that does nothing: data as it is.
std::string baseline();
/// `technique` with these parameters set, in brief.
std::string with_parameters(const std::string& technique, const std::map<std::string, std::string>& values);
/// A keyed technique as one of several applications with keys of their own uses it.
std::string under_application(const std::string& technique, int application);

}  // namespace bauta
