// Protection in the context of a data set: who its subjects are, where its randomness comes from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

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
/// What the record of data says that they went through before: techniques that mask, the last one first; empty: they
/// are clear, as far as it says.
std::vector<std::string> earlier_masks(const Provenance& record);
/// What to say where parts of data that `record` tells of must be apart, and a technique made them together, or may
/// have learned from all of them. Empty: nothing.
std::string made_together(const std::string& origin, const Provenance& record);
/// The same of two data sets; nothing unless both are parts of one folder.
std::string made_together(const Dataset& a, const Dataset& b);
/// A technique that does nothing: data as it is.
std::string baseline();
/// `technique` with these parameters set, in brief.
std::string with_parameters(const std::string& technique, const std::map<std::string, std::string>& values);
/// A keyed technique as one of several applications with keys of their own uses it.
std::string under_application(const std::string& technique, int application);

}  // namespace bauta
