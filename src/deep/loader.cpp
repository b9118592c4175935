#include <array>

#include <dlfcn.h>
#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "module.hpp"

namespace bauta {
namespace {

constexpr const char* install_hint =
    "install the package libtorch-dev and build again (make); techniques that do not train work without it";

std::vector<std::filesystem::path> module_files() {
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (!failure) files.push_back(program.parent_path() / module_file_name);
  files.push_back(std::filesystem::path(BAUTA_MODULE_FOLDER) / module_file_name);
  return files;
}

}  // namespace

const Trainer& load_trainer(const std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& file : files) {
    std::error_code failure;
    if (!std::filesystem::exists(file, failure)) continue;
    // Never closed: LibTorch does not survive being unloaded.
    void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
      throw_environment("training", fmt::format("{} cannot be loaded: {}", file.string(), dlerror()), install_hint);
    }
    const auto entry = reinterpret_cast<ModuleEntry*>(dlsym(module, module_entry_name));
    const Trainer* trainer = entry == nullptr ? nullptr : entry(module_version);
    if (trainer == nullptr) {
      throw_environment("training", fmt::format("{} belongs to another version of bauta", file.string()),
                        "build again (make)");
    }
    return *trainer;
  }
  throw_environment("training",
                    fmt::format("this program was built without LibTorch: there is no {}", module_file_name),
                    install_hint);
}

const Trainer& trainer() {
  threads();  // keeps BLAS, which the module may share, single-threaded
  static const Trainer& loaded = load_trainer(module_files());
  return loaded;
}

}  // namespace bauta
