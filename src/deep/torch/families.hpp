// One function per family of networks, each in a file of its own.
#pragma once

#include "bauta/deep/trainer.hpp"

namespace bauta::training {

TrainedNetwork train_expansion(const TrainingSet& set, const ExpansionOptions& options);
TrainedNetwork train_sensitivenets(const TrainingSet& set, const std::vector<AttributeLabels>& attributes,
                                   const SensitiveNetsOptions& options);
TrainedPfrnet train_pfrnet(const TrainingSet& set, const AttributeLabels& attribute, const PfrnetOptions& options);
TrainedNetwork train_regressor(const TrainingSet& set, MatrixView<const float> targets, const MlpOptions& options);
TrainedNetwork train_classifier(const TrainingSet& set, const AttributeLabels& labels, const MlpOptions& options);

}  // namespace bauta::training
