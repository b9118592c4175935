// The image itself as a template: the simplest representation, and what classical recognisers start from.
#include "bauta/extract/extractor.hpp"
#include "resized.hpp"

namespace bauta {
namespace {

class Pixels : public Extractor {
 public:
  explicit Pixels(const Parameters& parameters)
      : size_(static_cast<std::size_t>(parameters.integer("size"))),
        channels_(parameters.text("color") == "rgb" ? 3 : 1) {}

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    return resized(medium_as<Image>(medium, "pixels"), size_, channels_);
  }

 private:
  std::size_t size_;
  std::size_t channels_;
};

}  // namespace

Entry<Extractor> pixels_extractor() {
  return {{.name = "pixels",
           .paper = "",
           .doc = "pixel values from 0 to 1 of the image stretched to a square by area averages, row by row",
           .medium = "image",
           .parameters = {{"size", ParameterType::integer, "48", "edge of the square in pixels", 1, 1024},
                          {.name = "color",
                           .type = ParameterType::choice,
                           .default_value = "grey",
                           .doc = "grey (BT.601), or red, green and blue of each pixel",
                           .choices = {"grey", "rgb"}}}},
          [](const Parameters& parameters) { return std::make_unique<Pixels>(parameters); }};
}

}  // namespace bauta
