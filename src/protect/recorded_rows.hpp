// Rows of the data set that something was made of, as the record beside it names them: "2-40,57 of 7549".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

inline constexpr const char* rows_property = "rows";

/// Of what is about to be made of these samples. Of a data set that was made of another, rows of that one.
std::string recorded_rows(const Dataset& dataset);

/// For each sample of `clear` the row of `made` whose record names its row, or `nowhere`. Nothing where there is no
/// such record, or one of a data set with another number of rows.
std::optional<std::vector<std::size_t>> rows_by_record(const Dataset& made, const Dataset& clear);

}  // namespace bauta
