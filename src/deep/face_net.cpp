#include "bauta/deep/face_net.hpp"

#include <cstdlib>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bauta/core/error.hpp"
#include "module.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

constexpr const char* manifest = "face_recognition_model-weights_manifest.json";

fs::path find_manifest(const std::string& models) {
  std::vector<fs::path> folders;
  const char* const chosen = std::getenv("BAUTA_MODELS");
  if (!models.empty()) {
    folders.emplace_back(models);
  } else {
    if (chosen != nullptr && *chosen != '\0') folders.emplace_back(chosen);
    folders.emplace_back(BAUTA_SOURCE_FOLDER "/node_modules/@vladmandic/face-api/model");
  }
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) {
    std::error_code failure;
    if (fs::is_regular_file(folder / manifest, failure)) return folder / manifest;
    looked.push_back(folder.string());
  }
  throw_environment(manifest, fmt::format("these weights are not in {}", fmt::join(looked, ", ")),
                    "make setup installs them (npm package @vladmandic/face-api); otherwise name their folder with "
                    "models=FOLDER or the environment variable BAUTA_MODELS");
}

}  // namespace

std::shared_ptr<const FaceNet> load_face_net(const std::string& models) {
  const fs::path file = find_manifest(models);
  static std::mutex guard;
  static std::map<std::string, std::weak_ptr<const FaceNet>> known;
  const std::lock_guard lock(guard);
  if (std::shared_ptr<const FaceNet> made = known[file.string()].lock()) return made;
  std::shared_ptr<const FaceNet> made = face_net_maker().make(read_tfjs(file), file.string());
  known[file.string()] = made;
  return made;
}

}  // namespace bauta
