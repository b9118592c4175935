// Weights that come with Bauta or from npm packages: where they lie, and each file read once.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace bauta {

/// The manifest `name` in the folder `models`; without one in the folder that the environment variable BAUTA_MODELS
/// names, and in what set-up installed. An environment error says what is missing.
std::filesystem::path find_tfjs(const std::string& models, const std::string& name);
/// The same for weights that come with Bauta, in the folder models of its sources.
std::filesystem::path find_own_weights(const std::string& models, const std::string& name);

/// What was made of a file, for as long as somebody holds it.
template <class Model>
class SharedWeights {
 public:
  template <class Make>
  std::shared_ptr<const Model> take(const std::filesystem::path& file, Make&& make) {
    const std::lock_guard lock(guard_);
    if (std::shared_ptr<const Model> made = known_[file.string()].lock()) return made;
    std::shared_ptr<const Model> made = make(file);
    known_[file.string()] = made;
    return made;
  }

 private:
  std::mutex guard_;
  std::map<std::string, std::weak_ptr<const Model>> known_;
};

}  // namespace bauta
