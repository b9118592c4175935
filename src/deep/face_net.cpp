#include "bauta/deep/face_net.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bauta/core/error.hpp"
#include "bauta/deep/shared_weights.hpp"
#include "module.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

/// `usual`: the folder below the source tree.
fs::path find_in(const std::string& models, const char* usual, const std::string& name, const std::string& origin) {
  std::vector<fs::path> folders;
  const char* const chosen = std::getenv("BAUTA_MODELS");
  if (!models.empty()) {
    folders.emplace_back(models);
  } else {
    if (chosen != nullptr && *chosen != '\0') folders.emplace_back(chosen);
    folders.emplace_back(fs::path(BAUTA_SOURCE_FOLDER) / usual);
  }
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) {
    std::error_code failure;
    if (fs::is_regular_file(folder / name, failure)) return folder / name;
    looked.push_back(folder.string());
  }
  throw_environment(
      name, fmt::format("these weights are not in {}", fmt::join(looked, ", ")),
      origin + "; otherwise name their folder with models=FOLDER or the environment variable BAUTA_MODELS");
}

}  // namespace

fs::path find_tfjs(const std::string& models, const std::string& name) {
  return find_in(models, "node_modules/@vladmandic/face-api/model", name,
                 "make setup installs them (npm package @vladmandic/face-api)");
}

fs::path find_own_weights(const std::string& models, const std::string& name) {
  return find_in(models, "models", name, "they come with Bauta's sources, in models/");
}

NetworkFrame frame_of_aligned_crop(double edge) {
  const double pixel = edge / 112, scale = pixel / 1.45;
  // From centres of pixels to edges and back.
  return {scale, (56 + 0.5) * pixel - 0.5 - 74 * scale, (72 + 0.5) * pixel - 0.5 - 75 * scale};
}

NetworkFrame frame_of_whole_image(double width, double height) {
  const double edge = std::max(width, height), scale = edge / static_cast<double>(FaceNet::size);
  const double first = (scale - 1) / 2;  // from edges to centres of pixels
  return {scale, first - (edge - width) / 2, first - (edge - height) / 2};
}

std::map<std::string, TfjsTensor> face_net_weights(const std::string& models) {
  return read_tfjs(find_tfjs(models, "face_recognition_model-weights_manifest.json"));
}

std::shared_ptr<const FaceNet> load_face_net(const std::string& models) {
  static SharedWeights<FaceNet> known;
  return known.take(find_tfjs(models, "face_recognition_model-weights_manifest.json"),
                    [](const fs::path& file) { return face_net_maker().make(read_tfjs(file), file.string()); });
}

}  // namespace bauta
