// SensitiveNets (Morales et al. 2020): a projection that keeps identities apart while a detector of the attribute,
// trained against it, sees the same class in everybody.
#include "network_protection.hpp"

namespace bauta {
namespace {

class SensitiveNets : public NetworkProtection {
 public:
  explicit SensitiveNets(const Parameters& parameters) : NetworkProtection("sensitivenets", parameters, any_number) {}

 protected:
  [[nodiscard]] TrainedNetwork train(const TrainingRows& rows, const TrainingOptions& training) const override {
    SensitiveNetsOptions options;
    options.training = training;
    options.layers = count("layers");
    options.width = count("width");
    options.margin = parameters().real("margin");
    options.weight = parameters().real("weight");
    return trainer().train_sensitivenets(rows.set(), rows.attributes(), options);
  }

  [[nodiscard]] std::vector<Activation> activations() const override {
    std::vector<Activation> all(count("layers"), Activation::relu);
    all.back() = Activation::identity;
    return all;
  }

  [[nodiscard]] bool unit_length() const override { return true; }
};

}  // namespace

Entry<Protection> sensitivenets_protection() {
  return {
      with_training(
          {.name = "sensitivenets",
           .paper =
               "Morales et al. 2020, SensitiveNets: Learning Agnostic Representations with Application to Face Images",
           .doc = "a learned projection in which an attribute detector sees one class in everybody",
           .medium = "template",
           .learns = true,
           .comparator = "cosine",
           .claim = "attributes cannot be learned from the projected templates, while verification keeps its accuracy",
           .broken_by =
               "classifiers trained afresh on protected templates: only the detector of the training is fooled",
           .parameters = {{"layers", ParameterType::integer, "4", "dense layers of the projection", 1, 64},
                          {"width", ParameterType::integer, "0", "features of every layer; 0: as many as the input has",
                           0, 1 << 16},
                          {"margin", ParameterType::real, "0.2", "between mated and non-mated squared distances", 0},
                          {"weight", ParameterType::real, "1", "of the sensitive part against the triplets", 0}}},
          SensitiveNetsOptions().training),
      [](const Parameters& parameters) { return std::make_unique<SensitiveNets>(parameters); }};
}

}  // namespace bauta
