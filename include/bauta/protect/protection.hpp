// A protection maps templates to protected templates, block of rows by block of rows, or media to masked media, one by
// one, so that data of any size streams through.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/core/random.hpp"
#include "bauta/core/templates.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/medium.hpp"
#include "bauta/protect/blend.hpp"
#include "bauta/protect/guarantee.hpp"
#include "bauta/protect/known_mask.hpp"

namespace bauta {

/// What a protection may know besides the data.
struct ProtectContext {
  Randomness randomness = Randomness::seeded(1);
  /// Subject of each row of the whole data set (for user-specific keys); may be empty.
  std::vector<std::string> subjects = {};
  /// Rows of the whole data set where nothing was extracted: whatever stands there is no template. Empty: none.
  std::vector<bool> failed = {};
  /// Rows of the training data that only decide when to stop. Empty: a technique that needs some sets them apart
  /// itself.
  std::vector<bool> held_out = {};
};

/// What a protection learned, as named arrays: it travels between builds, and numpy can look into it.
using FittedState = std::map<std::string, Matrix<float>>;

class Protection {
 public:
  virtual ~Protection() = default;

  /// Learning protections fit here. `attributes` are the columns of `train` that they hide, or keep; failed samples and
  /// samples without a label they need are left out. Progress is shown.
  virtual void fit(const Dataset& train, const std::vector<std::string>& attributes, const ProtectContext& context);
  /// What fit() learned, and the way back. restore() checks every shape: `where` names the file.
  [[nodiscard]] virtual FittedState state() const;
  virtual void restore(const FittedState& state, const std::string& where);

  /// Refuses templates it cannot take, before any work is done; `where` names their origin. Failed rows are passed
  /// over.
  virtual void check(const Templates& input, const std::string& where, const ProtectContext& context) const = 0;

  /// A technique that makes each sample out of others as well: itself on the data set that is about to be protected,
  /// with the attributes that it was fitted for. It refuses here what that data cannot give. Null: each sample is
  /// protected for itself.
  [[nodiscard]] virtual std::unique_ptr<const Protection> among(const Dataset& whole,
                                                                const std::vector<std::string>& attributes,
                                                                const ProtectContext& context) const;

  /// Samples of the data set that among() was given and that no template was made of: rows and reasons. They fail.
  [[nodiscard]] virtual std::map<std::size_t, std::string> lost() const { return {}; }

  /// What an informed attacker knows of how a record is mixed with others. Empty: it does not mix.
  [[nodiscard]] virtual std::optional<Blend> blend() const { return std::nullopt; }
  /// What they know of how every sample is masked. Templates have no shape.
  [[nodiscard]] virtual KnownMask known_mask(const ImageShape& /*shape*/) const { return {}; }

  /// What it proves of a sample that it masks. Templates have no shape.
  [[nodiscard]] virtual Guarantee guarantee(const ImageShape& /*shape*/) const { return {}; }
  /// Parameters that count pixels as they come out for images of this shape, whoever chose them.
  [[nodiscard]] virtual std::map<std::string, std::size_t> in_pixels(const ImageShape& /*shape*/) const { return {}; }

  /// What the record of data that is protected in this context says beside the technique and its parameters. Public.
  [[nodiscard]] virtual std::map<std::string, std::string> record(const ProtectContext& /*context*/) const {
    return {};
  }

  /// Refuses data sets that one run is about to protect and that it cannot serve, before anything is computed; gives
  /// remarks for people.
  [[nodiscard]] virtual std::vector<std::string> check_all(const std::vector<const Dataset*>& /*wholes*/) const {
    return {};
  }

  /// Protects a block: row i of `block` is sample `first + i` of the data set. Randomness is keyed by that number, so
  /// the result does not depend on how the data was cut into blocks, nor on threads. An empty block gives an empty
  /// result of the kind and width that all blocks have. What it makes of failed rows is meaningless, but it must
  /// survive them.
  [[nodiscard]] virtual Templates protect(const Templates& block, std::size_t first,
                                          const ProtectContext& context) const = 0;

  /// Masks a medium, which is sample `sample` of the data set; for techniques whose declared medium is no template.
  /// Randomness is keyed by that number. Called from several threads at once.
  [[nodiscard]] virtual Medium mask(const Medium& medium, std::size_t sample, const ProtectContext& context) const;

  /// Rows of a block that suit the technique. By default a block and its result stay in the second-level cache, and
  /// there are enough blocks for all threads.
  [[nodiscard]] virtual std::size_t block_rows() const { return 256; }

  /// Whether a sample that is presented looks different from one that is stored (NFR: positive against negative).
  [[nodiscard]] virtual bool probes_differ() const { return false; }
  /// The block as it is presented, under the same rules as protect(); only where probes_differ().
  [[nodiscard]] virtual Templates protect_probes(const Templates& block, std::size_t first,
                                                 const ProtectContext& context) const;

 protected:
  static void require_floats(const Templates& input, std::string_view technique, const std::string& where);
};

const Catalogue<Protection>& protections();

/// A protection ready for use. What it compares with, and what it learned, goes with the data that it protects.
struct ResolvedProtection : Resolved<Protection> {
  std::string comparator = {};  ///< its own comparator with parameters filled in; empty: the user's choice
  std::string attributes = {};  ///< that it was fitted to hide or to keep, separated by commas
  std::string model = {};       ///< digest of what was learned; empty: nothing was
};

ResolvedProtection make_protection(std::string_view specification);

/// Fits a learning protection; a usage error for one that does not learn.
void fit_protection(ResolvedProtection& protection, const Dataset& train, const std::vector<std::string>& attributes,
                    const ProtectContext& context);

/// A fitted protection in one file (.npz, mode 0600).
void save_protection(const ResolvedProtection& protection, const std::filesystem::path& path);
/// `specification` must name the technique in the file, and whatever parameters it gives must be those of the file.
ResolvedProtection load_protection(const std::filesystem::path& path, std::string_view specification);

/// Protects a whole data set in blocks on all threads and records the provenance (never a key, nor where one lies).
/// Labels stay as they are, but for samples that the technique lost: they are marked as failed, and told. Failed
/// samples become zero rows. Subjects and failures that `context` does not name come from the data. Where probes look
/// different they are made too, unless the data is protected for release: what is presented is never stored.
Dataset protect_dataset(const ResolvedProtection& protection, const Dataset& dataset, const ProtectContext& context);

struct ProtectedDataset {
  Dataset data;
  std::map<std::size_t, std::string> lost;  ///< rows that the technique made nothing of, and why
};
/// The same, for those who keep the reasons.
ProtectedDataset protect_and_explain(const ResolvedProtection& protection, const Dataset& dataset,
                                     const ProtectContext& context);

/// Takes rows [first, first + block.rows()) of a protected data set; several threads at once.
using TakeBlock = std::function<void(std::size_t first, const Templates& block)>;
/// Protects a whole data set block by block on all threads, and holds none of it. `start` is told kind and width of
/// what is made (a block without rows) and says who takes it. An input error where the technique lost samples.
void protect_stream(const ResolvedProtection& protection, const Dataset& dataset, const ProtectContext& context,
                    const std::function<TakeBlock(const Templates& shape)>& start);

struct ProtectedFolder {
  Provenance provenance;
  ElementKind kind = ElementKind::float32;
  std::size_t width = 0;     ///< features, codes or bits of a template
  std::size_t failures = 0;  ///< samples without one
  Promise promise = {};
};

/// The same, written block by block into an existing folder as write_dataset() would write it. The result is never
/// held, nor is what lies in a mapped file: data larger than memory passes.
ProtectedFolder protect_to_folder(const ResolvedProtection& protection, const Dataset& dataset,
                                  const ProtectContext& context, const std::filesystem::path& folder);

}  // namespace bauta
