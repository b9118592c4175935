// SensitiveNets (Morales et al. 2020): a projection that keeps identities apart while a detector of the attribute,
// trained against it, sees the same class in everybody.
#include <limits>

#include "training.hpp"

namespace bauta {
namespace {

class SensitiveNets : public Protection {
 public:
  explicit SensitiveNets(const Parameters& parameters)
      : parameters_(parameters), layers_(static_cast<std::size_t>(parameters.integer("layers"))) {}

  void fit(const Dataset& train, const std::vector<std::string>& attributes, const ProtectContext& context) override {
    require_attributes(attributes, std::numeric_limits<std::size_t>::max(), "sensitivenets");
    require_floats(train.templates, "sensitivenets", train.origin);
    const TrainingRows rows(train, attributes, parameters_.real("validation"), "sensitivenets", context);
    SensitiveNetsOptions options;
    options.training = training_options(parameters_, "sensitivenets", context);
    options.layers = layers_;
    options.width = static_cast<std::size_t>(parameters_.integer("width"));
    options.margin = parameters_.real("margin");
    options.weight = parameters_.real("weight");
    TrainedNetwork trained = trainer().train_sensitivenets(rows.set(), rows.attributes(), options);
    network_ = std::move(trained.network);
    report_ = std::move(trained.report);
  }

  [[nodiscard]] FittedState state() const override {
    FittedState state;
    add_network(state, network_);
    add_report(state, report_);
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    std::vector<Activation> activations(layers_, Activation::relu);
    activations.back() = Activation::identity;
    network_ = network_of(state, activations, where);
    network_.unit_length = true;
    report_ = report_of(state);
  }

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "sensitivenets", where);
    require_width(input, network_, "sensitivenets", where);
  }

  [[nodiscard]] Templates protect(const Templates& block, std::size_t first, const ProtectContext&) const override {
    return outputs_of(network_, block, first);
  }

 private:
  Parameters parameters_;
  std::size_t layers_;
  Network network_;
  TrainingReport report_;
};

}  // namespace

Entry<Protection> sensitivenets_protection() {
  Declaration declaration = {
      .name = "sensitivenets",
      .paper = "Morales et al. 2020, SensitiveNets: Learning Agnostic Representations with Application to Face Images",
      .doc = "a learned projection in which an attribute detector sees one class in everybody",
      .medium = "template",
      .learns = true,
      .comparator = "cosine",
      .claim = "attributes cannot be learned from the projected templates, while verification keeps its accuracy",
      .broken_by = "classifiers trained afresh on protected templates: only the detector of the training is fooled",
      .parameters = {
          {"layers", ParameterType::integer, "4", "dense layers of the projection", 1, 64},
          {"width", ParameterType::integer, "0", "features of every layer; 0: as many as the input has", 0, 1 << 16},
          {"margin", ParameterType::real, "0.2", "between mated and non-mated squared distances", 0},
          {"weight", ParameterType::real, "1", "of the sensitive part against the triplets", 0}}};
  for (Parameter& parameter : training_parameters(SensitiveNetsOptions().training)) {
    declaration.parameters.push_back(std::move(parameter));
  }
  return {std::move(declaration),
          [](const Parameters& parameters) { return std::make_unique<SensitiveNets>(parameters); }};
}

}  // namespace bauta
