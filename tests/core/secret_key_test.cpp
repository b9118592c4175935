#include "bauta/core/secret_key.hpp"

#include <cstring>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

bool equal(const SecretKey& a, const SecretKey& b) {
  return std::memcmp(a.bytes(), b.bytes(), SecretKey::size) == 0;
}

TEST(SecretKey, DerivationSeparatesRolesAndItems) {
  const SecretKey key = SecretKey::from_seed(1, "test");
  EXPECT_TRUE(equal(key.derive("a", "b"), key.derive("a", "b")));
  EXPECT_FALSE(equal(key.derive("ab", "c"), key.derive("a", "bc")));
  EXPECT_FALSE(equal(key, SecretKey::from_seed(2, "test")));
  EXPECT_FALSE(equal(SecretKey::generate(), SecretKey::generate()));
}

/// 32 bytes from 'A' on.
std::string counted() {
  std::string bytes(32, 'A');
  std::iota(bytes.begin(), bytes.end(), 'A');
  return bytes;
}

TEST(SecretKey, ReadsBytesAndHexadecimals) {
  const std::string path = testing::TempDir() + "bauta_key";
  std::ofstream(path, std::ios::binary) << counted();
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  const SecretKey raw = SecretKey::from_file(path);
  std::string hex;
  for (int i = 0; i < 32; ++i) hex += fmt::format("{:02x}", 'A' + i);
  std::ofstream(path, std::ios::binary) << hex << "\n";
  EXPECT_TRUE(equal(raw, SecretKey::from_file(path)));
  for (const std::string& bad :
       {std::string(), std::string(31, 'A'), std::string(64, 'x'), std::string(65, 'a'), std::string(66, 'a')}) {
    std::ofstream(path, std::ios::binary) << bad;
    EXPECT_THROW((void)SecretKey::from_file(path), Error) << bad.size();
  }
  EXPECT_THROW((void)SecretKey::from_file(path + ".missing"), Error);
}

std::string refusal_of(const std::string& path) {
  try {
    (void)SecretKey::from_file(path);
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.fault), static_cast<int>(Fault::input));
    return error.what();
  }
  return "read";
}

TEST(SecretKey, RefusesWhatIsNoSecret) {
  const std::string path = testing::TempDir() + "bauta_open_key";
  std::ofstream(path, std::ios::binary) << counted();
  for (const mode_t mode : {0644, 0640, 0604, 0660, 0602, 0610}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_NE(refusal_of(path).find("by others"), std::string::npos) << std::oct << mode;
  }
  for (const mode_t mode : {0600, 0400}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_EQ(refusal_of(path), "read") << std::oct << mode;
  }
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  // Zeros, one byte again and again, a word again and again, and 15 different ones.
  for (const std::string& guessed : {std::string(32, '\0'), std::string(64, '0'), std::string(32, 'k'),
                                     std::string("passwordpasswordpasswordpassword"), std::string(63, '0') + "1",
                                     counted().substr(0, 15) + std::string(17, 'A')}) {
    std::ofstream(path, std::ios::binary) << guessed;
    EXPECT_NE(refusal_of(path).find("repeats itself"), std::string::npos) << guessed;
  }
  std::ofstream(path, std::ios::binary) << counted().substr(0, 16) + std::string(16, 'A');
  EXPECT_EQ(refusal_of(path), "read");
  EXPECT_NE(refusal_of("/dev/zero").find("neither a file nor a pipe"), std::string::npos);
}

}  // namespace
}  // namespace bauta
