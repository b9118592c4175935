// Recordings as people have them: whatever libsndfile reads (WAV, FLAC, Ogg, ...).
#pragma once

#include <filesystem>
#include <vector>

namespace bauta {

struct Recording {
  double rate = 0;             ///< samples per second
  std::vector<float> samples;  ///< in [-1, 1]; several channels are averaged

  bool operator==(const Recording&) const = default;
};

/// Throws an input error for what is no recording, is damaged, or is longer than an hour.
Recording read_recording(const std::filesystem::path& path);

}  // namespace bauta
