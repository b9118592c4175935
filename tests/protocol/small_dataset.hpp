// Data sets small enough to check by hand.
#pragma once

#include "bauta/data/dataset.hpp"

namespace bauta {

inline Dataset small_dataset(const std::string& origin, const std::vector<std::string>& identities,
                             const std::vector<std::string>& gender, float first_value) {
  Dataset dataset;
  dataset.origin = origin;
  dataset.identity_column = "identity";
  dataset.labels = LabelTable(origin, identities.size());
  dataset.labels.add_column("identity", identities);
  dataset.labels.add_column("gender", gender);
  Matrix<float> rows(identities.size(), 2);
  for (std::size_t i = 0; i < rows.size(); ++i) rows.data()[i] = first_value + static_cast<float>(i);
  dataset.templates = Templates(std::move(rows));
  return dataset;
}

}  // namespace bauta
