#include "bauta/core/output.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw_environment(path.string(), what + ": " + std::strerror(errno));
}

/// "." for a name alone.
fs::path parent_of(const fs::path& path) {
  const fs::path parent = (path.has_filename() ? path : path.parent_path()).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

void make_parent(const fs::path& path) {
  const fs::path parent = parent_of(path);
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) throw_environment(parent.string(), "cannot be created: " + error.message());
}

// Outputs are filled beside their final place, so that the rename stays on one file system, under a name that nobody
// can guess and that says whose it is. As long as one is being filled it is locked; what is not was left behind.
constexpr std::string_view staging_prefix = ".bauta-partial-";
constexpr std::size_t staging_digits = 32;

bool is_staging_name(std::string_view name) {
  return name.starts_with(staging_prefix) && name.size() == staging_prefix.size() + staging_digits &&
         name.find_first_not_of("0123456789abcdef", staging_prefix.size()) == std::string_view::npos;
}

/// Removes it if it is ours and no process fills it.
void remove_left_behind(const fs::path& place) {
  const int descriptor = ::open(place.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  std::error_code ignored;
  if (::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
      (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    fs::remove_all(place, ignored);
  }
  ::close(descriptor);
}

/// What killed runs left in this folder; once per folder and process, because folders of media are large.
void sweep(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> swept;
  std::error_code error;
  {
    const std::scoped_lock lock(mutex);
    if (!swept.insert(fs::absolute(folder, error)).second) return;
  }
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (is_staging_name(entry->path().filename().native())) left.push_back(entry->path());
  }
  for (const fs::path& place : left) remove_left_behind(place);
}

fs::path random_name() {
  std::array<unsigned char, staging_digits / 2> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw_environment("getrandom", std::string("gives no random bytes: ") + std::strerror(errno));
  }
  return fmt::format("{}{:02x}", staging_prefix, fmt::join(bytes, ""));
}

/// A new file or folder that `make` opens, locked.
int make_staging(const fs::path& folder, fs::path& place, int (*make)(const fs::path& place)) {
  sweep(folder);
  constexpr int attempts = 8;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    place = folder / random_name();
    const int descriptor = make(place);
    if (descriptor < 0) fail(place, "cannot be created");
    struct stat status {};
    // Between its making and its lock another process may have taken it for left behind. File systems without locks
    // have nothing swept.
    const bool locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && ::fstat(descriptor, &status) == 0 && status.st_nlink > 0) return descriptor;
    ::close(descriptor);
  }
  throw_environment(folder.string(), "another process removes what is to be written there");
}

// In a folder that stands before what it belongs to does.
constexpr const char* provisional_mark = ".bauta-provisional";

}  // namespace

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
  if (fs::exists(path_ / provisional_mark)) remove_left_behind(path_);
  if (fs::exists(path_) && !(fs::is_directory(path_) && fs::is_empty(path_))) {
    throw_usage(path_.string(), "output exists", "choose another --out or remove it first");
  }
  make_parent(path_);
  lock_ = make_staging(parent_of(path_), staging_, [](const fs::path& place) {
    if (::mkdir(place.c_str(), 0700) != 0) return -1;
    return ::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  });
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (state_ == State::staged) fs::remove_all(staging_, ignored);
  if (state_ == State::provisional) fs::remove_all(path_, ignored);
  ::close(lock_);
}

void OutputFolder::commit() {
  if (::rename(staging_.c_str(), path_.c_str()) != 0) fail(path_, "cannot be put in place");
  state_ = State::committed;
}

void OutputFolder::commit_provisionally() {
  write_file(staging_ / provisional_mark, "");
  commit();
  state_ = State::provisional;
}

void OutputFolder::confirm() {
  BAUTA_ASSERT(state_ == State::provisional);
  if (::unlink((path_ / provisional_mark).c_str()) != 0) fail(path_, "cannot be completed");
  state_ = State::committed;
}

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  if (fs::is_directory(path_)) throw_usage(path_.string(), "is a folder, a file is to be written there");
  make_parent(path_);
  descriptor_ = make_staging(parent_of(path_), staging_, [](const fs::path& place) {
    return ::open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  });
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::unlink(staging_.c_str());  // while it is locked
  ::close(descriptor_);
}

void OutputFile::write(const void* data, std::size_t size) {
  write_bytes(descriptor_, size_, data, size, path_.string());
  size_ += size;
}

void OutputFile::write_at(std::uint64_t offset, const void* data, std::size_t size) {
  write_bytes(descriptor_, offset, data, size, path_.string());
}

void OutputFile::commit() {
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(path_, "cannot be flushed");
  // Closed last: the lock says that it is being filled. What close() could tell, fsync() has told.
  if (::rename(staging_.c_str(), path_.c_str()) != 0) fail(path_, "cannot be put in place");
  ::close(descriptor_);
  descriptor_ = -1;
}

void write_bytes(int descriptor, std::uint64_t offset, const void* data, std::size_t size, const std::string& where,
                 const std::string& hint) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::pwrite(descriptor, bytes, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw_environment(where, std::string("cannot be written: ") + std::strerror(errno), hint);
    bytes += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void write_file(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace bauta
