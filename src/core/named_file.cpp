#include "bauta/core/named_file.hpp"

#include <map>
#include <mutex>
#include <tuple>

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

std::string place_of(const std::string& called) {
  const std::lock_guard lock(guard);
  const auto found = places.find(called);
  return found == places.end() ? called : found->second;
}

}  // namespace bauta
