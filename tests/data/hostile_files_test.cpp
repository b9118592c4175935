// Files that somebody damaged, by chance or on purpose: every reader either succeeds or throws an Error. It never
// crashes and, under the address sanitizer, never touches what is not its own.
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bauta/core/random.hpp"
#include "victims.hpp"

namespace bauta {
namespace {

using test::Scratch;
using test::Victim;
using test::victims;

/// While this lives, a request for more than 512 MiB fails, so that sizes taken from damaged files do not pass unseen.
class MemoryLimit {
 public:
  MemoryLimit() {
#ifndef BAUTA_SANITIZED  // sanitizers reserve terabytes of addresses
    ::getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limited = before_;
    limited.rlim_cur = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + (std::size_t{512} << 20);
    ::setrlimit(RLIMIT_AS, &limited);
#endif
  }
  ~MemoryLimit() {
#ifndef BAUTA_SANITIZED
    ::setrlimit(RLIMIT_AS, &before_);
#endif
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
};

/// True if it was read, false if it was refused; anything but an Error fails the test.
bool survives(const Victim& victim, const std::string& bytes) {
  try {
    victim.read(bytes);
    return true;
  } catch (const Error& error) {
    EXPECT_NE(static_cast<int>(error.fault), static_cast<int>(Fault::environment)) << error.what();
    EXPECT_FALSE(error.where.empty()) << victim.name;
    EXPECT_FALSE(error.finding.empty()) << victim.name;
  } catch (const std::exception& error) {
    ADD_FAILURE() << victim.name << ": " << error.what();
  }
  return false;
}

std::string mutate(std::string bytes, Stream& stream) {
  const std::uint64_t changes = 1 + stream.below(4);
  for (std::uint64_t change = 0; change < changes && !bytes.empty(); ++change) {
    const std::size_t at = stream.below(bytes.size());
    switch (stream.below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << stream.below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(stream.below(256));
        break;
      case 2:
        bytes.erase(at, 1 + stream.below(8));
        break;
      case 3:
        bytes.insert(at, bytes.substr(stream.below(bytes.size()), stream.below(16)));
        break;
      case 4:  // a length or size field out of all proportion
        for (std::size_t i = at; i < std::min(bytes.size(), at + 4); ++i) bytes[i] = static_cast<char>(0xff);
        break;
      default:
        bytes.resize(at);
    }
  }
  return bytes;
}

TEST(HostileFiles, TheUndamagedOnesAreReadAsFarAsTheyMay) {
  const Scratch scratch;
  for (const Victim& victim : victims(scratch)) {
    EXPECT_EQ(survives(victim, victim.bytes), victim.bytes != test::objects) << victim.name;
  }
}

TEST(HostileFiles, TruncationAtEveryByteIsSurvived) {
  const Scratch scratch;
  for (const Victim& victim : victims(scratch)) {
    for (std::size_t size = 0; size < victim.bytes.size(); ++size) {
      const bool read = survives(victim, victim.bytes.substr(0, size));
      // Binary formats know their length.
      if (victim.name == "npy" || victim.name == "npz" || victim.name == "mtx" || victim.name == "mask" ||
          victim.name == "png" || victim.name == "jpeg") {
        EXPECT_FALSE(read) << victim.name << " cut to " << size;
      }
    }
  }
}

TEST(HostileFiles, RandomMutationsAreSurvived) {
  const Scratch scratch;
  const MemoryLimit limit;
  const std::size_t rounds = std::getenv("BAUTA_SLOW") != nullptr ? 50000 : 3000;
  std::uint64_t item = 0;
  for (const Victim& victim : victims(scratch)) {
    Stream stream(20, "hostile files", item++);
    for (std::size_t round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
      survives(victim, mutate(victim.bytes, stream));
    }
  }
}

}  // namespace
}  // namespace bauta
