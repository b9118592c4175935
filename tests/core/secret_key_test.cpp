#include "bauta/core/secret_key.hpp"

#include <cstring>
#include <fstream>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bauta
