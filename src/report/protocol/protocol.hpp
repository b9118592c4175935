// How the folds of the data were used, and what is in them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "chapter.hpp"

namespace bauta::report {

struct Protocol {
  struct Fold {
    Number fold, identities, samples;
    std::vector<std::pair<std::string, double>> classes;
  };
  std::string kind, text;
  Number train, dev, test, rotations;
  std::vector<Fold> balance;
};

/// Nothing where the data has no folds.
std::optional<Protocol> read_protocol(const Json& values);

/// Data flow of a run's protocol; null where nothing flows.
Figure data_flow_figure(const Protocol& protocol, const RunResults& run);

}  // namespace bauta::report
