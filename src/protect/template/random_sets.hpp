// Random sets of samples around each sample, with a set share of its own class (utility-preserving anonymisation,
// Algorithm 1, line 7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/labels.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

class RandomSets {
 public:
  /// Sets of `size` samples, round(purity * size) of them, at least the sample itself, of its own class. Failed samples
  /// (empty: none) are never drawn. Usage and input errors where the data cannot give such a set for every sample.
  RandomSets(const Categorical& classes, const std::vector<bool>& failed, std::size_t size, double purity,
             const std::string& attribute, const std::string& where);

  /// round(purity * size), at least the sample itself.
  static std::size_t own_of(std::size_t size, double purity);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Samples of the own class in a set, the sample itself among them.
  [[nodiscard]] std::size_t own() const { return own_; }

  /// Draws without replacement; one per thread.
  class Drawer {
   public:
    explicit Drawer(const RandomSets& sets) : sets_(sets), taken_(sets.order_.size()) {}
    /// Rows of the set around `row`, a sample that did not fail: itself, others of its class, then of other classes.
    /// Valid until the next call.
    std::span<const std::size_t> operator()(std::size_t row, Stream& stream);

   private:
    template <class RowOf>
    void choose(std::size_t count, std::size_t from, Stream& stream, RowOf&& row_of);

    const RandomSets& sets_;
    std::vector<bool> taken_;  // all false between draws
    std::vector<std::size_t> numbers_, set_;
  };

 private:
  std::size_t size_;
  std::size_t own_;
  std::vector<std::int32_t> codes_;
  std::vector<std::size_t> order_;   // rows, class by class
  std::vector<std::size_t> place_;   // of each row in order_
  std::vector<std::size_t> starts_;  // of each class in order_, and the end
};

}  // namespace bauta
