// Training of small convolutional networks, in the module that holds LibTorch (see trainer.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "bauta/deep/conv_network.hpp"
#include "bauta/deep/training.hpp"

namespace bauta {

/// Blocks of a convolution, normalisation over the batch, ReLU and halving, then dense layers. Trained for all epochs
/// by Adam, the last third of them at a tenth of the rate.
struct ConvOptions {
  TrainingOptions training = {.epochs = 20, .batch = 32, .rate = 1e-3, .patience = 0};
  ImageShape input;
  std::vector<std::size_t> filters = {16, 32, 64};
  std::vector<std::size_t> hidden = {128};
  double dropout = 0.3;  ///< before the dense layers
  bool mirror = true;    ///< half of the images are shown as in a mirror, others in each epoch
  /// What a sample of each class counts in the loss, in the mean 1 over all samples. Empty: all alike.
  std::vector<double> class_weights = {};
};

struct TrainedConvNetwork {
  ConvNetwork network;
  TrainingReport report;
};

/// A network that sees what a teacher does not (masked images), and learns to say what the teacher says of what it does
/// not see (the images before). Outputs have length 1.
struct DistillationOptions {
  ConvOptions network;
  double identity_weight = 0.1;  ///< of naming the people beside: cross-entropy of a head that is dropped
};

class ImageTrainer {
 public:
  virtual ~ImageTrainer() = default;

  /// The network's outputs are logits, one per class. Rows of unknown class are passed over.
  [[nodiscard]] virtual TrainedConvNetwork train_image_classifier(const TrainingSet& set, const AttributeLabels& labels,
                                                                  const ConvOptions& options) const = 0;
  /// Least mean 1 - cosine to the teacher's rows, with the set's subjects as people.
  [[nodiscard]] virtual TrainedConvNetwork train_distilled(const TrainingSet& set, MatrixView<const float> taught,
                                                           const DistillationOptions& options) const = 0;
};

/// Loads the module at the first call. An environment error says what is missing.
const ImageTrainer& image_trainer();

}  // namespace bauta
