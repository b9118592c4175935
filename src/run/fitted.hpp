// Protections ready for use. Learning ones are fitted once and kept beside the run, so that a run which goes on does
// not learn again; except those that hold the samples they learned from.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bauta/question/views.hpp"
#include "step_store.hpp"

namespace bauta {

class FittedProtections {
 public:
  /// `attributes`: what learning protections hide, or keep.
  FittedProtections(std::filesystem::path models, std::vector<std::string> attributes, std::uint64_t seed);

  /// `fit` is what a learning technique learns from, except the rows that are held out to decide when to stop; one that
  /// does not stop early never sees those. `digest` stands for both.
  [[nodiscard]] ResolvedProtection take(const std::string& technique, const Dataset& fit,
                                        const std::vector<bool>& held_out, const std::string& digest) const;
  [[nodiscard]] const std::vector<std::string>& attributes() const { return attributes_; }

 private:
  void learn(ResolvedProtection& protection, const Dataset& fit, const std::vector<bool>& held_out) const;

  StepStore models_;
  std::vector<std::string> attributes_;
  std::uint64_t seed_;
};

}  // namespace bauta
