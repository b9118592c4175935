#include "bauta/core/input.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr std::size_t piece = std::size_t{1} << 16;

}  // namespace

InputFile::InputFile(const std::filesystem::path& path, Accepts accepts) : path_(path.string()) {
  const bool pipes = accepts == Accepts::files_and_pipes;
  const int links = accepts == Accepts::files_without_links ? O_NOFOLLOW : 0;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | (pipes ? 0 : O_NONBLOCK) | links);
  if (descriptor_ < 0) {
    if (links != 0 && errno == ELOOP) throw_input(path_, "is a link, expected a file");
    throw_input(path_, std::string("cannot be opened: ") + std::strerror(errno), "check the path and its permissions");
  }
  struct stat status {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  open_to_others_ = !known || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0;
  if (known && S_ISREG(status.st_mode)) return;
  if (known && pipes && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) return;
  ::close(descriptor_);
  throw_input(path_, known && S_ISDIR(status.st_mode) ? "is a folder, expected a file"
                     : pipes                          ? "is neither a file nor a pipe"
                                                      : "is no file");
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

std::size_t InputFile::read(char* to, std::size_t most) {
  ssize_t got = 0;
  do {
    got = ::read(descriptor_, to, most);
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw_environment(path_, std::string("cannot be read: ") + std::strerror(errno));
  return static_cast<std::size_t>(got);
}

std::string read_text(const std::filesystem::path& path, std::size_t most, Accepts accepts) {
  InputFile file(path, accepts);
  std::string text;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + piece);
    const std::size_t got = file.read(text.data() + size, piece);
    text.resize(size + got);
    if (got == 0) return text;
    if (text.size() > most) {
      throw_input(path.string(), "is larger than " + std::to_string(most) + " bytes, which is no file of this kind");
    }
  }
}

}  // namespace bauta
