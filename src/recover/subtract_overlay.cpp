// Subtraction of an expected overlay: a masked image is alpha times the image and what lies over it, which depends on a
// key, but has a mean. Whoever knows the technique knows both. Others who can have images of other people masked learn
// them from the pairs: alpha is how masked pixels follow clear ones, and the mean overlay is what is left. It is
// subtracted, and the rest scaled up again.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/most_frequent.hpp"
#include "bauta/core/progress.hpp"
#include "image_pairs.hpp"
#include "medium_recovery.hpp"

namespace bauta {
namespace {

constexpr float least_share = 1e-3F;  // below it, rounding is all that is left of the image

class SubtractOverlay : public ImageRecovery {
 public:
  explicit SubtractOverlay(const Parameters& parameters)
      : ImageRecovery("subtract-overlay"), alpha_(static_cast<float>(parameters.real("alpha"))) {}

  void fit(const Knowledge& knowledge) override {
    const ImagePairs pairs("subtract-overlay", knowledge);
    const std::vector<ImageShape> shapes = pairs.shapes();
    shape_ = most_frequent(shapes);
    const auto others = std::ranges::count_if(shapes, [&](const ImageShape& shape) { return shape != shape_; });
    if (others > 0) {
      warn(fmt::format("subtract-overlay: of {} pairs, {} are left out: they are not of {}, as most are", shapes.size(),
                       others, text_of(shape_)));
    }
    if (!read_off(knowledge)) learn(pairs);
    if (!(alpha_ >= least_share)) {
      throw_input("subtract-overlay", fmt::format("masked pixels do not follow clear ones (share {:.2g})", alpha_),
                  "this technique puts nothing over images");
    }
  }

  [[nodiscard]] std::map<std::string, std::string> properties() const override {
    return {{"overlay_alpha", fmt::format("{:.4f}", alpha_)}};
  }

  [[nodiscard]] FittedState state() const override {
    Matrix<float> shape(1, 4), overlay(1, overlay_.size());
    shape(0, 0) = static_cast<float>(shape_.width);
    shape(0, 1) = static_cast<float>(shape_.height);
    shape(0, 2) = static_cast<float>(shape_.channels);
    shape(0, 3) = static_cast<float>(alpha_);
    std::ranges::copy(overlay_, overlay.row(0).begin());
    FittedState state;
    state.emplace("shape", std::move(shape));
    state.emplace("overlay", std::move(overlay));
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    const auto shape = state.find("shape"), overlay = state.find("overlay");
    const auto is_size = [](float value) { return value >= 1 && value <= 1 << 20 && value == std::floor(value); };
    if (shape == state.end() || overlay == state.end() || shape->second.size() != 4 ||
        !std::all_of(shape->second.data(), shape->second.data() + 3, is_size) ||
        !(shape->second(0, 3) >= least_share)) {
      throw_input(where, "holds no learned overlay");
    }
    shape_ = {static_cast<std::size_t>(shape->second(0, 0)), static_cast<std::size_t>(shape->second(0, 1)),
              static_cast<std::size_t>(shape->second(0, 2))};
    alpha_ = shape->second(0, 3);
    if (overlay->second.size() != shape_.size()) throw_input(where, "its overlay has another size");
    overlay_.assign(overlay->second.data(), overlay->second.data() + overlay->second.size());
  }

 protected:
  [[nodiscard]] Image undone(const Image& image, std::size_t) const override {
    if (shape_of(image) != shape_) {
      throw_input("subtract-overlay", fmt::format("an image of {}, the overlay was learned for {}",
                                                  text_of(shape_of(image)), text_of(shape_)));
    }
    std::vector<float> values(image.pixels.size());
    const float scale = 1 / alpha_;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = scale * (static_cast<float>(image.pixels[i]) - overlay_[i]);
    }
    return with_pixels(image, values);
  }

 private:
  static ImageShape shape_of(const Image& image) { return {image.width, image.height, image.channels}; }
  static std::string text_of(const ImageShape& shape) {
    return fmt::format("{}x{}x{}", shape.width, shape.height, shape.channels);
  }

  /// From what is known of the technique, for images of the size that most pairs have.
  bool read_off(const Knowledge& knowledge) {
    if (alpha_ != 0 || knowledge.technique == nullptr) return false;
    const Protection& technique = **knowledge.technique;
    if (knowledge.technique->declaration->does != Operation::lays_over) return false;
    const KnownOverlay known = technique.known_mask(shape_).overlay.value();
    alpha_ = static_cast<float>(known.own);
    overlay_ = known.overlay;
    for (float& value : overlay_) value *= 1 - alpha_;
    return true;
  }

  void learn(const ImagePairs& pairs) {
    std::vector<double> clear(shape_.size(), 0.0), masked = clear;
    double followed = 0, squares = 0;
    std::size_t used = 0;
    // Means first: the share is that of what differs between images.
    pairs.each([&](const Image& image, const Image& over) {
      if (shape_of(over) != shape_) return;
      ++used;
      for (std::size_t i = 0; i < over.pixels.size(); ++i) {
        clear[i] += image.pixels[i];
        masked[i] += over.pixels[i];
      }
    });
    for (std::size_t i = 0; i < clear.size(); ++i) {
      clear[i] /= static_cast<double>(used);
      masked[i] /= static_cast<double>(used);
    }
    if (alpha_ == 0) {
      pairs.each([&](const Image& image, const Image& over) {
        if (shape_of(over) != shape_) return;
        for (std::size_t i = 0; i < over.pixels.size(); ++i) {
          followed += (image.pixels[i] - clear[i]) * (over.pixels[i] - masked[i]);
          squares += (image.pixels[i] - clear[i]) * (image.pixels[i] - clear[i]);
        }
      });
      alpha_ = squares > 0 ? static_cast<float>(followed / squares) : 0;
    }
    overlay_.resize(clear.size());
    for (std::size_t i = 0; i < clear.size(); ++i) {
      overlay_[i] = static_cast<float>(masked[i] - alpha_ * clear[i]);
    }
  }

  float alpha_;            // as it is stored
  ImageShape shape_ = {};  // of every image that it takes
  std::vector<float> overlay_;
};

}  // namespace

Entry<Recovery> subtract_overlay_recovery() {
  return {{.name = "subtract-overlay",
           .paper = "",
           .doc = "overlays: the expected one is subtracted, and what is left scaled up; as known of the technique, or "
                  "from the pairs of the most frequent size",
           .medium = "image",
           .learns = true,
           .parameters = {{"alpha", ParameterType::real, "0",
                           "share of the original; 0: as the technique or the pairs tell", 0, 1}},
           .undoes = Operation::lays_over},
          [](const Parameters& parameters) { return std::make_unique<SubtractOverlay>(parameters); }};
}

}  // namespace bauta
