// What tests of damaged files share: damaging them, a bound on memory, and who counts as having survived.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"

namespace bauta::test {

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
  [[maybe_unused]] rlimit before_{};
};

using Reader = std::function<void(const std::string& bytes)>;

/// True if it was read, false if it was refused; anything but an Error that says where and what fails the test.
inline bool survives(const std::string& name, const Reader& read, const std::string& bytes) {
  try {
    read(bytes);
    return true;
  } catch (const Error& error) {
    EXPECT_NE(static_cast<int>(error.fault), static_cast<int>(Fault::environment)) << error.what();
    EXPECT_FALSE(error.where.empty()) << name;
    EXPECT_FALSE(error.finding.empty()) << name;
  } catch (const std::exception& error) {
    ADD_FAILURE() << name << ": " << error.what();
  }
  return false;
}

inline std::string mutate(std::string bytes, Stream& stream) {
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

/// So many mutated files: `few`, or 10,000 and more with BAUTA_SLOW=1.
inline std::size_t mutation_rounds(std::size_t few, std::size_t many = 10000) {
  return std::getenv("BAUTA_SLOW") != nullptr ? many : few;
}

/// Shows `read` mutated files, and says how many it read and refused.
inline void expect_mutations_survived(const std::string& name, const std::string& undamaged, const Reader& read,
                                      std::size_t rounds, std::uint64_t item) {
  Stream stream(20, "hostile files", item);
  std::size_t understood = 0, shown = 0;
  for (; shown < rounds && !::testing::Test::HasFailure(); ++shown) {
    if (survives(name, read, mutate(undamaged, stream))) ++understood;
  }
  std::printf("%s: %zu mutated files, %zu read, %zu refused\n", name.c_str(), shown, understood, shown - understood);
}

}  // namespace bauta::test
