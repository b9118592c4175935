// Data sets as users name them.
#pragma once

#include <string>

#include "bauta/data/dataset.hpp"

namespace bauta {

/// read_dataset() of PATH or of PATH@I/K, which is part I of K by subject (see subject_part()).
Dataset read_data(const std::string& name, const ReadOptions& options = {});

}  // namespace bauta
