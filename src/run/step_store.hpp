// Steps that cost something (masked media, templates, what was learned), made once per recipe and found again after a
// kill.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "bauta/core/json.hpp"
#include "bauta/data/dataset.hpp"
#include "store.hpp"

namespace bauta {

/// Rows of a step that are done together and stay done.
constexpr std::size_t step_batch = 256;

class StepStore {
 public:
  /// `budget`: bytes that finished steps may take; beyond it those that were not used for longest go first.
  StepStore(std::filesystem::path folder, std::uint64_t budget) : folder_(std::move(folder)), budget_(budget) {}

  /// The folder of a step (mode 0700), marked as used just now.
  [[nodiscard]] std::filesystem::path open(const std::string& digest) const;
  /// A step that somebody changed since is removed, and is not.
  [[nodiscard]] bool finished(const std::string& digest) const;
  void finish(const std::string& digest) const;
  /// The folder of a step that more will be added to: what is there is checked, and it is unfinished again.
  [[nodiscard]] std::filesystem::path reopen(const std::string& digest) const;
  /// Back within the budget, at the cost of other steps than this one.
  void trim(const std::string& digest) const;
  /// Bytes that unfinished steps may still take, for which finished ones go; below 0: they are beyond the budget.
  [[nodiscard]] std::int64_t room() const;

  /// The data set that `make` gives, labels and all. `what` is said when it is made.
  [[nodiscard]] Dataset dataset(const std::string& digest, const std::string& what,
                                const std::function<Dataset()>& make) const;
  /// What the run remembers of a step when it is gone.
  void note(const std::string& digest, const Json& what) const;
  /// Null: nothing.
  [[nodiscard]] Json noted(const std::string& digest) const;
  /// Removes all steps.
  void clear() const;

 private:
  /// Removes finished steps but `kept`, the oldest first, until they and, if asked for, unfinished ones are within the
  /// budget or nothing is left to remove. Gives what they take then.
  [[nodiscard]] std::uint64_t make_room(const std::string& kept, bool unfinished) const;

  /// Beside the cells of the run.
  [[nodiscard]] CellStore notes() const { return CellStore(folder_.parent_path()).beside(notes_folder); }

  static constexpr const char* notes_folder = "notes";

  std::filesystem::path folder_;
  std::uint64_t budget_;
  mutable std::set<std::string> whole_ = {};      // finished, and looked at
  mutable std::set<std::string> looked_at_ = {};  // hold files alone
};

}  // namespace bauta
