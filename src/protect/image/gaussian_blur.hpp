// The parts of a Gaussian blur that can be checked by hand.
#pragma once

#include <cstddef>
#include <vector>

namespace bauta {

/// Weights of sum 1; `size` is odd.
std::vector<float> gaussian_kernel(std::size_t size);
/// Which of `size` places a place beyond them shows: ... 2 1 | 0 1 2 | 1 0 ...
std::size_t mirrored(std::ptrdiff_t place, std::size_t size);

}  // namespace bauta
