#include "bauta/deep/network.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <cblas.h>
#include <fmt/format.h>

#include "bauta/core/row_tiles.hpp"

namespace bauta {
namespace {

void activate(Activation activation, std::span<float> values) {
  switch (activation) {
    case Activation::identity:
      return;
    case Activation::relu:
      for (float& value : values) value = value < 0 ? 0 : value;  // NaN stays NaN
      return;
    case Activation::tanh:
      for (float& value : values) value = std::tanh(value);
      return;
  }
}

void apply(const DenseLayer& layer, MatrixView<const float> rows, MatrixView<float> result) {
  for (std::size_t i = 0; i < rows.rows; ++i) std::copy(layer.bias.begin(), layer.bias.end(), result.row(i).begin());
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows.rows), static_cast<int>(layer.outputs()),
              static_cast<int>(rows.cols), 1.0F, rows.data, static_cast<int>(rows.stride), layer.weights.data(),
              static_cast<int>(layer.inputs()), 1.0F, result.data, static_cast<int>(result.stride));
  for (std::size_t i = 0; i < rows.rows; ++i) activate(layer.activation, result.row(i));
}

void scale_to_unit_length(std::span<float> row) {
  double square = 0;
  for (const float value : row) square += double{value} * value;
  if (square == 0) return;
  const double factor = 1 / std::sqrt(square);
  for (float& value : row) value = static_cast<float>(value * factor);
}

}  // namespace

void Network::forward(MatrixView<const float> rows, std::size_t first, MatrixView<float> result) const {
  BAUTA_ASSERT(!layers.empty() && rows.cols == inputs() && result.cols == outputs());
  std::vector<Matrix<float>> hidden;
  for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
    BAUTA_ASSERT(layers[i].outputs() == layers[i + 1].inputs());
    hidden.emplace_back(row_tile, layers[i].outputs());
  }
  transform_row_tiles(rows, first, result, [&](MatrixView<const float> tile, MatrixView<float> tile_result) {
    MatrixView<const float> values = tile;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const MatrixView<float> target = i + 1 < layers.size() ? hidden[i].view() : tile_result;
      apply(layers[i], values, target);
      values = target;
    }
    for (std::size_t i = 0; unit_length && i < tile_result.rows; ++i) scale_to_unit_length(tile_result.row(i));
  });
}

std::vector<std::size_t> parse_widths(const std::string& where, const std::string& text) {
  std::vector<std::size_t> widths;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    std::size_t width = 0;
    const auto [stop, status] = std::from_chars(at, end, width);
    const bool last = stop == end;
    const bool followed = !last && *stop == '/' && stop + 1 != end;
    if (status != std::errc() || width == 0 || width > 1 << 16 || (!last && !followed)) {
      throw_usage(where, fmt::format("'{}' are no widths of layers", text), "e.g. hidden=512/512");
    }
    widths.push_back(width);
    at = last ? stop : stop + 1;
  }
  return widths;
}

Network slice_outputs(const Network& network, std::size_t first, std::size_t count) {
  BAUTA_ASSERT(first + count <= network.outputs() && !network.unit_length);
  Network slice;
  for (const DenseLayer& layer : network.layers) {
    const bool last = &layer == &network.layers.back();
    const std::size_t begin = last ? first : 0;
    const std::size_t rows = last ? count : layer.outputs();
    DenseLayer copy;
    copy.weights = Matrix<float>(rows, layer.inputs());
    std::copy_n(layer.weights.row(begin).data(), copy.weights.size(), copy.weights.data());
    copy.bias.assign(layer.bias.begin() + static_cast<std::ptrdiff_t>(begin),
                     layer.bias.begin() + static_cast<std::ptrdiff_t>(begin + rows));
    copy.activation = layer.activation;
    slice.layers.push_back(std::move(copy));
  }
  return slice;
}

void fold_into(DenseLayer& layer, std::span<const double> scale, std::span<const double> shift) {
  BAUTA_ASSERT(scale.size() == layer.inputs() && shift.size() == layer.inputs());
  for (std::size_t i = 0; i < layer.outputs(); ++i) {
    double bias = layer.bias[i];
    for (std::size_t j = 0; j < layer.inputs(); ++j) {
      bias += layer.weights(i, j) * shift[j];
      layer.weights(i, j) = static_cast<float>(layer.weights(i, j) * scale[j]);
    }
    layer.bias[i] = static_cast<float>(bias);
  }
}

}  // namespace bauta
