// The readers behind ScoreReader::open, one per family of formats.
#pragma once

#include <filesystem>
#include <memory>

#include "bauta/data/score_file.hpp"
#include "bauta/data/text_source.hpp"

namespace bauta {

std::unique_ptr<ScoreReader> open_score_csv(std::unique_ptr<TextSource> source, const ScoreOptions& options);
/// `options.format` says whether lines have four or five columns.
std::unique_ptr<ScoreReader> open_score_columns(std::unique_ptr<TextSource> source, const ScoreOptions& options);
std::unique_ptr<ScoreReader> open_score_matrix(const std::filesystem::path& path, const ScoreOptions& options);

}  // namespace bauta
