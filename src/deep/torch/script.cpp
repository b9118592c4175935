#include "script.hpp"

#include <fstream>
#include <string>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include "bauta/core/error.hpp"

namespace bauta::training {

namespace {

/// LibTorch's errors end in a trace of its own calls; the last line of a script's own trace says what was wrong.
std::string finding_of(const std::exception& error) {
  const auto* own = dynamic_cast<const c10::Error*>(&error);
  std::string text = own != nullptr ? own->what_without_backtrace() : error.what();
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

at::Tensor tensor_of(const c10::IValue& value, const std::string& where) {
  if (value.isTensor()) return value.toTensor();
  if (value.isTensorList() && !value.toTensorVector().empty()) return value.toTensorVector().front();
  if (value.isTuple() && !value.toTupleRef().elements().empty()) {
    return tensor_of(value.toTupleRef().elements()[0], where);
  }
  throw_input(where, "the network gives " + value.tagKind() + ", expected a tensor",
              "wrap it so that forward() returns the features alone");
}

class TorchScript : public ScriptModel {
 public:
  TorchScript(torch::jit::Module module, std::string where) : module_(std::move(module)), where_(std::move(where)) {}

  [[nodiscard]] ScriptTensor run(const std::vector<std::size_t>& shape, std::span<const float> values) const override {
    // Of this thread alone: the samples are what runs in parallel, and sums depend on the number of threads. Optimised
    // graphs change with the number of runs, and their bits with them.
    at::set_num_threads(1);
    const torch::jit::GraphOptimizerEnabledGuard as_written(false);
    const c10::InferenceMode inference;
    const at::Tensor input =
        at::from_blob(const_cast<float*>(values.data()), std::vector<std::int64_t>(shape.begin(), shape.end())).clone();
    at::Tensor output;
    try {
      torch::jit::Module module = module_;  // shares everything; forward() is no constant method
      output = tensor_of(module.forward({input}), where_).to(at::kFloat).contiguous();
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      throw_input(where_, "the network refuses its input: " + finding_of(error));
    }
    const auto sizes = output.sizes();
    const auto* const first = output.data_ptr<float>();
    return {{sizes.begin(), sizes.end()}, {first, first + output.numel()}};
  }

 private:
  torch::jit::Module module_;
  std::string where_;
};

}  // namespace

std::unique_ptr<ScriptModel> load_script(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw_input(file.string(), "cannot be opened", "check the path and its permissions");
  try {
    torch::jit::Module module = torch::jit::load(stream, at::kCPU);
    module.eval();
    return std::make_unique<TorchScript>(std::move(module), file.string());
  } catch (const std::exception& error) {
    throw_input(file.string(), "is no network in TorchScript: " + finding_of(error),
                "write it with torch.jit.script or torch.jit.trace, and torch.jit.save");
  }
}

}  // namespace bauta::training
