// A network that the user brings, e.g. an export of ArcFace or FaceNet, run in a process of its own (confined.hpp).
// What it is shown is the image itself: face networks want aligned crops.
#include "bauta/core/digest.hpp"
#include "bauta/data/mapped_file.hpp"
#include "bauta/extract/extractor.hpp"
#include "channel_means.hpp"
#include "onnx_check.hpp"
#include "onnx_module.hpp"
#include "resized.hpp"

namespace bauta {
namespace {

class Onnx : public Extractor {
 public:
  explicit Onnx(const Parameters& parameters) : size_(static_cast<std::size_t>(parameters.integer("size"))) {
    const std::string& path = parameters.text("path");
    if (path.empty()) throw_usage("parameter 'path'", "is empty", "onnx:path=FILE names the network");
    const auto file = MappedFile::open(path);
    const auto bytes = file->bytes();
    check_onnx(bytes, path);
    const OnnxModule& module = onnx_module();
    network_ = module.load({bytes.begin(), bytes.end()}, path, parameters.text("layer"),
                           {.size = size_,
                            .mean = parse_channel_means(parameters.text("mean")),
                            .scale = parameters.real("scale"),
                            .blue_first = parameters.text("color") == "bgr"});
    Hash hash;
    hash.add(module.library());
    hash.add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    model_ = hash.hex();
  }

  [[nodiscard]] std::string model() const override { return model_; }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const auto& image = medium_as<Image>(medium, "onnx");
    // Bilinear interpolation passes pixels over where it shrinks, so that is done by areas.
    if (image.width >= size_ && image.height >= size_) {
      std::vector<float> pixels = resized(image, size_, 3);
      for (float& value : pixels) value *= 255;
      return network_->output(pixels, size_, size_);
    }
    std::vector<float> pixels;
    pixels.reserve(3 * image.width * image.height);
    for (std::size_t i = 0; i < image.pixels.size(); i += image.channels) {
      for (std::size_t channel = 0; channel < 3; ++channel) {
        pixels.push_back(image.pixels[i + (image.channels == 3 ? channel : 0)]);
      }
    }
    return network_->output(pixels, image.width, image.height);
  }

 private:
  std::size_t size_;
  std::unique_ptr<OnnxNetwork> network_;
  std::string model_;
};

}  // namespace

Entry<Extractor> onnx_extractor() {
  return {
      {.name = "onnx",
       .paper = "",
       .doc = "the output of a network of yours in ONNX format, of the image stretched to a square; for faces it "
              "has to be the crop that the network was trained on",
       .medium = "image",
       .parameters = {{"path", ParameterType::file, "", "the file"},
                      {"size", ParameterType::integer, "112", "edge of the square that it takes, in pixels", 1, 4096},
                      {"mean", ParameterType::text, "127.5",
                       "taken from the values 0 to 255: a number, or those of red, green and blue with / between"},
                      {"scale", ParameterType::real, "0.00784313725", "then multiplied"},
                      {.name = "color",
                       .type = ParameterType::choice,
                       .default_value = "rgb",
                       .doc = "order of the colours",
                       .choices = {"rgb", "bgr"}},
                      {"layer", ParameterType::text, "", "node whose output is taken; empty: the network's output"}}},
      [](const Parameters& parameters) { return std::make_unique<Onnx>(parameters); }};
}

}  // namespace bauta
