#include <fstream>
#include <sstream>

#include "bauta/core/digest.hpp"
#include "bauta/data/dataset.hpp"

namespace bauta {

namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::string digest(const Dataset& dataset) {
  Hash hash;
  hash.add(dataset.identity_column);
  for (const auto& name : dataset.labels.names()) {
    hash.add(name);
    for (const auto& value : dataset.labels.column(name)) hash.add(value);
  }
  hash.add(dataset.templates);
  hash.add(dataset.probe_templates);
  // Media are what lies in their files.
  if (dataset.templates.empty() && dataset.labels.has("file")) {
    for (const auto& file : dataset.labels.column("file")) hash.add(read_text(dataset.folder / file));
  }
  if (dataset.provenance) hash.add(dataset.provenance->technique + "|" + dataset.provenance->comparator);
  return hash.hex();
}

}  // namespace bauta
