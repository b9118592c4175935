// The face network of npm package @vladmandic/face-api, which is dlib's network brought to TensorFlow.js.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "bauta/deep/face_net.hpp"

namespace bauta::training {

/// A picture as the layers of networks take it: (1, channels, height, width).
at::Tensor tensor_of(const Picture& picture);
/// Values in the order of pictures.
std::vector<float> picture_values(const at::Tensor& tensor);

class FaceRecognitionNet {
 public:
  FaceRecognitionNet(const std::map<std::string, TfjsTensor>& weights, const std::string& where);

  void place(at::Device device);
  /// What it makes of pictures of any size, a row of 128 each; gradients flow back.
  [[nodiscard]] at::Tensor embed(const at::Tensor& pictures, const NetworkFrame& frame) const;

 private:
  struct Convolution {
    at::Tensor filters, bias;
  };
  /// Two convolutions with a way around them; `halves` the size.
  struct Block {
    Convolution first, second;
    bool halves = false;
  };

  [[nodiscard]] static at::Tensor apply(const Block& block, const at::Tensor& input);

  Convolution entrance_;
  std::vector<Block> blocks_;
  at::Tensor projection_, mean_;
};

Cloaked cloak(const FaceRecognitionNet& net, const Picture& picture, const NetworkFrame& frame,
              std::span<const float> start, const CloakOptions& options);

/// The network behind the interface that the program knows.
std::unique_ptr<FaceNet> make_face_net(const std::map<std::string, TfjsTensor>& weights, const std::string& where);

}  // namespace bauta::training
