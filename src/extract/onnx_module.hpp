// Between the program and the module that holds OpenCV's networks. Everything here may be called from several threads
// at once.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/version.hpp"

namespace bauta {

/// What a network is shown: (value - mean) * scale of values from 0 to 255, in this order of colours.
struct OnnxInput {
  std::size_t size = 112;           ///< edge of the square
  std::array<double, 3> mean = {};  ///< of red, green, blue
  double scale = 1;
  bool blue_first = false;
};

class OnnxNetwork {
 public:
  virtual ~OnnxNetwork() = default;
  /// Pixels from 0 to 255, red, green and blue interleaved; stretched to the network's size bilinearly where they have
  /// another. Throws a usage error if the network does not take such an image.
  [[nodiscard]] virtual std::vector<float> output(std::span<const float> pixels, std::size_t width,
                                                  std::size_t height) const = 0;
};

class OnnxModule {
 public:
  virtual ~OnnxModule() = default;
  /// Name and version of what does the work.
  [[nodiscard]] virtual std::string library() const = 0;
  /// The network in the bytes of an ONNX file, up to `layer` (a node, or the output of a node without a name); empty:
  /// its one output. `origin` is for errors: an input error for what is no such file, a usage error for an unknown
  /// layer.
  [[nodiscard]] virtual std::unique_ptr<OnnxNetwork> load(std::vector<std::uint8_t> bytes, const std::string& origin,
                                                          const std::string& layer, const OnnxInput& input) const = 0;
};

/// Changes whenever the interface does.
constexpr const char* onnx_module_version = BAUTA_VERSION "/1";

/// Loads the module at the first call. An environment error says what is missing.
const OnnxModule& onnx_module();
/// The same from one of the named files, the first that exists.
const OnnxModule& load_onnx_module(const std::vector<std::filesystem::path>& files);

}  // namespace bauta
