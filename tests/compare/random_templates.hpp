// Seeded templates for tests of comparators and of the engine.
#pragma once

#include "bauta/core/random.hpp"
#include "bauta/core/templates.hpp"

namespace bauta {

inline Templates random_templates(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix<float> values(rows, cols);
  Stream stream(seed, "test templates");
  for (std::size_t i = 0; i < values.size(); ++i) values.data()[i] = static_cast<float>(stream.normal());
  return Templates(std::move(values));
}

}  // namespace bauta
