#include "face_space.hpp"

#include <algorithm>
#include <cmath>

#include <cblas.h>
#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/learn/pca.hpp"
#include "image_protection.hpp"

namespace bauta {
namespace {

constexpr std::size_t learned_from = 1024;

Matrix<float> copy_of(const Matrix<float>& values) {
  Matrix<float> copy(values.rows(), values.cols());
  std::copy_n(values.data(), values.size(), copy.data());
  return copy;
}

void take_deviations(MatrixView<const float> x, std::span<const float> mean, std::span<float> deviations) {
  std::vector<double> squares(x.cols, 0);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < x.cols; ++j) squares[j] += std::pow(double{x(i, j)} - mean[j], 2);
  }
  for (std::size_t j = 0; j < x.cols; ++j) {
    // A value that never changes stays as it is.
    if (squares[j] > 0) deviations[j] = static_cast<float>(std::sqrt(squares[j] / static_cast<double>(x.rows)));
  }
}

}  // namespace

FaceSpace FaceSpace::learn(const Gallery& gallery, std::size_t components, bool standardise, Stream& stream) {
  std::vector<std::size_t> chosen = stream.permutation(gallery.size());
  chosen.resize(std::min(chosen.size(), learned_from));
  std::sort(chosen.begin(), chosen.end());
  const std::size_t values = gallery.pixels.cols();
  BAUTA_ASSERT(!chosen.empty() && values > 0);
  Matrix<float> x(chosen.size(), values);
  std::vector<double> sums(values, 0);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (std::size_t j = 0; j < values; ++j) {
      x(i, j) = gallery.pixels(chosen[i], j);
      sums[j] += x(i, j);
    }
  }
  FaceSpace space;
  space.mean_ = Matrix<float>(1, values);
  for (std::size_t j = 0; j < values; ++j) {
    space.mean_(0, j) = static_cast<float>(sums[j] / static_cast<double>(chosen.size()));
  }
  space.scale_ = Matrix<float>(1, values, 1);
  if (standardise) take_deviations(x.view(), space.mean_.row(0), space.scale_.row(0));
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < values; ++j) x(i, j) = (x(i, j) - space.mean_(0, j)) / space.scale_(0, j);
  }
  const Pca pca = Pca::leading(x.view(), components);
  space.components_ = Matrix<float>(pca.components.rows(), values);
  std::transform(pca.components.data(), pca.components.data() + pca.components.size(), space.components_.data(),
                 [](double value) { return static_cast<float>(value); });
  return space;
}

std::vector<float> FaceSpace::project(std::span<const std::uint8_t> pixels) const {
  BAUTA_ASSERT(pixels.size() == mean_.cols());
  std::vector<float> centred(pixels.size()), coordinates(dimension(), 0);
  for (std::size_t j = 0; j < centred.size(); ++j) centred[j] = (pixels[j] - mean_(0, j)) / scale_(0, j);
  const auto rows = static_cast<int>(dimension()), cols = static_cast<int>(centred.size());
  if (rows > 0) {
    cblas_sgemv(CblasRowMajor, CblasNoTrans, rows, cols, 1, components_.data(), cols, centred.data(), 1, 0,
                coordinates.data(), 1);
  }
  return coordinates;
}

Image FaceSpace::image(const Image& shape, std::span<const float> coordinates) const {
  BAUTA_ASSERT(coordinates.size() == dimension());
  std::vector<float> values(mean_.cols(), 0);
  const auto rows = static_cast<int>(dimension()), cols = static_cast<int>(values.size());
  if (rows > 0) {
    cblas_sgemv(CblasRowMajor, CblasTrans, rows, cols, 1, components_.data(), cols, coordinates.data(), 1, 0,
                values.data(), 1);
  }
  for (std::size_t j = 0; j < values.size(); ++j) values[j] = values[j] * scale_(0, j) + mean_(0, j);
  return with_values(shape, values);
}

void FaceSpace::add_to(FittedState& state) const {
  state.emplace("mean", copy_of(mean_));
  state.emplace("scale", copy_of(scale_));
  state.emplace("components", copy_of(components_));
}

FaceSpace FaceSpace::from(const FittedState& state, std::size_t values, const std::string& where) {
  const auto take = [&](const std::string& name, bool one_row) {
    const auto found = state.find(name);
    if (found == state.end() || (found->second.cols() != values && found->second.rows() > 0) ||
        (one_row && found->second.rows() != 1)) {
      throw_input(where, fmt::format("does not hold '{}' of {} values", name, values));
    }
    return copy_of(found->second);
  };
  FaceSpace space;
  space.mean_ = take("mean", true);
  space.scale_ = take("scale", true);
  space.components_ = take("components", false);
  return space;
}

}  // namespace bauta
