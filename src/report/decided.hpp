// Attackers who see match or no match only, as a table.
#pragma once

#include "chapter.hpp"

namespace bauta::report {

/// What the cells of one question say of them.
Table decided_table(const Runs& runs, const char* question, const char* title);

/// Tells the card what they hold and may ask, where the headline is of such attackers;
/// `to_whom`: "the system that".
void tell_decided(const RunResults& run, const char* question, const std::string& to_whom, Card& card);

}  // namespace bauta::report
