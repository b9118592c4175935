// Recognition performance from a data set or a score file to numbers.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/measure/verification.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

struct VerifyRun {
  std::string comparator;               ///< empty: the technique's own, else cosine
  std::vector<std::string> attributes;  ///< also compare non-mated scores of same and different classes of these
  VerificationOptions options;
  bool own_models = false;  ///< parts went through models of their own, each with its own threshold: see PooledSource
};

/// All comparisons of different samples. Fields as promised for `verify --json`, and curves for figures.
Answer run_verify(const Dataset& dataset, const VerifyRun& run);
/// The same over several data sets that are protected alike: comparisons within each, none between them.
Answer run_verify(std::span<const Dataset> parts, const VerifyRun& run);
Answer run_verify_scores(const std::filesystem::path& scores, bool distances, const VerifyRun& run);

/// Every measure of a set of scores under the names that `verify --json` promises.
void add_measures(Json& json, const VerificationResult& result);

/// The full score matrix of a data set against itself as `.npy`, rows and columns in the order of the samples.
void write_score_matrix(const Dataset& dataset, const std::string& comparator, const std::filesystem::path& path);

}  // namespace bauta
