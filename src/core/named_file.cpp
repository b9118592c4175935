#include "bauta/core/named_file.hpp"

#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

/// Enough to tell files apart, few enough to be read.
constexpr std::size_t digits = 12;

std::mutex guard;
std::map<std::string, std::string> places;  // by what they are called

/// Empty: cannot be read.
std::string contents_of_file(const fs::path& file) {
  // A large model is read once as long as it does not change.
  using Stamp = std::tuple<std::string, fs::file_time_type, std::uintmax_t>;
  static std::map<Stamp, std::string> known;
  std::error_code error;
  const Stamp stamp(fs::absolute(file, error).string(), fs::last_write_time(file, error), fs::file_size(file, error));
  const auto found = known.find(stamp);
  if (found != known.end()) return found->second;
  try {
    return known[stamp] = file_digest(file);
  } catch (const Error&) {
    return {};
  }
}

std::string contents(const fs::path& place) {
  std::error_code error;
  if (fs::is_regular_file(place, error)) return contents_of_file(place);
  if (!fs::is_directory(place, error)) return {};
  std::map<std::string, std::string> files;
  for (auto entry = fs::recursive_directory_iterator(place, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (!entry->is_regular_file(error)) continue;
    files[entry->path().lexically_relative(place).string()] = contents_of_file(entry->path());
  }
  if (error) return {};
  return digest(files);
}

}  // namespace

bool names_file(ParameterType type) {
  return type == ParameterType::file || type == ParameterType::folder || type == ParameterType::key;
}

std::optional<std::string> called_by_contents(const fs::path& place, bool with_name) {
  const std::lock_guard lock(guard);
  const std::string all = contents(place);
  if (all.empty()) return std::nullopt;
  const std::string name = (with_name ? place.filename().string() : std::string()) + "#" + all.substr(0, digits);
  places[name] = place.string();
  return name;
}

std::optional<std::string> called_key(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  // The system alone sets the time of the last change.
  const auto [seconds, nanoseconds] = status.st_ctim;
  const std::string name = "#" + digest(fmt::format("{} {} {}", status.st_ino, seconds, nanoseconds)).substr(0, digits);
  const std::lock_guard lock(guard);
  places[name] = file.string();
  return name;
}

std::string place_of(const std::string& called) {
  const std::lock_guard lock(guard);
  const auto found = places.find(called);
  return found == places.end() ? called : found->second;
}

std::vector<std::string> command_words(std::string_view command) {
  std::vector<std::string> words;
  bool within = false;
  char quote = 0;
  for (const char c : command) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        words.back() += c;
      }
      continue;
    }
    if (c == ' ' || c == '\t') {
      within = false;
      continue;
    }
    if (!std::exchange(within, true)) words.emplace_back();
    if (c == '"' || c == '\'') {
      quote = c;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) throw_usage("'" + std::string(command) + "'", std::string("a quote ") + quote + " is not closed");
  return words;
}

std::string command_of(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) {
    const char quote = word.find('\'') == std::string::npos ? '\'' : '"';
    const bool plain = !word.empty() && word.find_first_of(" \t'\"") == std::string::npos;
    if (!command.empty()) command += ' ';
    command += plain ? word : quote + word + quote;
  }
  return command;
}

std::string called_command(std::string_view command, const fs::path& folder) {
  std::vector<std::string> words = command_words(command);
  for (std::string& word : words) {
    std::error_code error;
    if (word.empty() || !fs::is_regular_file(folder / word, error)) continue;
    if (const auto called = called_by_contents(folder / word, true)) word = *called;
  }
  return command_of(words);
}

std::string placed_command(std::string_view command) {
  std::vector<std::string> words = command_words(command);
  for (std::string& word : words) word = place_of(word);
  return command_of(words);
}

}  // namespace bauta
