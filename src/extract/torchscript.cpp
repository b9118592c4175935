// A network in TorchScript that the user brings: HuBERT or a speaker network for voices, a face network for images.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/deep/script.hpp"
#include "bauta/extract/extractor.hpp"
#include "channel_means.hpp"
#include "resampled.hpp"
#include "resized.hpp"

namespace bauta {
namespace {

/// [1, T] samples; empty if there is no sound.
std::vector<float> voice_input(const Recording& recording, int rate, bool normalise) {
  std::vector<float> samples = resampled(recording, rate);
  if (std::ranges::all_of(samples, [](float sample) { return sample == 0; })) return {};
  if (!normalise) return samples;
  const auto count = static_cast<double>(samples.size());
  double mean = 0, square = 0;
  for (const float sample : samples) mean += sample / count;
  for (const float sample : samples) square += (sample - mean) * (sample - mean) / count;
  if (square == 0) return {};
  for (float& sample : samples) sample = static_cast<float>((sample - mean) / std::sqrt(square));
  return samples;
}

/// [1, 3, size, size]: all of red, then green, then blue.
std::vector<float> image_input(const Image& image, std::size_t size, const std::array<double, 3>& mean, double scale) {
  const std::vector<float> pixels = resized(image, size, 3);
  std::vector<float> planes(pixels.size());
  for (std::size_t i = 0; i < size * size; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      planes[c * size * size + i] = static_cast<float>((255.0 * pixels[i * 3 + c] - mean[c]) * scale);
    }
  }
  return planes;
}

class TorchScript : public Extractor {
 public:
  explicit TorchScript(const Parameters& parameters)
      : path_(parameters.text("path")),
        voice_(parameters.text("medium") == "voice"),
        rate_(static_cast<int>(parameters.integer("rate"))),
        normalise_(parameters.text("normalise") == "yes"),
        size_(static_cast<std::size_t>(parameters.integer("size"))),
        mean_(parse_channel_means(parameters.text("mean"))),
        scale_(parameters.real("scale")) {
    if (path_.empty()) throw_usage("parameter 'path'", "is empty", "torchscript:path=FILE names the network");
    digest_ = file_digest(path_);
    network_ = load_script(path_);
  }

  [[nodiscard]] std::string model() const override { return digest_; }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const std::vector<float> input =
        voice_ ? voice_input(medium_as<Recording>(medium, "torchscript:medium=voice"), rate_, normalise_)
               : image_input(medium_as<Image>(medium, "torchscript:medium=image"), size_, mean_, scale_);
    if (input.empty()) return std::nullopt;
    const ScriptTensor output = network_->run(
        voice_ ? std::vector<std::size_t>{1, input.size()} : std::vector<std::size_t>{1, 3, size_, size_}, input);
    return averaged(output);
  }

 private:
  /// One template: of features at several times their mean.
  [[nodiscard]] std::vector<float> averaged(const ScriptTensor& output) const {
    const auto& shape = output.shape;
    if (output.values.empty() || (shape.size() > 1 && shape[0] != 1)) {
      throw_input(path_, fmt::format("the network gives a tensor of {}", fmt::join(shape, " x ")),
                  "expected 1 x features, or 1 x times x features");
    }
    if (!voice_ || shape.size() != 3) return output.values;
    const std::size_t times = shape[1];
    const std::size_t count = shape[2];
    std::vector<float> features;
    for (std::size_t j = 0; j < count; ++j) {
      double sum = 0;
      for (std::size_t t = 0; t < times; ++t) sum += output.values[t * count + j];
      features.push_back(static_cast<float>(sum / static_cast<double>(times)));
    }
    return features;
  }

  std::string path_;
  bool voice_;
  int rate_;
  bool normalise_;
  std::size_t size_;
  std::array<double, 3> mean_;
  double scale_;
  std::string digest_;
  std::unique_ptr<ScriptModel> network_;
};

}  // namespace

Entry<Extractor> torchscript_extractor() {
  return {
      {.name = "torchscript",
       .paper = "",
       .doc = "the output of a network of yours in TorchScript. The file is a program: it runs in a process of its "
              "own, which may "
              "read files but not write, start or send anything. A voice "
              "is shown to it as 1 x samples from -1 to 1, and features at several times are averaged; an image as 1 x "
              "3 x size x size",
       .medium = "any",
       .parameters =
           {{"path", ParameterType::file, "", "the file, as torch.jit.save wrote it"},
            {.name = "medium",
             .type = ParameterType::choice,
             .default_value = "voice",
             .doc = "what it takes",
             .choices = {"voice", "image"}},
            {"rate", ParameterType::integer, "16000", "of voices: samples per second", 2000, 192000},
            {.name = "normalise",
             .type = ParameterType::choice,
             .default_value = "no",
             .doc = "of voices: bring samples to mean 0 and deviation 1",
             .choices = {"no", "yes"}},
            {"size", ParameterType::integer, "112", "of images: edge of the square in pixels", 1, 4096},
            {"mean", ParameterType::text, "127.5",
             "of images: taken from the values 0 to 255: a number, or those of red, green and blue with / between"},
            {"scale", ParameterType::real, "0.00784313725", "of images: then multiplied"}}},
      [](const Parameters& parameters) { return std::make_unique<TorchScript>(parameters); }};
}

}  // namespace bauta
