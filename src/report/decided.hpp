// Attackers who see match or no match only, as a table.
#pragma once

#include "chapter.hpp"

namespace bauta::report {

/// What the cells of one question say of them.
Table decided_table(const Runs& runs, const char* question, const char* title);

}  // namespace bauta::report
