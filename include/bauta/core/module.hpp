// Parts of the program that stand in files of their own, because linking the libraries they need would cost every start
// of the program. A module has one door: `extern "C" const void* entry(const char* version)`, which gives one object,
// or null if it is of another version.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bauta {

struct Module {
  std::string where;    ///< whose errors these are, e.g. "training"
  std::string file;     ///< e.g. "libbauta_torch.so"
  std::string entry;    ///< name of the function
  std::string version;  ///< changes whenever the interface does, so that a module left from another build is refused
  std::string library;  ///< what the program was built without if there is no file, e.g. "LibTorch"
  std::string hint;     ///< what to do about it
};

/// The program that runs the files of users: it lies where modules do.
inline constexpr const char* model_program = "bauta-model";

/// Where a module may lie: beside the program, and where it was built.
std::vector<std::filesystem::path> module_files(std::string_view file);

/// Of what is in the modules and in bauta-model, each from the first of these folders that has it: what they compute is
/// another thing when they are built anew.
std::string modules_digest(const std::vector<std::filesystem::path>& folders);

/// What the function of the first file that exists gives. Never unloaded. An environment error says what is missing.
const void* load_module(const Module& module, const std::vector<std::filesystem::path>& files);

/// The same as an object; the function has to give a pointer to exactly this class.
template <class Interface>
const Interface& load_module_as(const Module& module, const std::vector<std::filesystem::path>& files) {
  return *static_cast<const Interface*>(load_module(module, files));
}

}  // namespace bauta
