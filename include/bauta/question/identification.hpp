// Who is it? Closed-set identification of probes among enrolled people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/measure/usual.hpp"
#include "bauta/question/key.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

struct IdentifyRun {
  std::vector<std::string> recognisers = usual_recognisers();
  std::string comparator = {};               ///< of `nearest`; empty: the protection's own, else cosine
  double temperature = 1;                    ///< of the softmax that makes probabilities of similarities
  std::vector<std::size_t> top = usual_top;  ///< k of the mixture at k
  std::size_t most_people = 0;               ///< that are enrolled, drawn at random of those who have probes; 0: all
  /// The share of each person's samples that is probed, where both sides hold the same samples; the others are
  /// enrolled. 0: the same samples on both sides are refused.
  double test = 0;
  bool other_samples = false;  ///< whatever their labels say, both sides hold other samples
  std::size_t bootstrap = usual_draws;
  std::uint64_t seed = 1;
};

/// Whoever has no sample among those to enrol is left out and counted. A probe of which nothing was extracted counts as
/// a guess; a probe of somebody all of whose samples to enrol failed is a miss, because they cannot be found. A sample
/// that is enrolled is never a probe. Fields as promised for `identify --json`.
/// `per_identity` of each recogniser has, for each person who is probed, their first row among those enrolled (from 1),
/// how many of their probes are named rightly at once (ties and guesses count in part), and how many there are.
Answer run_identify(const Dataset& enrolled, const Dataset& probes, const IdentifyRun& run);

}  // namespace bauta
