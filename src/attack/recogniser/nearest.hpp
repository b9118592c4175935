// Recognisers that compare probes with every enrolled sample.
#pragma once

#include <memory>
#include <string>

#include "bauta/attack/recogniser.hpp"

namespace bauta {

/// A probe is of the person whose enrolled sample is the most similar, by this comparator whatever the options say.
std::unique_ptr<Recogniser> nearest_by(std::string comparator);
/// The same with the mean of each person's samples.
std::unique_ptr<Recogniser> centroid_by(std::string comparator);

}  // namespace bauta
