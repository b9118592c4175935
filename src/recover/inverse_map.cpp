#include "inverse_map.hpp"

#include <algorithm>
#include <numeric>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/learn/preparation.hpp"

namespace bauta {
namespace {

// Widest one-hot form that is written out.
constexpr std::size_t widest_one_hot = 2048;
// Rows whose kernel values are held at a time.
constexpr std::size_t block_rows = 512;

/// Shares of equal codes of some rows with all references.
Matrix<float> agreements(const Comparator& comparator, const Prepared& rows, RowRange range,
                         const Prepared& references) {
  Matrix<float> shares(range.size(), references.rows());
  const std::size_t tile = comparator.reference_tile();
  parallel_for((references.rows() + tile - 1) / tile, [&](std::size_t t, int) {
    const RowRange part{t * tile, std::min((t + 1) * tile, references.rows())};
    comparator.tile(rows, range, references, part,
                    {shares.data() + part.begin, range.size(), part.size(), references.rows()});
  });
  return shares;
}

}  // namespace

InverseMap InverseMap::fit(const Templates& protected_forms, MatrixView<const float> clear,
                           const InverseMapOptions& options) {
  BAUTA_ASSERT(protected_forms.rows() == clear.rows && clear.rows > 0);
  InverseMap map;
  map.pairs_ = clear.rows;
  const RidgeOptions ridge{.penalty = options.penalty};
  if (protected_forms.kind() == ElementKind::code8) map.levels_ = code_levels(protected_forms);
  if (protected_forms.kind() != ElementKind::code8 || map.levels_ * protected_forms.cols() <= widest_one_hot) {
    map.primal_ = Ridge::fit(map.features(protected_forms).view(), clear, ridge);
    return map;
  }
  std::vector<std::size_t> chosen(clear.rows);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (chosen.size() > options.dual_pairs) {
    chosen = Stream(options.seed, "inverse.pairs").permutation(clear.rows);
    chosen.resize(options.dual_pairs);
    map.pairs_ = chosen.size();
  }
  Matrix<float> outputs(chosen.size(), clear.cols);
  for (std::size_t i = 0; i < chosen.size(); ++i) std::ranges::copy(clear.row(chosen[i]), outputs.row(i).begin());
  map.agreement_ = make_comparator("iom");
  map.known_ = map.agreement_->prepare(protected_forms.select(chosen), Side::reference, "pairs");
  const Matrix<float> gram = agreements(*map.agreement_, *map.known_, {0, chosen.size()}, *map.known_);
  map.dual_ = KernelRidge::fit(gram.view(), outputs.view(), ridge);
  return map;
}

Matrix<float> InverseMap::features(const Templates& protected_forms) const {
  return protected_forms.kind() == ElementKind::code8 ? one_hot_features(protected_forms, levels_)
                                                      : to_features(protected_forms);
}

Matrix<float> InverseMap::apply(const Templates& protected_forms) const {
  if (!dual_) return primal_.predict(features(protected_forms).view());
  const auto rows = agreement_->prepare(protected_forms, Side::probe, "target");
  Matrix<float> result(protected_forms.rows(), dual_->weights().cols());
  for (std::size_t first = 0; first < result.rows(); first += block_rows) {
    const RowRange range{first, std::min(first + block_rows, result.rows())};
    const Matrix<float> part = dual_->predict(agreements(*agreement_, *rows, range, *known_).view());
    std::copy_n(part.data(), part.size(), result.row(first).data());
  }
  return result;
}

}  // namespace bauta
