#include "bauta/core/input.hpp"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/core/json_text.hpp"

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

// A pipe in the place of a file that we wrote kept a run waiting for ever, and a link to a device filled the memory.
TEST(Input, WhereAFileIsMeantNobodyWaitsForAPipe) {
  const std::filesystem::path folder = testing::TempDir() + "bauta_own_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "file") << "text";
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("file", folder / "link");
  std::filesystem::create_symlink("/dev/zero", folder / "zero");
  const auto said = [&](const char* name, Accepts accepts) -> std::string {
    try {
      return read_text(folder / name, 100, accepts);
    } catch (const Error& error) {
      EXPECT_EQ(static_cast<int>(error.fault), static_cast<int>(Fault::input));
      return error.finding;
    }
  };
  for (const Accepts accepts : {Accepts::files, Accepts::files_without_links}) {
    EXPECT_EQ(said("file", accepts), "text");
    EXPECT_EQ(said("pipe", accepts), "is no file");
    EXPECT_EQ(said(".", accepts), "is a folder, expected a file");
  }
  EXPECT_EQ(said("link", Accepts::files), "text");
  EXPECT_EQ(said("zero", Accepts::files), "is no file");
  for (const char* link : {"link", "zero"}) {
    EXPECT_EQ(said(link, Accepts::files_without_links), "is a link, expected a file");
  }
  std::filesystem::remove_all(folder);
}

TEST(Input, JsonHasBoundedDepth) {
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
  };
  const auto said = [](const std::string& text) -> std::string {
    try {
      return parse_json(text, "place", "hint").dump();
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(said(nested(100)), nested(100));
  EXPECT_EQ(said(nested(102)), "place: nested more than 100 levels deep");
  EXPECT_EQ(said(nested(200000)), "place: nested more than 100 levels deep");
  EXPECT_EQ(said("{\"a\": 1, 2}"), "place: not valid JSON at byte 10");
}

}  // namespace
}  // namespace bauta
