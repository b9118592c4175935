// Outputs appear under their name complete or not at all, and only their owner may read them. What a killed process
// left half filled in a folder is removed by the next that writes there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace bauta {

/// A folder that is filled beside its final place and renamed there by commit(). Without commit() nothing is left
/// behind.
class OutputFolder {
 public:
  /// Refuses a `path` that exists and is not an empty folder, unless a killed process left it provisional.
  explicit OutputFolder(std::filesystem::path path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Where to write for now (mode 0700).
  [[nodiscard]] const std::filesystem::path& staging() const { return staging_; }
  void commit();
  /// For what has to stand before something else does: it is removed, now or by the next process, unless confirm()
  /// follows.
  void commit_provisionally();
  void confirm();

 private:
  enum class State { staged, provisional, committed };

  std::filesystem::path path_;
  std::filesystem::path staging_;
  int lock_ = -1;
  State state_ = State::staged;
};

/// A file written beside its final place (mode 0600), flushed to disk and renamed there by commit().
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Anywhere in the file, for headers whose content is known last and for rows that come in any order. Thread-safe for
  /// disjoint ranges; write() goes on after what write() itself has written.
  void write_at(std::uint64_t offset, const void* data, std::size_t size);
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path staging_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Writes all bytes at a place of an open file; an environment error names `where` and gives `hint`.
void write_bytes(int descriptor, std::uint64_t offset, const void* data, std::size_t size, const std::string& where,
                 const std::string& hint = {});

/// OutputFile in one call; replaces an existing file.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace bauta
