// A recogniser learns people from enrolled samples and tells, for probes, how likely each person is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bauta/core/declaration.hpp"
#include "bauta/core/matrix.hpp"
#include "bauta/core/templates.hpp"
#include "bauta/learn/estimator.hpp"

namespace bauta {

struct RecogniserOptions {
  std::string comparator = "cosine";  ///< of recognisers that have none of their own
  double temperature = 1;             ///< of the softmax that makes probabilities of similarities
  std::uint64_t seed = 1;
  std::string enrolled = "enrolled samples";  ///< what errors name
  std::string probes = "probes";
};

/// It sees templates alone. Which it wants to see is its representation: whoever has media extracts them first, and
/// fits an extractor that learns on whom they like.
class Recogniser {
 public:
  virtual ~Recogniser() = default;

  /// `identities` in [0, people), one per row; everybody is enrolled. Depends on data and seed alone, not on threads.
  virtual void fit(const Templates& enrolled, std::span<const std::int32_t> identities, std::size_t people,
                   const RecogniserOptions& options) = 0;
  /// A row per probe, a column per person.
  [[nodiscard]] virtual Likelihoods likelihoods(const Templates& probes) const = 0;
};

/// Those that are recognisers only; every estimator is one, too.
const Catalogue<Recogniser>& recognisers();

using ResolvedRecogniser = Resolved<Recogniser>;
/// From this catalogue, or an estimator's specification.
ResolvedRecogniser make_recogniser(std::string_view specification);
/// The extractor that it starts from, as a specification; empty: templates as they are.
std::string representation_of(const ResolvedRecogniser& recogniser);

}  // namespace bauta
