#include "importances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

std::vector<bool> usable_samples(const Dataset& dataset) {
  std::vector<bool> usable = dataset.failed();
  usable.resize(dataset.size());
  usable.flip();
  return usable;
}

AttributeTarget target_of(const Dataset& train, const std::string& attribute, const std::vector<bool>& usable,
                          std::string_view technique) {
  AttributeTarget target{.name = attribute};
  if (train.labels.kind(attribute) == ColumnKind::continuous) {
    const std::vector<double> values = train.labels.numbers(attribute);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!usable[i] || std::isnan(values[i])) continue;
      target.rows.push_back(i);
      target.numbers.push_back(values[i]);
    }
  } else {
    const Categorical column = train.labels.categorical(attribute);
    target.classes = column.classes.size();
    std::vector<bool> seen(target.classes);
    for (std::size_t i = 0; i < column.codes.size(); ++i) {
      if (!usable[i] || column.codes[i] < 0) continue;
      target.rows.push_back(i);
      target.codes.push_back(column.codes[i]);
      seen[static_cast<std::size_t>(column.codes[i])] = true;
    }
    const auto classes = std::count(seen.begin(), seen.end(), true);
    if (classes < 2) {
      throw_input(train.origin,
                  fmt::format("'{}' has {} class(es) among the {} samples that {} can learn from, two are needed",
                              attribute, classes, target.rows.size(), technique));
    }
  }
  if (target.rows.size() < 2) {
    throw_input(train.origin, fmt::format("'{}' is known of {} samples", attribute, target.rows.size()));
  }
  return target;
}

std::vector<double> forest_importances(MatrixView<const float> x, const AttributeTarget& target,
                                       const ForestOptions& options) {
  return target.classes > 0 ? Forest::classifier(x, target.codes, target.classes, options).importances()
                            : Forest::regressor(x, target.numbers, options).importances();
}

std::vector<double> fisher_scores(MatrixView<const float> x, const AttributeTarget& target) {
  BAUTA_ASSERT(target.classes > 0 && target.codes.size() == x.rows);
  std::vector<double> counts(target.classes, 0), all(x.cols, 0), between(x.cols, 0), within(x.cols, 0);
  Matrix<double> means(target.classes, x.cols, 0.0);
  const auto class_of = [&](std::size_t i) { return static_cast<std::size_t>(target.codes[i]); };
  for (std::size_t i = 0; i < x.rows; ++i) {
    ++counts[class_of(i)];
    for (std::size_t j = 0; j < x.cols; ++j) means(class_of(i), j) += x(i, j);
  }
  for (std::size_t c = 0; c < target.classes; ++c) {
    for (std::size_t j = 0; j < x.cols && counts[c] > 0; ++j) {
      all[j] += means(c, j) / static_cast<double>(x.rows);
      means(c, j) /= counts[c];
    }
  }
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < x.cols; ++j) {
      const double away = x(i, j) - means(class_of(i), j), apart = means(class_of(i), j) - all[j];
      within[j] += away * away;
      between[j] += apart * apart;
    }
  }
  for (std::size_t j = 0; j < x.cols; ++j) {
    if (between[j] > 0) between[j] = within[j] > 0 ? between[j] / within[j] : std::numeric_limits<double>::infinity();
  }
  return between;
}

}  // namespace bauta
