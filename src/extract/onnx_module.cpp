#include "onnx_module.hpp"

#include "bauta/core/module.hpp"

namespace bauta {
namespace {

const Module opencv_module{.where = "extractor 'onnx'",
                           .file = "libbauta_onnx.so",
                           .entry = "bauta_onnx",
                           .version = onnx_module_version,
                           .library = "OpenCV",
                           .hint =
                               "install the package libopencv-dnn-dev and build again (make); other extractors work "
                               "without it"};

}  // namespace

const OnnxModule& load_onnx_module(const std::vector<std::filesystem::path>& files) {
  return load_module_as<OnnxModule>(opencv_module, files);
}

const OnnxModule& onnx_module() {
  static const OnnxModule& loaded = load_onnx_module(module_files(opencv_module.file));
  return loaded;
}

}  // namespace bauta
