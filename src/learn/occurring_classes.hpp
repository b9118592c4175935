// Classes that the training data contain: learners that need an example of every class learn these only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bauta/core/error.hpp"

namespace bauta {

class OccurringClasses {
 public:
  OccurringClasses() = default;
  /// `codes` in [0, classes).
  OccurringClasses(std::span<const std::int32_t> codes, std::size_t classes) : place_(classes, 0), counts_(classes, 0) {
    for (const std::int32_t code : codes) {
      BAUTA_ASSERT(code >= 0 && static_cast<std::size_t>(code) < classes);
      ++counts_[static_cast<std::size_t>(code)];
    }
    for (std::size_t c = 0; c < classes; ++c) {
      if (counts_[c] == 0) continue;
      place_[c] = static_cast<std::int32_t>(codes_.size());
      codes_.push_back(c);
    }
  }

  /// How many occur, and how many there are.
  [[nodiscard]] std::size_t count() const { return codes_.size(); }
  [[nodiscard]] std::size_t all() const { return place_.size(); }
  [[nodiscard]] std::size_t code(std::size_t place) const { return codes_[place]; }
  [[nodiscard]] const std::vector<std::size_t>& codes() const { return codes_; }
  /// Samples of each class, absent ones included.
  [[nodiscard]] const std::vector<std::size_t>& counts() const { return counts_; }
  /// Codes as places among those that occur.
  [[nodiscard]] std::vector<std::int32_t> places(std::span<const std::int32_t> codes) const {
    std::vector<std::int32_t> result;
    result.reserve(codes.size());
    for (const std::int32_t code : codes) result.push_back(place_[static_cast<std::size_t>(code)]);
    return result;
  }

 private:
  std::vector<std::int32_t> place_;
  std::vector<std::size_t> counts_;
  std::vector<std::size_t> codes_;
};

}  // namespace bauta
