// People with a mood and a mouth, and a mixing technique fitted to the mood: what tests of releases and of their search
// start from.
#pragma once

#include "bauta/data/synth_templates.hpp"
#include "bauta/question/protecting.hpp"

namespace bauta::test {

inline Dataset moody_people(std::size_t identities, std::size_t samples, std::size_t dim) {
  SynthOptions options;
  options.identities = identities;
  options.samples = samples;
  options.dim = dim;
  options.axis_aligned = true;
  options.attributes = {{"mood", 4, {"glad", "sad"}, {0.5, 0.5}}, {"mouth", 4, {"open", "shut"}, {0.5, 0.5}}};
  return synthesize_templates(options).dataset;
}

inline ResolvedProtection fitted_to_mood(const std::string& parameters, const Dataset& dataset) {
  ResolvedProtection protection = make_protection("utility-preserving:ranking=fisher," + parameters);
  fit_protection(protection, dataset, {"mood"}, protect_context(dataset, 1));
  return protection;
}

}  // namespace bauta::test
