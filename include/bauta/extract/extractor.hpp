// An extractor makes a template of a medium: a feature vector of the same length for every image or recording.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/medium.hpp"

namespace bauta {

class Extractor {
 public:
  virtual ~Extractor() = default;

  /// Learning extractors (eigenface) learn here from the media of `train`; samples that fail are left out.
  virtual void fit(const Dataset& train);

  /// Digest of everything besides the parameters that decides about the features: weights, what was learned. Empty:
  /// nothing does.
  [[nodiscard]] virtual std::string model() const { return {}; }

  /// The features of a medium, or nothing where there is nothing to extract (no face, silence): that is data, not an
  /// error. Throws an input error for a medium of another kind. Called from several threads at once.
  [[nodiscard]] virtual std::optional<std::vector<float>> extract(const Medium& medium) const = 0;
};

const Catalogue<Extractor>& extractors();

using ResolvedExtractor = Resolved<Extractor>;
ResolvedExtractor make_extractor(std::string_view specification);

/// Templates of all media of a data set, on all threads, decoded one by one; labels stay as they are. A sample that
/// gives nothing, or is damaged, becomes a zero row with 1 in the column `failed`, and remarks say how many and why. A
/// file that is missing and a medium of another kind than the declared one are input errors.
Dataset extract_dataset(const ResolvedExtractor& extractor, const Dataset& media);

}  // namespace bauta
