// Results on disk -> one self-contained page, its figures and its tables.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bauta {

namespace report {

struct Definition {
  std::string name, meaning;
};

}  // namespace report

struct ReportOptions {
  std::filesystem::path out;  ///< the page; empty: report.html in the first run's folder
  /// What parameters of techniques are, which chapters show by their names.
  std::vector<report::Definition> parameters = {};
};

/// Reads RUN/results.json of every run, or of every sub-folder that has one where RUN itself has none, and writes the
/// page, and beside it figures/*.vl.json, figures/*.svg, tables/*.csv, tables/*.json and tables/*.tex. Each file is
/// replaced whole. Returns the page's path.
std::filesystem::path write_report(const std::vector<std::filesystem::path>& runs, const ReportOptions& options);

}  // namespace bauta
