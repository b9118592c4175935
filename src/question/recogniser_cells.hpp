// Questions that recognisers are asked in a closed set: their cells.
#pragma once

#include <string>
#include <vector>

#include "bauta/question/question.hpp"

namespace bauta {

/// One cell per recogniser of `parameters["recogniser"]`, representation and adversary. Its views are enrolled samples
/// and probes as the adversary has them and, of a technique that masks, the same two as they were. None where nobody
/// has two samples; the arrangement must be a closed set.
std::vector<Asked> recogniser_cells(const Setting& setting, const Views& views, const std::string& technique,
                                    const std::string& question, const Json& parameters);

/// The extractors that a recogniser sees media by: its own, or else those of the experiment.
std::vector<std::string> recogniser_representations(const Setting& setting, const std::string& recogniser);

/// Throws a usage error where the arrangement is no closed set and the experiment names `key` ("section.key") itself;
/// gives whether it is one.
bool names_people(const Setting& setting, const Views& views, const std::string& key);

}  // namespace bauta
