// The linear way back from protected forms of any kind to features, learned from pairs by ridge regression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "bauta/compare/comparator.hpp"
#include "bauta/core/matrix.hpp"
#include "bauta/core/templates.hpp"
#include "bauta/learn/ridge.hpp"

namespace bauta {

struct InverseMapOptions {
  std::optional<double> penalty = std::nullopt;  ///< unset: by generalised cross-validation
  std::size_t dual_pairs = 4000;  ///< at most so many, drawn at random, where the cost grows with the cube of pairs
  std::uint64_t seed = 1;
};

class InverseMap {
 public:
  /// Floats as they are, bits as numbers, codes one-hot: few of them as features, many through the number of codes in
  /// which two samples agree, which is the inner product of their one-hot forms.
  static InverseMap fit(const Templates& protected_forms, MatrixView<const float> clear,
                        const InverseMapOptions& options);

  [[nodiscard]] Matrix<float> apply(const Templates& protected_forms) const;
  [[nodiscard]] double penalty() const { return dual_ ? dual_->penalty() : primal_.penalty(); }
  /// Pairs that were learned from.
  [[nodiscard]] std::size_t pairs() const { return pairs_; }

 private:
  [[nodiscard]] Matrix<float> features(const Templates& protected_forms) const;

  std::size_t pairs_ = 0;
  std::size_t levels_ = 0;  // of codes
  Ridge primal_;
  std::optional<KernelRidge> dual_;
  std::unique_ptr<const Comparator> agreement_;
  std::unique_ptr<const Prepared> known_;
};

}  // namespace bauta
