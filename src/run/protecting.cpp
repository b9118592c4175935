#include "bauta/run/protecting.hpp"

#include "bauta/run/store.hpp"

namespace bauta {

ProtectContext protect_context(const Dataset& dataset, std::uint64_t seed, bool release) {
  ProtectContext context;
  context.randomness = release ? Randomness::operating_system() : Randomness::seeded(seed, digest(dataset));
  if (!dataset.identity_column.empty()) context.subjects = dataset.labels.column(dataset.identity_column);
  context.failed = dataset.failed();
  return context;
}

}  // namespace bauta
