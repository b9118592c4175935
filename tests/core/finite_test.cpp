#include "bauta/core/finite.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Finite, NoNumberIsFoundAnywhere) {
  std::vector<float> values(37, 1.0F);
  EXPECT_TRUE(all_finite(values));
  EXPECT_TRUE(all_finite({}));
  for (const float bad : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<float> damaged = values;
      damaged[i] = bad;
      EXPECT_FALSE(all_finite(damaged)) << bad << " at " << i;
    }
  }
  values[5] = std::numeric_limits<float>::max();
  values[6] = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(all_finite(values));
}

TEST(Finite, WhatWasMadeNamesItsRow) {
  Matrix<float> values(3, 2, 1.0F);
  values(1, 1) = infinity;
  const Templates made(std::move(values));
  EXPECT_NO_THROW(require_finite(made, {false, false, false, true, false}, 2, "it"));  // row 4 failed
  try {
    require_finite(made, {}, 2, "the technique");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "row 4");  // the second of those from the third on
    EXPECT_EQ(error.finding.find("the technique makes"), 0U);
  }
}

}  // namespace
}  // namespace bauta
