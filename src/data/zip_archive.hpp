// Zip archives as .npz uses them: stored or deflated entries, zip64. Encrypted, split and overlapping ones are refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bauta/data/mapped_file.hpp"

namespace bauta {

struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t compressed = 0;
  std::uint64_t size = 0;
  std::uint64_t header = 0;  ///< offset of the local header
  std::uint64_t data = 0;    ///< offset of the first compressed byte
};

class ZipArchive {
 public:
  struct Content {
    std::span<const std::uint8_t> bytes;
    std::shared_ptr<const void> owner;
    bool mapped = false;  ///< `bytes` lie in the mapped archive
  };

  /// Reads the directory and checks that every entry lies inside the file and beside the others.
  static ZipArchive open(const std::filesystem::path& path);

  [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }
  /// The entry's bytes, checked against its CRC. Stored entries are not copied.
  [[nodiscard]] Content read(const ZipEntry& entry) const;

 private:
  void read_directory();
  void read_central_header(std::uint64_t& at, std::uint64_t end);
  void read_local_header(ZipEntry& entry, std::uint64_t directory) const;
  void check_overlaps() const;
  [[noreturn]] void fail(std::uint64_t byte, const std::string& finding) const;

  std::string path_;
  std::shared_ptr<const MappedFile> file_;
  std::span<const std::uint8_t> bytes_;
  std::vector<ZipEntry> entries_;
};

}  // namespace bauta
