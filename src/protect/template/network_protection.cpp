#include "network_protection.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/progress.hpp"
#include "bauta/deep/sampling.hpp"

namespace bauta {
namespace {

Matrix<float> as_row(const std::vector<double>& values) {
  Matrix<float> row(1, values.size());
  std::transform(values.begin(), values.end(), row.data(), [](double value) { return static_cast<float>(value); });
  return row;
}

Categorical classes_of(const Dataset& train, const std::string& attribute, std::string_view technique) {
  if (train.labels.kind(attribute) == ColumnKind::continuous) {
    throw_usage("--attribute " + attribute, fmt::format("is a number, {} hides classes", technique),
                "add a column with a few classes, e.g. age groups");
  }
  return train.labels.categorical(attribute);
}

}  // namespace

TrainingRows::TrainingRows(const Dataset& train, const std::vector<std::string>& attribute_names, double validation,
                           std::string_view technique, const ProtectContext& context)
    : names(attribute_names) {
  if (train.identity_column.empty()) {
    throw_input(train.origin, fmt::format("names no identities, which {} is trained with", technique),
                "name the column with --identity");
  }
  if (train.templates.rows() != train.size()) throw_input(train.origin, "holds no templates to train on");
  const std::vector<bool> failed = context.failed.empty() ? train.failed() : context.failed;
  const Categorical identity = train.labels.categorical(train.identity_column);
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < train.size(); ++i) {
    if (identity.codes[i] >= 0 && (failed.empty() || !failed[i])) used.push_back(i);
  }
  if (used.empty()) throw_input(train.origin, "holds no sample that a network could be trained on");
  rows = Matrix<float>(used.size(), train.templates.cols());
  for (std::size_t i = 0; i < used.size(); ++i) {
    std::ranges::copy(train.templates.floats().row(used[i]), rows.row(i).begin());
    subjects.push_back(identity.codes[used[i]]);
  }
  for (const std::string& name : names) {
    const Categorical column = classes_of(train, name, technique);
    if (column.classes.size() < 2) {
      throw_input(fmt::format("{} column '{}'", train.origin, name), "has fewer than two classes to hide");
    }
    classes.push_back(column.classes.size());
    codes.emplace_back();
    for (const std::size_t row : used) codes.back().push_back(column.codes[row]);
  }
  if (!context.held_out.empty()) {
    for (const std::size_t row : used) held_out.push_back(context.held_out[row]);
    return;
  }
  held_out = hold_out_subjects(subjects, validation, context.randomness.stream(fmt::format("{}.held-out", technique)),
                               codes.empty() ? std::span<const std::int32_t>() : codes.front());
  if (std::find(held_out.begin(), held_out.end(), true) == held_out.end()) held_out.clear();
}

std::vector<AttributeLabels> TrainingRows::attributes() const {
  std::vector<AttributeLabels> labels;
  for (std::size_t i = 0; i < codes.size(); ++i) labels.push_back({codes[i], classes[i], names[i]});
  return labels;
}

TrainingOptions training_options(const Parameters& parameters, std::string_view technique,
                                 const ProtectContext& context) {
  TrainingOptions options;
  options.epochs = static_cast<std::size_t>(parameters.integer("epochs"));
  options.batch = static_cast<std::size_t>(parameters.integer("batch"));
  options.rate = parameters.real("rate");
  options.patience = static_cast<std::size_t>(parameters.integer("patience"));
  options.seed = context.randomness.stream(fmt::format("{}.training", technique)).next64();
  options.device = device();
  const auto progress = std::make_shared<Progress>(fmt::format("train {}", technique), options.epochs, "epochs");
  options.progress = [progress](const EpochLoss&) { progress->add(1); };
  return options;
}

void add_report(FittedState& state, const TrainingReport& report) {
  state.emplace("training_losses", as_row(report.training_losses));
  if (!report.validation_losses.empty()) state.emplace("validation_losses", as_row(report.validation_losses));
}

TrainingReport report_of(const FittedState& state) {
  TrainingReport report;
  const auto read = [&](const char* name, std::vector<double>& losses) {
    const auto found = state.find(name);
    if (found != state.end()) losses.assign(found->second.data(), found->second.data() + found->second.size());
  };
  read("training_losses", report.training_losses);
  read("validation_losses", report.validation_losses);
  return report;
}

namespace {

void add_network(FittedState& state, const Network& network) {
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const DenseLayer& layer = network.layers[i];
    Matrix<float> weights(layer.outputs(), layer.inputs());
    std::copy_n(layer.weights.data(), weights.size(), weights.data());
    Matrix<float> bias(1, layer.outputs());
    std::ranges::copy(layer.bias, bias.data());
    state.emplace(fmt::format("layer{}.weights", i + 1), std::move(weights));
    state.emplace(fmt::format("layer{}.bias", i + 1), std::move(bias));
  }
}

const Matrix<float>& named_array(const FittedState& state, const std::string& name, const std::string& where) {
  const auto found = state.find(name);
  if (found == state.end()) throw_input(where, fmt::format("holds no array '{}'", name), "fit the protection again");
  return found->second;
}

Network network_of(const FittedState& state, const std::vector<Activation>& activations, const std::string& where) {
  Network network;
  for (std::size_t i = 0; i < activations.size(); ++i) {
    const std::string name = fmt::format("layer{}", i + 1);
    const Matrix<float>& weights = named_array(state, name + ".weights", where);
    const Matrix<float>& bias = named_array(state, name + ".bias", where);
    if (weights.rows() == 0 || weights.cols() == 0 || bias.size() != weights.rows() ||
        (i > 0 && weights.cols() != network.outputs())) {
      throw_input(where,
                  fmt::format("the shape {} x {} of '{}.weights' does not fit its neighbours", weights.rows(),
                              weights.cols(), name),
                  "fit the protection again");
    }
    DenseLayer layer;
    layer.weights = Matrix<float>(weights.rows(), weights.cols());
    std::copy_n(weights.data(), weights.size(), layer.weights.data());
    layer.bias.assign(bias.data(), bias.data() + bias.size());
    layer.activation = activations[i];
    network.layers.push_back(std::move(layer));
  }
  return network;
}

void require_attributes(const std::vector<std::string>& attributes, std::size_t most, std::string_view technique) {
  if (attributes.empty()) {
    throw_usage(std::string(technique), "needs the attribute that it hides", "name it with --attribute");
  }
  if (attributes.size() > most) {
    throw_usage(fmt::format("--attribute {}", fmt::join(attributes, ",")),
                fmt::format("{} hides {} attribute(s), not {}", technique, most, attributes.size()));
  }
}

}  // namespace

void NetworkProtection::fit(const Dataset& train_data, const std::vector<std::string>& attributes,
                            const ProtectContext& context) {
  if (most_ > 0) require_attributes(attributes, most_, technique_);
  require_floats(train_data.templates, technique_, train_data.origin);
  const TrainingRows rows(train_data, most_ > 0 ? attributes : std::vector<std::string>(),
                          parameters_.real("validation"), technique_, context);
  TrainedNetwork trained = train(rows, training_options(parameters_, technique_, context));
  network_ = std::move(trained.network);
  report_ = std::move(trained.report);
  fit_outputs(rows, context);
}

FittedState NetworkProtection::state() const {
  FittedState state;
  add_network(state, network_);
  add_report(state, report_);
  return state;
}

void NetworkProtection::restore(const FittedState& state, const std::string& where) {
  network_ = network_of(state, activations(), where);
  network_.unit_length = unit_length();
  report_ = report_of(state);
}

void NetworkProtection::check(const Templates& input, const std::string& where, const ProtectContext&) const {
  require_floats(input, technique_, where);
  if (input.cols() == network_.inputs()) return;
  throw_input(
      where,
      fmt::format("templates have {} features, {} was fitted on {}", input.cols(), technique_, network_.inputs()),
      "fit it on templates of the same kind");
}

Templates NetworkProtection::protect(const Templates& block, std::size_t first, const ProtectContext&) const {
  return outputs(block, first);
}

Templates NetworkProtection::outputs(const Templates& block, std::size_t first) const {
  Matrix<float> outputs(block.rows(), network_.outputs());
  network_.forward(block.floats(), first, outputs.view());
  return Templates(std::move(outputs));
}

const Matrix<float>& NetworkProtection::array_of(const FittedState& state, const std::string& name,
                                                 const std::string& where) {
  return named_array(state, name, where);
}

Declaration with_training(Declaration declaration, const TrainingOptions& defaults) {
  for (Parameter& parameter : std::vector<Parameter>{
           {"epochs", ParameterType::integer, std::to_string(defaults.epochs), "passes over the training data at most",
            1, 100000},
           {"batch", ParameterType::integer, std::to_string(defaults.batch), "samples per step", 2, 1 << 20},
           {"rate", ParameterType::real, fmt::format("{}", defaults.rate), "learning rate", 0},
           {"patience", ParameterType::integer, std::to_string(defaults.patience),
            "epochs without a better validation loss before training stops; 0: never stops early", 0, 100000},
           {"validation", ParameterType::real, "0.2", "share of the training subjects that only decides when to stop",
            0, 0.9}}) {
    declaration.parameters.push_back(std::move(parameter));
  }
  declaration.example = "epochs=5";
  declaration.stops_on_held_out = true;
  return declaration;
}

}  // namespace bauta
