// Quality of predicted classes.
#include "bauta/measure/classification.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

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

std::optional<GenderRates> gender_rates(const ClassificationResult& result, const std::vector<std::string>& classes) {
  BAUTA_ASSERT(classes.size() == result.recall.size());
  const auto recall_of = [&](std::string_view letter, std::string_view word) -> std::optional<double> {
    for (std::size_t c = 0; c < classes.size(); ++c) {
      std::string name = classes[c];
      std::transform(name.begin(), name.end(), name.begin(),
                     [](char ch) { return ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch - 'A' + 'a') : ch; });
      if (name == letter || name == word) return result.recall[c];
    }
    return std::nullopt;
  };
  const auto females = recall_of("f", "female"), males = recall_of("m", "male");
  if (classes.size() != 2 || !females || !males) return std::nullopt;
  return GenderRates{result.accuracy, *females, *males};
}

std::optional<double> ranking_auc(std::span<const double> scores, std::span<const std::uint8_t> positive) {
  BAUTA_ASSERT(scores.size() == positive.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  double negatives = 0, positives = 0, above = 0;
  for (std::size_t i = 0; i < order.size();) {
    double tied_negatives = 0, tied_positives = 0;
    for (const double score = scores[order[i]]; i < order.size() && scores[order[i]] == score; ++i) {
      (positive[order[i]] != 0 ? tied_positives : tied_negatives) += 1;
    }
    above += tied_positives * (negatives + tied_negatives / 2);
    negatives += tied_negatives;
    positives += tied_positives;
  }
  if (negatives == 0 || positives == 0) return std::nullopt;
  return above / (negatives * positives);
}

}  // namespace bauta
