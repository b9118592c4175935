// Row-major matrices: element (i, j) of a view stands at data[i * stride + j].
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "bauta/core/error.hpp"

namespace bauta {

/// A rectangle of elements that somebody else owns.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;  ///< elements from one row to the next, at least `cols`

  MatrixView() = default;
  MatrixView(T* first, std::size_t row_count, std::size_t col_count)
      : MatrixView(first, row_count, col_count, col_count) {}
  MatrixView(T* first, std::size_t row_count, std::size_t col_count, std::size_t row_stride)
      : data(first), rows(row_count), cols(col_count), stride(row_stride) {}

  [[nodiscard]] std::span<T> row(std::size_t i) const { return {data + i * stride, cols}; }
  [[nodiscard]] T& operator()(std::size_t i, std::size_t j) const { return data[i * stride + j]; }
  [[nodiscard]] MatrixView slice(std::size_t first_row, std::size_t row_count) const {
    return {data + first_row * stride, row_count, cols, stride};
  }
  [[nodiscard]] bool contiguous() const { return stride == cols; }

  // NOLINTNEXTLINE(google-explicit-constructor): a mutable view is a constant view.
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) { return {data, rows, cols, stride}; }
};

/// An owned, contiguous matrix. Elements are not initialised unless a value is given.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols)
      : rows_(rows), cols_(cols), data_(std::make_unique_for_overwrite<T[]>(rows * cols)) {}
  Matrix(std::size_t rows, std::size_t cols, T value) : Matrix(rows, cols) {
    for (std::size_t i = 0; i < rows * cols; ++i) data_[i] = value;
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t cols() const { return cols_; }
  [[nodiscard]] std::size_t size() const { return rows_ * cols_; }
  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] T& operator()(std::size_t i, std::size_t j) { return data_[i * cols_ + j]; }
  [[nodiscard]] const T& operator()(std::size_t i, std::size_t j) const { return data_[i * cols_ + j]; }
  [[nodiscard]] std::span<T> row(std::size_t i) { return {data_.get() + i * cols_, cols_}; }
  [[nodiscard]] std::span<const T> row(std::size_t i) const { return {data_.get() + i * cols_, cols_}; }
  [[nodiscard]] MatrixView<T> view() { return {data_.get(), rows_, cols_}; }
  [[nodiscard]] MatrixView<const T> view() const { return {data_.get(), rows_, cols_}; }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::unique_ptr<T[]> data_;
};

}  // namespace bauta
