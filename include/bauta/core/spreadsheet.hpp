// Tables that we write are opened in spreadsheets, which run what looks like a formula.
#pragma once

#include <string_view>

namespace bauta {

/// Whether a cell of this text needs an apostrophe before it, which says that it is a text: it begins like a formula
/// and is no number, or it has such an apostrophe itself, so that a reader who takes one off gets the text again.
bool is_taken_for_formula(std::string_view text);

}  // namespace bauta
