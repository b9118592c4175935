// Images of other people, as they are and masked: what reversals of images are learned from.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bauta/recover/recovery.hpp"

namespace bauta {

class ImagePairs {
 public:
  /// A usage error where there are none. `knowledge` must outlive it.
  ImagePairs(std::string recovery, const Knowledge& knowledge);

  [[nodiscard]] std::size_t size() const;
  /// Size and channels of each pair that each() hands over.
  [[nodiscard]] std::vector<ImageShape> shapes() const;
  /// One after the other, in order; decoded on all threads. Images that cannot be read, and pairs of different sizes,
  /// are passed over. An input error where none is left.
  void each(const std::function<void(const Image& clear, const Image& masked)>& take) const;
  /// The same for these rows; `take` is told which it is.
  void each(const std::vector<std::size_t>& rows,
            const std::function<void(std::size_t row, const Image& clear, const Image& masked)>& take) const;

 private:
  std::string recovery_;
  const Knowledge& knowledge_;
};

}  // namespace bauta
