// Mean, spread and logistic cost of many scores. Sums run over chunks of fixed size in ascending order of the scores,
// so that the result is the same for any number of threads and any memory budget.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bauta/core/parallel.hpp"

namespace bauta {

struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;  ///< sum of squared deviations from the mean
  double cost = 0;     ///< sum of ln(1 + e^(sign x)): sign is +1 for non-mated and -1 for mated scores

  /// Population variance.
  [[nodiscard]] double variance() const { return count > 0 ? squares / count : 0; }
  void merge(const Moments& other);
};

/// Of finite values; the cost has a relative error below 1e-13.
Moments moments_of(std::span<const double> values, double sign);

/// The moments of one class, given ascending and in pieces.
class MomentChain {
 public:
  static constexpr std::size_t chunk = 4096;

  explicit MomentChain(double sign) : sign_(sign) {}

  /// A piece of `size` values; decode(first, count, out) writes its values [first, first + count).
  template <class Decode>
  void add(std::uint64_t size, const Decode& decode) {
    std::uint64_t from = 0;
    if (!open_.empty()) {
      const std::size_t held = open_.size();
      from = std::min<std::uint64_t>(size, chunk - held);
      open_.resize(held + from);
      decode(0, from, open_.data() + held);
      if (open_.size() < chunk) return;
      close();
    }
    const std::uint64_t full = (size - from) / chunk;
    std::vector<Moments> parts(full);
    parallel_for((full + 63) / 64, [&](std::size_t group, int) {
      std::vector<double> values(chunk);
      for (std::size_t c = 64 * group; c < std::min<std::size_t>(full, 64 * group + 64); ++c) {
        decode(from + c * chunk, chunk, values.data());
        parts[c] = moments_of(values, sign_);
      }
    });
    for (const Moments& part : parts) total_.merge(part);
    from += full * chunk;
    open_.resize(size - from);
    decode(from, size - from, open_.data());
  }
  [[nodiscard]] Moments finish() {
    close();
    return total_;
  }

 private:
  void close() {
    total_.merge(moments_of(open_, sign_));
    open_.clear();
  }

  double sign_;
  std::vector<double> open_;  // the values of a chunk that the pieces so far have not filled
  Moments total_;
};

}  // namespace bauta
