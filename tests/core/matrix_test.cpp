#include "bauta/core/matrix.hpp"

#include <gtest/gtest.h>

#include "bauta/core/templates.hpp"

namespace bauta {
namespace {

Matrix<float> counting(std::size_t rows, std::size_t cols) {
  Matrix<float> matrix(rows, cols);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(i);
  return matrix;
}

TEST(Matrix, IsRowMajor) {
  const Matrix<float> matrix = counting(3, 4);
  EXPECT_EQ(matrix(2, 1), 9.0F);
  EXPECT_EQ(matrix.view().slice(1, 2)(1, 1), 9.0F);
}

TEST(Templates, SliceSharesAndSelectCopies) {
  const Templates all(counting(4, 2));
  const Templates part = all.slice(1, 2);
  EXPECT_EQ(part.rows(), 2U);
  EXPECT_EQ(part.floats().data, all.floats().data + 2);
  const Templates picked = all.select({3, 0});
  EXPECT_EQ(picked.floats()(0, 0), 6.0F);
  EXPECT_EQ(picked.floats()(1, 1), 1.0F);
}

TEST(Templates, BitsKeepTheirLogicalWidth) {
  Matrix<std::uint64_t> words(2, 2, 0);
  words(1, 1) = 1;  // bit 64
  const Templates bits(std::move(words), 70);
  EXPECT_EQ(bits.cols(), 70U);
  EXPECT_EQ(bits.words().cols, 2U);
  EXPECT_EQ(bits.slice(1, 1).words()(0, 1), 1U);
  EXPECT_EQ(bits.select({1, 1}).words()(1, 1), 1U);
}

}  // namespace
}  // namespace bauta
