// Fawkes (Shan et al. 2020): changes that people hardly see move a face away from itself in the eyes of a network.
#include <array>
#include <mutex>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/deep/face_net.hpp"
#include "image_protection.hpp"

namespace bauta {
namespace {

struct Mode {
  const char* name;
  double threshold;
  std::size_t steps;
  double rate;
};

constexpr std::array<Mode, 3> modes = {{{"low", 0.004, 40, 25}, {"mid", 0.012, 75, 20}, {"high", 0.017, 150, 15}}};

NetworkFrame frame_of_crop(const Image& crop) {
  if (crop.width != crop.height) {
    throw_input("fawkes:frame=aligned", fmt::format("needs a square crop, not {} x {} pixels", crop.width, crop.height),
                "frame=whole takes the whole image for the face");
  }
  return frame_of_aligned_crop(static_cast<double>(crop.width));
}

NetworkFrame frame_of_whole(const Image& image) {
  return frame_of_whole_image(static_cast<double>(image.width), static_cast<double>(image.height));
}

class Fawkes : public ImageProtection {
 public:
  explicit Fawkes(const Parameters& parameters)
      : ImageProtection("fawkes"), models_(parameters.text("models")), aligned_(parameters.text("frame") == "aligned") {
    for (const Mode& mode : modes) {
      if (parameters.text("mode") == mode.name) {
        options_ = {.threshold = mode.threshold, .steps = mode.steps, .rate = mode.rate};
      }
    }
    if (parameters.real("threshold") >= 0) options_.threshold = parameters.real("threshold");
    if (parameters.integer("steps") > 0) options_.steps = static_cast<std::size_t>(parameters.integer("steps"));
  }

  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset&, const std::vector<std::string>&,
                                                        const ProtectContext&) const override {
    (void)net();  // what is missing is said before any work is done
    return nullptr;
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t sample, const ProtectContext& context) const override {
    if (image.width < smallest || image.height < smallest) {
      throw_input(technique(), fmt::format("{} x {} pixels are too few, {} x {} are needed", image.width, image.height,
                                           smallest, smallest));
    }
    const NetworkFrame frame = aligned_ ? frame_of_crop(image) : frame_of_whole(image);
    const Picture picture{image.width, image.height, image.channels, {image.pixels.begin(), image.pixels.end()}};
    std::vector<float> start(image.pixels.size());
    Stream stream = context.randomness.stream("fawkes", sample);
    for (float& value : start) value = static_cast<float>((2 * stream.uniform() - 1) * 1e-4);
    return with_values(image, net().cloak(picture, frame, start, options_).values);
  }

 private:
  static constexpr std::size_t smallest = 11;  // windows in which structure is compared

  [[nodiscard]] const FaceNet& net() const {
    std::call_once(loaded_, [&] { net_ = load_face_net(models_); });
    return *net_;
  }

  std::string models_;
  bool aligned_;
  CloakOptions options_;
  mutable std::once_flag loaded_;
  mutable std::shared_ptr<const FaceNet> net_;
};

}  // namespace

Entry<Protection> fawkes_protection() {
  return {{.name = "fawkes",
           .paper = "Shan et al. 2020, Fawkes: Protecting Privacy against Unauthorized Deep Learning Models; the "
                    "untargeted search of its public version 1, against one network instead of two",
           .doc = "changes that people hardly see move the face away from itself in the eyes of a network",
           .medium = "image",
           .claim = "whoever trains on such images does not recognise clear ones; there is no formal guarantee",
           .broken_by = "networks that it was not optimised against, and recognisers that learned from such images: "
                        "judge it on other networks than the one it knows (face-network is a relative of it)",
           .parameters = {{.name = "mode",
                           .type = ParameterType::choice,
                           .default_value = "low",
                           .doc = "how much may change (dissimilarity 0.004, 0.012, 0.017), and how long is searched "
                                  "(40, 75, 150 steps); A False Sense of Privacy took high",
                           .choices = {"low", "mid", "high"}},
                          {"threshold", ParameterType::real, "-1",
                           "dissimilarity (1 - SSIM) / 2 that is aimed at, a tenth more is allowed; below 0: as mode "
                           "says",
                           -1, 1},
                          {"steps", ParameterType::integer, "0", "of the search; 0: as mode says", 0, 100000},
                          {.name = "frame",
                           .type = ParameterType::choice,
                           .default_value = "aligned",
                           .doc = "aligned: the image is a square crop with level eyes at 48 % of its height, a third "
                                  "of its width apart; whole: the face fills the image",
                           .choices = {"aligned", "whole"}},
                          {"models", ParameterType::folder, "", "folder of the weights; empty: where set-up put them"}},
           .example = "steps=2"},
          [](const Parameters& parameters) { return std::make_unique<Fawkes>(parameters); }};
}

}  // namespace bauta
