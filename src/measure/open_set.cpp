#include "bauta/measure/open_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

constexpr std::size_t most_points = 400;

/// Searches in descending order of their scores, walked from above all of them down.
class Searches {
 public:
  explicit Searches(std::span<const Search> searches) : sorted_(searches.begin(), searches.end()) {
    std::stable_sort(sorted_.begin(), sorted_.end(),
                     [](const Search& a, const Search& b) { return a.score > b.score; });
    std::map<std::uint32_t, std::uint32_t>
        numbers;  // ascending, so that draws of other searches are of the same people
    for (const Search& search : sorted_) numbers.emplace(search.person, 0);
    for (auto& [person, number] : numbers) number = static_cast<std::uint32_t>(people_++);
    for (Search& search : sorted_) search.person = numbers.at(search.person);
  }

  [[nodiscard]] std::size_t people() const { return people_; }
  [[nodiscard]] const std::vector<Search>& sorted() const { return sorted_; }

  /// Every threshold, from the next number above all scores down to the lowest score, ties pooled. `visit` gives false
  /// to stop. `weight`: of each person.
  template <class Weight, class Visit>
  void walk(Weight&& weight, Visit&& visit) const {
    double mated = 0, others = 0;
    for (const Search& search : sorted_) (search.enrolled ? mated : others) += weight(search.person);
    double right = 0, alarms = 0;
    const double top = sorted_.front().score;
    double threshold = std::isfinite(top) ? std::nextafter(top, HUGE_VAL) : HUGE_VAL;
    for (std::size_t i = 0;;) {
      if (!visit(ErrorTradeoff{threshold, alarms / others, 1 - right / mated})) return;
      if (i == sorted_.size() || sorted_[i].score == -HUGE_VAL) return;
      for (threshold = sorted_[i].score; i < sorted_.size() && sorted_[i].score == threshold; ++i) {
        const Search& search = sorted_[i];
        if (search.enrolled) {
          right += weight(search.person) * search.hit;
        } else {
          alarms += weight(search.person);
        }
      }
    }
  }

  /// At the lowest threshold whose FPIR does not exceed each request. NaN where a kind of search is missing.
  template <class Weight>
  [[nodiscard]] std::vector<ErrorTradeoff> at(const std::vector<double>& fpir, Weight&& weight) const {
    std::vector<ErrorTradeoff> points(fpir.size());
    walk(weight, [&](const ErrorTradeoff& point) {
      bool wanted = false;
      for (std::size_t k = 0; k < fpir.size(); ++k) {
        // Rates are ratios of sums: a request of exactly so many alarms must not fail by a rounding error.
        const bool within = !(point.fpir > fpir[k] + 1e-12);
        if (within) points[k] = point;
        wanted |= within;
      }
      return wanted;
    });
    return points;
  }

 private:
  std::vector<Search> sorted_;
  std::size_t people_ = 0;
};

void add_intervals(const Searches& searches, const OpenSetOptions& options, std::size_t mated, OpenSetResult& result) {
  for (OpenSetPoint& point : result.points) point.draws.resize(options.bootstrap);
  parallel_for(options.bootstrap, [&](std::size_t d, int) {
    Stream stream(options.seed, "bootstrap", d);
    std::vector<double> times(searches.people(), 0.0);
    for (std::size_t i = 0; i < times.size(); ++i) ++times[stream.below(times.size())];
    const auto drawn = searches.at(options.fpir, [&](std::uint32_t person) { return times[person]; });
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      result.points[k].draws[d] = std::isfinite(drawn[k].fpir) ? drawn[k].fnir : std::nan("");
    }
  });
  std::set<std::uint32_t> looked_for;
  for (const Search& search : searches.sorted()) {
    if (search.enrolled) looked_for.insert(search.person);
  }
  for (OpenSetPoint& point : result.points) {
    if (!point.resolvable) continue;
    point.ci = drawn_rate_interval(point.fnir, point.draws, static_cast<double>(mated),
                                   static_cast<double>(looked_for.size()));
    if (point.ci) point.ci = Interval{std::clamp(point.ci->low, 0.0, 1.0), std::clamp(point.ci->high, 0.0, 1.0)};
  }
}

/// Evenly spaced ones, the first and last among them.
std::vector<ErrorTradeoff> thinned(const std::vector<ErrorTradeoff>& curve) {
  if (curve.size() <= most_points) return curve;
  std::vector<ErrorTradeoff> few;
  for (std::size_t i = 0; i < most_points; ++i) few.push_back(curve[i * (curve.size() - 1) / (most_points - 1)]);
  return few;
}

}  // namespace

OpenSetResult measure_open_set(std::span<const Search> given, const OpenSetOptions& options) {
  OpenSetResult result;
  for (const Search& search : given) ++(search.enrolled ? result.mated : result.non_mated);
  if (result.mated == 0 || result.non_mated == 0) {
    throw_input("open set", "there are no searches for people who are enrolled, or none for others");
  }
  const Searches searches(given);
  const auto once = [](std::uint32_t) { return 1.0; };
  searches.walk(once, [&](const ErrorTradeoff& point) {
    result.curve.push_back(point);
    return true;
  });
  std::reverse(result.curve.begin(), result.curve.end());
  result.curve = thinned(result.curve);
  const std::vector<ErrorTradeoff> points = searches.at(options.fpir, once);
  for (std::size_t k = 0; k < points.size(); ++k) {
    result.points.push_back({.fpir = options.fpir[k],
                             .fnir = points[k].fnir,
                             .ci = std::nullopt,
                             .draws = {},
                             .threshold = points[k].threshold,
                             .actual_fpir = points[k].fpir,
                             // Where no alarm may be raised because too many scores are equal, misses tell nothing.
                             .resolvable = options.fpir[k] * static_cast<double>(result.non_mated) >= 1 - 1e-9 &&
                                           (points[k].fpir > 0 || points[k].fnir == 0)});
  }
  if (options.bootstrap > 0) add_intervals(searches, options, result.mated, result);
  return result;
}

}  // namespace bauta
