// Training of small convolutional networks, in the module that holds LibTorch (see trainer.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bauta/deep/conv_network.hpp"
#include "bauta/deep/image_network.hpp"
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

/// See ImageNetwork. Stage i has width * min(2^i, 4) channels.
struct ImageNetworkOptions {
  TrainingOptions training = {.epochs = 12, .batch = 16, .rate = 2e-3, .patience = 3};
  std::size_t channels = 3;
  std::size_t size = 56;  ///< edge of the images
  std::size_t width = 12;
  std::size_t stages = 4;
  std::size_t planes = 0;  ///< that it is shown beside the image
  std::size_t code = 0;    ///< numbers of the vector that it is given; 0: none
};

/// A conditional variational autoencoder (Kingma and Welling 2014; Sohn, Lee, Yan 2015) that fills a region of images.
/// An encoder, which is dropped afterwards, tells in a code of normal numbers what the region shows and its
/// surroundings do not; the network is shown the image without the region, the region as a plane, and the code. Drawn
/// anew, a code gives another content. The last third of the epochs is trained at a tenth of the rate.
struct GeneratorOptions {
  ImageNetworkOptions network = {.training = {.epochs = 20, .batch = 16, .rate = 2e-3, .patience = 0},
                                 .size = 48,
                                 .stages = 5,
                                 .planes = 1,
                                 .code = 32};
  double divergence = 2e-4;  ///< what a nat of the code costs, in mean absolute differences of values
  bool mirror = true;        ///< half of the images are shown as in a mirror, others in each epoch
};

struct TrainedImageNetwork {
  ImageNetwork network;
  TrainingReport report;
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
  /// Least mean squared error from images to images; rows are planes, channel after channel.
  [[nodiscard]] virtual TrainedImageNetwork train_image_network(const TrainingSet& set, MatrixView<const float> targets,
                                                                const ImageNetworkOptions& options) const = 0;
  /// Rows are planes; `region` has a number for each pixel, 1 where it is to be filled and 0 elsewhere. Reported losses
  /// are the mean absolute difference in the region plus what the code costs.
  [[nodiscard]] virtual TrainedImageNetwork train_generator(const TrainingSet& set, std::span<const float> region,
                                                            const GeneratorOptions& options) const = 0;
};

/// Loads the module at the first call. An environment error says what is missing.
const ImageTrainer& image_trainer();

}  // namespace bauta
