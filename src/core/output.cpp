#include "bauta/core/output.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

// Beside the final place, so that the rename stays on one file system; the process id keeps two runs apart.
fs::path staging_beside(const fs::path& path) {
  fs::path clean = path.has_filename() ? path : path.parent_path();
  return clean.parent_path() / ("." + clean.filename().string() + ".partial-" + std::to_string(::getpid()));
}

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw_environment(path.string(), what + ": " + std::strerror(errno));
}

void make_parent(const fs::path& path) {
  const fs::path parent = (path.has_filename() ? path : path.parent_path()).parent_path();
  if (parent.empty()) return;
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) throw_environment(parent.string(), "cannot be created: " + error.message());
}

}  // namespace

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)), staging_(staging_beside(path_)) {
  if (fs::exists(path_) && !(fs::is_directory(path_) && fs::is_empty(path_))) {
    throw_usage(path_.string(), "output exists", "choose another --out or remove it first");
  }
  make_parent(path_);
  fs::remove_all(staging_);
  if (::mkdir(staging_.c_str(), 0700) != 0) fail(staging_, "cannot be created");
}

OutputFolder::~OutputFolder() {
  if (committed_) return;
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
}

void OutputFolder::commit() {
  if (::rename(staging_.c_str(), path_.c_str()) != 0) fail(path_, "cannot be put in place");
  committed_ = true;
}

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), staging_(staging_beside(path_)) {
  if (fs::is_directory(path_)) throw_usage(path_.string(), "is a folder, a file is to be written there");
  make_parent(path_);
  descriptor_ = ::open(staging_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor_ < 0) fail(staging_, "cannot be created");
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(staging_.c_str());
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
  if (::close(descriptor_) != 0) {
    descriptor_ = -1;
    ::unlink(staging_.c_str());
    fail(path_, "cannot be closed");
  }
  descriptor_ = -1;
  if (::rename(staging_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    ::unlink(staging_.c_str());
    errno = reason;
    fail(path_, "cannot be put in place");
  }
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
