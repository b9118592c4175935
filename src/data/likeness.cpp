#include "bauta/data/likeness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr double sigma = 1.5;
constexpr double c1 = (0.01 * 255) * (0.01 * 255);
constexpr double c2 = (0.03 * 255) * (0.03 * 255);

void require_same_size(const Image& a, const Image& b) {
  if (a.width == b.width && a.height == b.height) return;
  throw_input("likeness",
              fmt::format("{} x {} pixels cannot be compared with {} x {}", a.width, a.height, b.width, b.height));
}

/// A channel of a pixel; a grey image has the same in all of them.
double value_at(const Image& image, std::size_t pixel, std::size_t channel) {
  return image.pixels[pixel * image.channels + std::min(channel, image.channels - 1)];
}

std::array<double, ssim_window> gaussian_window() {
  std::array<double, ssim_window> weights{};
  double sum = 0;
  for (std::size_t k = 0; k < ssim_window; ++k) {
    const double distance = static_cast<double>(k) - static_cast<double>(ssim_window / 2);
    weights[k] = std::exp(-distance * distance / (2 * sigma * sigma));
    sum += weights[k];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// Windowed means of a, b, a a, b b and a b, row by row: as many rows are held as a window has, however large an image
/// is.
class WindowedRows {
 public:
  static constexpr std::size_t moments = 5;

  explicit WindowedRows(std::size_t width) : width_(width), columns_(width - ssim_window + 1) {
    for (auto& row : held_) row.assign(moments * columns_, 0.0);
    plain_.resize(moments * width);
    sums_.resize(moments * columns_);
  }

  void add(const Image& a, const Image& b, std::size_t row, std::size_t channel) {
    for (std::size_t x = 0; x < width_; ++x) {
      const double one = value_at(a, row * width_ + x, channel), other = value_at(b, row * width_ + x, channel);
      const double values[moments] = {one, other, one * one, other * other, one * other};
      for (std::size_t m = 0; m < moments; ++m) plain_[m * width_ + x] = values[m];
    }
    std::vector<double>& across = held_[row % ssim_window];
    std::fill(across.begin(), across.end(), 0.0);
    for (std::size_t m = 0; m < moments; ++m) {
      for (std::size_t k = 0; k < ssim_window; ++k) {
        const double weight = weights_[k];
        const double* from = &plain_[m * width_ + k];
        double* to = &across[m * columns_];
        for (std::size_t x = 0; x < columns_; ++x) to[x] += weight * from[x];
      }
    }
  }

  /// Sum over the windows whose last row is `row`.
  double similarity(std::size_t row) {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t k = 0; k < ssim_window; ++k) {
      const double weight = weights_[k];
      const std::vector<double>& across = held_[(row + 1 + k) % ssim_window];
      for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += weight * across[i];
    }
    const double* moment[moments];
    for (std::size_t m = 0; m < moments; ++m) moment[m] = &sums_[m * columns_];
    double total = 0;
    for (std::size_t x = 0; x < columns_; ++x) {
      const double mean_a = moment[0][x], mean_b = moment[1][x];
      const double variances = moment[2][x] - mean_a * mean_a + moment[3][x] - mean_b * mean_b;
      const double covariance = moment[4][x] - mean_a * mean_b;
      total += (2 * mean_a * mean_b + c1) * (2 * covariance + c2) /
               ((mean_a * mean_a + mean_b * mean_b + c1) * (variances + c2));
    }
    return total;
  }

 private:
  std::size_t width_, columns_;
  std::array<double, ssim_window> weights_ = gaussian_window();
  std::array<std::vector<double>, ssim_window> held_;
  std::vector<double> plain_, sums_;
};

}  // namespace

double mean_square_error(const Image& a, const Image& b) {
  require_same_size(a, b);
  const std::size_t channels = std::max(a.channels, b.channels);
  double sum = 0;
  for (std::size_t pixel = 0; pixel < a.width * a.height; ++pixel) {
    for (std::size_t c = 0; c < channels; ++c) {
      const double difference = value_at(a, pixel, c) - value_at(b, pixel, c);
      sum += difference * difference;
    }
  }
  return sum / static_cast<double>(a.width * a.height * channels);
}

double psnr(double mean_square_error) {
  if (mean_square_error == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(255.0 * 255.0 / mean_square_error);
}

double ssim(const Image& a, const Image& b) {
  require_same_size(a, b);
  if (a.width < ssim_window || a.height < ssim_window) {
    throw_input("likeness",
                fmt::format("{} x {} pixels hold no window of {} x {}", a.width, a.height, ssim_window, ssim_window));
  }
  const std::size_t channels = std::max(a.channels, b.channels);
  double sum = 0;
  for (std::size_t c = 0; c < channels; ++c) {
    WindowedRows rows(a.width);
    for (std::size_t row = 0; row < a.height; ++row) {
      rows.add(a, b, row, c);
      if (row + 1 >= ssim_window) sum += rows.similarity(row);
    }
  }
  return sum / static_cast<double>((a.width - ssim_window + 1) * (a.height - ssim_window + 1) * channels);
}

namespace {

double displacement_of(const Motion& clear, const Motion& made) {
  double sum = 0;
  for (std::size_t i = 0; i + 2 < clear.positions.size(); i += 3) {
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double difference = double{made.positions[i + axis]} - clear.positions[i + axis];
      square += difference * difference;
    }
    sum += std::sqrt(square);
  }
  return sum / static_cast<double>(clear.frames * clear.joints);
}

/// Variances of a coordinate, and what they have in common.
struct Moments {
  double clear = 0, made = 0, both = 0;
};

Moments moments_of(const Motion& clear, const Motion& made, std::size_t column) {
  const auto at = [column](const Motion& motion, std::size_t frame) {
    return double{motion.positions[frame * motion.width() + column]};
  };
  double mean = 0, mean_made = 0;
  for (std::size_t frame = 0; frame < clear.frames; ++frame) {
    mean += at(clear, frame) / static_cast<double>(clear.frames);
    mean_made += at(made, frame) / static_cast<double>(clear.frames);
  }
  Moments moments;
  for (std::size_t frame = 0; frame < clear.frames; ++frame) {
    const double one = at(clear, frame) - mean, other = at(made, frame) - mean_made;
    moments.clear += one * one;
    moments.made += other * other;
    moments.both += one * other;
  }
  return moments;
}

/// What is left of float32 where nothing moves.
bool moves(double squares, const Motion& motion, std::size_t column) {
  double largest = 0;
  for (std::size_t i = column; i < motion.positions.size(); i += motion.width()) {
    largest = std::max(largest, std::abs(double{motion.positions[i]}));
  }
  const double smallest = 1e-6 * largest;
  return squares > smallest * smallest * static_cast<double>(motion.frames);
}

}  // namespace

MotionLikeness motion_likeness(const Motion& clear, const Motion& made) {
  if (clear.joints != made.joints) {
    throw_input("likeness", fmt::format("{} joints cannot be compared with {}", made.joints, clear.joints));
  }
  if (clear.frames == 0 || clear.joints == 0 || made.frames == 0) throw_input("likeness", "a motion is empty");
  const Motion same = made.frames == clear.frames ? made : with_frames(made, clear.frames);
  MotionLikeness likeness{displacement_of(clear, same), 0};
  std::size_t moving = 0;
  for (std::size_t column = 0; column < clear.width(); ++column) {
    const Moments moments = moments_of(clear, same, column);
    if (!moves(moments.clear, clear, column)) continue;
    ++moving;
    if (!moves(moments.made, same, column)) continue;
    likeness.correlation += moments.both / std::sqrt(moments.clear * moments.made);
  }
  if (moving > 0) likeness.correlation /= static_cast<double>(moving);
  return likeness;
}

}  // namespace bauta
