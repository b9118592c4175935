// What protected data is still good for: how well attributes that shall stay readable are read from it (Moriarty et
// al., S2).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

struct UtilityRun {
  std::vector<std::string> attributes;                    ///< of interest
  std::map<std::string, double> keep = {};                ///< additional attributes, with their weights
  std::map<std::string, std::vector<double>> edges = {};  ///< between classes of continuous attributes
  std::string estimator = "random-forest";                ///< that reads them
  std::size_t bootstrap = 1000;
  std::uint64_t seed = 1;
};

/// Users who learned to read attributes from clear data.
class AttributeReaders {
 public:
  /// `test` is what is judged; no sample of either part may have failed.
  AttributeReaders(const Dataset& train, Dataset test, UtilityRun run);
  ~AttributeReaders();

  /// `test`: the judged samples, protected or not; `train` (may be null): protected samples that others learn from
  /// anew. Row by row those that were given first.
  [[nodiscard]] Answer read(const Dataset& test, const Dataset* train) const;

 private:
  struct Attribute;

  Dataset test_;
  UtilityRun run_;
  std::vector<Attribute> attributes_;
};

}  // namespace bauta
