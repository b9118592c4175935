// What protections that train a network have in common: which samples they learn from, their parameters of training,
// and their weights as named arrays.
#pragma once

#include <limits>
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

/// A protection whose heart is a trained network: what it makes of a template is the network's output.
class NetworkProtection : public Protection {
 public:
  static constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

  void fit(const Dataset& train, const std::vector<std::string>& attributes, const ProtectContext& context) override;
  /// Weights as "layer1.weights", "layer1.bias", ..., and how training went as "training_losses" and
  /// "validation_losses".
  [[nodiscard]] FittedState state() const override;
  void restore(const FittedState& state, const std::string& where) override;
  void check(const Templates& input, const std::string& where, const ProtectContext& context) const override;
  [[nodiscard]] Templates protect(const Templates& block, std::size_t first,
                                  const ProtectContext& context) const override;

 protected:
  /// Fits hide one to `most` attributes; 0: it hides what nobody named, and needs none.
  NetworkProtection(std::string technique, const Parameters& parameters, std::size_t most)
      : technique_(std::move(technique)), parameters_(parameters), most_(most) {}

  /// The network to keep. `options` have the parameters of training, a seed, the chosen device and a progress bar.
  [[nodiscard]] virtual TrainedNetwork train(const TrainingRows& rows, const TrainingOptions& options) const = 0;
  /// Of each layer of that network.
  [[nodiscard]] virtual std::vector<Activation> activations() const = 0;
  /// Whether the network's outputs are brought to unit length.
  [[nodiscard]] virtual bool unit_length() const { return false; }
  /// What else is learned once the network stands.
  virtual void fit_outputs(const TrainingRows&, const ProtectContext&) {}

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] std::size_t count(std::string_view parameter) const {
    return static_cast<std::size_t>(parameters_.integer(parameter));
  }
  [[nodiscard]] Templates outputs(const Templates& block, std::size_t first) const;

  /// An array of a fitted state; an input error names one that is missing.
  static const Matrix<float>& array_of(const FittedState& state, const std::string& name, const std::string& where);

 private:
  std::string technique_;
  Parameters parameters_;
  std::size_t most_;
  Network network_;
  TrainingReport report_;
};

/// From the parameters of training, with a seed, the chosen device and a progress bar.
TrainingOptions training_options(const Parameters& parameters, std::string_view technique,
                                 const ProtectContext& context);
/// How training went, as "training_losses" and "validation_losses"; and the way back.
void add_report(FittedState& state, const TrainingReport& report);
TrainingReport report_of(const FittedState& state);

/// A declaration with the parameters epochs, batch, rate, patience and validation, with the technique's defaults.
Declaration with_training(Declaration declaration, const TrainingOptions& defaults);

}  // namespace bauta
