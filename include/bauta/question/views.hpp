// Everything that is attacked or measured is a view: the samples of one role, in one form, in one representation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bauta/core/json.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/protect/protection.hpp"
#include "bauta/protocol/arrangement.hpp"

namespace bauta {

/// Whether samples are as they were, protected, or what attackers make of protected ones.
struct Form {
  std::string technique = {};  ///< specification; empty: clear
  std::string recovery = {};   ///< specification; empty: not undone
  double share = 1;            ///< of the samples that have this form; the others stay clear
  std::size_t enrolments = 1;  ///< of each sample, one after the other; undone, a sample is one again

  [[nodiscard]] bool clear() const { return technique.empty(); }
  bool operator==(const Form&) const = default;
};

/// How a medium becomes a template, and where that is learned, from whom, in which form.
struct Representation {
  std::string extractor = {};  ///< specification; empty: templates as they are stored
  Form fitted_in = {};
  std::optional<Role> fitted_on = {};  ///< none: other people, or where there are none those whom attackers know

  bool operator==(const Representation&) const = default;
};

struct Recipe {
  Role role = Role::target;
  Form form = {};
  Representation representation = {};

  bool operator==(const Recipe&) const = default;
};

/// "eigenface learned from people masked by pixelate", "eigenface learned from the enrol part clear"
std::string to_text(const Representation& representation);
/// "target, masked by csn, seen by pixels"
std::string to_text(const Recipe& recipe);

/// What a question is answered from. Each step of a recipe (mask, recover, extract) is made once, however many
/// questions look at it.
class Views {
 public:
  virtual ~Views() = default;

  [[nodiscard]] virtual const Arrangement& arrangement() const = 0;
  [[nodiscard]] std::size_t rotations() const { return arrangement().rotations.size(); }

  /// The samples of a role as they were: labels, and templates where they are stored ones.
  [[nodiscard]] virtual Dataset clear(Role role, std::size_t rotation) const = 0;
  /// Templates of a role in a form, in the order of its rows.
  [[nodiscard]] virtual Dataset view(const Recipe& recipe, std::size_t rotation) = 0;
  /// Of everything that the view depends on, over all rotations.
  [[nodiscard]] virtual std::string digest(const Recipe& recipe) const = 0;
  /// The technique itself, ready for use: what a working system applies, and what attackers who stole it hold. `seen`:
  /// the templates that it learns from, where it learns.
  [[nodiscard]] virtual const ResolvedProtection& technique(const std::string& specification, std::size_t rotation,
                                                            const Representation& seen = {}) = 0;

  /// What `compute` gives, found again after a kill under the digests of what it depends on.
  [[nodiscard]] virtual Json remember(const Json& key, const std::vector<Recipe>& views,
                                      const std::function<Json()>& compute) = 0;

  [[nodiscard]] virtual std::uint64_t seed() const = 0;
  /// Budget in bytes for scores.
  [[nodiscard]] virtual std::uint64_t memory() const = 0;
};

}  // namespace bauta
