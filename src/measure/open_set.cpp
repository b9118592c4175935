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
    // Ascending, so that draws of other searches are of the same people.
    std::map<std::uint32_t, std::uint32_t> numbers;
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

  /// Share of the searches for people who are enrolled that name nobody, or somebody else.
  template <class Weight>
  [[nodiscard]] double fnir_at(double threshold, Weight&& weight) const {
    double mated = 0, right = 0;
    for (const Search& search : sorted_) {
      if (!search.enrolled) continue;
      mated += weight(search.person);
      if (search.score >= threshold && search.score > -HUGE_VAL) right += weight(search.person) * search.hit;
    }
    return 1 - right / mated;
  }

 private:
  std::vector<Search> sorted_;
  std::size_t people_ = 0;
};

double variance_of(std::span<const double> draws) {
  double count = 0, mean = 0, squares = 0;
  for (const double draw : draws) {
    if (std::isfinite(draw)) ++count, mean += draw;
  }
  mean /= count;
  for (const double draw : draws) {
    if (std::isfinite(draw)) squares += (draw - mean) * (draw - mean);
  }
  return count > 0 ? squares / count : 0;
}

/// People of one kind, and how FNIR varies in draws where nobody else varies.
struct Side {
  double people = 0;
  double variance = 0;

  [[nodiscard]] double widened() const { return people > 1 ? variance * people / (people - 1) : variance; }
};

/// FNIR varies with whoever is enrolled, and with whoever set the threshold, who may be far fewer: degrees of freedom
/// as Welch and Satterthwaite have them. `drawn`: its variance where both vary.
Interval joint_interval(double fnir, double drawn, double trials, const Side& enrolled, const Side& others) {
  const double fewest = std::min(enrolled.people, others.people), sum = enrolled.variance + others.variance;
  if (!(sum > 1e-24) || !(drawn > 1e-24) || fewest < 2) return rate_interval({fnir, 0, trials, fewest, fewest - 1});
  const auto share = [](const Side& side) { return side.variance * side.variance / (side.people - 1); };
  const double freedom = sum * sum / (share(enrolled) + share(others));
  return rate_interval({fnir, drawn * (enrolled.widened() + others.widened()) / sum, trials, fewest, freedom});
}

void add_intervals(const Searches& searches, const OpenSetOptions& options, std::size_t mated, OpenSetResult& result) {
  const std::size_t points = result.points.size();
  for (OpenSetPoint& point : result.points) point.draws.resize(options.bootstrap);
  // With the threshold of all, and with the enrolled as they are.
  std::vector<std::vector<double>> by_enrolled(points, std::vector<double>(options.bootstrap)), by_others = by_enrolled;
  parallel_for(options.bootstrap, [&](std::size_t d, int) {
    Stream stream(options.seed, "bootstrap", d);
    std::vector<double> times(searches.people(), 0.0);
    for (std::size_t i = 0; i < times.size(); ++i) ++times[stream.below(times.size())];
    const auto weight = [&](std::uint32_t person) { return times[person]; };
    const auto drawn = searches.at(options.fpir, weight);
    for (std::size_t k = 0; k < points; ++k) {
      result.points[k].draws[d] = std::isfinite(drawn[k].fpir) ? drawn[k].fnir : std::nan("");
      by_enrolled[k][d] = searches.fnir_at(result.points[k].threshold, weight);
      by_others[k][d] = std::isfinite(drawn[k].fpir)
                            ? searches.fnir_at(drawn[k].threshold, [](std::uint32_t) { return 1.0; })
                            : std::nan("");
    }
  });
  std::set<std::uint32_t> people[2];
  for (const Search& search : searches.sorted()) people[search.enrolled].insert(search.person);
  for (std::size_t k = 0; k < points; ++k) {
    OpenSetPoint& point = result.points[k];
    if (!point.resolvable) continue;
    const auto all = joint_interval(point.fnir, variance_of(point.draws), static_cast<double>(mated),
                                    {static_cast<double>(people[true].size()), variance_of(by_enrolled[k])},
                                    {static_cast<double>(people[false].size()), variance_of(by_others[k])});
    point.ci = Interval{std::clamp(all.low, 0.0, 1.0), std::clamp(all.high, 0.0, 1.0)};
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
