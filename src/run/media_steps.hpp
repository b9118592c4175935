// Templates of media, made by one walk over each data set for everything that the run will ask of it.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/extract/extractor.hpp"
#include "bauta/protect/protection.hpp"
#include "bauta/protocol/arrangement.hpp"
#include "bauta/recover/recovery.hpp"
#include "kept_media.hpp"
#include "media_walk.hpp"
#include "step_store.hpp"

namespace bauta {

/// A data set of the experiment.
struct Source {
  Dataset data;
  std::string digest;
};

/// Media of a data set, as they are, masked or undone again, seen by an extractor that does not learn.
struct Shown {
  std::size_t source = 0;
  std::string technique = {};  ///< empty: as they are
  std::string recovery = {};   ///< of media; empty: masked ones are shown
  Role role = Role::whole;     ///< whose media they are, where each role is masked or undone by itself
  std::size_t rotation = 0;
  std::string extractor = {};  ///< specification

  auto operator<=>(const Shown&) const = default;
};

/// Whether each role is protected by itself: as arranged, and where records would otherwise be mixed with those of
/// people in another role.
bool masked_by_role(const Arrangement& arrangement, const std::string& technique);

class MediaSteps {
 public:
  /// The technique ready for use in a rotation.
  using Technique = std::function<const ResolvedProtection&(const std::string& specification, std::size_t rotation)>;

  /// `arrangement` and `steps` must outlive it. `memory`: bytes that media may take which recoveries learn from.
  MediaSteps(std::vector<const Source*> sources, const Arrangement& arrangement, const StepStore& steps,
             std::uint64_t seed, std::uint64_t memory, Technique technique);

  /// Will be asked for: the first walk over a data set makes all that is expected of it.
  void expect(const Shown& shown) { expected_.insert(plain(shown)); }
  /// Templates of the whole data set, or of the role where that stands apart.
  [[nodiscard]] Dataset templates(const Shown& shown);
  /// Samples that have no template, by their rows, and why; null: all have one, or nobody has looked.
  [[nodiscard]] Json lost(const Shown& shown) const;
  /// Whether each role is masked, or undone, by itself.
  [[nodiscard]] bool apart(const Shown& shown) const;
  /// Of the step that holds them.
  [[nodiscard]] std::string address(const Shown& shown) const;
  /// Whose media they are, for people.
  [[nodiscard]] std::string name_of(const Shown& shown) const;
  /// Made once, because some load large models. One that learns has not been fitted.
  [[nodiscard]] const ResolvedExtractor& extractor(const std::string& specification) const;

 private:
  struct Plan;

  /// Without what makes no difference.
  [[nodiscard]] Shown plain(Shown shown) const;
  [[nodiscard]] bool by_role(const Shown& shown) const;
  [[nodiscard]] const std::vector<std::size_t>& rows(const Shown& shown) const;
  [[nodiscard]] std::string masked_address(const Shown& shown) const;
  [[nodiscard]] std::string undone_address(const Shown& shown) const;
  /// Of the media that extractors look at.
  [[nodiscard]] std::string media_address(const Shown& shown) const;
  [[nodiscard]] Dataset media(const Shown& shown) const;
  /// A data set whose media are decoded once, whichever recovery learns from them in whichever rotation.
  [[nodiscard]] Dataset kept(std::size_t source) const;
  /// What is masked together.
  [[nodiscard]] Dataset masked_together(const Shown& shown) const;
  [[nodiscard]] MediaMask mask(const Shown& shown) const;
  /// The same masked, medium by medium as somebody asks for those of `source`, the data set; what was made stays in its
  /// step, which is left unfinished.
  [[nodiscard]] Dataset masked_media(const Shown& shown, const Dataset& source) const;
  /// Whom a recovery is learned from, masked as they are in that rotation.
  [[nodiscard]] Shown people_for(const Shown& shown) const;
  /// Learned from these rows, once.
  [[nodiscard]] ResolvedRecovery taught(const Shown& shown, const std::vector<std::size_t>& teachers) const;
  /// How masked media are undone, and the record of what comes of it.
  [[nodiscard]] std::pair<Undo, Provenance> undoing(const Shown& shown) const;
  /// What is expected of a data set and not there yet; it is not expected any more.
  [[nodiscard]] Plan planned(std::size_t source);
  [[nodiscard]] Showing showing(const Shown& shown) const;
  void add_showing(const Shown& shown, Plan& plan) const;
  void walk(std::size_t source);
  void remember_lost(const Shown& shown, const std::string& address, const std::vector<std::size_t>& rows) const;

  std::vector<const Source*> sources_;
  const Arrangement& arrangement_;
  const StepStore& steps_;
  std::uint64_t seed_, memory_;
  Technique technique_;
  std::set<Shown> expected_;
  std::map<std::string, Error> broken_;  // by address: what cannot be made, and why
  mutable std::map<std::string, ResolvedExtractor> extractors_;
  mutable std::map<std::size_t, std::shared_ptr<KeptMedia>> kept_;  // by data set, as long as walks lie ahead
};

}  // namespace bauta
