#include "bauta/core/digest.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/media_source.hpp"

namespace bauta {

std::string digest(const Dataset& dataset) {
  Hash hash;
  hash.add(dataset.identity_column);
  for (const auto& name : dataset.labels.names()) {
    hash.add(name);
    for (const auto& value : dataset.labels.column(name)) hash.add(value);
  }
  hash.add(dataset.templates);
  hash.add(dataset.probe_templates);
  if (dataset.templates.empty() && dataset.media != nullptr) {
    for (std::size_t row = 0; row < dataset.media->size(); ++row) hash.add(dataset.media->digest(row));
  }
  if (dataset.provenance) hash.add(dataset.provenance->technique + "|" + dataset.provenance->comparator);
  return hash.hex();
}

}  // namespace bauta
