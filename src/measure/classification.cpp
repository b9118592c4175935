// Quality of predicted classes.
#include "bauta/measure/classification.hpp"

#include <algorithm>

#include "bauta/core/error.hpp"

namespace bauta {

ClassificationResult classify_result(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                                     std::size_t classes) {
  BAUTA_ASSERT(predicted.size() == truth.size());
  std::vector<std::size_t> total(classes), correct(classes);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] < 0) continue;
    BAUTA_ASSERT(static_cast<std::size_t>(truth[i]) < classes);
    ++total[static_cast<std::size_t>(truth[i])];
    correct[static_cast<std::size_t>(truth[i])] += predicted[i] == truth[i];
  }
  ClassificationResult result;
  result.recall.resize(classes);
  std::size_t right = 0, largest = 0, present = 0;
  double recalls = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    if (total[c] == 0) continue;
    result.recall[c] = static_cast<double>(correct[c]) / static_cast<double>(total[c]);
    recalls += *result.recall[c];
    result.samples += total[c];
    right += correct[c];
    largest = std::max(largest, total[c]);
    ++present;
  }
  if (present == 0) throw_input("classification", "no sample has a known class", "check the attribute column");
  const auto samples = static_cast<double>(result.samples);
  result.accuracy = static_cast<double>(right) / samples;
  result.balanced = recalls / static_cast<double>(present);
  result.chance = 1 / static_cast<double>(present);
  result.majority = static_cast<double>(largest) / samples;
  return result;
}

}  // namespace bauta
