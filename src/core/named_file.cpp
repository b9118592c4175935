#include "bauta/core/named_file.hpp"

#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/progress.hpp"

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

using Files = std::map<std::string, fs::path>;  // by their names in a folder

/// Of all that lies in a folder and below; nothing where it cannot be read.
std::optional<Files> files_below(const fs::path& folder) {
  std::error_code error, ignored;
  Files files;
  for (auto entry = fs::recursive_directory_iterator(folder, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (!entry->is_regular_file(ignored)) continue;
    files[entry->path().lexically_relative(folder).string()] = entry->path();
  }
  if (error) return std::nullopt;
  return files;
}

std::string contents_of_files(const Files& files) {
  std::map<std::string, std::string> parts;
  for (const auto& [name, file] : files) parts[name] = contents_of_file(file);
  return digest(parts);
}

std::string contents(const fs::path& place) {
  std::error_code error;
  if (fs::is_regular_file(place, error)) return contents_of_file(place);
  if (!fs::is_directory(place, error)) return {};
  const std::optional<Files> files = files_below(place);
  return files ? contents_of_files(*files) : std::string();
}

/// What a command names may be anything: a home, a disk. As many files as a program and its weights may have.
constexpr std::size_t most_entries = 10000;
constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 30;

/// The same for a folder that a command names; nothing where it is too large. What interpreters and version control
/// leave there as they work is not the program.
std::optional<Files> files_of_program(const fs::path& folder) {
  std::error_code error;
  Files files;
  std::size_t entries = 0;
  std::uintmax_t bytes = 0;
  const auto options = fs::directory_options::skip_permission_denied;
  for (auto entry = fs::recursive_directory_iterator(folder, options, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (++entries > most_entries) return std::nullopt;
    std::error_code ignored;
    const fs::path name = entry->path().filename();
    if (name == "__pycache__" || name == ".git") {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file(ignored)) {
      const std::uintmax_t size = entry->file_size(ignored);
      if (!ignored) bytes += size;
      if (bytes > most_bytes) return std::nullopt;
      files[entry->path().lexically_relative(folder).string()] = entry->path();
    }
  }
  return files;
}

std::string called(const fs::path& place, const std::string& name, const std::string& all) {
  std::string text = name + "#" + all.substr(0, digits);
  places[text] = place.string();
  return text;
}

std::string called_folder(const fs::path& folder) {
  const fs::path name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
  const std::lock_guard lock(guard);
  const std::optional<Files> files = files_of_program(folder);
  if (files) return called(folder, name.string(), contents_of_files(*files));
  static std::set<fs::path> told;
  if (told.insert(folder).second) {
    warn(
        fmt::format("'{}', a folder that a command names, holds more than {} entries or {} GiB and is not looked at: "
                    "results do not know when something changes in it",
                    name.string(), most_entries, most_bytes >> 30));
  }
  return called(folder, name.string(), "large");
}

/// A word, or what stands behind one of its `=`, as `of` says it; as it is where that says nothing.
template <class Of>
std::string with_rest(const std::string& word, Of of) {
  for (std::size_t from = 0; from < word.size();) {
    if (const std::optional<std::string> said = of(word.substr(from))) return word.substr(0, from) + *said;
    const std::size_t equals = word.find('=', from);
    if (equals == std::string::npos) break;
    from = equals + 1;
  }
  return word;
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

fs::path found_program(const std::string& name) {
  const auto runs = [](const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos || runs(name)) return runs(name) ? fs::absolute(name) : fs::path();
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && runs(fs::path(folder) / name)) return fs::path(folder) / name;
  }
  return {};
}

std::string called_command(std::string_view command, const fs::path& folder) {
  std::vector<std::string> words = command_words(command);
  const auto named = [&](const std::string& text) -> std::optional<std::string> {
    std::error_code error;
    if (text.empty() || text == "." || text == "..") return std::nullopt;  // where it works is no part of it
    if (fs::is_regular_file(folder / text, error)) return called_by_contents(folder / text, true);
    if (fs::is_directory(folder / text, error)) return called_folder(folder / text);
    return std::nullopt;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::error_code error;
    if (i > 0 || fs::is_regular_file(folder / words[i], error)) {
      words[i] = with_rest(words[i], named);
    } else if (const fs::path program = found_program(words[i]); !program.empty()) {
      if (const auto known = called_by_contents(program, true)) words[i] = *known;
    }
  }
  return command_of(words);
}

std::string placed_command(std::string_view command) {
  std::vector<std::string> words = command_words(command);
  for (std::string& word : words) {
    word = with_rest(word, [](const std::string& text) -> std::optional<std::string> {
      const std::string place = place_of(text);
      if (place == text) return std::nullopt;
      return place;
    });
  }
  return command_of(words);
}

}  // namespace bauta
