#include "bauta/core/progress.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace bauta {

namespace {
constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr int bar_width = 30;
}  // namespace

Progress::Progress(std::string what, std::uint64_t total, std::string unit)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(std::max<std::uint64_t>(total, 1)),
      start_(std::chrono::steady_clock::now()),
      last_(start_),
      visible_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (visible_) {
    fmt::print(stderr, "\r\033[K");
    (void)std::fflush(stderr);
  }
}

void Progress::add(std::uint64_t amount) {
  const std::uint64_t done = done_.fetch_add(amount, std::memory_order_relaxed) + amount;
  if (!visible_) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < redraw_interval) return;
  last_ = now;
  draw(done);
}

void Progress::draw(std::uint64_t done) {
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const double elapsed = std::chrono::duration<double>(last_ - start_).count();
  const int filled = static_cast<int>(share * bar_width);
  fmt::print(stderr, "\r\033[K{} [{:#<{}}{:.<{}}] {:3.0f} %  {:.0f} s left {}", what_, "", filled, "",
             bar_width - filled, 100 * share, share > 0 ? elapsed / share - elapsed : 0.0, unit_);
  (void)std::fflush(stderr);
}

void warn(const std::string& message) {
  fmt::print(stderr, "warning: {}\n", message);
}

}  // namespace bauta
