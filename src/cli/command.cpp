#include "command.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "bauta/core/device.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/run/reading.hpp"

namespace bauta {

namespace {

// Each costs a stack; more are asked for by mistake.
constexpr int most_threads = 1024;
// Of draws, people, samples, scores: more would not fit anywhere.
constexpr std::uint64_t most_counted = 10'000'000;

}  // namespace

void CommonFlags::add_to(CLI::App& command) {
  command.add_option("--seed", seed, "seed of all randomness")->capture_default_str();
  command.add_option("--threads", threads, "threads to use (default: all cores)")->check(CLI::Range(0, most_threads));
  command.add_option("--device", device, "cpu or cuda")->capture_default_str();
  command.add_option("--memory", memory, "budget for scores, e.g. 800M or 2G")->capture_default_str();
  command.add_flag("--json", json, "print one JSON object and nothing else");
}

void CommonFlags::apply() const {
  if (device != "cpu" && device != "cuda") throw_usage("--device " + device, "no such device", "known: cpu, cuda");
  set_device(device == "cuda" ? Device::cuda : Device::cpu);
  set_threads(threads);
}

std::uint64_t CommonFlags::memory_bytes() const {
  return parse_size(memory);
}

std::uint64_t parse_size(std::string_view text, const char* flag) {
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(stop, static_cast<std::size_t>(text.data() + text.size() - stop));
  double factor = 0;
  if (unit.empty() || unit == "B") factor = 1;
  if (unit == "k" || unit == "K" || unit == "KB" || unit == "KiB") factor = 0x1p10;
  if (unit == "M" || unit == "MB" || unit == "MiB") factor = 0x1p20;
  if (unit == "G" || unit == "GB" || unit == "GiB") factor = 0x1p30;
  constexpr double least = 0x1p20;
  if (status != std::errc() || factor == 0 || !(value * factor >= least && value * factor < 0x1p50)) {
    throw_usage(std::string(flag) + " " + std::string(text), "a size of at least 1M is expected", "e.g. 800M or 2G");
  }
  return static_cast<std::uint64_t>(value * factor);
}

void DatasetFlags::add_to(CLI::App& command) {
  command.add_option("--labels", labels, "labels of X.npy: a CSV file, or arrays separated by commas");
  command.add_option("--identity", options.identity, "column that names the subject")->capture_default_str();
  command.add_option("--key", options.key, "array of a .npz that holds the templates");
  command.add_option("--missing", missing,
                     fmt::format("words, separated by commas, that mean no value, beside blanks (default: {})",
                                 fmt::join(missing_words(), ",")));
  command.add_option("--only", options.only, "COLUMN=VALUE: samples of this value alone");
}

ReadOptions DatasetFlags::chosen() const {
  ReadOptions chosen = options;
  chosen.labels = labels;
  if (missing) chosen.missing = CLI::detail::split(*missing, ',');
  return chosen;
}

Dataset DatasetFlags::read(const std::string& path) const {
  Dataset dataset = read_data(path, chosen());
  for (const auto& remark : dataset.remarks) fmt::print(stderr, "note: {}: {}\n", path, remark);
  return dataset;
}

void check_whole_numbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (!type.starts_with("UINT") && !type.starts_with("INT")) continue;
    // A seed may be any number of 64 bits.
    const bool seed = option->get_name().ends_with("seed");
    const std::uint64_t most = seed ? std::numeric_limits<std::uint64_t>::max() : most_counted;
    option->check([most](const std::string& text) {
      std::uint64_t value = 0;
      const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
      const bool whole = status == std::errc() && stop == text.data() + text.size() && value <= most;
      return whole ? std::string() : fmt::format("'{}' is no whole number from 0 to {}", text, most);
    });
  }
  for (CLI::App* command : app.get_subcommands({})) check_whole_numbers(*command);
}

void require_new(const std::string& flag, const std::string& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(std::filesystem::symlink_status(path, error))) return;
  throw_usage(flag + " " + path, "exists already", "remove it or choose another name");
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  // Widths in characters: a UTF-8 continuation byte takes no column.
  const auto width = [](const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  };
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      line += i == 0 ? row[i] + padding : "  " + padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

std::string percent(double rate) {
  return fmt::format("{:.2f} %", 100 * rate);
}

std::string percent_with_ci(const Json& rate, const Json& ci) {
  if (!rate.is_number()) return "-";
  if (!ci.is_array()) return percent(rate);
  return fmt::format("{} [{:.2f}, {:.2f}]", percent(rate), 100 * ci[0].get<double>(), 100 * ci[1].get<double>());
}

void print_remarks(const Json& remarks) {
  for (const auto& remark : remarks) fmt::print("note: {}\n", remark.get<std::string>());
}

}  // namespace bauta
