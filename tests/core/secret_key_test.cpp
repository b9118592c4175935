#include "bauta/core/secret_key.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// 32 different bytes in no order.
std::string mixed() {
  std::string bytes(32, 0);
  for (int i = 0; i < 32; ++i) bytes[static_cast<std::size_t>(i)] = static_cast<char>(i * i * 3 + i * 7 + 129);
  return bytes;
}

std::string counted(char first) {
  std::string bytes(32, first);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

TEST(SecretKey, ReadsBytesAndHexadecimals) {
  const std::string path = testing::TempDir() + "bauta_key";
  std::ofstream(path, std::ios::binary) << mixed();
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  const SecretKey raw = SecretKey::from_file(path);
  std::string hex;
  for (const char byte : mixed()) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
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
  std::ofstream(path, std::ios::binary) << mixed();
  for (const mode_t mode : {0644, 0640, 0604, 0660, 0602, 0610}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_NE(refusal_of(path).find("by others"), std::string::npos) << std::oct << mode;
  }
  for (const mode_t mode : {0600, 0400}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_EQ(refusal_of(path), "read") << std::oct << mode;
  }
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  // Zeros, one byte again and again, a word again and again, 15 different bytes, seventeen decimal digits again and
  // again (read as 17 different bytes), 16 bytes twice, and counted ones.
  for (const std::string& guessed : {std::string(32, '\0'), std::string(64, '0'), std::string(32, 'k'),
                                     std::string("passwordpasswordpasswordpassword"), std::string(63, '0') + "1",
                                     mixed().substr(0, 15) + std::string(17, mixed()[0]),
                                     std::string("1234567890123456712345678901234567123456789012345671234567890123"),
                                     mixed().substr(0, 16) + mixed().substr(0, 16), counted('A'), counted('\0')}) {
    std::ofstream(path, std::ios::binary) << guessed;
    EXPECT_NE(refusal_of(path).find("repeats itself"), std::string::npos) << guessed;
  }
  EXPECT_NE(refusal_of("/dev/zero").find("neither a file nor a pipe"), std::string::npos);
}

// Whatever people think of is found by trying: texts in any script, also written in hexadecimal, and long numbers.
TEST(SecretKey, RefusesPassphrasesAndNumbers) {
  const std::string path = testing::TempDir() + "bauta_passphrase";
  std::ofstream(path, std::ios::binary) << mixed();
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(path), "read");
  const std::string words = "the quick brown fox jumps, 2 dog";
  const std::string umlauts =
      "\xc3\x96lkrug: 7 gro\xc3\x9f"
      "e Pf\xc3\xbcnde & zyx!";
  std::string hex;
  for (const char byte : words) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  for (const std::string& guessed : {words, words.substr(0, 31) + "\n", umlauts, hex,
                                     std::string("3141592653589793238462643383279502884197169399375105820974944592")}) {
    std::ofstream(path, std::ios::binary) << guessed;
    EXPECT_NE(refusal_of(path).find("no key"), std::string::npos) << guessed << guessed.size();
  }
}

// A key of its owner's alone in a folder of everybody's is whatever anybody puts there.
TEST(SecretKey, RefusesAPlaceThatOthersMayWriteInto) {
  const std::filesystem::path outer = testing::TempDir() + "bauta_key_place_" + std::to_string(::getpid());
  const std::filesystem::path inner = outer / "inner";
  std::filesystem::create_directories(inner);
  const std::string path = inner / "key";
  std::ofstream(path, std::ios::binary) << mixed();
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(path), "read");
  for (const auto& folder : {inner, outer}) {
    ASSERT_EQ(::chmod(folder.c_str(), 0777), 0);
    EXPECT_NE(refusal_of(path).find("can be replaced by others"), std::string::npos) << folder;
    ASSERT_EQ(::chmod(folder.c_str(), 01777), 0);  // as /tmp: there others cannot replace what is not theirs
    EXPECT_EQ(refusal_of(path), "read") << folder;
    ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  }
  std::filesystem::remove_all(outer);
}

}  // namespace
}  // namespace bauta
