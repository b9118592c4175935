// Fawkes (Shan et al. 2020), the untargeted form of its public version: the picture moves away from its own embedding
// as far as its structure stays.
#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "bauta/core/error.hpp"
#include "face_net.hpp"
#include "weights.hpp"

namespace bauta::training {
namespace {

/// (1 - SSIM) / 2 to one picture: 11 x 11 Gaussian windows of deviation 1.5 that lie within the picture, values up to
/// 255, the mean over windows and channels.
class Dissimilarity {
 public:
  explicit Dissimilarity(const at::Tensor& picture) : picture_(in_turn(picture)) {
    window_ = at::arange(edge, at::kFloat).sub_(edge / 2).square_().mul_(-1 / (2 * 1.5 * 1.5)).exp_();
    window_ = window_.div(window_.sum());
    mean_ = blurred(picture_);
    square_ = blurred(picture_ * picture_);
  }

  [[nodiscard]] at::Tensor of(const at::Tensor& other) const {
    const at::Tensor x = in_turn(other);
    const std::int64_t channels = x.size(0);
    const at::Tensor all = blurred(at::cat({x, x * x, x * picture_}));
    const at::Tensor mean = all.narrow(0, 0, channels), square = all.narrow(0, channels, channels),
                     product = all.narrow(0, 2 * channels, channels);
    constexpr double c1 = (0.01 * 255) * (0.01 * 255), c2 = (0.03 * 255) * (0.03 * 255);
    const at::Tensor twice = 2 * mean * mean_, squares = mean * mean + mean_ * mean_;
    const at::Tensor similarity =
        (twice + c1) / (squares + c1) * ((2 * product - twice + c2) / (square + square_ - squares + c2));
    return (1 - similarity.mean()) / 2;
  }

 private:
  static constexpr std::int64_t edge = 11;

  /// Channels are filtered alike.
  static at::Tensor in_turn(const at::Tensor& picture) { return picture.transpose(0, 1); }

  [[nodiscard]] at::Tensor blurred(const at::Tensor& x) const {
    return at::conv2d(at::conv2d(x, window_.view({1, 1, 1, edge})), window_.view({1, 1, edge, 1}));
  }

  at::Tensor picture_, window_, mean_, square_;
};

at::Tensor at_length_one(const at::Tensor& embedding) {
  return embedding / embedding.norm().clamp_min(1e-12);
}

/// What the distance counts against the dissimilarity: doubled while there is room, halved while there is none, 1 as
/// soon as the side changes.
class Balance {
 public:
  [[nodiscard]] double weight() const { return weight_; }

  void adapt(double dissimilarity, double threshold) {
    constexpr double limit = 129;
    if (dissimilarity <= 0.9 * threshold && weight_ <= limit) {
      weight_ = side_ == Side::beyond ? 1 : 2 * weight_;
      side_ = Side::within;
    } else if (dissimilarity >= 1.1 * threshold && weight_ >= 1 / limit) {
      weight_ = side_ == Side::within ? 1 : weight_ / 2;
      side_ = Side::beyond;
    } else {
      weight_ = 1;
      side_ = Side::between;
    }
  }

 private:
  enum class Side { within, between, beyond };
  double weight_ = 1;
  Side side_ = Side::between;
};

}  // namespace

Cloaked cloak(const FaceRecognitionNet& net, const Picture& picture, const NetworkFrame& frame,
              std::span<const float> start, const CloakOptions& options) {
  BAUTA_ASSERT(start.size() == picture.values.size() && picture.width >= 11 && picture.height >= 11);
  const at::Tensor clear = tensor_of(picture);
  const Dissimilarity dissimilarity(clear);
  at::Tensor own, centre;
  {
    const c10::NoGradGuard no_gradients;
    own = at_length_one(net.embed(clear, frame));
    centre = at::atanh((clear / 255 - 0.5) * (2 - 1e-6));
  }
  const Picture shape{picture.width, picture.height, picture.channels, {start.begin(), start.end()}};
  const at::Tensor first = tensor_of(shape);
  WeightBlock block;
  const std::size_t leaf =
      block.add(clear.sizes().vec(), {first.data_ptr<float>(), first.data_ptr<float>() + first.numel()});
  block.place(at::kCPU);
  Adadelta optimiser(block, options.rate);
  Balance balance;
  Cloaked best{picture.values, 0, 0};
  for (std::size_t step = 0; step < options.steps; ++step) {
    const at::Tensor moved = 255 * ((centre + block[leaf]).tanh() / (2 - 1e-6) + 0.5);
    const at::Tensor cloaked = clear + (moved - clear).clamp(-options.furthest, options.furthest);
    const at::Tensor unlike = dissimilarity.of(cloaked);
    const at::Tensor distance = (at_length_one(net.embed(cloaked, frame)) - own).square().sum();
    const at::Tensor beyond = (unlike - options.threshold).clamp_min(0).square();
    block.forget_gradients();
    (options.penalty * beyond - balance.weight() * distance).backward();
    const c10::NoGradGuard no_gradients;
    // What counts is what can be stored: whole numbers.
    const at::Tensor stored = (cloaked + 0.5).floor().clamp(0, 255);
    const double of_stored = dissimilarity.of(stored).item<double>();
    if (of_stored <= 1.1 * options.threshold && distance.item<double>() > best.distance) {
      best = {picture_values(stored), of_stored, distance.item<double>()};
    }
    optimiser.step();
    if (step == 0) block.values().add_(block.gradients().sign(), -0.01);
    balance.adapt(unlike.item<double>(), options.threshold);
  }
  const c10::NoGradGuard no_gradients;
  const Picture found{picture.width, picture.height, picture.channels, best.values};
  best.distance = (at_length_one(net.embed(tensor_of(found), frame)) - own).square().sum().item<double>();
  return best;
}

}  // namespace bauta::training
