#include "parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/run/protecting.hpp"
#include "bauta/run/reading.hpp"
#include "bauta/run/store.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

/// Samples without identities become subjects of their own.
Dataset with_identities(Dataset data) {
  if (!data.identity_column.empty()) return data;
  std::vector<std::string> names;
  for (std::size_t row = 0; row < data.size(); ++row) names.push_back(fmt::format("sample {}", row + 1));
  data.identity_column = "identity";
  while (data.labels.has(data.identity_column)) data.identity_column += "_";
  data.labels.add_column(data.identity_column, std::move(names));
  data.remarks.push_back("no identities are named: each sample counts as a subject of its own");
  return data;
}

}  // namespace

Part::Part(std::string role, const DataReference& reference)
    : Part(std::move(role), read_data(reference.path.string(), reference.options)) {}

Part::Part(std::string role, Dataset data)
    : role_(std::move(role)), clear_(std::move(data)), digest_(bauta::digest(clear_)) {}

bool Part::has_mated_pairs() const {
  const auto counts = clear_.labels.categorical(clear_.identity_column).counts();
  return std::any_of(counts.begin(), counts.end(), [](std::size_t count) { return count > 1; });
}

ProtectionShelf::ProtectionShelf(const Experiment& experiment, fs::path run, std::uint64_t seed)
    : hide_(experiment.hide), models_(std::move(run) / "models"), seed_(seed) {}

bool ProtectionShelf::learns(const std::string& technique) {
  return find_entry(protections(), "protection", Specification::parse(technique).name).declaration.learns;
}

ResolvedProtection ProtectionShelf::take(const std::string& technique, const Dataset& fit,
                                         const std::vector<bool>& held_out, const std::string& digest) const {
  ResolvedProtection protection = make_protection(technique);
  if (!protection.declaration->learns) return protection;
  const std::string name =
      bauta::digest(Json{protection.parameters.resolved(), digest, hide_, seed_, code_digest()}.dump());
  const fs::path file = models_ / (name + ".npz");
  if (fs::exists(file)) return load_protection(file, technique);

  const auto& parameters = protection.declaration->parameters;
  const bool stops_early = std::any_of(parameters.begin(), parameters.end(),
                                       [](const Parameter& parameter) { return parameter.name == "validation"; });
  if (stops_early || held_out.empty()) {
    ProtectContext context = protect_context(fit, seed_);
    context.held_out = held_out;
    fit_protection(protection, fit, hide_, context);
  } else {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < fit.size(); ++row) {
      if (!held_out[row]) rows.push_back(row);
    }
    const Dataset own = fit.select(rows);
    fit_protection(protection, own, hide_, protect_context(own, seed_));
  }
  std::error_code error;
  fs::create_directories(models_, error);
  if (error) throw_environment(models_.string(), "cannot be created: " + error.message());
  save_protection(protection, file);
  return protection;
}

ExperimentProtections::ExperimentProtections(const Experiment& experiment, fs::path run, std::uint64_t seed)
    : shelf_(experiment, std::move(run), seed) {
  if (experiment.fit.path.empty()) return;
  fit_.emplace("fit", experiment.fit);
  for (const auto& attribute : shelf_.hide()) (void)fit_->clear().labels.column(attribute);
}

void ExperimentProtections::require_unseen(const Part& part) const {
  if (fit_) require_disjoint(fit_->clear(), part.clear());
}

Json ExperimentProtections::inputs(const std::string& technique) const {
  if (!ProtectionShelf::learns(technique)) return nullptr;
  return {{"fit", fit_->digest()}, {"hide", shelf_.hide()}};
}

const ResolvedProtection& ExperimentProtections::ready(const std::string& technique) {
  const auto known = ready_.find(technique);
  if (known != ready_.end()) return known->second;
  ResolvedProtection protection =
      fit_ ? shelf_.take(technique, fit_->clear(), {}, fit_->digest()) : make_protection(technique);
  return ready_.emplace(technique, std::move(protection)).first->second;
}

const Dataset& ExperimentProtections::protect(const Part& part, const std::string& technique) {
  Protected& latest = latest_[part.role()];
  if (latest.technique != technique) {
    latest.data = protect_dataset(ready(technique), part.clear(), protect_context(part.clear(), shelf_.seed()));
    latest.technique = technique;
  }
  return latest.data;
}

ProtocolData::ProtocolData(const Experiment& experiment, fs::path run, std::uint64_t seed)
    : pep_(*experiment.pep),
      attribute_(experiment.attributes.front()),
      shelf_(experiment, std::move(run), seed),
      data_("data", with_identities(read_data(experiment.target.path.string(), experiment.target.options))),
      folds_(subject_folds(data_.clear(), attribute_, pep_.folds(), seed)),
      rotations_(pep_rotations(pep_, data_.clear(), folds_, attribute_, seed)) {
  for (const auto& attribute : shelf_.hide()) (void)data_.clear().labels.column(attribute);
  if (experiment.repeats > 0) rotations_.resize(std::min(rotations_.size(), experiment.repeats));
}

AttackSplit ProtocolData::clear(std::size_t rotation) const {
  const PepParts& parts = rotations_[rotation];
  const Dataset& all = data_.clear();
  return {all.select(parts.train), all.select(parts.dev), all.select(parts.test)};
}

const Dataset& ProtocolData::protect(const std::string& technique, std::size_t rotation) {
  const bool learns = ProtectionShelf::learns(technique);
  const std::string wanted = learns ? fmt::format("{} in rotation {}", technique, rotation) : technique;
  if (latest_ == wanted) return latest_data_;
  const Dataset& all = data_.clear();
  const PepParts& parts = rotations_[rotation];
  ResolvedProtection protection = make_protection(technique);
  if (learns) {
    Hash hash;
    hash.add(data_.digest());
    std::vector<bool> tunes(all.size(), false);
    std::vector<std::size_t> rows = parts.fit;
    for (const std::size_t row : parts.fit_dev) {
      tunes[row] = true;
      rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    std::vector<bool> held_out;
    for (const std::size_t row : rows) {
      held_out.push_back(tunes[row]);
      hash.add(fmt::format("{} {};", row, tunes[row]));
    }
    protection = shelf_.take(technique, all.select(rows), held_out, hash.hex());
  }
  latest_data_ = protect_dataset(protection, all, protect_context(all, shelf_.seed()));
  latest_ = wanted;
  return latest_data_;
}

AttackSplit ProtocolData::attacked(const std::string& technique, std::size_t rotation) {
  const Dataset& all = protect(technique, rotation);
  const PepParts& parts = rotations_[rotation];
  return {all.select(parts.train), all.select(parts.dev), all.select(parts.test)};
}

AttackData ProtocolData::attack(const std::string& technique) {
  AttackData data;
  data.rotations = rotations_.size();
  data.clear = [this](std::size_t rotation) { return clear(rotation); };
  data.unprotected = Specification::parse(technique).name == "none";
  data.attacked = data.unprotected ? data.clear : [this, technique](std::size_t r) { return attacked(technique, r); };
  return data;
}

std::vector<Dataset> ProtocolData::tests(const std::string& technique) {
  std::vector<Dataset> result;
  for (std::size_t r = 0; r < rotations_.size(); ++r)
    result.push_back(protect(technique, r).select(rotations_[r].test));
  return result;
}

Json ProtocolData::json() const {
  Json balance = Json::array();
  std::size_t fold = 0;
  for (const FoldBalance& share : fold_balance(data_.clear(), folds_, attribute_)) {
    balance.push_back(
        {{"fold", ++fold}, {"identities", share.identities}, {"samples", share.samples}, {"classes", share.classes}});
  }
  return {{"kind", to_text(pep_.kind)},
          {"text", to_text(pep_)},
          {"folds", pep_.folds()},
          {"train", pep_.train},
          {"dev", pep_.dev},
          {"test", pep_.test},
          {"rotations", rotations()},
          {"attribute", attribute_},
          {"balance", std::move(balance)},
          {"remarks", folds_.remarks},
          {"warnings", pep_warnings(pep_)}};
}

Json ProtocolData::inputs(const std::string& technique) const {
  Json inputs = {{"data", data_.digest()}, {"protocol", to_text(pep_)}, {"folds of", attribute_}};
  if (ProtectionShelf::learns(technique)) inputs["hide"] = shelf_.hide();
  return inputs;
}

std::string changed(const std::string& technique, const std::map<std::string, std::string>& changes) {
  Specification specification = Specification::parse(technique);
  for (const auto& [name, value] : changes) specification.values[name] = value;
  const auto& entry = find_entry(protections(), "protection", specification.name);
  return Parameters(entry.declaration, specification).brief();
}

}  // namespace bauta
