#include "bauta/protocol/people_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Who are alike are taken in this order.
PeopleOrder drawn_order(std::size_t people, const OrderDraw& draw) {
  return Stream(draw.seed, "people who are alike", draw.draw).permutation(people);
}

/// Greatest first; NaN are last.
PeopleOrder descending(std::span<const double> values, const OrderDraw& draw) {
  PeopleOrder order = drawn_order(values.size(), draw);
  const auto key = [&](std::size_t person) { return std::isnan(values[person]) ? -HUGE_VAL : values[person]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) > key(b); });
  return order;
}

double squared_distance(auto a, auto b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double difference = static_cast<double>(a[j]) - static_cast<double>(b[j]);
    sum += difference * difference;
  }
  return sum;
}

/// A row per person; NaN for whoever has no sample.
Matrix<double> means_of(const PeopleFeatures& features) {
  Matrix<double> means(features.people, features.rows.cols, 0.0);
  std::vector<double> counts(features.people, 0.0);
  for (std::size_t i = 0; i < features.rows.rows; ++i) {
    const auto mean = means.row(features.person[i]);
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += static_cast<double>(features.rows(i, j));
    ++counts[features.person[i]];
  }
  for (std::size_t person = 0; person < features.people; ++person) {
    for (double& value : means.row(person)) value = counts[person] > 0 ? value / counts[person] : unknown;
  }
  return means;
}

bool has_place(std::span<const double> place) {
  return std::none_of(place.begin(), place.end(), [](double value) { return std::isnan(value); });
}

/// Of those who have a place, in this order, the two that lie farthest apart.
std::pair<std::size_t, std::size_t> farthest_pair(MatrixView<const double> places, const PeopleOrder& order) {
  struct Farthest {
    double distance = -1;
    std::size_t other = 0;
  };
  std::vector<Farthest> of(order.size());
  parallel_for(order.size(), [&](std::size_t i, int) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const double distance = squared_distance(places.row(order[i]), places.row(order[j]));
      if (distance > of[i].distance) of[i] = {distance, j};
    }
  });
  const auto first = std::max_element(of.begin(), of.end(),
                                      [](const Farthest& a, const Farthest& b) { return a.distance < b.distance; });
  return {static_cast<std::size_t>(first - of.begin()), first->other};
}

/// One column of 0 .. 1 over the people, or one per class. NaN: unknown.
Matrix<double> axes_of(const Dataset& data, const std::vector<std::size_t>& person_of_row, std::size_t people,
                       const std::string& attribute) {
  const bool number = data.labels.kind(attribute) == ColumnKind::continuous;
  const Categorical classes = number ? Categorical{} : data.labels.categorical(attribute);
  const std::vector<double> values = number ? data.labels.numbers(attribute) : std::vector<double>();
  Matrix<double> sums(people, number ? 1 : classes.classes.size(), 0.0);
  std::vector<double> counts(people, 0.0);
  for (std::size_t row = 0; row < data.size(); ++row) {
    const std::size_t person = person_of_row[row];
    if (person == people || (number ? std::isnan(values[row]) : classes.codes[row] < 0)) continue;
    ++counts[person];
    if (number) {
      sums(person, 0) += values[row];
    } else {
      sums(person, static_cast<std::size_t>(classes.codes[row])) += std::sqrt(0.5);
    }
  }
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t person = 0; person < people; ++person) {
    for (double& value : sums.row(person)) {
      value = counts[person] > 0 ? value / counts[person] : unknown;
      low = std::min(low, std::isnan(value) ? low : value);
      high = std::max(high, std::isnan(value) ? high : value);
    }
  }
  if (low > high) {
    throw_usage("protocol.metadata", fmt::format("{} of nobody in {} is known", attribute, data.origin),
                "leave it out");
  }
  if (!number) return sums;
  for (std::size_t person = 0; person < people; ++person) {
    sums(person, 0) = high > low ? (sums(person, 0) - low) / (high - low) : sums(person, 0) * 0;
  }
  return sums;
}

/// Whose value is unknown gets the mean of the others.
void fill_unknown(Matrix<double>& axes) {
  for (std::size_t j = 0; j < axes.cols(); ++j) {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < axes.rows(); ++i) {
      if (std::isnan(axes(i, j))) continue;
      sum += axes(i, j);
      ++count;
    }
    for (std::size_t i = 0; i < axes.rows(); ++i) {
      if (std::isnan(axes(i, j))) axes(i, j) = sum / count;
    }
  }
}

}  // namespace

PeopleOrder random_order(std::size_t people, const OrderDraw& draw) {
  return Stream(draw.seed, "people who take part", draw.draw).permutation(people);
}

PeopleOrder order_by_hits(std::span<const double> rates, const OrderDraw& draw) {
  return descending(rates, draw);
}

PeopleOrder order_by_distinction(const PeopleFeatures& features, const OrderDraw& draw) {
  const Matrix<double> means = means_of(features);
  std::vector<double> imposter(features.people, HUGE_VAL), genuine(features.people, 0.0);
  parallel_for(features.people, [&](std::size_t person, int) {
    const auto mean = means.row(person);
    if (!has_place(mean)) return;
    for (std::size_t i = 0; i < features.rows.rows; ++i) {
      const double distance = std::sqrt(squared_distance(mean, features.rows.row(i)));
      if (features.person[i] == person) {
        genuine[person] = std::max(genuine[person], distance);
      } else {
        imposter[person] = std::min(imposter[person], distance);
      }
    }
  });
  std::vector<std::size_t> samples(features.people, 0);
  for (const std::uint32_t person : features.person) ++samples[person];
  double sum = 0, known = 0;
  for (std::size_t person = 0; person < features.people; ++person) {
    if (samples[person] < 2) continue;
    sum += genuine[person];
    ++known;
  }
  std::vector<double> scores(features.people, unknown);
  for (std::size_t person = 0; person < features.people; ++person) {
    if (!has_place(means.row(person))) continue;
    // One sample lies on its own mean, which is not that somebody never varies.
    const double own = samples[person] < 2 && known > 0 ? sum / known : genuine[person];
    scores[person] = imposter[person] - own;
  }
  return descending(scores, draw);
}

PeopleOrder order_from_center(MatrixView<const double> places, const OrderDraw& draw) {
  PeopleOrder left = drawn_order(places.rows, draw), order;
  const auto nowhere = std::stable_partition(left.begin(), left.end(),
                                             [&](std::size_t person) { return has_place(places.row(person)); });
  const PeopleOrder last(nowhere, left.end());
  left.erase(nowhere, left.end());
  std::vector<double> sum(places.cols, 0.0), mean(places.cols);
  const auto take = [&](std::size_t at) {
    const std::size_t person = left[at];
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += places(person, j);
    order.push_back(person);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    for (std::size_t j = 0; j < sum.size(); ++j) mean[j] = sum[j] / static_cast<double>(order.size());
  };
  if (left.size() >= 2) {
    const auto [first, second] = farthest_pair(places, left);
    take(second);  // stands behind the first
    take(first);
  }
  while (!left.empty()) {
    std::vector<double> distances(left.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
      distances[i] = squared_distance(std::span<const double>(mean), places.row(left[i]));
    }
    take(static_cast<std::size_t>(std::max_element(distances.begin(), distances.end()) - distances.begin()));
  }
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

PeopleOrder order_from_center(const PeopleFeatures& features, const OrderDraw& draw) {
  return order_from_center(means_of(features).view(), draw);
}

Matrix<double> metadata_places(const Dataset& data, const std::vector<std::string>& people,
                               const std::vector<std::string>& attributes) {
  const auto& names = data.labels.column(data.identity_column);
  std::vector<std::size_t> person_of_row(data.size(), people.size());
  for (std::size_t row = 0; row < data.size(); ++row) {
    const auto found = std::lower_bound(people.begin(), people.end(), names[row]);
    if (found != people.end() && *found == names[row]) {
      person_of_row[row] = static_cast<std::size_t>(found - people.begin());
    }
  }
  std::vector<Matrix<double>> parts;
  std::size_t cols = 0;
  for (const auto& attribute : attributes) {
    parts.push_back(axes_of(data, person_of_row, people.size(), attribute));
    fill_unknown(parts.back());
    cols += parts.back().cols();
  }
  Matrix<double> places(people.size(), cols);
  for (std::size_t person = 0; person < people.size(); ++person) {
    auto out = places.row(person).begin();
    for (const Matrix<double>& part : parts) out = std::ranges::copy(part.row(person), out).out;
  }
  return places;
}

}  // namespace bauta
