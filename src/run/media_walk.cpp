#include "media_walk.hpp"

#include <algorithm>
#include <string>

#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/media_source.hpp"
#include "step_store.hpp"

namespace bauta {

namespace {

/// A medium that is decoded when somebody needs it, once.
class Decoded {
 public:
  Decoded(const MediaSource& media, std::size_t row) : media_(media), row_(row) {}

  const Medium& get() {
    if (error_) throw Error(*error_);
    try {
      if (!medium_) medium_ = media_.load(row_);
    } catch (const Error& error) {
      error_ = error;
      throw;
    }
    return *medium_;
  }

 private:
  const MediaSource& media_;
  std::size_t row_;
  std::optional<Medium> medium_;
  std::optional<Error> error_;
};

Medium found_or_made(const std::filesystem::path& folder, std::size_t row, const std::function<Medium()>& make) {
  return folder.empty() ? make() : stored_medium(folder, row, make);
}

/// Media of these showings go, and further ones lie nowhere. Folders stay: recoveries may look there, too.
void let_go(std::vector<Showing>& showings) {
  for (Showing& showing : showings) {
    for (std::filesystem::path* folder : {&showing.folder, &showing.undone}) {
      if (folder->empty()) continue;
      for (const auto& entry : std::filesystem::directory_iterator(*folder)) std::filesystem::remove_all(entry.path());
      folder->clear();
    }
  }
}

/// What onlookers make of the samples of a showing that come from some rows of the data set.
class Batch {
 public:
  Batch(Showing& showing, std::size_t begin, std::size_t end, const std::string& origin)
      : showing_(showing), origin_(origin) {
    const auto from = std::ranges::lower_bound(showing.rows, begin);
    const auto count = static_cast<std::size_t>(std::lower_bound(from, showing.rows.end(), end) - from);
    first_ = static_cast<std::size_t>(from - showing.rows.begin());
    for (Onlooker& onlooker : showing.onlookers) {
      if (count == 0 || onlooker.broken || onlooker.batches.has(first_)) continue;
      looks_.push_back({&onlooker, std::vector<Extracted>(count), std::vector<std::optional<Error>>(count)});
    }
  }

  [[nodiscard]] bool wanted() const { return !looks_.empty(); }

  /// `failed`: nothing is to be had of this row, the data says.
  void show(std::size_t row, Decoded& clear, bool failed) {
    const auto found = std::ranges::lower_bound(showing_.rows, row);
    if (!wanted() || found == showing_.rows.end() || *found != row) return;
    const auto sample = static_cast<std::size_t>(found - showing_.rows.begin());
    const std::size_t i = sample - first_;
    std::optional<Medium> made;
    const Medium* medium = nullptr;
    try {
      if (failed) throw_input(origin_, "marked in the data");
      medium = showing_.mask ? &made.emplace(shown(row, sample, clear)) : &clear.get();
    } catch (const Error& error) {
      for (Look& look : looks_) look.failed(i, error);
      return;
    }
    for (Look& look : looks_) {
      const ResolvedExtractor& extractor = *look.onlooker->extractor;
      const Medium* beside = nullptr;
      try {
        if (showing_.mask && extractor->compares()) beside = &clear.get();
      } catch (const Error& error) {
        look.failed(i, error);
        continue;
      }
      try {
        look.extracted[i] = extract_medium(extractor, *medium, origin_, sample, beside);
      } catch (const Error& error) {
        look.errors[i] = error;
      }
    }
  }

  void store() const {
    for (const Look& look : looks_) {
      Onlooker& onlooker = *look.onlooker;
      try {
        for (const auto& error : look.errors) {
          if (error) throw Error(*error);
        }
        onlooker.batches.put(first_, feature_rows(*onlooker.extractor, look.extracted, origin_, first_),
                             look.extracted);
      } catch (const Error& error) {
        onlooker.broken = error;
      }
    }
  }

 private:
  /// Masked, and undone where it is.
  [[nodiscard]] Medium shown(std::size_t row, std::size_t sample, Decoded& clear) const {
    const std::size_t number = showing_.masked_whole ? row : sample;
    const auto masked = [&] {
      return found_or_made(showing_.folder, number, [&] { return (*showing_.mask)(clear.get(), number); });
    };
    if (!showing_.undo) return masked();
    return found_or_made(showing_.undone, sample, [&] { return showing_.undo(masked(), sample); });
  }

  struct Look {
    Onlooker* onlooker = nullptr;
    std::vector<Extracted> extracted;
    std::vector<std::optional<Error>> errors;  // that end the whole step

    /// A medium that cannot be had is a sample that failed; a full disk is not.
    void failed(std::size_t i, const Error& error) {
      if (error.fault == Fault::input) {
        extracted[i].reason = error.finding;
      } else {
        errors[i] = error;
      }
    }
  };

  Showing& showing_;
  const std::string& origin_;
  std::size_t first_ = 0;
  std::vector<Look> looks_;
};

}  // namespace

bool walk_media(const Dataset& data, std::vector<Showing>& showings, const std::function<bool()>& room) {
  bool stay = true;
  const std::vector<bool> failed = data.failed();
  Progress progress("media", data.size(), "media");
  for (std::size_t begin = 0; begin < data.size(); begin += step_batch) {
    const std::size_t end = std::min(begin + step_batch, data.size());
    std::vector<Batch> batches;
    for (Showing& showing : showings) batches.emplace_back(showing, begin, end, data.labels.origin());
    if (std::ranges::any_of(batches, &Batch::wanted)) {
      parallel_for(end - begin, [&](std::size_t i, int) {
        Decoded clear(*data.media, begin + i);
        for (Batch& batch : batches) batch.show(begin + i, clear, failed[begin + i]);
      });
      for (const Batch& batch : batches) batch.store();
      if (stay && room && !room()) {
        let_go(showings);
        stay = false;
      }
    }
    progress.add(end - begin);
  }
  return stay;
}

}  // namespace bauta
