// PFRNet (Bortolato et al. 2020): an encoder whose outputs have the same moments in every class of the attribute. The
// part that depends on the attribute, and the decoder, are thrown away after training.
#include <limits>

#include "training.hpp"

namespace bauta {
namespace {

const std::vector<Activation> activations = {Activation::relu, Activation::relu, Activation::relu,
                                             Activation::identity};

class Pfrnet : public Protection {
 public:
  explicit Pfrnet(const Parameters& parameters) : parameters_(parameters) {}

  void fit(const Dataset& train, const std::vector<std::string>& attributes, const ProtectContext& context) override {
    require_attributes(attributes, 1, "pfrnet");
    require_floats(train.templates, "pfrnet", train.origin);
    const TrainingRows rows(train, attributes, parameters_.real("validation"), "pfrnet", context);
    PfrnetOptions options;
    options.training = training_options(parameters_, "pfrnet", context);
    options.independent = static_cast<std::size_t>(parameters_.integer("independent"));
    options.dependent = static_cast<std::size_t>(parameters_.integer("dependent"));
    options.match = parameters_.real("match");
    options.separate = parameters_.real("separate");
    TrainedPfrnet trained = trainer().train_pfrnet(rows.set(), rows.attributes().front(), options);
    network_ = std::move(trained.independent);
    report_ = std::move(trained.report);
  }

  [[nodiscard]] FittedState state() const override {
    FittedState state;
    add_network(state, network_);
    add_report(state, report_);
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    network_ = network_of(state, activations, where);
    report_ = report_of(state);
  }

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "pfrnet", where);
    require_width(input, network_, "pfrnet", where);
  }

  [[nodiscard]] Templates protect(const Templates& block, std::size_t first, const ProtectContext&) const override {
    return outputs_of(network_, block, first);
  }

 private:
  Parameters parameters_;
  Network network_;
  TrainingReport report_;
};

}  // namespace

Entry<Protection> pfrnet_protection() {
  Declaration declaration = {
      .name = "pfrnet",
      .paper = "Bortolato et al. 2020, Learning privacy-enhancing face representations through feature disentanglement",
      .doc = "the part of a disentangled template that does not depend on the attribute",
      .medium = "template",
      .learns = true,
      .comparator = "cosine",
      .claim = "an attribute classifier on the protected templates does little better than chance",
      .broken_by =
          "the similarity attack, and classifiers trained on protected templates: moments beyond the second "
          "still tell the classes apart",
      .parameters = {
          {"independent", ParameterType::integer, "496", "features of the released part", 1, 1 << 16},
          {"dependent", ParameterType::integer, "16", "features of the part that is thrown away", 1, 1 << 16},
          {"match", ParameterType::real, "0.01", "weight of equal moments in the released part", 0},
          {"separate", ParameterType::real, "0.01", "weight of different moments in the other part", 0}}};
  for (Parameter& parameter : training_parameters(PfrnetOptions().training)) {
    declaration.parameters.push_back(std::move(parameter));
  }
  return {std::move(declaration), [](const Parameters& parameters) { return std::make_unique<Pfrnet>(parameters); }};
}

}  // namespace bauta
