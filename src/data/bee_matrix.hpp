// NIST BEE matrices: float scores (.mtx) or byte masks (.mask) behind four lines of header, mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "bauta/data/bytes.hpp"
#include "bauta/data/mapped_file.hpp"

namespace bauta {

/// Rows are queries (probes), columns are targets (references). The file's length has been checked against its header.
class BeeMatrix {
 public:
  enum class Kind { scores, mask };

  static BeeMatrix open(const std::filesystem::path& path, Kind kind);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t cols() const { return cols_; }
  /// The header says D: smaller is more similar.
  [[nodiscard]] bool distances() const { return distances_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& target_sigset() const { return target_sigset_; }
  [[nodiscard]] const std::string& query_sigset() const { return query_sigset_; }

  /// Elements [first, first + to.size()) in row-major order, as stored (distances are not negated).
  void read_scores(std::uint64_t first, std::span<float> to) const;
  [[nodiscard]] std::span<const std::uint8_t> mask(std::uint64_t first, std::size_t count) const;
  /// Elements before `end` will not be read soon.
  void forget_before(std::uint64_t end) const;

 private:
  std::string path_;
  std::shared_ptr<const MappedFile> file_;
  std::span<const std::uint8_t> data_;
  std::uint64_t rows_ = 0;
  std::uint64_t cols_ = 0;
  std::size_t item_size_ = 1;
  ByteOrder order_ = ByteOrder::little;
  bool distances_ = false;
  std::string target_sigset_;
  std::string query_sigset_;
};

}  // namespace bauta
