// Recognition performance from a data set or a score file to numbers.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/data/score_file.hpp"
#include "bauta/measure/verification.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

struct VerifyRun {
  std::string comparator;               ///< empty: the technique's own, else cosine
  std::vector<std::string> attributes;  ///< also compare non-mated scores of same and different classes of these
  VerificationOptions options;
  bool own_models = false;  ///< parts went through models of their own, each with its own threshold: see PooledSource
  /// References are clear, and probes are not: attackers who know what people look like look for them in protected
  /// data. What they find is a leak, not the purpose.
  bool clear_references = false;
  /// Probes have another form than references: one sample against another is not the other against the one.
  bool both_orders = false;
};

/// All comparisons of different samples. Fields as promised for `verify --json`, and curves for figures.
Answer run_verify(const Dataset& dataset, const VerifyRun& run);
/// The same over several data sets that are protected alike: comparisons within each, none between them.
Answer run_verify(std::span<const Dataset> parts, const VerifyRun& run);
/// All comparisons of a sample of one data set with a sample of the other; several pairs of data sets are pooled.
Answer run_verify_between(const Dataset& references, const Dataset& probes, const VerifyRun& run);
Answer run_verify_between(std::span<const Dataset> references, std::span<const Dataset> probes, const VerifyRun& run);
Answer run_verify_scores(const std::filesystem::path& scores, const ScoreOptions& options, const VerifyRun& run);

/// The same samples in two forms, one stored and one presented, so that run_verify() compares each pair once and none
/// with itself. Those that failed in either form failed.
Dataset in_two_forms(const Dataset& references, const Dataset& probes);

/// Every measure of a set of scores under the names that `verify --json` promises.
void add_measures(Json& json, const VerificationResult& result);

/// Scores of a data set against itself, in the format that the ending names: `.npy` or `.mtx` (with `.mask`), the full
/// matrix in the order of the samples; `.csv` (score, mated) or `.txt` (four columns), each pair of samples once.
void write_scores(const Dataset& dataset, const std::string& comparator, const std::filesystem::path& path);

}  // namespace bauta
