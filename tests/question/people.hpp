// Templates by hand, with the names of those whose they are.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

inline Dataset people(const std::vector<std::string>& names, const std::vector<std::vector<float>>& rows) {
  Dataset data;
  data.origin = "people";
  data.labels = LabelTable("people", names.size());
  data.labels.add_column("identity", names);
  data.identity_column = "identity";
  Matrix<float> x(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], x.row(i).begin());
  data.templates = Templates(std::move(x));
  return data;
}

}  // namespace bauta
