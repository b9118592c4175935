#include "bauta/core/input.hpp"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

std::string refusal_of(const std::filesystem::path& path, std::size_t most) {
  try {
    (void)read_text(path, most);
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.fault), static_cast<int>(Fault::input));
    return error.what();
  }
  return "read";
}

TEST(Input, ReadsFilesUpToTheirBound) {
  const std::string path = testing::TempDir() + "bauta_input";
  const std::string text(200000, 'x');
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(read_text(path, 200000), text);
  EXPECT_NE(refusal_of(path, 199999).find("larger than 199999 bytes"), std::string::npos);
}

// Devices have no end: /dev/zero as an experiment took all memory.
TEST(Input, RefusesWhatHasNoEnd) {
  for (const char* device : {"/dev/zero", "/dev/urandom", "/dev/full"}) {
    EXPECT_NE(refusal_of(device, 100).find("neither a file nor a pipe"), std::string::npos) << device;
  }
  EXPECT_NE(refusal_of(testing::TempDir(), 100).find("is a folder"), std::string::npos);
  EXPECT_NE(refusal_of("/no/such/file", 100).find("cannot be opened"), std::string::npos);
}

TEST(Input, ReadsPipesUpToTheirBound) {
  const std::string path = testing::TempDir() + "bauta_pipe_" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << "from a pipe"; });
  EXPECT_EQ(read_text(path, 100), "from a pipe");
  writer.join();
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace bauta
