// Labels as people write them, brought into one form before anybody compares them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/labels.hpp"

namespace bauta {

/// Without blanks around it, letters composed (Unicode NFC). `text` is well-formed UTF-8.
std::string tidy_text(std::string_view text);

/// Names and values of all columns become tidy, whole numbers lose their decimals (1.0), and a value that is one of
/// `missing` becomes empty; what was changed is added to `remarks`. `file` stays, because a path is what it is, and so
/// does `failed`, which is no label.
void tidy_labels(LabelTable& labels, const std::vector<std::string>& missing, std::vector<std::string>& remarks);

}  // namespace bauta
