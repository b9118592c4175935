#include "bauta/deep/image_network.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "planes.hpp"

namespace bauta {
namespace {

void rectify(Planes& planes, float slope) {
  for (float& value : planes.values) value = value < 0 ? slope * value : value;
}

Planes halved(const Planes& planes) {
  Planes result(planes.channels, planes.height / 2, planes.width / 2);
  for (std::size_t c = 0; c < planes.channels; ++c) {
    for (std::size_t y = 0; y < result.height; ++y) {
      const float* const above = planes.plane(c) + 2 * y * planes.width;
      const float* const below = above + planes.width;
      for (std::size_t x = 0; x < result.width; ++x) {
        result.plane(c)[y * result.width + x] = (above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1]) / 4;
      }
    }
  }
  return result;
}

/// Doubled, with `others` after it.
Planes doubled(const Planes& planes, const Planes& others) {
  Planes result(planes.channels + others.channels, 2 * planes.height, 2 * planes.width);
  for (std::size_t c = 0; c < planes.channels; ++c) {
    for (std::size_t y = 0; y < result.height; ++y) {
      for (std::size_t x = 0; x < result.width; ++x) {
        result.plane(c)[y * result.width + x] = planes.plane(c)[y / 2 * planes.width + x / 2];
      }
    }
  }
  std::ranges::copy(others.values, result.plane(planes.channels));
  return result;
}

/// One number of what the layer makes of a vector.
float told(const DenseLayer& layer, std::size_t output, std::span<const float> vector) {
  const std::span<const float> weights = layer.weights.row(output);
  double sum = layer.bias[output];
  for (std::size_t k = 0; k < vector.size(); ++k) sum += double{weights[k]} * vector[k];
  return static_cast<float>(sum);
}

void add_code(const DenseLayer& code, std::span<const float> vector, Planes& planes) {
  BAUTA_ASSERT(vector.size() == code.inputs() && planes.values.size() == code.outputs());
  for (std::size_t i = 0; i < planes.values.size(); ++i) planes.values[i] += told(code, i, vector);
}

void add_style(const DenseLayer& style, std::span<const float> vector, Planes& planes) {
  BAUTA_ASSERT(vector.size() == style.inputs() && 2 * planes.channels == style.outputs());
  for (std::size_t c = 0; c < planes.channels; ++c) {
    const float factor = 1 + told(style, c, vector), shift = told(style, planes.channels + c, vector);
    float* const plane = planes.plane(c);
    for (std::size_t i = 0; i < planes.pixels(); ++i) plane[i] = plane[i] * factor + shift;
  }
}

bool fits(const ImageNetwork& network) {
  const auto& [size, down, up, last, code, style, fine] = network;
  bool all = (last.outputs() == 1 || last.outputs() == 3) && down[0].inputs() >= last.outputs() &&
             last.inputs() == (up.empty() ? down[0] : up[0]).outputs();
  for (std::size_t i = 0; i < up.size(); ++i) {
    const ConvolutionLayer& below = i + 1 < up.size() ? up[i + 1] : down[i + 1];
    all = all && down[i + 1].inputs() == down[i].outputs() && up[i].inputs() == below.outputs() + down[i].outputs();
  }
  for (std::size_t i = 0; i < fine.size(); ++i) {
    const std::size_t width = up[i].outputs();
    all = all && fine[i].inputs() == width && fine[i].outputs() == width && style[i].outputs() == 2 * width &&
          style[i].inputs() == code.inputs();
  }
  const std::size_t edge = size >> up.size();
  return all && (code.outputs() == 0 || code.outputs() == down.back().outputs() * edge * edge);
}

/// Names and layers in the order in which they follow each other.
template <class Some>
auto layers_of(Some& network) {
  std::vector<std::pair<std::string, decltype(&network.last)>> all;
  for (std::size_t i = 0; i < network.down.size(); ++i) all.emplace_back(fmt::format("down{}", i), &network.down[i]);
  for (std::size_t i = 0; i < network.up.size(); ++i) all.emplace_back(fmt::format("up{}", i), &network.up[i]);
  for (std::size_t i = 0; i < network.fine.size(); ++i) all.emplace_back(fmt::format("fine{}", i), &network.fine[i]);
  all.emplace_back("last", &network.last);
  return all;
}

template <class Layer>
Matrix<float> array_of(const Layer& layer) {
  Matrix<float> all(layer.outputs(), layer.weights.cols() + 1);
  for (std::size_t i = 0; i < all.rows(); ++i) {
    std::ranges::copy(layer.weights.row(i), all.row(i).begin());
    all(i, all.cols() - 1) = layer.bias[i];
  }
  return all;
}

template <class Layer>
void fill(Layer& layer, const Matrix<float>& all, const std::string& name, const std::string& where) {
  if (!std::all_of(all.data(), all.data() + all.size(), [](float value) { return std::isfinite(value); })) {
    throw_input(where, fmt::format("the layer {} holds what is no number", name));
  }
  layer.weights = Matrix<float>(all.rows(), all.cols() - 1);
  for (std::size_t i = 0; i < all.rows(); ++i) {
    std::copy_n(all.row(i).begin(), all.cols() - 1, layer.weights.row(i).begin());
    layer.bias.push_back(all(i, all.cols() - 1));
  }
}

}  // namespace

void ImageNetwork::forward(std::span<const float> planes, std::span<const float> vector,
                           std::span<float> result) const {
  BAUTA_ASSERT(!down.empty() && up.size() + 1 == down.size() && size % (std::size_t{1} << up.size()) == 0);
  BAUTA_ASSERT(planes.size() == inputs() * size * size && result.size() == channels() * size * size);
  Planes all_shown(inputs(), size, size);
  std::ranges::copy(planes, all_shown.values.begin());
  const bool generates = !fine.empty();
  const float slope = generates ? leak : 0;
  std::vector<Planes> stages;
  for (const ConvolutionLayer& layer : down) {
    stages.push_back(convolved(layer, stages.empty() ? all_shown : halved(stages.back())));
    if (stages.size() == down.size() && code.outputs() > 0) add_code(code, vector, stages.back());
    rectify(stages.back(), slope);
  }
  Planes way = std::move(stages.back());
  for (std::size_t i = up.size(); i-- > 0;) {
    way = convolved(up[i], doubled(way, stages[i]));
    if (generates) {
      add_style(style[i], vector, way);
      rectify(way, slope);
      way = convolved(fine[i], way);
    }
    rectify(way, slope);
  }
  const Planes change = convolved(last, way);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = planes[i] + change.values[i];
}

std::map<std::string, Matrix<float>> arrays_of(const ImageNetwork& network) {
  std::map<std::string, Matrix<float>> arrays;
  for (const auto& [name, layer] : layers_of(network)) arrays.emplace(name, array_of(*layer));
  if (network.code.outputs() > 0) arrays.emplace("code", array_of(network.code));
  for (std::size_t i = 0; i < network.style.size(); ++i) {
    arrays.emplace(fmt::format("style{}", i), array_of(network.style[i]));
  }
  return arrays;
}

ImageNetwork image_network_of(const std::map<std::string, Matrix<float>>& arrays, std::size_t size, std::size_t stages,
                              const std::string& where) {
  ImageNetwork network;
  network.size = size;
  network.down.resize(stages);
  network.up.resize(stages - 1);
  const auto code = arrays.find("code");
  const bool generates = code != arrays.end() && code->second.cols() > 1;
  if (generates) {
    fill(network.code, code->second, "code", where);
    network.style.resize(stages - 1);
    network.fine.resize(stages - 1);
  }
  for (const auto& [name, layer] : layers_of(network)) {
    const auto found = arrays.find(name);
    if (found == arrays.end() || found->second.cols() % 9 != 1) throw_input(where, "lacks the layer " + name);
    fill(*layer, found->second, name, where);
  }
  for (std::size_t i = 0; i < network.style.size(); ++i) {
    const std::string name = fmt::format("style{}", i);
    const auto found = arrays.find(name);
    if (found == arrays.end() || found->second.cols() == 0) throw_input(where, "lacks the layer " + name);
    fill(network.style[i], found->second, name, where);
  }
  if (!fits(network)) throw_input(where, "its layers do not fit to each other");
  return network;
}

}  // namespace bauta
