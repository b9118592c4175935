// Open-set identification: somebody may be nobody of those who are enrolled, and then no alarm should be raised. A
// search raises one iff the score of its best candidate is at least the threshold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bauta/measure/intervals.hpp"
#include "bauta/measure/usual.hpp"

namespace bauta {

/// One probe among the enrolled people.
struct Search {
  std::uint32_t person = 0;
  bool enrolled = false;
  double score = 0;  ///< of the best candidate; minus infinity: nothing was extracted, and nobody is named
  double hit = 0;    ///< of somebody enrolled: probability that they are the best candidate, ties broken at random
};

struct OpenSetPoint {
  double fpir = 0;  ///< as requested
  double fnir = 0;  ///< at the lowest threshold whose FPIR does not exceed it; never interpolated
  std::optional<Interval> ci;
  std::vector<double> draws;  ///< in each draw of people, with a threshold of its own; NaN: not defined in it
  double threshold = 0;       ///< a score, or the next number above all scores
  double actual_fpir = 0;
  bool resolvable = false;  ///< the request is at least one false alarm
};

/// FPIR: share of the searches for people who are not enrolled that raise an alarm. FNIR: share of those for enrolled
/// people that raise none, or name somebody else.
struct ErrorTradeoff {
  double threshold = 0, fpir = 0, fnir = 0;
};

struct OpenSetResult {
  std::size_t mated = 0;      ///< searches for people who are enrolled
  std::size_t non_mated = 0;  ///< for people who are not
  std::vector<OpenSetPoint> points;
  std::vector<ErrorTradeoff> curve;  ///< ascending thresholds, ties pooled, at most about 400
};

struct OpenSetOptions {
  std::vector<double> fpir = {0.1, 0.01};
  std::size_t bootstrap = usual_draws;  ///< draws of people; 0: no intervals
  std::uint64_t seed = 1;
};

/// An input error without searches of both kinds.
OpenSetResult measure_open_set(std::span<const Search> searches, const OpenSetOptions& options = {});

}  // namespace bauta
