// Hill climbing through a stolen technique: candidates move wherever their protected form comes closer to the target's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gaussian.hpp"
#include "stolen.hpp"

namespace bauta {

struct ClimbOptions {
  std::size_t rounds = 50;
  std::size_t proposals = 32;  ///< per round and target
  double step = 0.1;           ///< first one, in standard deviations of the prior
  std::uint64_t seed = 1;
};

struct Climb {
  std::vector<double> before;  ///< similarity of each candidate's protected form to its target, at first
  std::vector<double> after;
};

struct ClimbTargets {
  Templates templates;
  std::vector<std::size_t> rows;  ///< their numbers, which key the random draws
  std::vector<std::string> subjects;
};

/// Moves each row of `candidates` in place. A step is made only where the similarity grows, so that none gets worse.
Climb climb(const StolenTechnique& technique, const ClimbTargets& targets, const Gaussian& prior,
            const ClimbOptions& options, Matrix<float>& candidates);

}  // namespace bauta
