// A text file or pipe, read through a bounded buffer: files of any length, records of at most 16 MiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/input.hpp"

namespace bauta {

class TextSource {
 public:
  /// A UTF-8 byte order mark is skipped; UTF-16 and gzip are refused.
  explicit TextSource(const std::filesystem::path& path);
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  /// What has been read and not consumed. Ends in the middle of anything unless ended().
  [[nodiscard]] char* begin() { return buffer_.data() + begin_; }
  [[nodiscard]] char* end() { return buffer_.data() + end_; }
  [[nodiscard]] bool ended() const { return ended_; }
  /// Reads more behind what is there; pointers into the buffer become invalid. Refuses records that outgrow the limit.
  void fill();
  void consume(const char* until) { begin_ = static_cast<std::size_t>(until - buffer_.data()); }

  /// The first line that is not consumed, without its end; stays where it is.
  std::string_view peek_line();
  /// The next line without its end (LF or CRLF); false at the end of the file. Valid until the next call.
  bool next_line(std::string_view& line);

  /// Lines that have been consumed; whoever consumes counts.
  std::uint64_t line = 0;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  InputFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
};

}  // namespace bauta
