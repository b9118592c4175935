// Masked media through a recovery.
#pragma once

#include <cstddef>
#include <memory>

#include "bauta/recover/recovery.hpp"

namespace bauta {

/// Whether a recovery undoes media before templates are made of them: the declared medium decides.
bool undoes_media(const Declaration& recovery);

/// What a recovery takes, of the target and of other people: templates, or media of its kind. An error that says so
/// otherwise.
void require_taken(const ResolvedRecovery& recovery, const Dataset& dataset);

/// A recovery on the masked media of one data set.
struct MediaUndoing {
  std::shared_ptr<const Recovery> recovery;
  Provenance provenance;  ///< of what it makes

  /// `medium` is sample `sample` of the data set. Called from several threads at once.
  [[nodiscard]] Medium operator()(const Medium& medium, std::size_t sample) const {
    return recovery->undo(medium, sample);
  }
};

/// A usage error for templates, an input error for media of another kind.
MediaUndoing media_undoing(const ResolvedRecovery& recovery, const Dataset& masked);

}  // namespace bauta
