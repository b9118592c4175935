// A trained network as plain arrays: what inference needs, without LibTorch.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

enum class Activation { identity, relu, tanh };

struct DenseLayer {
  Matrix<float> weights;  ///< outputs x inputs
  std::vector<float> bias;
  Activation activation = Activation::identity;

  [[nodiscard]] std::size_t inputs() const { return weights.cols(); }
  [[nodiscard]] std::size_t outputs() const { return weights.rows(); }
};

struct Network {
  std::vector<DenseLayer> layers;
  bool unit_length = false;  ///< whether outputs are scaled to length 1 (a zero output stays zero)

  [[nodiscard]] std::size_t inputs() const { return layers.front().inputs(); }
  [[nodiscard]] std::size_t outputs() const { return layers.back().outputs(); }

  /// Row i of `rows` is row `first + i` of the data set; bits depend neither on blocks nor on threads.
  void forward(MatrixView<const float> rows, std::size_t first, MatrixView<float> result) const;
};

/// "512/256" as the widths of hidden layers; `where` is what errors name.
std::vector<std::size_t> parse_widths(const std::string& where, const std::string& text);

/// The same network with outputs [first, first + count) only.
Network slice_outputs(const Network& network, std::size_t first, std::size_t count);

/// Makes `layer` take x where it took scale * x + shift, element by element: how a normalisation before it vanishes.
void fold_into(DenseLayer& layer, std::span<const double> scale, std::span<const double> shift);

}  // namespace bauta
