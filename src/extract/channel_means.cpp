#include "channel_means.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

std::array<double, 3> parse_channel_means(const std::string& text) {
  std::array<double, 3> mean{};
  std::size_t count = 0;
  const char* at = text.data();
  const char* end = at + text.size();
  while (count < mean.size()) {
    const auto [stop, status] = std::from_chars(at, end, mean[count]);
    if (status != std::errc{} || !std::isfinite(mean[count])) break;
    ++count;
    at = stop;
    if (at == end || *at != '/') break;
    ++at;
  }
  if ((count != 1 && count != 3) || at != end || text.ends_with('/')) {
    throw_usage("parameter 'mean'", fmt::format("'{}' is neither a number nor three with / between", text),
                "e.g. mean=127.5 or mean=123.7/116.8/103.9 (red, green, blue)");
  }
  if (count == 1) mean.fill(mean.front());
  return mean;
}

}  // namespace bauta
