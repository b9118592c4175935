#include "bauta/question/protecting.hpp"

#include <algorithm>

#include "bauta/core/digest.hpp"
#include "bauta/protect/key_regime.hpp"

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

const Declaration& protection_declaration(const std::string& technique) {
  return find_entry(protections(), "protection", Specification::parse(technique).name).declaration;
}

bool masks(const std::string& technique) {
  return protection_declaration(technique).masks;
}

bool masked_before(const std::string& extractor, const std::string& technique) {
  return !extractor.empty() && protection_declaration(technique).medium != "template";
}

std::string baseline() {
  const auto found = std::find_if(protections().begin(), protections().end(),
                                  [](const auto& entry) { return !entry.declaration.masks; });
  return found->declaration.name;
}

std::string with_parameters(const std::string& technique, const std::map<std::string, std::string>& values) {
  Specification specification = Specification::parse(technique);
  for (const auto& [name, value] : values) specification.values[name] = value;
  return Parameters(protection_declaration(technique), specification).brief();
}

std::string under_application(const std::string& technique, int application) {
  return with_parameters(technique, under_regime(KeyRegime::application, application));
}

}  // namespace bauta
