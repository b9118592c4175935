// What a technique promises of the samples of a data set.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "bauta/protect/guarantee.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {

/// Sizes that occur among the images of a data set, read from the beginnings of files. What is no image, or cannot be
/// read, is left out.
std::set<ImageShape> image_shapes(const Dataset& dataset);

/// `shapes` are looked at for a technique that masks images; where there are none it promises nothing.
Promise promise_of(const ResolvedProtection& protection, const std::set<ImageShape>& shapes);
Promise promise_on(const ResolvedProtection& protection, const Dataset& dataset);

/// "block = 12, m = 7 to 16"; empty where no parameter counts pixels.
std::string to_text(const std::map<std::string, Range>& in_pixels);

/// Writes it down beside what was made, and whether those who know the seed can take the noise off again. What the
/// record says of techniques before stays, in their order.
void record_promise(const Promise& promise, const Randomness& randomness, Provenance& provenance);

}  // namespace bauta
