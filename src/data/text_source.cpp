// Buffered reading of text.
#include "bauta/data/text_source.hpp"

#include <cstring>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr std::size_t first_capacity = 1U << 18;
// A forgotten closing quote would otherwise pull the whole file into memory.
constexpr std::size_t longest_record = 1U << 24;

}  // namespace

TextSource::TextSource(const std::filesystem::path& path) : path_(path.string()), file_(path), buffer_(first_capacity) {
  while (!ended_ && end_ < 3) fill();
  const std::string_view start(buffer_.data(), end_);
  if (start.starts_with("\xef\xbb\xbf")) begin_ = 3;
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) {
    throw_input(path_, "is UTF-16 text, expected UTF-8", "convert it: iconv -f UTF-16 -t UTF-8");
  }
  if (start.starts_with("\x1f\x8b")) {
    throw_input(path_, "is compressed with gzip, expected text",
                "unpack it, or pass <(zcat FILE) where a pipe will do");
  }
}

void TextSource::fill() {
  if (ended_) return;
  // What is not consumed moves to the front; that is at most one record.
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (end_ >= longest_record) {
      throw_input(fmt::format("{} line {}", path_, line + 1), "a line or quoted field of more than 16 MiB",
                  "a closing quote may be missing, or this is not a text file");
    }
    buffer_.resize(buffer_.size() * 2);
  }
  const std::size_t got = file_.read(buffer_.data() + end_, buffer_.size() - end_);
  if (got == 0) ended_ = true;
  end_ += got;
}

std::string_view TextSource::peek_line() {
  for (std::size_t searched = 0;;) {
    const std::size_t size = end_ - begin_;
    const void* found = size > searched ? std::memchr(begin() + searched, '\n', size - searched) : nullptr;
    if (found != nullptr || ended_) {
      const char* stop = found != nullptr ? static_cast<const char*>(found) : end();
      std::string_view text(begin(), static_cast<std::size_t>(stop - begin()));
      if (text.ends_with('\r')) text.remove_suffix(1);
      return text;
    }
    searched = size;
    fill();
  }
}

bool TextSource::next_line(std::string_view& text) {
  text = peek_line();
  const char* stop = text.data() + text.size();
  // The line lies in the buffer, so its end can be found there.
  if (stop == end() && text.empty()) return false;
  if (stop != end() && *stop == '\r') ++stop;
  if (stop != end()) ++stop;
  consume(stop);
  ++line;
  return true;
}

}  // namespace bauta
