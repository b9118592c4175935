// The module's doors.
#include "../module.hpp"

#include <string_view>

#include <ATen/ATen.h>

#include "bauta/core/error.hpp"
#include "epochs.hpp"
#include "face_net.hpp"
#include "families.hpp"
#include "image_networks.hpp"
#include "script.hpp"

namespace bauta {
namespace {

/// LibTorch's own errors (no memory on the device, a driver that fails) become ours.
template <class Train>
auto guarded(Train&& train) {
  const training::SingleThread one;
  try {
    return train();
  } catch (const c10::Error& error) {
    throw_environment("training", error.what_without_backtrace());
  }
}

class TorchTrainer : public Trainer {
 public:
  [[nodiscard]] bool has_device(Device device) const override { return device == Device::cpu || at::hasCUDA(); }

  [[nodiscard]] TrainedNetwork train_expansion(const TrainingSet& set, const ExpansionOptions& options) const override {
    return guarded([&] { return training::train_expansion(set, options); });
  }

  [[nodiscard]] TrainedNetwork train_sensitivenets(const TrainingSet& set,
                                                   const std::vector<AttributeLabels>& attributes,
                                                   const SensitiveNetsOptions& options) const override {
    return guarded([&] { return training::train_sensitivenets(set, attributes, options); });
  }

  [[nodiscard]] TrainedPfrnet train_pfrnet(const TrainingSet& set, const AttributeLabels& attribute,
                                           const PfrnetOptions& options) const override {
    return guarded([&] { return training::train_pfrnet(set, attribute, options); });
  }

  [[nodiscard]] TrainedNetwork train_regressor(const TrainingSet& set, MatrixView<const float> targets,
                                               const MlpOptions& options) const override {
    return guarded([&] { return training::train_regressor(set, targets, options); });
  }

  [[nodiscard]] TrainedNetwork train_classifier(const TrainingSet& set, const AttributeLabels& labels,
                                                const MlpOptions& options) const override {
    return guarded([&] { return training::train_classifier(set, labels, options); });
  }
};

class TorchImageTrainer : public ImageTrainer {
 public:
  [[nodiscard]] TrainedConvNetwork train_image_classifier(const TrainingSet& set, const AttributeLabels& labels,
                                                          const ConvOptions& options) const override {
    return guarded([&] { return training::train_image_classifier(set, labels, options); });
  }

  [[nodiscard]] TrainedConvNetwork train_distilled(const TrainingSet& set, MatrixView<const float> taught,
                                                   const DistillationOptions& options) const override {
    return guarded([&] { return training::train_distilled(set, taught, options); });
  }

  [[nodiscard]] TrainedImageNetwork train_image_network(const TrainingSet& set, MatrixView<const float> targets,
                                                        const ImageNetworkOptions& options) const override {
    return guarded([&] { return training::train_image_network(set, targets, options); });
  }

  [[nodiscard]] TrainedImageNetwork train_generator(const TrainingSet& set, std::span<const float> region,
                                                    MatrixView<const float> planes,
                                                    const GeneratorOptions& options) const override {
    return guarded([&] { return training::train_generator(set, region, planes, options); });
  }
};

class TorchScriptLoader : public ScriptLoader {
 public:
  [[nodiscard]] std::unique_ptr<ScriptModel> load(const std::filesystem::path& file) const override {
    return training::load_script(file);
  }
};

class TorchFaceNetMaker : public FaceNetMaker {
 public:
  [[nodiscard]] std::unique_ptr<FaceNet> make(const std::map<std::string, TfjsTensor>& weights,
                                              const std::string& where) const override {
    return training::make_face_net(weights, where);
  }
};

}  // namespace
}  // namespace bauta

extern "C" __attribute__((visibility("default"))) const void* bauta_torch_trainer(const char* version) {
  if (std::string_view(version) != bauta::module_version) return nullptr;
  static const bauta::TorchTrainer trainer;
  return static_cast<const bauta::Trainer*>(&trainer);
}

extern "C" __attribute__((visibility("default"))) const void* bauta_torch_images(const char* version) {
  if (std::string_view(version) != bauta::module_version) return nullptr;
  static const bauta::TorchImageTrainer trainer;
  return static_cast<const bauta::ImageTrainer*>(&trainer);
}

extern "C" __attribute__((visibility("default"))) const void* bauta_torch_scripts(const char* version) {
  if (std::string_view(version) != bauta::module_version) return nullptr;
  static const bauta::TorchScriptLoader loader;
  return static_cast<const bauta::ScriptLoader*>(&loader);
}

extern "C" __attribute__((visibility("default"))) const void* bauta_torch_face_nets(const char* version) {
  if (std::string_view(version) != bauta::module_version) return nullptr;
  static const bauta::TorchFaceNetMaker maker;
  return static_cast<const bauta::FaceNetMaker*>(&maker);
}
