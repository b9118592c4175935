// A screen for nearest neighbours: inner products of rows rounded to bfloat16, at twice the speed of float32, bound
// each score from both sides. References whose upper bound is below the lower bounds of n others are ruled out; the few
// that are left are compared exactly, so that the neighbours are exact too.
#pragma once

#include "bauta/compare/top_n.hpp"
#include "gemm.hpp"

namespace bauta {

class Screen {
 public:
  /// Whether this machine has the instructions that make it faster than comparing everything.
  static bool available();
  /// `references` must outlive the screen. `in_vectors`: with these instructions, else in plain code.
  explicit Screen(const PreparedRows& references, bool in_vectors = available());

  /// Gives `result` the best of every probe; no classes. False if too many references cannot be ruled out (many equal
  /// ones, say): then everything is to be compared.
  [[nodiscard]] bool nearest(const PreparedRows& probes, TopN& result) const;

 private:
  /// The same for some probes, on one thread.
  bool nearest_of(RowRange range, const PreparedRows& probes, TopN& result) const;

  const PreparedRows& references_;
  bool in_vectors_;
  std::vector<float>
      centre_;  // taken from both sides of a distance, which it does not change: shorter rows, less error
  std::vector<std::uint32_t> panels_;
  std::vector<float> lengths_;  // of the centred references, the longest being 1
  std::vector<float> offsets_;  // what is added to the negated inner product: half the squared length for a distance
  double longest_ = 0;
  double error_ = 0;  // most that rounding changes a reference of unit length
};

}  // namespace bauta
