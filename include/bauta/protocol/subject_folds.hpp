// Folds for cross-validation: no subject in two of them, each a small image of the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

struct Folds {
  std::vector<std::int32_t> of_row;  ///< fold of each row, from 0; -1: left out
  std::size_t count = 0;
  std::vector<std::string> remarks;  ///< what was left out, and why

  /// Rows of the folds [first, first + n), counted round the end; ascending.
  [[nodiscard]] std::vector<std::size_t> rows(std::size_t first, std::size_t n = 1) const;
};

/// k folds, stratified on the subjects' class of `attribute` (of a continuous one: its quintiles). Within a class, from
/// those with most samples to those with fewest, a subject goes to the fold with the least share of subjects and
/// samples: both are about equal, and where one subject has hundreds of samples, its fold has some more samples and
/// some fewer subjects. Which of two equal subjects goes where depends on the seed, not on the order of rows (without
/// identities, each row is a subject).
/// Left out, with a remark: rows without the attribute, and samples that stand byte-identical under two names.
/// Fewer subjects of a class than folds: input error.
/// `within`: only the rows that it marks are dealt out; empty: all.
Folds subject_folds(const Dataset& dataset, const std::string& attribute, std::size_t k, std::uint64_t seed,
                    const std::vector<bool>& within = {});

struct FoldBalance {
  std::size_t identities = 0;
  std::size_t samples = 0;
  std::map<std::string, std::size_t> classes;  ///< samples of each class, or range of a continuous attribute
};

std::vector<FoldBalance> fold_balance(const Dataset& dataset, const Folds& folds, const std::string& attribute);

}  // namespace bauta
