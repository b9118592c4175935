// What protections that train a network have in common: which samples they learn from, their parameters of training,
// and their weights as named arrays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bauta/deep/trainer.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {

/// Templates with an identity, and the classes of the attributes to hide (-1: unknown); failed samples are left out. A
/// share of the subjects is held out to know when to stop.
struct TrainingRows {
  /// Input errors for data without identities, attributes that are no classes, or nothing to learn from.
  TrainingRows(const Dataset& train, const std::vector<std::string>& attribute_names, double validation,
               std::string_view technique, const ProtectContext& context);

  [[nodiscard]] TrainingSet set() const { return {rows.view(), subjects, held_out}; }
  [[nodiscard]] std::vector<AttributeLabels> attributes() const;

  Matrix<float> rows;
  std::vector<std::int32_t> subjects;
  std::vector<std::string> names;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<std::size_t> classes;
  std::vector<bool> held_out;
};

/// epochs, batch, rate, patience and validation, with the defaults of the technique.
std::vector<Parameter> training_parameters(const TrainingOptions& defaults);

/// Those parameters, a seed from the context's randomness, the chosen device, and a progress bar.
TrainingOptions training_options(const Parameters& parameters, std::string_view technique,
                                 const ProtectContext& context);

/// Weights as "layer1.weights", "layer1.bias", ..., and how training went as "training_losses" and "validation_losses".
void add_network(FittedState& state, const Network& network);
void add_report(FittedState& state, const TrainingReport& report);

/// The way back; one activation per layer. Input errors name the array whose shape is wrong.
Network network_of(const FittedState& state, const std::vector<Activation>& activations, const std::string& where);
TrainingReport report_of(const FittedState& state);
const Matrix<float>& array_of(const FittedState& state, const std::string& name, const std::string& where);

/// A usage error unless there are attributes to hide, and at most so many.
void require_attributes(const std::vector<std::string>& attributes, std::size_t most, std::string_view technique);
/// An input error unless templates have as many features as the network takes.
void require_width(const Templates& input, const Network& network, std::string_view technique,
                   const std::string& where);
/// The network's outputs for a block of templates.
Templates outputs_of(const Network& network, const Templates& block, std::size_t first);

}  // namespace bauta
