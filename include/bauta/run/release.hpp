// Data that leaves the house: records in an order of their own, with fresh ids and nothing beside what was asked for.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/protect/protection.hpp"

namespace bauta {

/// What becomes of labels that belong to too few people.
enum class Rare {
  refuse,      ///< nothing is released
  suppress,    ///< such records come without labels; are those few, too, they are left out
  generalise,  ///< numbers become bands and rare classes one, before what is still rare is suppressed
};
Rare parse_rare(std::string_view text);
std::string_view to_text(Rare rare);

struct ReleaseRule {
  std::vector<std::string> columns = {};  ///< labels to release; a technique that keeps attributes names its own
  std::size_t k = 5;                      ///< people whom every combination of released labels belongs to, at least
  Rare rare = Rare::refuse;
  bool one_sample_each = false;  ///< nobody is named because every sample is another person's
};

/// How well the released labels alone hide somebody whose labels are known. People are counted, because all records of
/// one person share their name.
struct LabelRisk {
  std::size_t combinations = 0;       ///< of released values
  std::size_t smallest = 0;           ///< people whom the rarest one belongs to: k of k-anonymity
  std::size_t k = 0;                  ///< that were asked for
  std::size_t rare_combinations = 0;  ///< of fewer, before anything was changed
  std::size_t rare_people = 0;        ///< whom these belong to
  std::size_t generalised = 0;        ///< values that became bands, or one class with others
  std::size_t suppressed = 0;         ///< records that come without labels
  std::size_t left_out = 0;           ///< records that are not released at all
};

struct Released {
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  std::vector<std::size_t> place;  ///< row of each sample in the release; `nowhere` for those that are not in it
  std::size_t records = 0;
  std::size_t failures = 0;  ///< samples that could not be released: nothing was extracted, or their medium is damaged
  std::size_t features = 0;  ///< of a template; 0: media
  ElementKind kind = ElementKind::float32;
  std::size_t exact_copies = 0;      ///< of originals, over all records; a release with any is refused
  std::vector<std::string> columns;  ///< attributes in labels.csv: the one of interest, then those kept beside it
  LabelRisk labels;
  Rare rare = Rare::refuse;  ///< how rare labels were treated
  Provenance provenance;
  Promise promise;
  std::vector<std::string> remarks;
};

/// Throws what release_to_folder() would throw because of labels, before anybody has worked for it.
void require_releasable(const ResolvedProtection& protection, const Dataset& dataset, const ReleaseRule& rule);

/// The one place that writes what leaves the house, for every technique: templates.npy or media, labels.csv and
/// dataset.toml, into an existing folder; nothing is held. Sets, keys, order and whatever else is random come from the
/// operating system. labels.csv has ids that count in that order and the columns asked for; files have such numbers for
/// names. Failed samples are left out. A usage error if a record would be released as it is, or with the name of its
/// person as an attribute, or with labels that the rule refuses.
Released release_to_folder(const ResolvedProtection& protection, const Dataset& dataset, const ReleaseRule& rule,
                           const std::filesystem::path& folder);

}  // namespace bauta
