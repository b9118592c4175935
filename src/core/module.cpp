#include "bauta/core/module.hpp"

#include <map>

#include <dlfcn.h>
#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"

namespace bauta {

std::vector<std::filesystem::path> module_files(std::string_view file) {
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (!failure) files.push_back(program.parent_path() / file);
  files.push_back(std::filesystem::path(BAUTA_MODULE_FOLDER) / file);
  return files;
}

std::string modules_digest(const std::vector<std::filesystem::path>& folders) {
  std::map<std::string, std::string> modules;
  for (const std::filesystem::path& folder : folders) {
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
      const std::string name = entry->path().filename().string();
      const bool module = name.starts_with("libbauta_") && name.ends_with(".so");
      std::error_code ignored;
      if ((!module && name != model_program) || !entry->is_regular_file(ignored) || modules.contains(name)) continue;
      modules[name] = file_digest(entry->path());
    }
  }
  return digest(modules);
}

const void* load_module(const Module& module, const std::vector<std::filesystem::path>& files) {
  threads();  // keeps BLAS, which the module may share, single-threaded
  for (const std::filesystem::path& file : files) {
    std::error_code failure;
    if (!std::filesystem::exists(file, failure)) continue;
    // Never closed: LibTorch, for one, does not survive being unloaded.
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      throw_environment(module.where, fmt::format("{} cannot be loaded: {}", file.string(), dlerror()), module.hint);
    }
    const auto entry = reinterpret_cast<const void* (*)(const char*)>(dlsym(handle, module.entry.c_str()));
    const void* object = entry == nullptr ? nullptr : entry(module.version.c_str());
    if (object == nullptr) {
      throw_environment(module.where, fmt::format("{} belongs to another version of bauta", file.string()),
                        "build again (make)");
    }
    return object;
  }
  throw_environment(module.where,
                    fmt::format("this program was built without {}: there is no {}", module.library, module.file),
                    module.hint);
}

}  // namespace bauta
