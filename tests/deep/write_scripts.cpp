// Writes small networks in TorchScript into the folder that it is given, for tests of those who load them.
#include <filesystem>

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>

namespace {

void write(const std::filesystem::path& folder, const char* name, const char* forward) {
  torch::jit::Module module("Small");
  module.define(forward);
  module.save((folder / name).string());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  // Times: frames of two samples, of which the sum and the difference.
  write(folder, "frames.pt",
        "def forward(self, x):\n"
        "    f = x.reshape([1, -1, 2])\n"
        "    return torch.stack([f.sum(2), f[:, :, 0] - f[:, :, 1]], 2)\n");
  write(folder, "tuple.pt", "def forward(self, x):\n    return (x.sum(1), x)\n");
  write(folder, "text.pt", "def forward(self, x):\n    return 'features'\n");
  // Means of the three planes.
  write(folder, "planes.pt", "def forward(self, x):\n    return x.mean([2, 3])\n");
  write(folder, "nan.pt", "def forward(self, x):\n    return torch.log(x - 1e9)\n");
  write(folder, "pair.pt", "def forward(self, x):\n    return x.reshape([2, -1])\n");
  write(folder, "nothing.pt", "def forward(self, x):\n    return x[:, :0]\n");
  // Of sounds that begin loud it never comes to an end.
  write(folder, "endless.pt",
        "def forward(self, x):\n"
        "    while bool(x[0, 0] > 0.5):\n"
        "        x = x + 0\n"
        "    return x[:, :2]\n");
  write(folder, "greedy.pt", "def forward(self, x):\n    return torch.ones([1, 1 << 40])\n");
  // A network with weights: a matrix that is multiplied from the right.
  torch::jit::Module linear("Linear");
  linear.register_parameter("weight", at::arange(1, 7, at::kFloat).reshape({2, 3}), false);
  linear.define("def forward(self, x):\n    return torch.matmul(x, self.weight)\n");
  linear.save((folder / "linear.pt").string());
  return 0;
}
