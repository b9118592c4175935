// A file mapped read-only: large arrays are looked at where they lie instead of being copied. One that somebody cuts
// meanwhile ends the program with an error that names it, status 1.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace bauta {

class MappedFile {
 public:
  /// Throws an input error if `path` is missing, unreadable or not a regular file.
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data_, size_}; }
  /// Lets the system drop pages before byte `end`; they are read again if somebody looks. Keeps long scans small.
  void forget_before(std::uint64_t end) const;

 private:
  MappedFile() = default;

  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::string path_;
  void* mapping_ = nullptr;  // where the handler of lost pages finds it
};

}  // namespace bauta
