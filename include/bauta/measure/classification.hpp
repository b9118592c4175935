// Quality of predicted classes: accuracy, balanced accuracy and the level that guessing reaches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bauta {

struct ClassificationResult {
  std::size_t samples = 0;  ///< with a known true class
  double accuracy = 0;
  double balanced = 0;                        ///< mean recall of the classes that occur in the truth
  std::vector<std::optional<double>> recall;  ///< per class; empty for a class that does not occur
  double chance = 0;                          ///< of balanced accuracy: 1 / classes that occur
  double majority = 0;                        ///< of plain accuracy: share of the largest class
};

/// Codes are 0..classes-1; samples of negative true code are left out, a negative prediction is wrong.
ClassificationResult classify_result(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                                     std::size_t classes);

/// Correct classification rates overall, of females and of males (Terhoerst et al. 2019). The overall one is plain
/// accuracy and depends on how many there are of each.
struct GenderRates {
  double cocr = 0, cfcr = 0, cmcr = 0;
};

/// Empty unless the two classes are F and M, or female and male, in any case of letters, and both occur.
std::optional<GenderRates> gender_rates(const ClassificationResult& result, const std::vector<std::string>& classes);

/// Area under the ROC curve: how often a positive scores above a negative, ties counting half; empty if one of them is
/// absent.
std::optional<double> ranking_auc(std::span<const double> scores, std::span<const std::uint8_t> positive);

/// An inverted classifier leaks as much as an upright one: max(AUC, 1 - AUC).
inline double leakage(double auc) {
  return auc > 0.5 ? auc : 1 - auc;
}

}  // namespace bauta
