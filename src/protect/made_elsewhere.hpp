// What programs of others made of samples, as files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bauta/data/medium.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {

/// Why a sample is lost that nobody else can say more about.
inline constexpr const char* nothing_made = "nothing was made of it";

/// Whoever made them may prove something of them.
inline Guarantee unknown_guarantee() {
  return {.remark = "of what others made, none is known here"};
}

/// The medium in the one file that there should be; an input error, which makes it a failed sample, says what is there
/// instead.
Medium made_elsewhere(const std::vector<std::filesystem::path>& files, const Medium& clear, const std::string& where);

/// A data set that need not say who anybody is.
Dataset read_made(const std::filesystem::path& folder);

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// For each of `own` the place of the same name in `made`, or nowhere. An input error for a name that stands twice in
/// `made`, which is column `column` of `where`.
std::vector<std::size_t> places_of(const std::vector<std::string>& own, const std::vector<std::string>& made,
                                   const std::string& column, const std::string& where);

/// Templates of a data set that were made already.
class MadeTemplates : public Protection {
 public:
  /// Row rows[i] of `made` belongs to sample i. Where it is nowhere, the sample is lost for this reason, unless it had
  /// `failed` before; an input error of `where` if that leaves none.
  MadeTemplates(const Templates& made, std::vector<std::size_t> rows, const std::vector<bool>& failed,
                const std::string& reason, const std::string& where);

  void check(const Templates&, const std::string&, const ProtectContext&) const override {}
  [[nodiscard]] Templates protect(const Templates& block, std::size_t first, const ProtectContext&) const override {
    return made_.slice(first, block.rows());
  }
  [[nodiscard]] std::map<std::size_t, std::string> lost() const override { return lost_; }

 private:
  Templates made_;
  std::map<std::size_t, std::string> lost_;
};

}  // namespace bauta
