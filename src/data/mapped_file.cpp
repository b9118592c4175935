// Read-only file mappings.
#include "bauta/data/mapped_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bauta/core/error.hpp"

namespace bauta {

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer before it can be refused.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    throw_input(path.string(), std::string("cannot be opened: ") + std::strerror(errno),
                "check the path and its permissions");
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw_input(path.string(), "is not a regular file", "this format needs a file on disk, not a folder or a pipe");
  }
  std::shared_ptr<MappedFile> file(new MappedFile);
  const auto size = static_cast<std::size_t>(status.st_size);
  // An empty file cannot be mapped; its bytes are an empty range.
  if (size > 0) {
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) {
      const int reason = errno;
      ::close(descriptor);
      throw_environment(path.string(), std::string("cannot be mapped: ") + std::strerror(reason));
    }
    ::madvise(data, size, MADV_WILLNEED);
    file->data_ = static_cast<const std::uint8_t*>(data);
    file->size_ = size;
  }
  ::close(descriptor);
  return file;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

void MappedFile::forget_before(std::uint64_t end) const {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t whole = (end < size_ ? end : size_) / page * page;
  // Pages of a file that was only read cost nothing but another read.
  if (whole > 0) ::madvise(const_cast<std::uint8_t*>(data_), whole, MADV_DONTNEED);
}

}  // namespace bauta
