#include "bauta/deep/tfjs.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/input.hpp"
#include "bauta/core/json.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;

/// The next tensor of the files' bytes.
TfjsTensor take(const Json& entry, const std::string& bytes, std::size_t& at, const std::string& where) {
  TfjsTensor tensor;
  std::size_t count = 1;
  for (const Json& extent : entry.at("shape")) {
    tensor.shape.push_back(extent.get<std::size_t>());
    if (tensor.shape.back() == 0 || tensor.shape.back() > most_bytes / count) {
      throw_input(where, "names a shape that cannot be");
    }
    count *= tensor.shape.back();
  }
  const bool packed = entry.contains("quantization");
  if (packed && entry.at("quantization").at("dtype") != "uint8") throw_input(where, "holds weights that are no bytes");
  const std::size_t length = packed ? count : 4 * count;
  if (length > bytes.size() - at)
    throw_input(where, fmt::format("its files end before the weights do, at byte {}", at));
  tensor.values.resize(count);
  if (packed) {
    const double scale = entry.at("quantization").at("scale"), min = entry.at("quantization").at("min");
    for (std::size_t i = 0; i < count; ++i) {
      tensor.values[i] = static_cast<float>(static_cast<std::uint8_t>(bytes[at + i]) * scale + min);
    }
  } else {
    std::memcpy(tensor.values.data(), bytes.data() + at, length);
  }
  for (const float value : tensor.values) {
    if (!std::isfinite(value)) throw_input(where, "holds a weight that is no finite number");
  }
  at += length;
  return tensor;
}

std::map<std::string, TfjsTensor> tensors_of(const Json& groups, const fs::path& folder, const std::string& where) {
  std::map<std::string, TfjsTensor> tensors;
  for (const Json& group : groups) {
    std::string bytes;
    for (const Json& path : group.at("paths")) {
      const fs::path name = path.get<std::string>();
      if (name != name.filename()) throw_input(where, "names weights in another folder");
      bytes += read_text(folder / name, most_bytes);
    }
    std::size_t at = 0;
    for (const Json& entry : group.at("weights")) {
      tensors.emplace(entry.at("name").get<std::string>(), take(entry, bytes, at, where));
    }
    if (at != bytes.size()) {
      throw_input(where, fmt::format("speaks of {} bytes of weights, its files hold {}", at, bytes.size()));
    }
  }
  return tensors;
}

}  // namespace

std::map<std::string, TfjsTensor> read_tfjs(const fs::path& manifest) {
  const std::string where = manifest.string();
  try {
    return tensors_of(Json::parse(read_text(manifest, most_bytes)), manifest.parent_path(), where);
  } catch (const Json::exception& error) {
    throw_input(where, fmt::format("is no manifest of weights: {}", error.what()));
  }
}

}  // namespace bauta
