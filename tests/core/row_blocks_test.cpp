// Scans see every row once, and forgetting rows changes nothing but memory.
#include "bauta/core/row_blocks.hpp"

#include <atomic>
#include <cstring>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/parallel.hpp"

namespace bauta {
namespace {

/// Row i holds i, i + 1, ...
Matrix<float> counting(std::size_t rows, std::size_t cols) {
  Matrix<float> values(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) values(i, j) = static_cast<float>(i + j);
  }
  return values;
}

/// The same in a file that is mapped for reading.
class MappedRows {
 public:
  MappedRows(std::size_t rows, std::size_t cols) : bytes_(rows * cols * sizeof(float)) {
    std::FILE* file = std::tmpfile();
    const Matrix<float> values = counting(rows, cols);
    if (std::fwrite(values.data(), 1, bytes_, file) != bytes_ || std::fflush(file) != 0) std::abort();
    memory_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, ::fileno(file), 0);
    (void)std::fclose(file);
    templates = Templates({static_cast<const float*>(memory_), rows, cols}, nullptr, true);
  }
  ~MappedRows() { ::munmap(memory_, bytes_); }
  MappedRows(const MappedRows&) = delete;
  MappedRows& operator=(const MappedRows&) = delete;

  /// Pages of the mapping that are in this process's memory.
  [[nodiscard]] std::size_t resident() const {
    std::FILE* file = std::fopen("/proc/self/smaps", "r");
    char line[512];
    std::size_t kilobytes = 0;
    bool here = false;
    char name[32];
    std::snprintf(name, sizeof name, "%lx-", reinterpret_cast<unsigned long>(memory_));
    while (std::fgets(line, sizeof line, file) != nullptr) {
      if (std::strstr(line, name) == line) here = true;
      if (here && std::sscanf(line, "Rss: %zu kB", &kilobytes) == 1) break;
    }
    (void)std::fclose(file);
    return kilobytes * 1024;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  Templates templates;

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

TEST(RowBlocks, EveryRowIsSeenOnce) {
  const Templates templates(counting(1000, 3));
  for (const std::size_t rows : {1, 7, 1000, 5000}) {
    std::vector<std::atomic<int>> seen(1000);
    for_row_blocks(templates, rows, [&](std::size_t first, std::size_t count) {
      EXPECT_EQ(first % rows, 0u);
      for (std::size_t i = first; i < first + count; ++i) ++seen[i];
    });
    for (const auto& times : seen) ASSERT_EQ(times, 1) << rows;
  }
  for_row_blocks(Templates(), 10, [](std::size_t, std::size_t) { FAIL(); });
  EXPECT_EQ(mebibyte_rows(templates), (1u << 20) / 12);
}

TEST(RowBlocks, AScanOfAMappedFileStaysSmall) {
  const MappedRows mapped(8192, 512);  // 16 MiB
  const auto sum = [&](const Templates& templates, std::size_t rows) {
    std::atomic<std::int64_t> total = 0;
    for_row_blocks(templates, rows, [&](std::size_t first, std::size_t count) {
      std::int64_t part = 0;
      for (std::size_t i = first; i < first + count; ++i) {
        for (const float value : templates.floats().row(i)) part += static_cast<std::int64_t>(value);
      }
      total += part;
    });
    return total.load();
  };
  // Rows i, columns j: sum of i + j.
  const std::int64_t expected = 8191LL * 8192 / 2 * 512 + 511LL * 512 / 2 * 8192;
  for (const std::size_t rows : {100, 511}) {
    EXPECT_EQ(sum(mapped.templates, rows), expected);
    EXPECT_LT(mapped.resident(), mapped.bytes() / 8);
  }
  // Reading without scanning does fill the memory: the measurement can fail.
  for (std::size_t i = 0; i < 8192; ++i) EXPECT_EQ(mapped.templates.floats()(i, 0), static_cast<float>(i));
  EXPECT_GT(mapped.resident(), mapped.bytes() / 2);
}

TEST(RowBlocks, RowsInOwnMemoryAreNeverForgotten) {
  const Templates templates(counting(4096, 512));
  templates.forget(0, 4096);
  templates.slice(100, 200).forget(0, 200);
  for (std::size_t i = 0; i < 4096; ++i) ASSERT_EQ(templates.floats()(i, 5), static_cast<float>(i + 5));
}

TEST(Digest, TemplatesHaveOneDigestForAnyStorageAndThreads) {
  const MappedRows mapped(3000, 512);
  const Templates own(counting(3000, 512));
  const auto digest_of = [](const Templates& templates) {
    Hash hash;
    hash.add(templates);
    return hash.hex();
  };
  const int before = threads();
  set_threads(1);
  const std::string one = digest_of(own);
  set_threads(2);
  EXPECT_EQ(digest_of(own), one);
  EXPECT_EQ(digest_of(mapped.templates), one);
  set_threads(before);
  Matrix<float> changed = counting(3000, 512);
  changed(2999, 511) += 1;
  EXPECT_NE(digest_of(Templates(std::move(changed))), one);
  EXPECT_NE(digest_of(own.slice(0, 2999)), one);
}

}  // namespace
}  // namespace bauta
