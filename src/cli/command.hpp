// What all commands share: flags, output for people or for programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "bauta/core/json.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/report/report.hpp"

namespace bauta {

struct CommonFlags {
  std::uint64_t seed = 1;
  int threads = 0;
  std::string device = "cpu";
  std::string memory = "1G";
  bool json = false;

  void add_to(CLI::App& command);
  /// Sets threads and device. Call first in every command.
  void apply() const;
  /// --memory in bytes.
  [[nodiscard]] std::uint64_t memory_bytes() const;
};

/// Flags that say how to read a DATASET.
struct DatasetFlags {
  ReadOptions options;
  std::string labels;
  std::optional<std::string> missing;

  void add_to(CLI::App& command);
  /// What the flags come to.
  [[nodiscard]] ReadOptions chosen() const;
  /// Reads, and tells on stderr what was guessed.
  [[nodiscard]] Dataset read(const std::string& path) const;
};

/// "1.5G", "800M", "64k" or plain bytes.
std::uint64_t parse_size(std::string_view text, const char* flag = "--memory");

/// Refuses an output file that stands already: nothing of the user's is overwritten. Call before anything is computed.
void require_new(const std::string& flag, const std::string& path);

/// Columns aligned by their widest cell; the first is left-aligned, the others right-aligned.
void print_table(const std::vector<std::vector<std::string>>& rows);
/// "5.12 %" and "5.12 % [4.80, 5.44]"; no interval where ci is null.
std::string percent(double rate);
std::string percent_with_ci(const Json& rate, const Json& ci);
void print_remarks(const Json& remarks);

/// Gives every option that takes a whole number one and the same check: digits alone, and no more than anybody can
/// mean. What an option itself checks comes on top. Call when all commands are there.
void check_whole_numbers(CLI::App& app);

/// For a report at `page`, with what techniques say of their parameters; empty: in the first run's folder.
ReportOptions report_options(const std::filesystem::path& page = {});

/// A page per protection, from its declaration.
void write_protection_pages(const std::filesystem::path& folder);

void add_align_command(CLI::App& app);
void add_attack_command(CLI::App& app);
void add_demo_command(CLI::App& app);
void add_evaluate_command(CLI::App& app);
void add_extract_command(CLI::App& app);
void add_identify_command(CLI::App& app);
void add_inspect_command(CLI::App& app);
void add_list_command(CLI::App& app);
void add_protect_command(CLI::App& app);
void add_recover_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_synth_command(CLI::App& app);
void add_unlinkability_command(CLI::App& app);
void add_verify_command(CLI::App& app);

}  // namespace bauta
