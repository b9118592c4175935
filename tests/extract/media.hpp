// Small folders of media for tests of extractors.
#pragma once

#include <string>
#include <vector>

#include "../data/scratch.hpp"
#include "bauta/extract/extractor.hpp"

namespace bauta::test {

/// Files "0", "1", ... with these bytes, each of its own identity.
inline Dataset media_of(const Scratch& scratch, const std::vector<std::string>& contents) {
  std::string labels = "file,identity\n";
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const std::string name = std::to_string(i);
    scratch.write(name, contents[i]);
    labels += name + ",p" + name + "\n";
  }
  scratch.write("labels.csv", labels);
  ReadOptions options;
  options.templates_required = false;
  return read_dataset(scratch.path(), options);
}

}  // namespace bauta::test
