// Networks in TorchScript that people bring. They run in the module that holds LibTorch, which is loaded when the first
// one is.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace bauta {

/// Row-major.
struct ScriptTensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;
};

class ScriptModel {
 public:
  virtual ~ScriptModel() = default;

  /// forward() of one tensor of floats; of several results (a tuple or a list) the first. The same bits for the same
  /// input, from any number of threads at once. What the network itself refuses is an input error.
  [[nodiscard]] virtual ScriptTensor run(const std::vector<std::size_t>& shape,
                                         std::span<const float> values) const = 0;
};

class ScriptLoader {
 public:
  virtual ~ScriptLoader() = default;

  [[nodiscard]] virtual std::unique_ptr<ScriptModel> load(const std::filesystem::path& file) const = 0;
};

/// A file that torch.jit.save wrote. It holds a program, which will be run: load what you trust. An input error for
/// what is no such file, an environment error where there is no LibTorch.
std::unique_ptr<ScriptModel> load_script(const std::filesystem::path& file);

}  // namespace bauta
