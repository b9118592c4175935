// Read-only file mappings.
#include "bauta/data/mapped_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

// Where a mapped file loses bytes, whoever looks at them gets SIGBUS. The handler knows all mappings, so that it can
// say which file it was. Atomic, because it may run while another thread opens or closes one.
struct Mapping {
  std::atomic<const std::uint8_t*> begin = nullptr;  // set last, cleared first; null: free
  std::atomic<std::size_t> size = 0;
  std::atomic<const char*> path = nullptr;
  std::atomic<bool> taken = false;
};
std::array<Mapping, 4096> mappings;  // one that finds no place here is told of as any other crash

void say(const char* text) {
  // Nothing can be done about what cannot be written.
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

/// Only what may be called from a signal handler.
void on_bus_error(int signal, siginfo_t* info, void*) {
  const auto* address = static_cast<const std::uint8_t*>(info->si_addr);
  for (const Mapping& mapping : mappings) {
    const std::uint8_t* begin = mapping.begin;
    if (begin == nullptr || address < begin || address >= begin + mapping.size) continue;
    say("error: ");
    say(mapping.path);
    say(": was cut or cannot be read any more, while it was being read\nhint: leave files alone while they are used\n");
    ::_exit(1);
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

Mapping* remember(const std::uint8_t* data, std::size_t size, const char* path) {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
  });
  for (Mapping& mapping : mappings) {
    if (mapping.taken.exchange(true)) continue;
    mapping.path = path;
    mapping.size = size;
    mapping.begin = data;
    return &mapping;
  }
  return nullptr;
}

void forget(Mapping* mapping) {
  if (mapping == nullptr) return;
  mapping->begin = nullptr;
  mapping->taken = false;
}

}  // namespace

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
    file->path_ = path.string();
    file->mapping_ = remember(file->data_, size, file->path_.c_str());
  }
  ::close(descriptor);
  return file;
}

MappedFile::~MappedFile() {
  forget(static_cast<Mapping*>(mapping_));
  if (data_ != nullptr) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

void MappedFile::forget_before(std::uint64_t end) const {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t whole = (end < size_ ? end : size_) / page * page;
  // Pages of a file that was only read cost nothing but another read.
  if (whole > 0) ::madvise(const_cast<std::uint8_t*>(data_), whole, MADV_DONTNEED);
}

}  // namespace bauta
