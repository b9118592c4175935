// Training of small convolutional networks, in the module that holds LibTorch (see trainer.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bauta/deep/conv_network.hpp"
#include "bauta/deep/face_net.hpp"
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

/// See ImageNetwork. Stage i has width * min(2^i, widest) channels.
struct ImageNetworkOptions {
  TrainingOptions training = {.epochs = 12, .batch = 16, .rate = 2e-3, .patience = 3};
  std::size_t channels = 3;
  std::size_t size = 56;  ///< edge of the images
  std::size_t width = 12;
  std::size_t stages = 4;
  std::size_t widest = 4;
  std::size_t planes = 0;  ///< that it is shown beside the image
  std::size_t code = 0;    ///< numbers of the vector that a generator is given; 0: it is none
};

struct TrainedImageNetwork {
  ImageNetwork network;
  TrainingReport report;
};

/// How a generator's training goes, epoch by epoch; means over the last one.
struct GeneratorProgress {
  const ImageNetwork* network = nullptr;  ///< so far
  const TrainingReport* report = nullptr;
  double critic = 0;    ///< nats by which the critic errs, 1.39 where it cannot tell anything
  double deceived = 0;  ///< nats by which painted images are told from others, 0.69 where they cannot be
  double sameness = 0;  ///< what painted images cost for being alike
};

/// A generator that fills a region of images: a conditional variational autoencoder (Kingma and Welling 2014; Sohn,
/// Lee, Yan 2015) against a critic (Goodfellow et al. 2014), as Larsen et al. 2016 and Zhu et al. 2017 join them. The
/// network is shown the image without the region, the region, further planes and a code. For half of the images an
/// encoder, which is dropped afterwards, says in the code what the region shows, and the network is to paint that. For
/// the other half codes are drawn, two for each surroundings; what is painted then is to pass for an image, not to be
/// the same twice and, where a face network is at hand, to be a person who is neither the one of the image nor the same
/// twice. The critic tells images from painted ones, both varied alike (Zhao et al. 2020), with a penalty on its
/// gradients (Mescheder et al. 2018). Weights are means over the last steps. The last third of the epochs is trained at
/// a tenth of the rate.
struct GeneratorOptions {
  ImageNetworkOptions network = {.training = {.epochs = 8, .batch = 16, .rate = 1e-3, .patience = 0},
                                 .size = 64,
                                 .width = 8,
                                 .stages = 5,
                                 .widest = 8,
                                 .planes = 1,
                                 .code = 64};
  // Losses, in mean absolute differences of values.
  double divergence = 5e-4;  ///< what a nat of the code costs
  double adversarial = 0.1;  ///< what a nat of the critic's judgement counts; 0: there is no critic
  double diversity = 0.5;    ///< of being less apart than `apart` with another code
  double apart = 0.2;
  double identity = 0.1;  ///< of being nearer than `stranger` in the eyes of the face network
  double stranger = 0.9;
  double steepness = 1;  ///< what the critic's squared gradient costs it
  bool mirror = true;    ///< half of the images are shown as in a mirror, others in each epoch
  const std::map<std::string, TfjsTensor>* face_net = nullptr;  ///< weights; none: nobody looks at who is painted
  NetworkFrame face_frame = {};                                 ///< where it looks in images of the generator's size
  /// Is asked after each epoch; training ends when it says no.
  std::function<bool(const GeneratorProgress& so_far)> goes_on = {};
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
  /// Rows are planes; `region` has a number for each pixel, 1 where it is to be filled and 0 elsewhere; rows of
  /// `planes` are what it is shown beside both (one less than the network's planes). Reported losses are the mean
  /// absolute difference in the region with codes of the encoder, plus what these cost.
  [[nodiscard]] virtual TrainedImageNetwork train_generator(const TrainingSet& set, std::span<const float> region,
                                                            MatrixView<const float> planes,
                                                            const GeneratorOptions& options) const = 0;
};

/// Loads the module at the first call. An environment error says what is missing.
const ImageTrainer& image_trainer();

}  // namespace bauta
