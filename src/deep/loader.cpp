#include "bauta/core/module.hpp"
#include "module.hpp"

namespace bauta {
namespace {

const Module torch_module{
    .where = "training",
    .file = "libbauta_torch.so",
    .entry = "bauta_torch_trainer",
    .version = module_version,
    .library = "LibTorch",
    .hint = "install the package libtorch-dev and build again (make); techniques that do not train work without it"};

}  // namespace

const Trainer& load_trainer(const std::vector<std::filesystem::path>& files) {
  return load_module_as<Trainer>(torch_module, files);
}

const Trainer& trainer() {
  static const Trainer& loaded = load_trainer(module_files(torch_module.file));
  return loaded;
}

const ImageTrainer& image_trainer() {
  static const ImageTrainer& loaded = []() -> const ImageTrainer& {
    Module images = torch_module;
    images.entry = "bauta_torch_images";
    return load_module_as<ImageTrainer>(images, module_files(images.file));
  }();
  return loaded;
}

std::unique_ptr<ScriptModel> load_script(const std::filesystem::path& file) {
  static const ScriptLoader& loader = []() -> const ScriptLoader& {
    Module scripts = torch_module;
    scripts.where = "torchscript";
    scripts.entry = "bauta_torch_scripts";
    return load_module_as<ScriptLoader>(scripts, module_files(scripts.file));
  }();
  return loader.load(file);
}

const FaceNetMaker& face_net_maker() {
  static const FaceNetMaker& maker = []() -> const FaceNetMaker& {
    Module nets = torch_module;
    nets.where = "face network";
    nets.entry = "bauta_torch_face_nets";
    nets.hint = "install the package libtorch-dev and build again (make)";
    return load_module_as<FaceNetMaker>(nets, module_files(nets.file));
  }();
  return maker;
}

}  // namespace bauta
