#include "bauta/question/protecting.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

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

namespace {

/// Null: of a technique that nobody here knows, as somebody may have written by hand.
const Declaration* known_declaration(const std::string& technique) {
  const std::string name = technique.substr(0, technique.find(':'));
  for (const auto& entry : protections()) {
    if (entry.declaration.name == name) return &entry.declaration;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> earlier_masks(const Provenance& record) {
  std::vector<std::string> techniques;
  const auto add = [&](const std::string& technique) {
    const Declaration* const known = known_declaration(technique);
    if (!technique.empty() && (known == nullptr || known->masks)) techniques.push_back(technique);
  };
  add(record.technique);
  for (const char* const name : {"recovered_from", "applied_to"}) {
    if (const auto found = record.properties.find(name); found != record.properties.end()) add(found->second);
  }
  return techniques;
}

std::string made_together(const std::string& origin, const Provenance& record) {
  for (const std::string& technique : earlier_masks(record)) {
    const Declaration* const known = known_declaration(technique);
    if (known == nullptr || !(known->mixes || known->learns)) continue;
    return fmt::format(
        "{} was masked with {}, {}: parts of it that must be apart tell of each other. Mask each part by "
        "itself, or let the experiment mask clear data",
        origin, known->name,
        known->mixes ? "which makes a record from several people's" : "which learns, perhaps from these people");
  }
  return {};
}

std::string made_together(const Dataset& a, const Dataset& b) {
  std::error_code ignored;
  const bool parts_of_one = a.provenance && !a.folder.empty() &&
                            (a.folder == b.folder || std::filesystem::equivalent(a.folder, b.folder, ignored));
  return parts_of_one ? made_together(a.folder.string(), *a.provenance) : std::string();
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
