// Images in coordinates of the directions in which the images of a gallery differ most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/random.hpp"
#include "bauta/protect/protection.hpp"
#include "gallery.hpp"

namespace bauta {

class FaceSpace {
 public:
  /// At most `components`, learned from at most 1,024 of the images, which the stream draws. `standardise`: each value
  /// is brought to deviation 1 over them first.
  static FaceSpace learn(const Gallery& gallery, std::size_t components, bool standardise, Stream& stream);

  [[nodiscard]] std::size_t dimension() const { return components_.rows(); }
  [[nodiscard]] std::vector<float> project(std::span<const std::uint8_t> pixels) const;
  /// The image that has these coordinates, and nothing beside them.
  [[nodiscard]] Image image(const Image& shape, std::span<const float> coordinates) const;

  void add_to(FittedState& state) const;
  /// Checks that every array is there for so many values of an image; `where` names the file.
  static FaceSpace from(const FittedState& state, std::size_t values, const std::string& where);

 private:
  Matrix<float> mean_, scale_;  // a row each: what stands for a value v is (v - mean) / scale
  Matrix<float> components_;
};

}  // namespace bauta
