// Label tables from CSV files and from parallel arrays, and the name of the column that holds the subjects.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/labels.hpp"

namespace bauta {

/// All columns as text. What was guessed is added to `remarks`.
LabelTable read_label_csv(const std::filesystem::path& path, std::vector<std::string>& remarks);

/// `list` is a .csv or .npy file or a comma-separated list of them, all with the same number of rows. The column of an
/// array is named after its file, without what it shares with `templates_stem` and without "labels":
/// sample_gender_labels.npy beside sample_features.npy gives "gender".
LabelTable read_label_files(const std::filesystem::path& list, const std::string& templates_stem,
                            std::vector<std::string>& remarks);

void write_label_csv(const std::filesystem::path& path, const LabelTable& labels);

/// Whether a column of this name usually holds subjects: identity, subject_id, IDs, y_id, speaker ...
bool names_identities(std::string_view column);

/// What two texts share that read the same but for blanks around them and the case of their letters.
std::string folded_text(std::string_view text);

/// Refuses texts that are not UTF-8, because reports and JSON could not show them.
void check_label_text(const std::string& where, std::string_view column, std::string_view text);

}  // namespace bauta
