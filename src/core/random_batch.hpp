// Random numbers many at a time: loops that the compiler turns into vector instructions, with the same bits whichever
// it has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bauta {

/// Philox 4x32-10 of the counters (block, item), (block + 1, item), ...: four words each, one after the other.
void philox_words(std::array<std::uint32_t, 2> key, std::uint64_t block, std::uint64_t item, std::size_t counters,
                  std::uint32_t* words);

/// Normals of one batch; each takes two words.
constexpr std::size_t normal_batch = 16;

/// Independent standard normals from uniform words, batch by batch (Box-Muller).
void normals_from_words(const std::uint32_t* words, std::size_t batches, double* normals);

}  // namespace bauta
