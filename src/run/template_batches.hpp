// Templates of a step while it is being made: each batch is a file that is complete or absent, and in the end all
// become one that can be mapped.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "bauta/extract/extractor.hpp"

namespace bauta {

class TemplateBatches {
 public:
  /// `step` is the step's folder.
  explicit TemplateBatches(std::filesystem::path step) : step_(std::move(step)) {}

  /// Whether the batch that starts with this sample is done.
  [[nodiscard]] bool has(std::size_t first) const;
  void put(std::size_t first, const Matrix<float>& values, const std::vector<Extracted>& extracted) const;
  /// All of them in one; `origin` names the samples in errors.
  void join(const std::string& origin) const;

 private:
  std::filesystem::path step_;
};

struct StoredTemplates {
  Templates templates;               ///< mapped; empty: nothing could be extracted from any
  std::vector<std::string> reasons;  ///< of those that failed
};

/// What join() left.
StoredTemplates read_templates(const std::filesystem::path& step);

}  // namespace bauta
