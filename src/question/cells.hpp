// What several questions need to know to say in which cells they are asked.
#pragma once

#include <string>
#include <vector>

#include "bauta/question/question.hpp"

namespace bauta {

/// The extractors that media are seen by; one without a name where templates are stored.
std::vector<std::string> representations_of(const Setting& setting);

/// `question` and `technique`, and `representation` where there is one.
Json cell_key(const std::string& question, const std::string& technique, const std::string& representation);

/// Whether anybody can be compared with themselves.
bool somebody_has_two_samples(const Dataset& data);

}  // namespace bauta
