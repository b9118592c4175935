// Labels as people write them, brought into one form before anybody compares them.
#pragma once

#include <string>
#include <vector>

#include "bauta/core/labels.hpp"

namespace bauta {

/// Names and values of all columns become tidy (tidy_text.hpp), whole numbers lose their decimals (1.0), and a value
/// that is one of `missing`, in capitals or not, becomes empty; what was changed is added to `remarks`. `file` stays,
/// because a path is what it is, and so does `failed`, which is no label.
void tidy_labels(LabelTable& labels, const std::vector<std::string>& missing, std::vector<std::string>& remarks);

/// Equal numbers become one class: 0.50 and 5e-1 are 0.5. Of columns that name nobody and hold few numbers and nothing
/// else; digits with leading zeros (007) are taken for a name unless the same column writes that number otherwise, too.
void unite_numbers(LabelTable& labels, const std::string& identity, std::vector<std::string>& remarks);

}  // namespace bauta
