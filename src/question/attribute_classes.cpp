#include "bauta/question/attribute_classes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/measure/intervals.hpp"

namespace bauta {

namespace {

constexpr std::size_t default_classes = 3;

std::vector<double> quantile_edges(const Dataset& data, const std::string& attribute) {
  std::vector<double> known;
  for (const double value : data.labels.numbers(attribute)) {
    if (!std::isnan(value)) known.push_back(value);
  }
  if (known.empty()) throw_input(data.labels.origin(), fmt::format("no sample has a value of '{}'", attribute));
  std::sort(known.begin(), known.end());
  const bool whole = std::all_of(known.begin(), known.end(), [](double value) { return value == std::floor(value); });
  std::vector<double> edges;
  for (std::size_t c = 1; c < default_classes; ++c) {
    const double edge = quantile(known, static_cast<double>(c) / default_classes);
    edges.push_back(whole ? std::ceil(edge) : edge);
  }
  return edges;
}

}  // namespace

AttributeClasses attribute_classes(const Dataset& data, const std::string& attribute, std::vector<double> edges) {
  AttributeClasses result{.attribute = attribute};
  result.continuous = data.labels.kind(attribute) == ColumnKind::continuous || !edges.empty();
  if (!result.continuous) return result;
  result.edges = edges.empty() ? quantile_edges(data, attribute) : std::move(edges);
  (void)data.labels.numbers(attribute);  // an error names the row that is no number
  const bool ascending =
      std::adjacent_find(result.edges.begin(), result.edges.end(), std::greater_equal<>()) == result.edges.end();
  if (!ascending) {
    throw_usage(fmt::format("classes of '{}'", attribute),
                fmt::format("edges {} do not rise", fmt::join(result.edges, ", ")), "name the edges between classes");
  }
  return result;
}

Dataset with_classes(Dataset data, const AttributeClasses& classes) {
  if (!classes.continuous) return data;
  const auto& edges = classes.edges;
  std::vector<std::string> names;
  for (std::size_t c = 0; c <= edges.size(); ++c) {
    const int digits = edges.size() < 9 ? 1 : 3;
    names.push_back(c == 0 ? fmt::format("{:0{}}: below {:g}", c + 1, digits, edges[0])
                    : c == edges.size()
                        ? fmt::format("{:0{}}: {:g} and above", c + 1, digits, edges.back())
                        : fmt::format("{:0{}}: {:g} to below {:g}", c + 1, digits, edges[c - 1], edges[c]));
  }
  std::vector<std::string> column;
  for (const double value : data.labels.numbers(classes.attribute)) {
    const auto c = std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
    column.push_back(std::isnan(value) ? std::string() : names[static_cast<std::size_t>(c)]);
  }
  data.labels.replace_column(classes.attribute, std::move(column));
  return data;
}

}  // namespace bauta
