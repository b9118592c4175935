// Progress of long work on stderr: a bar on a terminal, nothing elsewhere. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace bauta {

class Progress {
 public:
  Progress(std::string what, std::uint64_t total, std::string unit = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::uint64_t amount);

 private:
  void draw(std::uint64_t done);

  std::string what_;
  std::string unit_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> done_{0};
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
  std::mutex mutex_;
  bool visible_;
};

/// One warning line on stderr: "warning: ...".
void warn(const std::string& message);

}  // namespace bauta
