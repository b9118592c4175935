// Numbers that tests/learn/references.py makes too: a linear congruential generator (Knuth's MMIX constants).
#pragma once

#include <cstdint>

#include "bauta/core/matrix.hpp"

namespace bauta {

class Lcg {
 public:
  explicit Lcg(std::uint64_t seed) : state_(seed) {}
  /// In [-1, 1), a multiple of 2^-23: exact as float32.
  float next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<float>(static_cast<std::int64_t>(state_ >> 40) - (std::int64_t{1} << 23)) * 0x1.0p-23F;
  }
  Matrix<float> matrix(std::size_t rows, std::size_t cols) {
    Matrix<float> values(rows, cols);
    for (std::size_t i = 0; i < values.size(); ++i) values.data()[i] = next();
    return values;
  }

 private:
  std::uint64_t state_;
};

}  // namespace bauta
