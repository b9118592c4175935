#include "bauta/data/mapped_file.hpp"

#include <algorithm>
#include <numeric>

#include <unistd.h>

#include "scratch.hpp"

namespace bauta {
namespace {

std::uint64_t sum(std::span<const std::uint8_t> bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

/// A sum that nobody uses would never be made.
void look_at(const MappedFile& file) {
  volatile const std::uint64_t total = sum(file.bytes());
  static_cast<void>(total);
}

// Whoever looks at pages that are gone gets SIGBUS, which said nothing at all.
TEST(MappedFileDeathTest, AFileThatIsCutIsNamed) {
  const test::Scratch scratch;
  const auto whole = MappedFile::open(scratch.write("whole", std::string(100000, '\1')));
  const auto path = scratch.write("cut.npy", std::string(100000, '\1'));
  const auto file = MappedFile::open(path);
  EXPECT_EQ(sum(file->bytes()), 100000U);
  ASSERT_EQ(::truncate(path.c_str(), 10), 0);
  EXPECT_EXIT(look_at(*file), testing::ExitedWithCode(1), "error: .*cut.npy: was cut");
  EXPECT_EQ(sum(whole->bytes()), 100000U);
}

TEST(MappedFileDeathTest, AnyOtherBusErrorStaysWhatItIs) {
  const test::Scratch scratch;
  const auto file = MappedFile::open(scratch.write("whole", std::string(100, '\1')));
  EXPECT_EXIT(::raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace bauta
