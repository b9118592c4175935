#include "face_net.hpp"

#include <algorithm>
#include <utility>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta::training {
namespace {

const TfjsTensor& find(const std::map<std::string, TfjsTensor>& weights, const std::string& name,
                       const std::vector<std::size_t>& shape, const std::string& where) {
  const auto found = weights.find(name);
  if (found == weights.end() || found->second.shape != shape) {
    throw_input(where, fmt::format("'{}' is absent or has another shape", name),
                "these are weights of another network");
  }
  return found->second;
}

at::Tensor tensor_of(const TfjsTensor& values) {
  return at::from_blob(const_cast<float*>(values.values.data()),
                       std::vector<std::int64_t>(values.shape.begin(), values.shape.end()))
      .clone();
}

/// The part of the pictures that the network looks at, in its size and with three channels.
at::Tensor framed(const at::Tensor& pictures, const NetworkFrame& frame) {
  const std::int64_t size = FaceNet::size, count = pictures.size(0);
  const auto places = [&](double start, std::int64_t extent) {
    // From -1 at the centre of the first pixel to 1 at that of the last.
    const double last = std::max<double>(1, static_cast<double>(extent - 1));
    return at::arange(size, at::TensorOptions(pictures.device()).dtype(at::kDouble))
        .mul_(frame.scale)
        .add_(start)
        .mul_(2 / last)
        .sub_(1)
        .to(at::kFloat);
  };
  const at::Tensor across = places(frame.x, pictures.size(3)).view({1, 1, size, 1}).expand({1, size, size, 1});
  const at::Tensor down = places(frame.y, pictures.size(2)).view({1, size, 1, 1}).expand({1, size, size, 1});
  const at::Tensor grid = at::cat({across, down}, 3).expand({count, size, size, 2});
  constexpr std::int64_t bilinear = 0, as_at_the_edge = 1;
  const at::Tensor seen = at::grid_sampler_2d(pictures, grid, bilinear, as_at_the_edge, /*align_corners=*/true);
  return seen.expand({count, 3, size, size});
}

template <class Work>
auto guarded(Work&& work) {
  at::set_num_threads(1);  // pictures are what runs in parallel, and sums depend on the number of threads
  try {
    return work();
  } catch (const c10::Error& error) {
    throw_environment("face network", error.what_without_backtrace());
  }
}

class TorchFaceNet : public FaceNet {
 public:
  TorchFaceNet(const std::map<std::string, TfjsTensor>& weights, const std::string& where) : net_(weights, where) {}

  [[nodiscard]] std::vector<float> embed(const Picture& picture, const NetworkFrame& frame) const override {
    return guarded([&] {
      const c10::NoGradGuard no_gradients;
      const at::Tensor embedding = net_.embed(training::tensor_of(picture), frame).contiguous();
      return std::vector<float>(embedding.data_ptr<float>(), embedding.data_ptr<float>() + features);
    });
  }

  [[nodiscard]] std::vector<float> gradient(const Picture& picture, const NetworkFrame& frame,
                                            std::span<const float> weights) const override {
    BAUTA_ASSERT(weights.size() == features);
    return guarded([&] {
      const at::Tensor input = training::tensor_of(picture).set_requires_grad(true);
      const at::Tensor direction =
          at::from_blob(const_cast<float*>(weights.data()), {1, static_cast<std::int64_t>(features)}).clone();
      net_.embed(input, frame).mul(direction).sum().backward();
      return picture_values(input.grad());
    });
  }

  [[nodiscard]] Cloaked cloak(const Picture& picture, const NetworkFrame& frame, std::span<const float> start,
                              const CloakOptions& options) const override {
    return guarded([&] { return training::cloak(net_, picture, frame, start, options); });
  }

 private:
  FaceRecognitionNet net_;
};

}  // namespace

at::Tensor tensor_of(const Picture& picture) {
  BAUTA_ASSERT(picture.channels == 1 || picture.channels == 3);
  BAUTA_ASSERT(picture.values.size() == picture.width * picture.height * picture.channels && picture.width > 0);
  return at::from_blob(const_cast<float*>(picture.values.data()),
                       {1, static_cast<std::int64_t>(picture.height), static_cast<std::int64_t>(picture.width),
                        static_cast<std::int64_t>(picture.channels)})
      .permute({0, 3, 1, 2})
      .clone(at::MemoryFormat::Contiguous);
}

std::vector<float> picture_values(const at::Tensor& tensor) {
  const at::Tensor values = tensor.permute({0, 2, 3, 1}).contiguous();
  return {values.data_ptr<float>(), values.data_ptr<float>() + values.numel()};
}

FaceRecognitionNet::FaceRecognitionNet(const std::map<std::string, TfjsTensor>& weights, const std::string& where) {
  // Filters are (height, width, inputs, outputs) there; scaling and shifting each output is part of the convolution.
  const auto convolution = [&](const std::string& name, std::size_t edge, std::size_t inputs, std::size_t outputs) {
    const auto vector = [&](const char* part) { return tensor_of(find(weights, name + part, {outputs}, where)); };
    const at::Tensor scale = vector("/scale/weights");
    const at::Tensor filters =
        tensor_of(find(weights, name + "/conv/filters", {edge, edge, inputs, outputs}, where)).permute({3, 2, 0, 1});
    return Convolution{filters.mul(scale.view({-1, 1, 1, 1})).contiguous(),
                       vector("/conv/bias").mul(scale).add(vector("/scale/biases"))};
  };
  const auto block = [&](const std::string& name, std::size_t inputs, std::size_t outputs, bool halves) {
    blocks_.push_back(
        {convolution(name + "/conv1", 3, inputs, outputs), convolution(name + "/conv2", 3, outputs, outputs), halves});
  };
  entrance_ = convolution("conv32_down", 7, 3, 32);
  for (int i = 1; i <= 3; ++i) block(fmt::format("conv32_{}", i), 32, 32, false);
  std::size_t before = 32;
  for (const auto& [width, count] : {std::pair{64U, 3}, {128U, 2}, {256U, 2}}) {
    block(fmt::format("conv{}_down", width), before, width, true);
    for (int i = 1; i <= count; ++i) block(fmt::format("conv{}_{}", width, i), width, width, false);
    before = width;
  }
  block("conv256_down_out", before, before, true);
  projection_ = tensor_of(find(weights, "fc", {before, FaceNet::features}, where));
  mean_ = at::tensor({122.782F, 117.001F, 104.298F}).view({1, 3, 1, 1});
}

at::Tensor FaceRecognitionNet::apply(const Block& block, const at::Tensor& input) {
  const auto& [first, second, halves] = block;
  const std::int64_t stride = halves ? 2 : 1, edge = halves ? 0 : 1;
  at::Tensor inner = at::conv2d(input, first.filters, first.bias, {stride, stride}, {edge, edge}).relu();
  inner = at::conv2d(inner, second.filters, second.bias, {1, 1}, {1, 1});
  if (!halves) return (inner + input).relu();
  at::Tensor around = at::avg_pool2d(input, {2, 2}, {2, 2});
  const std::int64_t short_of = around.size(2) - inner.size(2), new_channels = inner.size(1) - around.size(1);
  if (short_of > 0) inner = at::constant_pad_nd(inner, {0, short_of, 0, short_of});
  if (new_channels > 0) around = at::constant_pad_nd(around, {0, 0, 0, 0, 0, new_channels});
  return (inner + around).relu();
}

void FaceRecognitionNet::place(at::Device device) {
  const auto move = [&](Convolution& layer) { layer = {layer.filters.to(device), layer.bias.to(device)}; };
  move(entrance_);
  for (Block& block : blocks_) {
    move(block.first);
    move(block.second);
  }
  projection_ = projection_.to(device);
  mean_ = mean_.to(device);
}

at::Tensor FaceRecognitionNet::embed(const at::Tensor& pictures, const NetworkFrame& frame) const {
  at::Tensor x = (framed(pictures, frame) - mean_) / 255;
  x = at::conv2d(x, entrance_.filters, entrance_.bias, {2, 2}).relu();
  x = at::max_pool2d(x, {3, 3}, {2, 2});
  for (const Block& block : blocks_) x = apply(block, x);
  return at::matmul(x.mean({2, 3}), projection_);
}

std::unique_ptr<FaceNet> make_face_net(const std::map<std::string, TfjsTensor>& weights, const std::string& where) {
  return std::make_unique<TorchFaceNet>(weights, where);
}

}  // namespace bauta::training
