#include "bauta/core/module.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace bauta {
namespace {

namespace fs = std::filesystem;

// What was computed with a module is computed again with another; nothing said so but its name.
TEST(Module, TheDigestIsOfWhatIsInThem) {
  const fs::path place = testing::TempDir() + "bauta_modules_" + std::to_string(::getpid());
  const fs::path first = place / "first", second = place / "second";
  fs::create_directories(first);
  fs::create_directories(second);
  const auto write = [](const fs::path& file, const char* content) { std::ofstream(file) << content; };
  const auto digest = [&] { return modules_digest({first, second, place / "none"}); };
  write(first / "libbauta_torch.so", "one");
  write(second / "bauta-model", "two");
  const std::string before = digest();
  EXPECT_EQ(digest(), before);
  write(first / "bauta", "another program");
  write(first / "libtorch.so", "not ours");
  write(second / "libbauta_torch.so", "there is one before it");
  EXPECT_EQ(digest(), before);
  write(first / "libbauta_torch.so", "other");
  const std::string other = digest();
  EXPECT_NE(other, before);
  write(second / "bauta-model", "changed");
  EXPECT_NE(digest(), other);
  write(first / "libbauta_torch.so", "one");
  write(second / "bauta-model", "two");
  EXPECT_EQ(digest(), before);
  write(second / "libbauta_faces.so", "new");
  EXPECT_NE(digest(), before);
  fs::remove_all(place);
}

}  // namespace
}  // namespace bauta
