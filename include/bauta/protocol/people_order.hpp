// People in the order in which they are chosen, those who are most easily told apart first. Who are alike stand in an
// order that is drawn, never in that of the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/data/dataset.hpp"

namespace bauta {

/// Numbers of people, each once.
using PeopleOrder = std::vector<std::size_t>;

/// What orders that are drawn come from: another `draw` is another order.
struct OrderDraw {
  std::uint64_t seed = 1;
  std::size_t draw = 0;
};

/// At random.
PeopleOrder random_order(std::size_t people, const OrderDraw& draw);

/// By the share of their samples that were named rightly, highest first. NaN: no sample was asked about; they are last.
PeopleOrder order_by_hits(std::span<const double> rates, const OrderDraw& draw);

/// Samples as features: a row each, and the number of the person it is of.
struct PeopleFeatures {
  MatrixView<const float> rows;
  std::span<const std::uint32_t> person;
  std::size_t people = 0;  ///< all; whoever has no row comes last in every order
};

/// By the distance of their mean to the nearest sample of anybody else, less that to the farthest of their own,
/// greatest first ("distinctive": imposter less genuine score). Whoever has one sample counts as spread as those with
/// several are on average.
PeopleOrder order_by_distinction(const PeopleFeatures& features, const OrderDraw& draw);

/// The two that lie farthest apart, then always whoever lies farthest from the mean of those already chosen ("center",
/// "metadata"). One row per person; a row with a NaN is nobody's place, and comes last.
PeopleOrder order_from_center(MatrixView<const double> places, const OrderDraw& draw);
/// The same of people's means.
PeopleOrder order_from_center(const PeopleFeatures& features, const OrderDraw& draw);

/// A place for each of `people` by what they are like, as means over their samples. Numbers are brought to 0 .. 1 over
/// the people; of a category each class has an axis, and two classes lie 1 apart. Where somebody's value is unknown it
/// is the mean of the others, which makes nobody stand out. Throws where nobody has a value.
Matrix<double> metadata_places(const Dataset& data, const std::vector<std::string>& people,
                               const std::vector<std::string>& attributes);

}  // namespace bauta
