#include "bauta/run/spill.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

std::string temporary_folder() {
  const char* chosen = std::getenv("TMPDIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
}

[[noreturn]] void fail(const std::string& what) {
  throw_environment(temporary_folder(), what + ": " + std::strerror(errno),
                    "point TMPDIR to a folder with enough space");
}

}  // namespace

Spill::Spill() {
  const std::string folder = temporary_folder();
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {
    // Some file systems know no unnamed files: make one and take its name away.
    std::string name = folder + "/bauta-XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ >= 0) ::unlink(name.c_str());
  }
  if (descriptor_ < 0) fail("no temporary file can be made");
}

Spill::~Spill() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_);
  ::close(descriptor_);
}

void Spill::write(std::uint64_t offset, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::pwrite(descriptor_, bytes, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("temporary file cannot be written");
    bytes += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void Spill::map(std::size_t size) {
  BAUTA_ASSERT(mapping_ == nullptr);
  if (size == 0) return;
  void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (mapping == MAP_FAILED) fail("temporary file cannot be mapped");
  mapping_ = mapping;
  mapped_ = size;
}

}  // namespace bauta
