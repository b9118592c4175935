// Training of small convolutional networks, inside the module.
#pragma once

#include "bauta/deep/image_trainer.hpp"

namespace bauta::training {

TrainedConvNetwork train_image_classifier(const TrainingSet& set, const AttributeLabels& labels,
                                          const ConvOptions& options);
TrainedConvNetwork train_distilled(const TrainingSet& set, MatrixView<const float> taught,
                                   const DistillationOptions& options);
TrainedImageNetwork train_image_network(const TrainingSet& set, MatrixView<const float> targets,
                                        const ImageNetworkOptions& options);
TrainedImageNetwork train_generator(const TrainingSet& set, std::span<const float> region,
                                    MatrixView<const float> planes, const GeneratorOptions& options);

}  // namespace bauta::training
