#include "step_store.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/input.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

constexpr const char* end_mark = "finished";
constexpr std::size_t longest_mark = 64;

bool is_file(const fs::directory_entry& entry) {
  return fs::is_regular_file(entry.symlink_status());
}

std::uint64_t size_of(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (is_file(entry)) bytes += entry.file_size();
  }
  return bytes;
}

/// Whether it is a folder of files, as steps are: links lead elsewhere, and nobody ends who reads a pipe or a device.
bool only_files(const fs::path& step) {
  if (!fs::is_directory(fs::symlink_status(step))) return false;
  return std::ranges::all_of(fs::recursive_directory_iterator(step), [](const fs::directory_entry& entry) {
    return is_file(entry) || fs::is_directory(entry.symlink_status());
  });
}

/// What the mark of a finished step says; empty: nothing that we wrote.
std::string mark_of(const fs::path& step) {
  try {
    return read_text(step / end_mark, longest_mark, Accepts::files_without_links);
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
  }
  return {};
}

/// Of all files of a step, except the mark and what a killed process left half written.
std::string contents(const fs::path& step) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(step)) {
    const std::string name = entry.path().filename().string();
    if (!is_file(entry) || name == end_mark || name.starts_with('.')) continue;
    files[entry.path().lexically_relative(step).string()] = file_digest(entry.path());
  }
  return digest(files);
}

}  // namespace

fs::path StepStore::open(const std::string& digest) const {
  const fs::path step = folder_ / digest;
  std::error_code error;
  if (looked_at_.insert(digest).second && fs::exists(fs::symlink_status(step)) && !only_files(step)) {
    warn(step.string() + " was changed from outside: it is made again");
    fs::remove_all(step, error);
  }
  fs::create_directories(step, error);
  if (error) throw_environment(step.string(), "cannot be created: " + error.message());
  fs::permissions(folder_, fs::perms::owner_all, error);
  fs::permissions(step, fs::perms::owner_all, error);
  fs::last_write_time(step, fs::file_time_type::clock::now(), error);
  return step;
}

bool StepStore::finished(const std::string& digest) const {
  const fs::path step = folder_ / digest;
  if (!fs::exists(step / end_mark)) return false;
  if (whole_.contains(digest)) return true;
  if (only_files(step) && mark_of(step) == contents(step)) {
    whole_.insert(digest);
    return true;
  }
  warn(step.string() + " was changed from outside: it is made again");
  fs::remove_all(step);
  (void)open(digest);  // whoever asks may hold its place already
  return false;
}

void StepStore::finish(const std::string& digest) const {
  const fs::path step = folder_ / digest;
  write_file(step / end_mark, contents(step));
  whole_.insert(digest);
}

fs::path StepStore::reopen(const std::string& digest) const {
  if (finished(digest)) {
    fs::remove(folder_ / digest / end_mark);
    whole_.erase(digest);
  }
  return open(digest);
}

std::uint64_t StepStore::make_room(const std::string& kept, bool unfinished) const {
  struct Old {
    fs::file_time_type used;
    fs::path path;
    std::uint64_t bytes = 0;
  };
  std::vector<Old> others;
  std::uint64_t total = 0;
  if (!fs::exists(folder_)) return total;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (!fs::is_directory(entry.symlink_status())) continue;
    const bool own = entry.path().filename() == kept, done = fs::exists(entry.path() / end_mark);
    if (!own && !done && !unfinished) continue;
    const std::uint64_t bytes = size_of(entry.path());
    total += bytes;
    if (!own && done) others.push_back({fs::last_write_time(entry.path()), entry.path(), bytes});
  }
  std::sort(others.begin(), others.end(), [](const Old& a, const Old& b) { return a.used < b.used; });
  for (const Old& old : others) {
    if (total <= budget_) break;
    fs::remove_all(old.path);
    total -= old.bytes;
  }
  return total;
}

void StepStore::trim(const std::string& digest) const {
  (void)make_room(digest, false);
}

std::int64_t StepStore::room() const {
  return static_cast<std::int64_t>(budget_) - static_cast<std::int64_t>(make_room({}, true));
}

Dataset StepStore::dataset(const std::string& digest, const std::string& what,
                           const std::function<Dataset()>& make) const {
  const fs::path step = open(digest);
  if (!finished(digest)) {
    const Dataset made = make();
    fmt::print(stderr, "step: {}: {} templates\n", what, made.size());
    write_dataset(step, made);
    finish(digest);
    trim(digest);
  }
  // Read in any case, so that a run that went on sees what one sees that was never stopped.
  ReadOptions options;
  options.identity_required = false;
  options.missing.clear();  // whatever is missing is empty by now
  return read_dataset(step, options);
}

void StepStore::note(const std::string& digest, const Json& what) const {
  notes().put(digest, what);
}

Json StepStore::noted(const std::string& digest) const {
  if (!fs::exists(folder_.parent_path() / notes_folder)) return nullptr;
  return notes().find(digest).value_or(nullptr);
}

void StepStore::clear() const {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace bauta
