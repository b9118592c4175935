// Synthetic recordings, drawings and walks with identities and attributes, so that everything that starts from media can be
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

/// A data set of motions (100 frames of 20 joints, millimetres, named in joints.txt) in an existing folder: one cycle of a
/// walker whose proportions and swings are twelve traits of the identity, which vary a little from walk to walk. `gender`
/// (F, M in turn) moves height, shoulders and hips; `height_m` is the identity's. The truth says the rank-1 rate of
/// somebody who knows everybody's traits and reads those of a walk without error.
std::string synthesize_gaits(const std::filesystem::path& folder, const SynthMediaOptions& options);

}  // namespace bauta
