// Synthetic recordings and drawings with identities and attributes, so that everything that starts from media can be
// tried without anybody's data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace bauta {

struct SynthMediaOptions {
  std::size_t identities = 12;
  std::size_t samples = 20;  ///< per identity
  std::uint64_t seed = 1;
};

/// A data set of WAV files (8 kHz) in an existing folder: vowels of a source-filter model. `digit` 0 to 9 is said in
/// turn and is a pair of vowels; `gender` (F, M in turn) moves pitch and formants, and each identity has its own of
/// both. Returns what was drawn, as JSON.
std::string synthesize_voices(const std::filesystem::path& folder, const SynthMediaOptions& options);

/// A data set of PNG files (64 x 64, grey) in an existing folder: drawings of a head with eyes, brows, nose and mouth.
/// `expression` (neutral, smile in turn) bends the mouth; `hair` (dark, light in turn) belongs to the identity, as does
/// the geometry. A detector of real faces passes nearly all of them over.
std::string synthesize_faces(const std::filesystem::path& folder, const SynthMediaOptions& options);

}  // namespace bauta
