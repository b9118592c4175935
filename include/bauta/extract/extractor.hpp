// An extractor makes a template of a medium: a feature vector of the same length for every image or recording.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/core/matrix.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/medium.hpp"

namespace bauta {

/// What an extractor learned, in the precision in which it learned it: features come out again to the last bit.
using LearnedArrays = std::map<std::string, Matrix<double>>;

class Extractor {
 public:
  virtual ~Extractor() = default;

  /// A learning extractor (eigenface) sees media through one that does not learn. This is its specification, and what
  /// it gives is what fit() and project() take. Empty: does not learn.
  [[nodiscard]] virtual std::string base() const { return {}; }
  /// Samples that failed are left out.
  virtual void fit(const Dataset& train);
  /// One that learns to say of what it sees what another says of the same samples unmasked: the other's specification.
  /// Then fit_taught() is called in place of fit(), with the other's templates of the same rows. Empty: nobody teaches
  /// it.
  [[nodiscard]] virtual std::string teacher() const { return {}; }
  virtual void fit_taught(const Dataset& train, const Dataset& taught);
  [[nodiscard]] virtual std::vector<float> project(std::span<const float> features) const;
  /// What fit() learned, and the way back. restore() checks every shape: `where` names the file.
  [[nodiscard]] virtual LearnedArrays state() const { return {}; }
  virtual void restore(LearnedArrays state, const std::string& where);

  /// Digest of everything besides the parameters that decides about the features: weights, what was learned. Empty:
  /// nothing does.
  [[nodiscard]] virtual std::string model() const { return {}; }

  /// The features of a medium, or nothing where there is nothing to extract (no face, silence): that is data, not an
  /// error. Throws an input error for a medium of another kind. Called from several threads at once.
  [[nodiscard]] virtual std::optional<std::vector<float>> extract(const Medium& medium) const = 0;

  /// Whether it compares what was made of a medium with the clear one: then extract_beside() is asked instead.
  [[nodiscard]] virtual bool compares() const { return false; }
  [[nodiscard]] virtual std::optional<std::vector<float>> extract_beside(const Medium& made, const Medium& clear) const;
};

const Catalogue<Extractor>& extractors();

using ResolvedExtractor = Resolved<Extractor>;
ResolvedExtractor make_extractor(std::string_view specification);

/// Lets a learning extractor learn from media.
void fit_extractor(const ResolvedExtractor& extractor, const Dataset& media);
/// A fitted extractor in one file (.npz, mode 0600).
void save_extractor(const ResolvedExtractor& extractor, const std::filesystem::path& path);
/// `specification` must be the one that the file was fitted with.
ResolvedExtractor load_extractor(const std::filesystem::path& path, std::string_view specification);

/// What an extractor makes of a medium: features, or the reason why there are none.
struct Extracted {
  std::vector<float> features = {};
  std::string reason = {};
};

/// One that gives nothing, or that the extractor cannot take, fails. A medium of another kind than the declared one is
/// an input error that names `origin` and the row. `clear`: what it was made of, for one that compares.
Extracted extract_medium(const ResolvedExtractor& extractor, const Medium& medium, const std::string& origin,
                         std::size_t row, const Medium* clear = nullptr);

/// Rows of templates, zeros for those that failed; empty if all did. The first is row `first` of `origin`: an input
/// error names a row of another length.
Matrix<float> feature_rows(const ResolvedExtractor& extractor, const std::vector<Extracted>& extracted,
                           const std::string& origin, std::size_t first = 0);

/// The data set with these templates. Samples with a reason failed: they have 1 in the column `failed`, and remarks say
/// how many and why. An input error where there are no templates at all.
Dataset with_templates(const ResolvedExtractor& extractor, const Dataset& media, Templates templates,
                       const std::vector<std::string>& reasons);

/// Templates of all media of a data set, on all threads, decoded one by one; labels stay as they are. A sample that
/// gives nothing, or is damaged, becomes a zero row that failed. A file that is missing and a medium of another kind
/// than the declared one are input errors.
Dataset extract_dataset(const ResolvedExtractor& extractor, const Dataset& media);

}  // namespace bauta
