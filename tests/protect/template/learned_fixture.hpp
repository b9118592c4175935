// A small population for protections that learn.
#pragma once

#include <filesystem>

#include <unistd.h>

#include "../fixtures.hpp"

namespace bauta {

/// `subjects` people of `per_subject` samples; gender alternates and moves the first feature.
inline Dataset population(std::size_t subjects, std::size_t per_subject, std::size_t dim, std::uint64_t seed = 3) {
  Matrix<float> rows(subjects * per_subject, dim);
  Stream stream(seed, "test.population");
  std::vector<std::string> gender;
  std::vector<std::string> score;
  std::vector<double> centre(dim);
  for (std::size_t s = 0; s < subjects; ++s) {
    for (double& value : centre) value = stream.normal();
    centre[0] += s % 2 == 0 ? 1 : -1;
    for (std::size_t k = 0; k < per_subject; ++k) {
      for (std::size_t j = 0; j < dim; ++j) {
        rows(s * per_subject + k, j) = static_cast<float>(centre[j] + 0.3 * stream.normal());
      }
      gender.push_back(s % 2 == 0 ? "f" : "m");
      score.push_back(std::to_string(s * per_subject + k));
    }
  }
  Dataset dataset = dataset_of(Templates(std::move(rows)), per_subject);
  dataset.labels.add_column("gender", gender);
  dataset.labels.add_column("score", score);
  return dataset;
}

inline ResolvedProtection fitted(const std::string& specification, const Dataset& train,
                                 const std::vector<std::string>& attributes = {"gender"}) {
  ResolvedProtection resolved = make_protection(specification);
  fit_protection(resolved, train, attributes, {});
  return resolved;
}

class ScratchFile {
 public:
  ScratchFile() : path_(std::filesystem::temp_directory_path() / ("bauta-test-fitted-" + std::to_string(getpid()))) {}
  ~ScratchFile() { std::filesystem::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace bauta
