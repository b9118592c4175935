// What work says on the way, however it ends.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace bauta::test {

/// `work()`, and in `said` what it wrote to stderr. Whoever throws does not leave others without it.
template <class Work>
auto captured(std::string& said, Work&& work) {
  struct Captured {
    explicit Captured(std::string& to) : said(to) { testing::internal::CaptureStderr(); }
    ~Captured() { said = testing::internal::GetCapturedStderr(); }
    std::string& said;
  };
  const Captured listening(said);
  return work();
}

}  // namespace bauta::test
