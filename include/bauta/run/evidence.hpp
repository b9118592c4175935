// What is known about a release when it is made: what it is good for, and who finds whom in it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "bauta/core/json.hpp"
#include "bauta/run/release.hpp"
#include "bauta/measure/usual.hpp"

namespace bauta {

struct EvidenceRun {
  std::uint64_t seed = 1;  ///< of what is learned and resampled; nothing that was released depends on it
  std::size_t bootstrap = usual_draws;
  Json search = nullptr;  ///< how the setting was found; null: it was given
};

/// What is said of the labels of a release.
Json labels_json(const LabelRisk& risk);

/// Judges what was really released: `folder` holds it, `released` tells where each sample of `dataset` went. As the
/// results of a run with one technique, with what concerns the release under "release".
Json release_evidence(const ResolvedProtection& protection, const Dataset& dataset, const Released& released,
                      const std::filesystem::path& folder, const EvidenceRun& run);

}  // namespace bauta
