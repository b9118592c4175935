// The data sets of an experiment and their protected forms, made when a cell first needs them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "bauta/protect/protection.hpp"
#include "bauta/run/experiment.hpp"

namespace bauta {

/// A data set of the experiment.
class Part {
 public:
  Part(std::string role, const DataReference& reference);

  [[nodiscard]] const std::string& role() const { return role_; }
  [[nodiscard]] const Dataset& clear() const { return clear_; }
  [[nodiscard]] const std::string& digest() const { return digest_; }
  [[nodiscard]] bool has_mated_pairs() const;

 private:
  std::string role_;
  Dataset clear_;
  std::string digest_;
};

/// The experiment's protections. Learning ones are fitted once and kept beside the run, so that a run which goes on
/// does not learn again.
class ExperimentProtections {
 public:
  ExperimentProtections(const Experiment& experiment, std::filesystem::path run, std::uint64_t seed);

  /// Throws if subjects of the data that protections learn from stand in `part` too.
  void require_unseen(const Part& part) const;
  /// What the protected data depends on besides the data itself.
  [[nodiscard]] Json inputs(const std::string& technique) const;

  const ResolvedProtection& ready(const std::string& technique);
  /// The same technique protects the same part once.
  const Dataset& protect(const Part& part, const std::string& technique);

 private:
  [[nodiscard]] bool learns(const std::string& technique) const;

  std::vector<std::string> hide_;
  std::filesystem::path models_;
  std::uint64_t seed_;
  std::optional<Part> fit_;
  std::map<std::string, ResolvedProtection> ready_;
  struct Protected {
    std::string technique;
    Dataset data;
  };
  std::map<std::string, Protected> latest_;  // by role: the last technique only, data may be large
};

/// `technique` with its parameters `changes` set.
std::string changed(const std::string& technique, const std::map<std::string, std::string>& changes);

}  // namespace bauta
