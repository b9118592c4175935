// An extractor makes a template of a medium: a feature vector of the same length for every image or recording.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/data/dataset.hpp"

namespace bauta {

class Extractor {
 public:
  virtual ~Extractor() = default;

  /// Learning extractors (eigenface) learn here from the media of `train`; samples that fail are left out.
  virtual void fit(const Dataset& train);

  /// Digest of everything besides the parameters that decides about the features: weights, what was learned. Empty:
  /// nothing does.
  [[nodiscard]] virtual std::string model() const { return {}; }

  /// The features of the medium in `file`, or nothing where there is nothing to extract (no face, silence): that is
  /// data, not an error. Throws an input error for a file that cannot be read. Called from several threads at once.
  [[nodiscard]] virtual std::optional<std::vector<float>> extract(const std::filesystem::path& file) const = 0;
};

const Catalogue<Extractor>& extractors();

using ResolvedExtractor = Resolved<Extractor>;
ResolvedExtractor make_extractor(std::string_view specification);

/// Templates of all media of a data set, on all threads; labels stay as they are. A sample that gives nothing, or whose
/// file is damaged, becomes a zero row with 1 in the column `failed`, and remarks say how many and why; a file that is
/// missing is an input error.
Dataset extract_dataset(const ResolvedExtractor& extractor, const Dataset& media);

}  // namespace bauta
