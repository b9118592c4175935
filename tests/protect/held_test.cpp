// What every protection that draws or ranks makes of a small data set, as it was on 2026-11-16.
#include "../held.hpp"

#include "bauta/learn/preparation.hpp"
#include "image/images.hpp"

namespace bauta {
namespace {

/// 60 samples of 20 people; two attributes of two and three classes, which some of the features show.
Dataset people() {
  Matrix<float> values(60, 32);
  Stream stream(3, "held");
  std::vector<std::string> kind, group;
  for (std::size_t i = 0; i < 60; ++i) {
    for (float& value : values.row(i)) value = static_cast<float>(stream.normal());
    const std::size_t person = i / 3;
    values(i, 5) += static_cast<float>(person % 2);
    values(i, 9) -= static_cast<float>(2 * (person % 3));
    kind.push_back(person % 2 == 0 ? "a" : "b");
    group.push_back(std::to_string(person % 3));
  }
  Dataset dataset = dataset_of(Templates(std::move(values)), 3);
  dataset.labels.add_column("kind", kind);
  dataset.labels.add_column("group", group);
  return dataset;
}

std::vector<float> protected_values(const std::string& technique, const std::vector<std::string>& attributes) {
  ResolvedProtection resolved = make_protection(technique);
  const Dataset data = people();
  ProtectContext context{.randomness = Randomness::seeded(5)};
  context.subjects = data.labels.column("identity");
  if (resolved.declaration->learns) fit_protection(resolved, data, attributes, context);
  const Matrix<float> values = to_features(protect_dataset(resolved, data, context).templates);
  return {values.data(), values.data() + values.size()};
}

TEST(HeldProtections, OfOneAttributeOrNone) {
  test::expect_held(
      {
          {"pe-miu:block=4", -0.610094873},
          {"csn", 3.80848817},
          {"csn:s=-0.3", 4.24718241},
          {"esn:distance=0.7", -0.265675942},
          {"random-projection:length=24", 0.159446806},
          {"random-projection:length=40", -0.241884828},
          {"random-projection:length=24,matrix=orthonormal,regime=secret", 0.114934846},
          {"random-projection:regime=application,application=3", -0.735070452},
          {"biohash:length=24", 0.611871457},
          {"biohash:threshold=zero,entries=gaussian,regime=secret", -0.205180042},
          {"biohash:regime=application,application=2", -0.185108872},
          {"mlp-hash", 0.144148588},
          {"mlp-hash:length=80,output=linear", 0.0733324673},
          {"mlp-hash:length=20,regime=secret", -0.0156605223},
          {"iom-grp:m=40,q=10", -4.48904208},
          {"iom-grp:m=30,q=3,regime=secret", 0.10085377},
          {"iom-urp:m=40,k=20", 2.80661319},
          {"iom-urp:m=30,p=3,k=32,regime=application,application=3", -2.63150968},
          {"ive:trees=5,eliminate=2,steps=4", 0.432552247},
          {"ive:trees=5,eliminate=3,steps=2,domain=pca,keep=2", 0.0259233359},
          {"utility-preserving:g=8,t=0.5,w=10,rp=0.2,ranking=fisher", -0.329661711},
          {"utility-preserving:g=2,t=1,w=3,cp=4,ranking=forest,trees=5", -0.282916837},
          {"utility-preserving:g=5,t=0.7,w=4/2,keep=group=0.1,ranking=fisher,form=printed", -0.266784492},
          {"utility-preserving:g=9,t=0.3,w=7,rp=0.3,ranking=forest,trees=5,learn=20", 0.182752957},
      },
      [](const std::string& technique) { return protected_values(technique, {"kind"}); });
}

TEST(HeldProtections, OfTwoAttributes) {
  test::expect_held(
      {
          {"ive:trees=5,eliminate=2,steps=3,rule=sequential", 0.652145034},
          {"ive:trees=5,eliminate=2,steps=3,rule=joint", 0.621880869},
          {"ive:trees=5,eliminate=2,steps=3,rule=sum", -0.0801854033},
      },
      [](const std::string& technique) {
        return protected_values(technique, {"kind", "group"});
      });
}

TEST(HeldProtections, OfImages) {
  test::expect_held(
      {
          {"gaussian-blur:kernel=7", 1.68179212},
          {"gaussian-blur:kernel=60,unit=percent", 24.9563881},
          {"gaussian-blur", 24.6949082},
          {"pixelate:cells=3", 5.8088198},
          {"pixelate:cells=4,mode=bilinear_ref", 6.48082017},
      },
      [](const std::string& technique) {
        std::vector<std::uint8_t> pixels;
        for (const Image& image : {noise_image(11, 7, 3), noise_image(9, 14, 1), noise_image(1, 5, 3)}) {
          const Image result = masked(technique, image);
          pixels.insert(pixels.end(), result.pixels.begin(), result.pixels.end());
        }
        return pixels;
      });
}

}  // namespace
}  // namespace bauta
