// Training of networks. The work is done by LibTorch in a module of its own, which is loaded when somebody first
// trains: a program that does not train neither links nor loads it. What comes back are plain arrays.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bauta/deep/network.hpp"
#include "bauta/deep/training.hpp"

namespace bauta {

/// Expansion network of NFR (Terhorst et al. 2020), trained to tell identities apart: dense layers of 256 and 512 with
/// ReLU, each normalised over the batch and thinned out, then `features` with tanh. The head that names identities is
/// dropped. Held-out subjects judge it by triplets of its outputs.
struct ExpansionOptions {
  enum class Loss {
    binary,
    categorical
  };  ///< cross-entropy per class over the softmax (as published), or of the class

  TrainingOptions training = {.epochs = 50, .batch = 256, .rate = 0.1, .patience = 10};
  std::size_t features = 4096;
  double dropout = 0.5;
  Loss loss = Loss::binary;
};

/// Projection of SensitiveNets (Morales et al. 2020): triplets keep identities apart, while what a detector says of an
/// attribute is drawn to one class for everybody. Detectors are trained alternately. Held-out subjects judge it by
/// triplets and by what a fresh linear attacker learns about the attributes.
struct SensitiveNetsOptions {
  TrainingOptions training = {.epochs = 50, .batch = 128, .rate = 1e-3, .patience = 10};
  std::size_t layers = 4;
  std::size_t width = 0;  ///< of all layers; 0: as many as inputs
  double margin = 0.2;
  double weight = 1;             ///< of the sensitive part
  std::size_t warm_up = 0;       ///< first epochs with the triplets only; 0: a 25th of all
  bool balanced_anchors = true;  ///< anchors of each class in equal numbers
};

/// PFRNet (Bortolato et al. 2020): two encoders and a decoder. Moments of the independent part agree between the
/// classes of the attribute, those of the dependent part differ.
struct PfrnetOptions {
  TrainingOptions training = {.epochs = 130, .batch = 100, .rate = 1e-4, .patience = 15};
  std::size_t independent = 496;
  std::size_t dependent = 16;
  double match = 0.01;
  double separate = 0.01;
};

/// Dense layers with ReLU between. Defaults are those of scikit-learn's MLPClassifier and MLPRegressor.
struct MlpOptions {
  TrainingOptions training = {.epochs = 200, .batch = 200, .rate = 1e-3, .patience = 10};
  std::vector<std::size_t> hidden = {100};
  double l2 = 1e-4;
  double tolerance = 1e-4;  ///< an improvement smaller than this is none
  /// Of classes only: what a sample of each class counts in the loss, in the mean 1 over all samples. Empty: all alike.
  std::vector<double> class_weights = {};
};

struct TrainedNetwork {
  Network network;
  TrainingReport report;
};

struct TrainedPfrnet {
  Network independent;  ///< the only part that may be released
  Network dependent;
  Network decoder;
  TrainingReport report;
};

class Trainer {
 public:
  virtual ~Trainer() = default;

  [[nodiscard]] virtual bool has_device(Device device) const = 0;
  [[nodiscard]] virtual TrainedNetwork train_expansion(const TrainingSet& set,
                                                       const ExpansionOptions& options) const = 0;
  /// Without attributes it is plain triplet learning.
  [[nodiscard]] virtual TrainedNetwork train_sensitivenets(const TrainingSet& set,
                                                           const std::vector<AttributeLabels>& attributes,
                                                           const SensitiveNetsOptions& options) const = 0;
  /// Rows of unknown class are passed over. A class without rows on either side is refused.
  [[nodiscard]] virtual TrainedPfrnet train_pfrnet(const TrainingSet& set, const AttributeLabels& attribute,
                                                   const PfrnetOptions& options) const = 0;
  /// Least mean squared error. Without held-out rows it stops where the training loss stops falling, and keeps the last
  /// weights, as scikit-learn does.
  [[nodiscard]] virtual TrainedNetwork train_regressor(const TrainingSet& set, MatrixView<const float> targets,
                                                       const MlpOptions& options) const = 0;
  /// The network's outputs are logits, one per class.
  [[nodiscard]] virtual TrainedNetwork train_classifier(const TrainingSet& set, const AttributeLabels& labels,
                                                        const MlpOptions& options) const = 0;
};

/// Loads the module at the first call. An environment error says what is missing.
const Trainer& trainer();
/// The same from one of the named files, the first that exists.
const Trainer& load_trainer(const std::vector<std::filesystem::path>& files);

}  // namespace bauta
