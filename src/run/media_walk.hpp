// One walk over the media of a data set: each is decoded once, masked once by each technique, undone once by each
// recovery, and seen by every extractor. Nothing of a medium is held longer than that.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/extract/extractor.hpp"
#include "bauta/protect/media.hpp"
#include "template_batches.hpp"

namespace bauta {

/// An extractor, and the batches of templates that it makes. Those that are done are passed over.
struct Onlooker {
  const ResolvedExtractor* extractor = nullptr;
  TemplateBatches batches;
  std::optional<Error> broken = {};  ///< why its templates cannot be made
};

/// A masked medium, which is sample `sample` of a showing, as attackers think that it was. Called from several threads.
using Undo = std::function<Medium(const Medium& masked, std::size_t sample)>;

/// Media as they are, as a technique leaves them, or as attackers undo that, and who sees them.
struct Showing {
  std::vector<std::size_t> rows;       ///< of the data set, ascending; the first of them is sample 0
  std::optional<MediaMask> mask = {};  ///< none: as they are
  std::filesystem::path folder = {};   ///< where masked media lie, and are found again; empty: nowhere
  bool masked_whole = false;           ///< the mask counts samples as the data set does, not as the showing
  Undo undo = {};                      ///< null: masked media are shown as they are
  std::filesystem::path undone = {};   ///< where media that were undone lie; empty: nowhere
  std::vector<Onlooker> onlookers = {};
};

/// `room`: asked after each batch whether media may stay where they lie. Once they may not, those of all showings go,
/// and no more are written: whoever needs them again makes them again. Gives whether they stayed.
bool walk_media(const Dataset& data, std::vector<Showing>& showings, const std::function<bool()>& room = {});

}  // namespace bauta
