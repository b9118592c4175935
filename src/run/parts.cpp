#include "parts.hpp"

#include <algorithm>

#include "bauta/core/error.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/protecting.hpp"
#include "bauta/run/reading.hpp"
#include "bauta/run/store.hpp"

namespace bauta {

namespace fs = std::filesystem;

Part::Part(std::string role, const DataReference& reference)
    : role_(std::move(role)),
      clear_(read_data(reference.path.string(), reference.options)),
      digest_(bauta::digest(clear_)) {}

bool Part::has_mated_pairs() const {
  const auto counts = clear_.labels.categorical(clear_.identity_column).counts();
  return std::any_of(counts.begin(), counts.end(), [](std::size_t count) { return count > 1; });
}

ExperimentProtections::ExperimentProtections(const Experiment& experiment, fs::path run, std::uint64_t seed)
    : hide_(experiment.hide), models_(std::move(run) / "models"), seed_(seed) {
  if (experiment.fit.path.empty()) return;
  fit_.emplace("fit", experiment.fit);
  for (const auto& attribute : hide_) (void)fit_->clear().labels.column(attribute);
}

void ExperimentProtections::require_unseen(const Part& part) const {
  if (fit_) require_disjoint(fit_->clear(), part.clear());
}

bool ExperimentProtections::learns(const std::string& technique) const {
  return find_entry(protections(), "protection", Specification::parse(technique).name).declaration.learns;
}

Json ExperimentProtections::inputs(const std::string& technique) const {
  if (!learns(technique)) return nullptr;
  return {{"fit", fit_->digest()}, {"hide", hide_}};
}

const ResolvedProtection& ExperimentProtections::ready(const std::string& technique) {
  const auto known = ready_.find(technique);
  if (known != ready_.end()) return known->second;
  ResolvedProtection protection = make_protection(technique);
  if (protection.declaration->learns) {
    const std::string name =
        bauta::digest(Json{protection.parameters.resolved(), inputs(technique), seed_, code_digest()}.dump());
    const fs::path file = models_ / (name + ".npz");
    if (fs::exists(file)) {
      protection = load_protection(file, technique);
    } else {
      fit_protection(protection, fit_->clear(), hide_, protect_context(fit_->clear(), seed_));
      std::error_code error;
      fs::create_directories(models_, error);
      if (error) throw_environment(models_.string(), "cannot be created: " + error.message());
      save_protection(protection, file);
    }
  }
  return ready_.emplace(technique, std::move(protection)).first->second;
}

const Dataset& ExperimentProtections::protect(const Part& part, const std::string& technique) {
  Protected& latest = latest_[part.role()];
  if (latest.technique != technique) {
    latest.data = protect_dataset(ready(technique), part.clear(), protect_context(part.clear(), seed_));
    latest.technique = technique;
  }
  return latest.data;
}

std::string changed(const std::string& technique, const std::map<std::string, std::string>& changes) {
  Specification specification = Specification::parse(technique);
  for (const auto& [name, value] : changes) specification.values[name] = value;
  const auto& entry = find_entry(protections(), "protection", specification.name);
  return Parameters(entry.declaration, specification).brief();
}

}  // namespace bauta
