// Templates that are too close to be independent: copies, other crops of one picture, neighbouring video frames.
#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "bauta/compare/engine.hpp"
#include "bauta/compare/top_n.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"
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

/// Of each medium; empty: it cannot be had.
std::vector<std::string> digests_of(const Dataset& dataset) {
  const std::vector<bool> failed = dataset.failed();
  std::vector<std::string> digests(dataset.size());
  parallel_for(dataset.size(), [&](std::size_t row, int) {
    if (failed[row] || !dataset.media->present(row)) return;
    try {
      digests[row] = dataset.media->digest(row);
    } catch (const Error& error) {
      if (error.fault != Fault::input) throw;
    }
  });
  return digests;
}

bool of_media(const Dataset& dataset) {
  return dataset.templates.empty() && dataset.media != nullptr;
}

/// Rows that hold one medium: whoever asks finds another row among these, of another person where there is one.
struct SameMedium {
  std::vector<std::size_t> rows = {};  // the first two, and the first of somebody else

  void add(const Dataset& dataset, std::size_t row) {
    const bool somebody_else = !rows.empty() && !same_subject(dataset, rows[0], dataset, row);
    if (rows.size() < 2 || (somebody_else && !has_others_)) rows.push_back(row);
    has_others_ = has_others_ || somebody_else;
  }

 private:
  bool has_others_ = false;
};

/// `b` may be `a`.
std::vector<NearDuplicate> equal_media(const Dataset& a, const Dataset& b) {
  const bool within = &a == &b;
  const std::vector<std::string> own = digests_of(a), others = within ? own : digests_of(b);
  std::unordered_map<std::string_view, SameMedium> media;
  for (std::size_t row = 0; row < others.size(); ++row) {
    if (!others[row].empty()) media[others[row]].add(b, row);
  }
  std::vector<NearDuplicate> found;
  for (std::size_t row = 0; row < own.size(); ++row) {
    const auto medium = media.find(own[row]);
    if (medium == media.end()) continue;
    std::optional<NearDuplicate> best;
    for (const std::size_t other : medium->second.rows) {
      const NearDuplicate pair{row, other, 0.0, true, same_subject(a, row, b, other)};
      if ((!within || other != row) && (!best || (best->same_subject && !pair.same_subject))) best = pair;
    }
    if (best) found.push_back(*best);
  }
  return found;
}

}  // namespace

std::vector<NearDuplicate> near_duplicates(const Dataset& a, const Dataset& b, double distance) {
  if (of_media(a) && of_media(b)) return equal_media(a, b);
  const auto comparator = make_comparator("cosine");
  return nearest_pairs(*comparator, directions(a, *comparator), directions(b, *comparator), distance);
}

std::vector<NearDuplicate> near_duplicates(const Dataset& dataset, double distance) {
  if (of_media(dataset)) return equal_media(dataset, dataset);
  const auto comparator = make_comparator("cosine");
  const Directions all = directions(dataset, *comparator);
  return nearest_pairs(*comparator, all, all, distance);
}

}  // namespace bauta
