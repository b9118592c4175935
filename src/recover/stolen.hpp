// A technique in the hands of attackers who have stolen its key or model: they protect what they like, as whom they
// like.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "bauta/compare/comparator.hpp"
#include "bauta/recover/recovery.hpp"

namespace bauta {

class StolenTechnique {
 public:
  /// Refuses techniques that have neither key nor model: they draw afresh for every sample, and there is nothing to
  /// steal. `technique` must outlive this.
  StolenTechnique(const ResolvedProtection& technique, Randomness key_source);

  /// Refuses a number of features that the technique does not take; `where` names who has so many.
  void check(std::size_t dimension, const std::string& where) const;
  /// As the system under attack would store them, or as they would be presented to it. `subjects`: one per row, or
  /// empty where keys are not personal.
  [[nodiscard]] Templates enrol(const Templates& rows, std::vector<std::string> subjects) const;
  [[nodiscard]] Templates present(const Templates& rows, std::vector<std::string> subjects) const;
  /// Whether every subject has a key of its own.
  [[nodiscard]] bool personal() const { return personal_; }
  [[nodiscard]] const Comparator& comparator() const { return *comparator_; }
  [[nodiscard]] const std::string& name() const { return technique_->declaration->name; }

  /// y = matrix x + offset for `dimension` features, if that is what the technique does under this subject's key.
  struct Affine {
    Eigen::MatrixXd matrix;
    Eigen::VectorXd offset;
  };
  [[nodiscard]] std::optional<Affine> affine(std::size_t dimension, const std::string& subject) const;

 private:
  const ResolvedProtection* technique_;
  Randomness key_source_;
  bool personal_;
  std::unique_ptr<Comparator> comparator_;
};

}  // namespace bauta
