// What a mask costs a medium: how far what was made of it is from the clear one. An instrument for the question `cost`,
// in the shape of an extractor, so that media are decoded and masked once for it and for all who attack them.
#include "bauta/data/likeness.hpp"

#include "bauta/extract/extractor.hpp"

namespace bauta {
namespace {

class Likeness : public Extractor {
 public:
  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium&) const override {
    throw_usage("likeness", "compares masked media with clear ones, and there is one side only",
                "ask in an experiment: measure.cost = [\"likeness\"]");
  }

  [[nodiscard]] bool compares() const override { return true; }

  [[nodiscard]] std::optional<std::vector<float>> extract_beside(const Medium& made,
                                                                 const Medium& clear) const override {
    if (const auto* image = std::get_if<Image>(&clear)) {
      const auto& other = medium_as<Image>(made, "likeness");
      return std::vector{static_cast<float>(mean_square_error(*image, other)), static_cast<float>(ssim(*image, other))};
    }
    const auto& motion = medium_as<Motion>(clear, "likeness");
    const auto [displacement, correlation] = motion_likeness(motion, medium_as<Motion>(made, "likeness"));
    return std::vector{static_cast<float>(displacement), static_cast<float>(correlation)};
  }
};

}  // namespace

Entry<Extractor> likeness_extractor() {
  return {{.name = "likeness",
           .paper = "Wang et al. 2004 (SSIM)",
           .doc = "how near masked media are to clear ones, for measure.cost: of images mean square error and SSIM, of "
                  "motions mean displacement of joints and correlation over time",
           .medium = "any"},
          [](const Parameters&) { return std::make_unique<Likeness>(); }};
}

}  // namespace bauta
