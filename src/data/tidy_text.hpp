// Text as people write it, brought into one form before anybody compares it.
#pragma once

#include <bitset>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/data/spelling.hpp"

namespace bauta {

/// One spelling for what reads the same: letters composed and in their plain form (Unicode NFKC), no characters without
/// width, one blank for each run of blanks and none around the text. Joiners and tags inside emoji stay, because they
/// make another picture. What is tidy stays as it is, and so does what is not UTF-8.
std::string tidy_text(std::string_view text);

/// Printable ASCII with single blanks between words, as nearly all labels are: tidy, and quickly told.
bool is_tidy_ascii(std::string_view text);

/// What tidy_text() changed, for remarks.
inline constexpr std::string_view in_one_spelling =
    "rewritten in one spelling (blanks, composed or full-width letters, characters of no width)";

/// "1" for "1.0", as tables write whole numbers of a column that lacks one.
std::string_view whole_number(std::string_view tidy);

/// Words that mean no value, whatever the case of their letters; `none` in small letters only if it is one of them.
class MissingWords {
 public:
  explicit MissingWords(const std::vector<std::string>& words);
  /// No text at all is missing, too.
  [[nodiscard]] bool contains(std::string_view tidy) const;
  /// Whether this is `none` in small letters, and missing where everything else is a number: no class stands there.
  [[nodiscard]] bool contains_among_numbers(std::string_view tidy) const;

 private:
  std::set<std::string, std::less<>> words_;  // without case
  bool none_ = false;
  std::size_t longest_ = 0;
  std::bitset<256> starts_;  // bytes that a word may start with, in any case
};

}  // namespace bauta
