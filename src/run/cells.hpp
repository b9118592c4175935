// The cells of an experiment: one measurement each, computed on its own and found again by what it depends on.
#pragma once

#include <functional>
#include <vector>

#include "bauta/run/evaluate.hpp"
#include "bauta/run/json.hpp"
#include "bauta/run/store.hpp"
#include "parts.hpp"

namespace bauta {

struct Cell {
  Json key;
  Json inputs;  ///< everything that the values depend on besides the key
  std::function<Json()> compute;
};

/// What everything of an experiment refers to; it must outlive the cells.
struct CellContext {
  const Experiment& experiment;
  const EvaluateOptions& options;
  const CellStore& store;
};

/// Where something with this key and these inputs lies in the store.
std::string cell_address(const Json& key, const Json& inputs, std::uint64_t seed);

/// In the order of the results. Without an attacker only recognition is measured.
std::vector<Cell> cross_database_cells(const CellContext& context, ExperimentProtections& protections,
                                       const Part& target, const Part* attacker, const Part* dev);
std::vector<Cell> protocol_cells(const CellContext& context, ProtocolData& data);

/// What protection gained and cost, from the finished cells: one per technique and attribute.
Json privacy_cells(const Json& cells);

}  // namespace bauta
