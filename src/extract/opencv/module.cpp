// The module's one door, and all that OpenCV does for us.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>

#include "../onnx_module.hpp"
#include "../pool.hpp"
#include "bauta/core/error.hpp"

namespace bauta::onnx {
namespace {

/// OpenCV calls a node "onnx_node!name", and one without a name "onnx_node_output_0!output".
std::string plain(const std::string& name) {
  const std::size_t mark = name.find('!');
  return name.starts_with("onnx_node") && mark != std::string::npos ? name.substr(mark + 1) : name;
}

/// OpenCV's own words on one line.
std::string words(const cv::Exception& error) {
  std::string text = error.err;
  std::ranges::replace(text, '\n', ' ');
  while (text.ends_with(' ') || text.ends_with('>')) text.pop_back();
  return text;
}

class DnnNetwork : public OnnxNetwork {
 public:
  DnnNetwork(std::vector<std::uint8_t> bytes, std::string origin, const std::string& layer, const OnnxInput& input)
      : bytes_(std::move(bytes)), origin_(std::move(origin)), input_(input) {
    layer_ = networks_.with([&](const cv::dnn::Net& network) { return find_layer(network, layer); });
    // A network that does not take such images is found out before anything is extracted.
    (void)DnnNetwork::output(std::vector<float>(3 * input.size * input.size), input.size, input.size);
  }

  [[nodiscard]] std::vector<float> output(std::span<const float> pixels, std::size_t width,
                                          std::size_t height) const override {
    BAUTA_ASSERT(pixels.size() == 3 * width * height);
    // The matrix is only read.
    const cv::Mat image(static_cast<int>(height), static_cast<int>(width), CV_32FC3, const_cast<float*>(pixels.data()));
    const int size = static_cast<int>(input_.size);
    // OpenCV takes what comes first for blue, exchanges the two, and takes the mean in the order after that.
    const auto& [red, green, blue] = input_.mean;
    const cv::Scalar mean = input_.blue_first ? cv::Scalar(blue, green, red) : cv::Scalar(red, green, blue);
    try {
      return networks_.with([&](cv::dnn::Net& network) {
        network.setInput(cv::dnn::blobFromImage(image, input_.scale, {size, size}, mean, input_.blue_first));
        const cv::Mat features = network.forward(layer_);
        if (features.type() != CV_32F || features.total() == 0) {
          throw_usage(origin_, fmt::format("layer '{}' does not give numbers", plain(layer_)));
        }
        const auto* first = features.ptr<float>();
        return std::vector<float>(first, first + features.total());
      });
    } catch (const cv::Exception& error) {
      throw_usage(origin_, fmt::format("does not take images of {0} x {0} pixels: {1}", size, words(error)),
                  "size=PIXELS says what it was made for");
    }
  }

 private:
  std::unique_ptr<cv::dnn::Net> read() const {
    try {
      auto network = std::make_unique<cv::dnn::Net>(cv::dnn::readNetFromONNX(bytes_));
      if (!network->empty()) {
        network->setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
        return network;
      }
    } catch (const cv::Exception& error) {
      throw_input(origin_, fmt::format("is no network in ONNX format that OpenCV reads: {}", words(error)));
    }
    throw_input(origin_, "is an ONNX file without a network");
  }

  [[nodiscard]] std::string find_layer(const cv::dnn::Net& network, const std::string& wanted) const {
    const std::vector<std::string> outputs = network.getUnconnectedOutLayersNames();
    if (wanted.empty()) {
      if (outputs.size() == 1) return outputs.front();
      std::vector<std::string> names;
      for (const std::string& name : outputs) names.push_back(plain(name));
      throw_usage("parameter 'layer'", fmt::format("{} has {} outputs", origin_, outputs.size()),
                  fmt::format("one of {}", fmt::join(names, ", ")));
    }
    std::vector<std::string> names;
    for (const std::string& name : network.getLayerNames()) {
      if (plain(name) == wanted) return name;
      names.push_back(plain(name));
    }
    throw_usage("parameter 'layer'", fmt::format("{} has no layer '{}'", origin_, wanted), suggest(wanted, names));
  }

  std::vector<std::uint8_t> bytes_;
  std::string origin_;
  OnnxInput input_;
  std::string layer_;
  // A copy of a network shares its memory, so each is read anew.
  mutable Pool<cv::dnn::Net> networks_{[this] { return read(); }};
};

class OpencvModule : public OnnxModule {
 public:
  [[nodiscard]] std::string library() const override { return "OpenCV " CV_VERSION; }

  [[nodiscard]] std::unique_ptr<OnnxNetwork> load(std::vector<std::uint8_t> bytes, const std::string& origin,
                                                  const std::string& layer, const OnnxInput& input) const override {
    return std::make_unique<DnnNetwork>(std::move(bytes), origin, layer, input);
  }
};

}  // namespace
}  // namespace bauta::onnx

extern "C" __attribute__((visibility("default"))) const void* bauta_onnx(const char* version) {
  if (std::string_view(version) != bauta::onnx_module_version) return nullptr;
  // Images are the parallel unit; errors are told by us.
  cv::setNumThreads(1);
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  static const bauta::onnx::OpencvModule module;
  return static_cast<const bauta::OnnxModule*>(&module);
}
