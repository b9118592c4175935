#include "bauta/deep/training.hpp"

#include <algorithm>

namespace bauta {

std::vector<std::int64_t> TrainingSet::rows(bool held) const {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < inputs.rows; ++i) {
    if ((!held_out.empty() && held_out[i]) == held) result.push_back(static_cast<std::int64_t>(i));
  }
  return result;
}

std::vector<std::int64_t> TrainingSet::rows(bool held, const AttributeLabels& labels) const {
  BAUTA_ASSERT(labels.codes.size() == inputs.rows && labels.classes >= 2);
  std::vector<std::int64_t> result = rows(held);
  std::erase_if(result, [&](std::int64_t row) { return labels.codes[static_cast<std::size_t>(row)] < 0; });
  return result;
}

void TrainingSet::check() const {
  BAUTA_ASSERT(inputs.rows > 0 && inputs.cols > 0 && subjects.size() == inputs.rows);
  BAUTA_ASSERT(held_out.empty() || held_out.size() == inputs.rows);
  const std::int32_t last = *std::max_element(subjects.begin(), subjects.end());
  std::vector<int> sides(static_cast<std::size_t>(last) + 1, 0);
  for (std::size_t i = 0; i < subjects.size() && !held_out.empty(); ++i) {
    BAUTA_ASSERT(subjects[i] >= 0);
    int& side = sides[static_cast<std::size_t>(subjects[i])];
    side |= held_out[i] ? 2 : 1;
    BAUTA_ASSERT(side != 3);
  }
}

}  // namespace bauta
