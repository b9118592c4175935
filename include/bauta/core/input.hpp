// Opening and reading small files that somebody names. What has no end (a device) is never read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace bauta {

/// What may be read: nobody waits for a pipe where a file is meant, and where we wrote a file no link is meant.
enum class Accepts { files_and_pipes, files, files_without_links };

/// A file or pipe, open for reading until this ends.
class InputFile {
 public:
  /// An input error for what is missing, may not be read, or is nothing that is accepted.
  explicit InputFile(const std::filesystem::path& path, Accepts accepts = Accepts::files_and_pipes);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Whether anybody but its owner may read or write it.
  [[nodiscard]] bool open_to_others() const { return open_to_others_; }
  /// At most so many bytes; 0 at the end.
  std::size_t read(char* to, std::size_t most);

 private:
  std::string path_;
  int descriptor_ = -1;
  bool open_to_others_ = false;
};

/// All of a file or pipe; an input error where it has more than `most` bytes.
std::string read_text(const std::filesystem::path& path, std::size_t most, Accepts accepts = Accepts::files_and_pipes);

}  // namespace bauta
