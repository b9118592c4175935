// Templates that are too close to be independent: copies, other crops of one picture, neighbouring video frames.
#include <algorithm>
#include <memory>

#include "bauta/compare/engine.hpp"
#include "bauta/compare/top_n.hpp"
#include "bauta/protocol/leak_guard.hpp"

namespace bauta {

namespace {

/// The rows of a data set that have a direction.
struct Directions {
  const Dataset& dataset;
  std::vector<std::size_t> rows;
  std::unique_ptr<const Prepared> prepared;
};

Directions directions(const Dataset& dataset, const Comparator& comparator) {
  Directions result{dataset, {}, nullptr};
  if (dataset.templates.empty() || dataset.templates.kind() != ElementKind::float32) return result;
  const std::vector<bool> failed = dataset.failed();
  const auto values = dataset.templates.floats();
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    const auto own = values.row(row);
    if (!failed[row] && std::any_of(own.begin(), own.end(), [](float v) { return v != 0; })) {
      result.rows.push_back(row);
    }
  }
  result.prepared = comparator.prepare(dataset.templates.select(result.rows), Side::reference, dataset.origin);
  return result;
}

bool same_subject(const Dataset& a, std::size_t row_a, const Dataset& b, std::size_t row_b) {
  if (a.identity_column.empty() || b.identity_column.empty()) return false;
  const std::string& name = a.labels.column(a.identity_column)[row_a];
  return !name.empty() && name == b.labels.column(b.identity_column)[row_b];
}

std::vector<NearDuplicate> nearest_pairs(const Comparator& comparator, const Directions& a, const Directions& b,
                                         double distance) {
  const bool within = &a == &b;
  if (a.rows.empty() || b.rows.size() < (within ? 2 : 1)) return {};
  if (a.dataset.templates.cols() != b.dataset.templates.cols()) return {};
  TopN nearest(1, a.rows.size(), b.rows.size(), 1, {}, within);
  TileConsumer* const consumers[] = {&nearest};
  compare_all(comparator, *a.prepared, *b.prepared, Pairs::all, consumers, "looking for duplicates");

  const auto values_a = a.dataset.templates.floats(), values_b = b.dataset.templates.floats();
  std::vector<NearDuplicate> found;
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const Neighbour& best = nearest.best(i)[0];
    const double apart = std::max(0.0, 1.0 - best.score);
    if (apart > distance) continue;
    const std::size_t row_a = a.rows[i], row_b = b.rows[best.reference];
    found.push_back({row_a, row_b, apart, std::ranges::equal(values_a.row(row_a), values_b.row(row_b)),
                     same_subject(a.dataset, row_a, b.dataset, row_b)});
  }
  return found;
}

}  // namespace

std::vector<NearDuplicate> near_duplicates(const Dataset& a, const Dataset& b, double distance) {
  const auto comparator = make_comparator("cosine");
  return nearest_pairs(*comparator, directions(a, *comparator), directions(b, *comparator), distance);
}

std::vector<NearDuplicate> near_duplicates(const Dataset& dataset, double distance) {
  const auto comparator = make_comparator("cosine");
  const Directions all = directions(dataset, *comparator);
  return nearest_pairs(*comparator, all, all, distance);
}

}  // namespace bauta
