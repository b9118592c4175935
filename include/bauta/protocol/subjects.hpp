// Who the samples are of: the unit that protocols deal out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

/// Subjects are numbered in the order of their names; samples without an identity are subjects of their own, after
/// those.
struct Subjects {
  std::vector<std::size_t> of_row;
  std::size_t count = 0;
};

Subjects subjects_of(const Dataset& dataset);

/// Samples, real-valued templates or media, that stand byte-identical under another subject's name too: who they are is
/// unknown, and in two parts they would leak. Codes of different people may coincide.
std::vector<bool> under_two_names(const Dataset& dataset, const Subjects& subjects);

}  // namespace bauta
