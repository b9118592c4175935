#include "spill.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"

namespace bauta {

namespace {

constexpr const char* space_hint = "point TMPDIR to a folder with enough space";

std::string temporary_folder() {
  const char* chosen = std::getenv("TMPDIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
}

[[noreturn]] void fail(const std::string& what) {
  throw_environment(temporary_folder(), what + ": " + std::strerror(errno), space_hint);
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
  write_bytes(descriptor_, offset, data, size, temporary_folder(), space_hint);
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
