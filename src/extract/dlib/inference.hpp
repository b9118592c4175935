// dlib's face network without dlib: its convolutions with all that follows them done in one go. dlib passes over the
// whole image once more for each affine layer, addition and ReLU; here these are part of the matrix product's result.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/data/image.hpp"

namespace bauta::faces {

/// Filters with the affine layer after them folded in.
struct Convolution {
  Matrix<float> weights;  ///< filters x (channels * side * side)
  std::vector<float> bias;
  std::size_t side = 3;
  std::size_t stride = 1;
  std::size_t padding = 0;
};

struct FaceWeights {
  std::vector<Convolution> convolutions;  ///< 29, from the image on
  Matrix<float> last;                     ///< 256 x 128
  std::array<float, 3> average = {};      ///< of red, green and blue
};

/// What the network says of a chip of 150 x 150 pixels: 128 numbers, as dlib's own code but for rounding. May be called
/// from several threads at once.
std::vector<float> infer(const FaceWeights& weights, const Image& chip);

}  // namespace bauta::faces
