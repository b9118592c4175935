// numpy's .npz: a zip archive of .npy files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/matrix.hpp"
#include "bauta/core/output.hpp"
#include "bauta/data/npy.hpp"

namespace bauta {

struct NpzArray {
  std::string key;
  NpyArray array;
};

/// All arrays that can be read, in archive order. Arrays that cannot (Python objects) become remarks, unless `required`
/// names them.
std::vector<NpzArray> read_npz(const std::filesystem::path& path, std::string_view required,
                               std::vector<std::string>& remarks);

/// Stored, not compressed, and aligned so that readers can map the arrays. Appears under its name on commit().
class NpzWriter {
 public:
  explicit NpzWriter(const std::filesystem::path& path) : file_(path) {}

  void add(std::string_view key, MatrixView<const float> values);
  void add(std::string_view key, MatrixView<const double> values);
  void add(std::string_view key, MatrixView<const std::uint8_t> codes);
  void add(std::string_view key, const std::vector<std::string>& texts);
  void commit();

 private:
  struct Written {
    std::string name;
    std::uint32_t crc;
    std::uint64_t size;
    std::uint64_t offset;
  };

  void add_entry(std::string_view key, const std::string& header, std::span<const std::uint8_t> data);
  void write(std::string_view bytes);

  OutputFile file_;
  std::uint64_t offset_ = 0;
  std::vector<Written> written_;
};

}  // namespace bauta
