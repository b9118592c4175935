#include "face_module.hpp"

#include "bauta/core/module.hpp"

namespace bauta {
namespace {

const Module dlib_module{.where = "face extractors",
                         .file = "libbauta_faces.so",
                         .entry = "bauta_faces",
                         .version = face_module_version,
                         .library = "dlib",
                         .hint =
                             "install the package libdlib-dev and build again (make); other extractors work "
                             "without it"};

}  // namespace

const FaceModule& load_face_module(const std::vector<std::filesystem::path>& files) {
  return load_module_as<FaceModule>(dlib_module, files);
}

const FaceModule& face_module() {
  static const FaceModule& loaded = load_face_module(module_files(dlib_module.file));
  return loaded;
}

}  // namespace bauta
