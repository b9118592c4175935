// The data sets of an experiment and their protected forms, made when a cell first needs them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "bauta/protect/protection.hpp"
#include "bauta/protocol/pep.hpp"
#include "bauta/run/attack_data.hpp"
#include "bauta/run/experiment.hpp"

namespace bauta {

/// A data set of the experiment.
class Part {
 public:
  Part(std::string role, const DataReference& reference);
  Part(std::string role, Dataset data);

  [[nodiscard]] const std::string& role() const { return role_; }
  [[nodiscard]] const Dataset& clear() const { return clear_; }
  [[nodiscard]] const std::string& digest() const { return digest_; }
  [[nodiscard]] bool has_mated_pairs() const;

 private:
  std::string role_;
  Dataset clear_;
  std::string digest_;
};

/// Protections ready for use. Learning ones are fitted once and kept beside the run, so that a run which goes on does
/// not learn again.
class ProtectionShelf {
 public:
  ProtectionShelf(const Experiment& experiment, std::filesystem::path run, std::uint64_t seed);

  [[nodiscard]] static bool learns(const std::string& technique);
  /// `fit` is what a learning technique learns from, except the rows that are held out to decide when to stop; one that
  /// does not stop early never sees those. `digest` stands for both.
  [[nodiscard]] ResolvedProtection take(const std::string& technique, const Dataset& fit,
                                        const std::vector<bool>& held_out, const std::string& digest) const;
  [[nodiscard]] const std::vector<std::string>& hide() const { return hide_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  std::vector<std::string> hide_;
  std::filesystem::path models_;
  std::uint64_t seed_;
};

/// Across data bases: protections learn from one data set of their own.
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
  ProtectionShelf shelf_;
  std::optional<Part> fit_;
  std::map<std::string, ResolvedProtection> ready_;
  struct Protected {
    std::string technique;
    Dataset data;
  };
  std::map<std::string, Protected> latest_;  // by role: the last technique only, data may be large
};

/// One data set under a privacy evaluation protocol.
class ProtocolData {
 public:
  /// Data without identities gets one per sample: protocols deal out subjects.
  ProtocolData(const Experiment& experiment, std::filesystem::path run, std::uint64_t seed);

  [[nodiscard]] std::size_t rotations() const { return rotations_.size(); }
  [[nodiscard]] const Part& data() const { return data_; }
  /// What the attack on a technique's output is tried on.
  AttackData attack(const std::string& technique);
  /// The test parts of all rotations.
  std::vector<Dataset> tests(const std::string& technique);
  /// Fold counts and balance, as results repeat them.
  [[nodiscard]] Json json() const;
  /// What everything under the protocol depends on.
  [[nodiscard]] Json inputs(const std::string& technique) const;

 private:
  [[nodiscard]] AttackSplit clear(std::size_t rotation) const;
  AttackSplit attacked(const std::string& technique, std::size_t rotation);
  const Dataset& protect(const std::string& technique, std::size_t rotation);

  Pep pep_;
  std::string attribute_;
  ProtectionShelf shelf_;
  Part data_;
  Folds folds_;
  std::vector<PepParts> rotations_;
  std::string latest_;  // what was protected last, and how
  Dataset latest_data_;
};

/// `technique` with its parameters `changes` set.
std::string changed(const std::string& technique, const std::map<std::string, std::string>& changes);

}  // namespace bauta
