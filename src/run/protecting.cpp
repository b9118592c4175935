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

Dataset repeated_enrolments(const Dataset& dataset, std::size_t times) {
  std::vector<std::size_t> rows;
  std::vector<std::string> original;
  std::vector<std::string> enrolment;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    for (std::size_t time = 1; time <= times; ++time) {
      rows.push_back(row);
      original.push_back(std::to_string(row + 1));
      enrolment.push_back(std::to_string(time));
    }
  }
  Dataset repeated = dataset.select(rows);
  repeated.labels.add_column("original", std::move(original));
  repeated.labels.add_column("enrolment", std::move(enrolment));
  return repeated;
}

}  // namespace bauta
