#include "bauta/deep/face_landmarks.hpp"

#include <algorithm>

#include <cblas.h>
#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/deep/shared_weights.hpp"
#include "planes.hpp"

namespace bauta {
namespace {

constexpr std::size_t blocks = 4, steps_of_block = 4;
constexpr std::array<std::size_t, blocks> widths = {32, 64, 128, 256};

/// Weights are (height, width, inputs, outputs) there, and `places` x `outputs` of `inputs` each here.
class Reader {
 public:
  Reader(const std::map<std::string, TfjsTensor>& weights, const std::string& where)
      : weights_(&weights), where_(&where) {}

  [[nodiscard]] const std::vector<float>& values(const std::string& name, const std::vector<std::size_t>& shape) const {
    const auto found = weights_->find(name);
    if (found == weights_->end() || found->second.shape != shape) {
      throw_input(*where_, fmt::format("'{}' is absent or has another shape", name),
                  "these are weights of another network");
    }
    return found->second.values;
  }

  [[nodiscard]] Matrix<float> turned(const std::string& name, const std::vector<std::size_t>& shape,
                                     std::size_t outputs) const {
    const std::vector<float>& from = values(name, shape);
    Matrix<float> to(outputs, from.size() / outputs);
    for (std::size_t i = 0; i < from.size(); ++i) to(i % outputs, i / outputs) = from[i];
    return to;
  }

 private:
  const std::map<std::string, TfjsTensor>* weights_;
  const std::string* where_;
};

/// What a stride of two leaves where the border is filled up at the bottom and on the right only.
Planes odd_pixels(const Planes& planes) {
  Planes result(planes.channels, planes.height / 2, planes.width / 2);
  float* next = result.values.data();
  for (std::size_t c = 0; c < planes.channels; ++c) {
    for (std::size_t y = 1; y < planes.height; y += 2) {
      for (std::size_t x = 1; x < planes.width; x += 2) *next++ = planes.plane(c)[y * planes.width + x];
    }
  }
  return result;
}

Planes each_by_itself(const Matrix<float>& near, const Planes& planes) {
  Planes result(planes.channels, planes.height, planes.width);
  const std::size_t width = planes.width, height = planes.height;
  for (std::size_t c = 0; c < planes.channels; ++c) {
    for (std::size_t k = 0; k < 9; ++k) {
      const std::size_t dy = k / 3, dx = k % 3;
      const float weight = near(c, k);
      for (std::size_t y = dy == 0 ? 1 : 0; y < (dy == 2 ? height - 1 : height); ++y) {
        const float* const from = planes.plane(c) + (y + dy - 1) * width;
        float* const to = result.plane(c) + y * width;
        for (std::size_t x = dx == 0 ? 1 : 0; x < (dx == 2 ? width - 1 : width); ++x)
          to[x] += weight * from[x + dx - 1];
      }
    }
  }
  return result;
}

Planes separated(const FaceLandmarks::Separable& step, const Planes& planes, bool halves) {
  Planes near = each_by_itself(step.near, planes);
  if (halves) near = odd_pixels(near);
  Planes result(step.across.rows(), near.height, near.width);
  for (std::size_t c = 0; c < result.channels; ++c) std::fill_n(result.plane(c), result.pixels(), step.bias[c]);
  const auto n = static_cast<int>(near.pixels()), k = static_cast<int>(near.channels);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(result.channels), n, k, 1.0F,
              step.across.data(), k, near.values.data(), n, 1.0F, result.values.data(), n);
  return result;
}

void rectify(Planes& planes) {
  for (float& value : planes.values) value = std::max(value, 0.0F);
}

void add(Planes& sum, const Planes& other) {
  for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += other.values[i];
}

}  // namespace

FaceLandmarks::FaceLandmarks(const std::map<std::string, TfjsTensor>& weights, const std::string& where) {
  const Reader reader(weights, where);
  std::size_t inputs = 3;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t i = 0; i < steps_of_block; ++i) {
      const std::string name = fmt::format("dense{}/conv{}", block, i);
      const std::size_t outputs = widths[block];
      const std::vector<float>& bias = reader.values(name + "/bias", {outputs});
      if (block == 0 && i == 0) {
        // Places are the outer axis there, and the inner one here.
        const Matrix<float> filters = reader.turned(name + "/filters", {3, 3, inputs, outputs}, outputs);
        entrance_.weights = Matrix<float>(outputs, 9 * inputs);
        for (std::size_t k = 0; k < 9 * inputs; ++k) {
          for (std::size_t o = 0; o < outputs; ++o) entrance_.weights(o, k % inputs * 9 + k / inputs) = filters(o, k);
        }
        entrance_.bias = bias;
      } else {
        steps_.push_back({reader.turned(name + "/depthwise_filter", {3, 3, inputs, 1}, inputs),
                          reader.turned(name + "/pointwise_filter", {1, 1, inputs, outputs}, outputs), bias});
      }
      inputs = outputs;
    }
  }
  last_ = reader.turned("fc/weights", {inputs, 2 * count}, 2 * count);
  last_bias_ = reader.values("fc/bias", {2 * count});
}

std::vector<float> FaceLandmarks::find(std::span<const float> planes) const {
  BAUTA_ASSERT(planes.size() == 3 * size * size);
  constexpr std::array<float, 3> mean = {122.782F, 117.001F, 104.298F};
  Planes way(3, size, size);
  for (std::size_t i = 0; i < planes.size(); ++i) way.values[i] = (planes[i] - mean[i / (size * size)]) / 255;
  std::size_t next = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    // Each step sees the sum of all before it in its block.
    Planes sum = block == 0 ? odd_pixels(convolved(entrance_, way)) : separated(steps_[next++], way, true);
    rectify(sum);
    Planes seen = sum;
    for (std::size_t i = 1; i < steps_of_block; ++i) {
      add(sum, separated(steps_[next++], seen, false));
      seen = sum;
      rectify(seen);
    }
    way = std::move(seen);
  }
  std::vector<float> places = last_bias_;
  for (std::size_t c = 0; c < way.channels; ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < way.pixels(); ++i) sum += way.plane(c)[i];
    const auto average = static_cast<float>(sum / static_cast<double>(way.pixels()));
    for (std::size_t o = 0; o < places.size(); ++o) places[o] += last_(o, c) * average;
  }
  return places;
}

std::shared_ptr<const FaceLandmarks> load_face_landmarks(const std::string& models) {
  static SharedWeights<FaceLandmarks> known;
  return known.take(find_tfjs(models, "face_landmark_68_model-weights_manifest.json"),
                    [](const std::filesystem::path& file) {
                      return std::make_shared<const FaceLandmarks>(read_tfjs(file), file.string());
                    });
}

}  // namespace bauta
