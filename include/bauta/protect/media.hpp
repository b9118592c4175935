// Media through a protection: masked when somebody asks for them, or written as files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bauta/protect/protection.hpp"

namespace bauta {

/// Whether a technique masks the media of a data set rather than its templates: the declared medium decides.
bool masks_media(const Declaration& technique, const Dataset& dataset);

/// A usage error where a technique for media meets templates, or the other way round.
void require_medium(const Declaration& technique, const Dataset& dataset);

/// "template", or the kind of the first medium that can be told.
std::string medium_of(const Dataset& dataset);

/// An input error for media of another kind than the declared one. Nothing is decoded where files tell theirs.
void require_kind(const Declaration& technique, const Dataset& dataset);

/// A technique on the media of one data set.
struct MediaMask {
  std::shared_ptr<const Protection> protection;
  ProtectContext context;
  Provenance provenance;  ///< of what it makes

  /// `medium` is sample `sample` of the data set. Called from several threads at once.
  [[nodiscard]] Medium operator()(const Medium& medium, std::size_t sample) const {
    return protection->mask(medium, sample, context);
  }
};

/// A usage error for templates, an input error for media of another kind.
MediaMask media_mask(const ResolvedProtection& protection, const Dataset& dataset, const ProtectContext& context);

/// The data set with media that are masked on demand: by one thread or many, in any order, the same. Labels stay;
/// the provenance says how it was made. Errors as of media_mask().
Dataset protect_media(const ResolvedProtection& protection, const Dataset& dataset, const ProtectContext& context);

/// Media in a folder.
struct MaskedFolder {
  Provenance provenance;
  std::vector<std::string> files;    ///< of each row; empty: the medium could not be read
  std::size_t failures = 0;          ///< media that could not be read
  std::vector<std::string> remarks;  ///< which, for people
  Promise promise = {};              ///< of what masked them; of protect_media_to_folder() alone
};

/// joints.txt in a folder where media of a source lie as `files` (of each row; empty: none), if they are motions whose
/// joints have names: the files hold positions alone.
void write_joint_names(const MediaSource& media, const std::vector<std::string>& files,
                       const std::filesystem::path& folder);

/// Media of any origin, written without loss into an existing folder, and nothing beside them. Files have numbers for
/// names, because names often name people. `doing` is what people are told meanwhile.
MaskedFolder write_media_files(const Dataset& dataset, const std::filesystem::path& folder, const std::string& doing);
/// The same with labels.csv and dataset.toml; rows without a file are marked in column `failed`.
MaskedFolder write_media_folder(const Dataset& dataset, const std::filesystem::path& folder, const std::string& doing);

/// Masked media, written without loss into an existing folder, and nothing beside it.
MaskedFolder write_masked_media(const ResolvedProtection& protection, const Dataset& dataset,
                                const ProtectContext& context, const std::filesystem::path& folder);

/// The same with labels.csv and dataset.toml; rows without a file are marked in column `failed`.
MaskedFolder protect_media_to_folder(const ResolvedProtection& protection, const Dataset& dataset,
                                     const ProtectContext& context, const std::filesystem::path& folder);

}  // namespace bauta
