#include "bauta/core/secret_key.hpp"

#include <cstring>
#include <fstream>

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

TEST(SecretKey, ReadsBytesAndHexadecimals) {
  const std::string path = testing::TempDir() + "bauta_key";
  std::ofstream(path, std::ios::binary) << std::string(32, 'A');
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  const SecretKey raw = SecretKey::from_file(path);
  std::string hex;
  for (int i = 0; i < 32; ++i) hex += "41";
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
  std::ofstream(path, std::ios::binary) << std::string(32, 'A');
  for (const mode_t mode : {0644, 0640, 0604, 0660, 0602, 0610}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_NE(refusal_of(path).find("by others"), std::string::npos) << std::oct << mode;
  }
  for (const mode_t mode : {0600, 0400}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_EQ(refusal_of(path), "read") << std::oct << mode;
  }
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  for (const std::string& zero : {std::string(32, '\0'), std::string(64, '0')}) {
    std::ofstream(path, std::ios::binary) << zero;
    EXPECT_NE(refusal_of(path).find("all zeros"), std::string::npos) << zero.size();
  }
  EXPECT_NE(refusal_of("/dev/zero").find("neither a file nor a pipe"), std::string::npos);
}

}  // namespace
}  // namespace bauta
