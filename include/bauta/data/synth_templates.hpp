// Synthetic templates whose best possible attack is known: a Gaussian population with planted identities and
// attributes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

/// A property of the identity. Its class means lie equally spaced on a line of their own, orthogonal to all other
/// attributes.
struct SynthAttribute {
  std::string name = "attribute";
  double leak = 1;  ///< distance of neighbouring class means in standard deviations of one sample; 0 plants nothing
  std::vector<std::string> classes = {"c0", "c1"};
  std::vector<double> proportions = {0.5, 0.5};
};

/// "gender:leak=1.5,classes=F/M,proportions=0.3/0.7"; `classes` may also be a count. Defaults: leak 1, two equal
/// classes.
SynthAttribute parse_synth_attribute(std::string_view text);

/// Sample j of identity i is  sum_a position(class of i) * direction_a + u_i + e_ij,  u ~ N(0, strength^2 I), e ~ N(0,
/// I).
struct SynthOptions {
  std::size_t identities = 100;
  std::size_t samples = 10;  ///< per identity
  std::size_t dim = 128;
  double identity_strength =
      0.75;  ///< standard deviation of the identity part over that of the nuisance; 0: no identities
  std::vector<SynthAttribute> attributes = {SynthAttribute{}};
  double outliers = 0;        ///< chance of a sample to be replaced by noise that knows neither identity nor class
  double outlier_scale = 5;   ///< standard deviation of that noise over that of a clean sample
  bool axis_aligned = false;  ///< attribute a leaks along coordinate a, instead of a random direction
  std::uint64_t seed = 1;
};

struct SynthPopulation {
  Dataset dataset;    ///< labels: id, identity, the attributes, and `outlier` (0/1) if outliers were asked for
  std::string truth;  ///< the content of truth.json: every parameter, the directions and the optimum
};

/// The same bits for the same options on any number of threads. Impossible options are usage errors.
SynthPopulation synthesize_templates(const SynthOptions& options);

/// What the best classifier of one sample of an unseen identity reaches.
struct BayesOptimum {
  double accuracy = 0;
  double balanced = 0;
};
BayesOptimum bayes_optimum(double leak, std::span<const double> proportions);

/// The true value lies in [value - error, value + error].
struct Bounded {
  double value = 0;
  double error = 0;
};

/// What the log-likelihood ratio "same identity" : "different identities" of two samples reaches, in `dimensions`
/// dimensions that carry no attribute; `correlation` = strength^2 / (strength^2 + 1) is that of two samples of one
/// identity.
struct VerificationOptimum {
  Bounded eer;
  Bounded auc;
  double d_prime = 0;
};
VerificationOptimum verification_optimum(std::size_t dimensions, double correlation);

/// No comparison has a lower EER than this where attributes leak: it is reached by one that is told the classes
/// besides. `class_combinations` are the probabilities of all combinations of classes of the leaking attributes.
double informed_eer(std::size_t dimensions, double correlation, std::span<const double> class_combinations);

}  // namespace bauta
