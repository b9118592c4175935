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

/// Moves each row of `candidates` in place. A step is made only where the similarity grows, so that none gets worse.
/// `rows` are the numbers of the targets, which key the random draws, and `subjects` their people.
Climb climb(const StolenTechnique& technique, const Templates& targets, const std::vector<std::size_t>& rows,
            const std::vector<std::string>& subjects, const Gaussian& prior, const ClimbOptions& options,
            Matrix<float>& candidates);

}  // namespace bauta
