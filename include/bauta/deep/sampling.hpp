// Which rows are trained on together: shares of subjects held out, triplets, batches that contain every class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/random.hpp"

namespace bauta {

/// Marks the rows of a share of the subjects (codes of at least 0). Where `strata` gives each row a class (-1:
/// unknown), the share is taken in each class, a subject counting for the class of its first known row; a class of at
/// least two subjects has some in both parts. A subject is never in both.
std::vector<bool> hold_out_subjects(std::span<const std::int32_t> subjects, double share, Stream stream,
                                    std::span<const std::int32_t> strata = {});

/// Lists of rows from which rows are taken one after the other, each list in a fresh random order whenever it is used
/// up.
class CyclingLists {
 public:
  explicit CyclingLists(std::vector<std::vector<std::int64_t>> lists);

  [[nodiscard]] std::size_t size() const { return lists_.size(); }
  std::int64_t take(std::size_t list, Stream& stream);

 private:
  std::vector<std::vector<std::int64_t>> lists_;
  std::vector<std::size_t> used_;
};

struct Triplets {
  std::vector<std::int64_t> anchors;
  std::vector<std::int64_t> positives;  ///< another row of the anchor's subject
  std::vector<std::int64_t> negatives;  ///< a row of another subject
};

class TripletSampler {
 public:
  /// Only the named rows are drawn. With attributes (a class code per row, -1: unknown), anchors come from each class
  /// of each attribute in equal numbers. Throws an input error where no triplet exists; `part` ("training" or
  /// "validation") says of which rows.
  TripletSampler(std::span<const std::int32_t> subjects, std::vector<std::int64_t> rows,
                 const std::vector<std::span<const std::int32_t>>& attributes = {},
                 const std::string& part = "training");

  /// Rows that can be anchors: how many triplets make an epoch.
  [[nodiscard]] std::size_t anchors() const { return anchors_; }
  Triplets draw(std::size_t count, Stream& stream);

 private:
  std::span<const std::int32_t> subjects_;
  std::vector<std::int64_t> rows_;
  std::vector<std::vector<std::int64_t>> rows_of_;  // by subject
  std::size_t anchors_ = 0;
  std::vector<CyclingLists> by_class_;  // one per attribute
};

/// Batches in which row s is of class s % classes, so that each holds every class in equal numbers; `batch` is rounded
/// up to a multiple of the classes. Together they have at least as many rows as were named. Every class must have a
/// row.
std::vector<std::vector<std::int64_t>> stratified_batches(std::span<const std::int32_t> codes, std::size_t classes,
                                                          std::span<const std::int64_t> rows, std::size_t batch,
                                                          Stream& stream);

}  // namespace bauta
