#include "tidy_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include <utf8proc.h>

#include "bauta/core/error.hpp"
#include "text.hpp"

namespace bauta {

namespace {

constexpr int nfkc = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;

const utf8proc_uint8_t* bytes(std::string_view text) {
  return reinterpret_cast<const utf8proc_uint8_t*>(text.data());
}

/// `text` is well-formed.
std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t length = utf8proc_map(bytes(text), static_cast<utf8proc_ssize_t>(text.size()), &made,
                                               static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  BAUTA_ASSERT(length >= 0);
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(length)};
}

/// visit(code point, its bytes) in their order; `text` is well-formed.
template <class Visit>
void for_each_point(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    utf8proc_int32_t point = 0;
    const auto length = utf8proc_iterate(bytes(text), static_cast<utf8proc_ssize_t>(text.size()), &point);
    BAUTA_ASSERT(length > 0);
    visit(point, text.substr(0, static_cast<std::size_t>(length)));
    text.remove_prefix(static_cast<std::size_t>(length));
  }
}

/// Without what Unicode calls default ignorable. utf8proc's own option would make one flag of all that are written with
/// tags (England, Scotland), and several pictures of one that is joined.
std::string visible(std::string_view text) {
  constexpr utf8proc_int32_t joiner = 0x200d, first_tag = 0xe0020, last_tag = 0xe007f;
  std::string kept;
  bool emoji = false;   // what was kept last is part of one
  bool joined = false;  // a joiner follows it
  for_each_point(text, [&](utf8proc_int32_t point, std::string_view own) {
    const utf8proc_property_t& property = *utf8proc_get_property(point);
    if (property.ignorable) {
      if (point == joiner) joined = emoji;
      if (emoji && point >= first_tag && point <= last_tag) kept += own;
      return;
    }
    // A sign such as (TM) becomes letters and is no picture.
    const bool picture =
        property.boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC && property.decomp_seqindex == UINT16_MAX;
    if (joined && picture) kept += "\u200d";
    joined = false;
    emoji = picture || (emoji && property.boundclass == UTF8PROC_BOUNDCLASS_EXTEND);  // colours of skin
    kept += own;
  });
  return kept;
}

/// Spaces and controls.
bool is_blank(utf8proc_int32_t point) {
  if (point <= 0x20 || (point >= 0x7f && point <= 0xa0)) return true;
  const utf8proc_category_t category = utf8proc_category(point);
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

std::string with_single_blanks(std::string_view text) {
  std::string single;
  bool blank = false;
  for_each_point(text, [&](utf8proc_int32_t point, std::string_view own) {
    if (is_blank(point)) {
      blank = true;
      return;
    }
    if (blank && !single.empty()) single += ' ';
    blank = false;
    single += own;
  });
  return single;
}

}  // namespace

bool is_tidy_ascii(std::string_view text) {
  char before = ' ';  // none may come first
  for (const char c : text) {
    if (c < ' ' || c > '~' || (c == ' ' && before == ' ')) return false;
    before = c;
  }
  return before != ' ' || text.empty();
}

std::string tidy_text(std::string_view text) {
  if (is_tidy_ascii(text) || !is_plain_utf8(text)) return std::string(text);
  // Ignorable characters go first, because they may stand between a letter and its accent.
  return with_single_blanks(mapped(visible(text), nfkc));
}

std::string_view whole_number(std::string_view tidy) {
  const std::size_t point = tidy.find('.');
  std::string_view digits = tidy.substr(0, point);
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const bool whole = point != std::string_view::npos && !digits.empty() &&
                     digits.find_first_not_of("0123456789") == std::string_view::npos &&
                     tidy.find_first_not_of('0', point + 1) == std::string_view::npos;
  return whole ? tidy.substr(0, point) : tidy;
}

std::string without_case(std::string_view tidy) {
  return is_tidy_ascii(tidy) || !is_plain_utf8(tidy) ? lower_case(tidy) : mapped(tidy, nfkc | UTF8PROC_CASEFOLD);
}

MissingWords::MissingWords(const std::vector<std::string>& words) {
  for (std::size_t byte = 0x80; byte < 0x100; ++byte) starts_.set(byte);  // a letter that folding makes several
  for (const std::string& word : words) {
    const std::string folded = without_case(tidy_text(word));
    if (folded.empty()) continue;
    const auto first = static_cast<unsigned char>(folded.front());
    starts_.set(first);
    if (first >= 'a' && first <= 'z') starts_.set(first - 'a' + 'A');
    longest_ = std::max(longest_, folded.size());
    words_.insert(folded);
    none_ = none_ || word == "none";
  }
}

bool MissingWords::contains_among_numbers(std::string_view tidy) const {
  return tidy == "none" && words_.contains("none");
}

bool MissingWords::contains(std::string_view tidy) const {
  if (tidy.empty()) return true;
  if (tidy == "none" && !none_) return false;  // no beard, no mask: a class; programs write None
  // Most values start with another letter, or are too long: case folding at most halves a text.
  if (!starts_[static_cast<unsigned char>(tidy.front())] || tidy.size() > 2 * longest_) return false;
  return words_.contains(without_case(tidy));
}

}  // namespace bauta
