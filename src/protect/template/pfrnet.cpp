// PFRNet (Bortolato et al. 2020): an encoder whose outputs have the same moments in every class of the attribute. The
// part that depends on the attribute, and the decoder, are thrown away after training.
#include "network_protection.hpp"

namespace bauta {
namespace {

class Pfrnet : public NetworkProtection {
 public:
  explicit Pfrnet(const Parameters& parameters) : NetworkProtection("pfrnet", parameters, 1) {}

 protected:
  [[nodiscard]] TrainedNetwork train(const TrainingRows& rows, const TrainingOptions& training) const override {
    PfrnetOptions options;
    options.training = training;
    options.independent = count("independent");
    options.dependent = count("dependent");
    options.match = parameters().real("match");
    options.separate = parameters().real("separate");
    TrainedPfrnet trained = trainer().train_pfrnet(rows.set(), rows.attributes().front(), options);
    return {std::move(trained.independent), std::move(trained.report)};
  }

  [[nodiscard]] std::vector<Activation> activations() const override {
    return {Activation::relu, Activation::relu, Activation::relu, Activation::identity};
  }
};

}  // namespace

Entry<Protection> pfrnet_protection() {
  return {
      with_training(
          {.name = "pfrnet",
           .paper =
               "Bortolato et al. 2020, Learning privacy-enhancing face representations through feature disentanglement",
           .doc = "the part of a disentangled template that does not depend on the attribute",
           .medium = "template",
           .learns = true,
           .comparator = "cosine",
           .claim = "an attribute classifier on the protected templates does little better than chance",
           .broken_by =
               "the similarity attack, and classifiers trained on protected templates: moments beyond the second "
               "still tell the classes apart",
           .parameters =
               {{"independent", ParameterType::integer, "496", "features of the released part", 1, 1 << 16},
                {"dependent", ParameterType::integer, "16", "features of the part that is thrown away", 1, 1 << 16},
                {"match", ParameterType::real, "0.01", "weight of equal moments in the released part", 0},
                {"separate", ParameterType::real, "0.01", "weight of different moments in the other part", 0}}},
          PfrnetOptions().training),
      [](const Parameters& parameters) { return std::make_unique<Pfrnet>(parameters); }};
}

}  // namespace bauta
