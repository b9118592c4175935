#include "bauta/learn/tuning.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "bauta/core/random.hpp"
#include "gaussian_process.hpp"

namespace bauta {
namespace {

constexpr std::size_t most_grid_points = 1000;
constexpr std::size_t most_attempts = 1000;  // to draw a point that is new
constexpr double logarithmic_from = 10;      // ratio of the ends of a range
constexpr std::size_t candidates_anywhere = 2000;
constexpr std::size_t candidates_nearby = 500;
constexpr std::array nearby = {0.1, 0.03, 0.01};  // deviations around the best point
constexpr std::array<std::size_t, 12> primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

double to_number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// One parameter that is varied, as a coordinate in [0, 1].
class Dimension {
 public:
  explicit Dimension(const Parameter& parameter) : parameter_(&parameter) {
    const bool number = parameter.type == ParameterType::integer || parameter.type == ParameterType::real;
    if (!number || parameter.grid.size() < 2) return;
    low_ = to_number(parameter.grid.front());
    high_ = to_number(parameter.grid.back());
    BAUTA_ASSERT(low_ < high_);
    range_ = true;
    logarithmic_ = low_ > 0 && high_ > logarithmic_from * low_;
  }

  [[nodiscard]] const Parameter& parameter() const { return *parameter_; }

  /// The value at u in [0, 1]; of choices, each has an equal part of it.
  [[nodiscard]] std::string value(double u) const {
    if (!range_) {
      const std::size_t count = parameter_->grid.size();
      return parameter_->grid[std::min(static_cast<std::size_t>(u * static_cast<double>(count)), count - 1)];
    }
    const double exact = logarithmic_ ? low_ * std::pow(high_ / low_, u) : low_ + u * (high_ - low_);
    if (parameter_->type == ParameterType::integer) return fmt::format("{}", std::llround(exact));
    return fmt::format("{:.4g}", exact);
  }

  /// Where a value lies: choices in the order of their declaration.
  [[nodiscard]] double coordinate(const std::string& value) const {
    if (!range_) {
      const auto& grid = parameter_->grid;
      const auto place = static_cast<double>(std::find(grid.begin(), grid.end(), value) - grid.begin());
      return grid.size() < 2 ? 0 : place / static_cast<double>(grid.size() - 1);
    }
    const double number = to_number(value);
    return logarithmic_ ? std::log(number / low_) / std::log(high_ / low_) : (number - low_) / (high_ - low_);
  }

 private:
  const Parameter* parameter_;
  bool range_ = false;
  bool logarithmic_ = false;
  double low_ = 0;
  double high_ = 1;
};

using Values = std::vector<std::string>;

class Tuner {
 public:
  Tuner(const Declaration& declaration, const Specification& fixed, const TuningOptions& options,
        const std::function<double(const std::string&)>& score)
      : declaration_(declaration), fixed_(fixed), options_(options), score_(score) {
    (void)Parameters(declaration, fixed);  // what the user fixed must be right before anything is tried
    for (const Parameter& parameter : declaration.parameters) {
      if (!parameter.grid.empty() && !fixed.values.contains(parameter.name)) dimensions_.emplace_back(parameter);
    }
    BAUTA_ASSERT(dimensions_.size() <= primes.size() && options.trials > 0);
  }

  Tuned run() {
    if (dimensions_.empty()) {
      try_out({});
    } else if (options_.search == Search::grid) {
      search_grid();
    } else if (options_.search == Search::random) {
      search_random();
    } else {
      search_bayesian();
    }
    return std::move(tuned_);
  }

 private:
  [[nodiscard]] std::string specification(const Values& values) const {
    Specification whole = fixed_;
    whole.name = declaration_.name;
    for (std::size_t k = 0; k < values.size(); ++k) whole.values[dimensions_[k].parameter().name] = values[k];
    return Parameters(declaration_, whole).brief();
  }

  [[nodiscard]] std::vector<double> coordinates(const Values& values) const {
    std::vector<double> point;
    for (std::size_t k = 0; k < values.size(); ++k) point.push_back(dimensions_[k].coordinate(values[k]));
    return point;
  }

  [[nodiscard]] Values values_at(const std::vector<double>& point) const {
    Values values;
    for (std::size_t k = 0; k < point.size(); ++k) values.push_back(dimensions_[k].value(point[k]));
    return values;
  }

  [[nodiscard]] bool is_new(const Values& values) const { return !seen_.contains(specification(values)); }

  void try_out(const Values& values) {
    const std::string text = specification(values);
    seen_.insert(text);
    const double score = score_(text);
    const bool better =
        tuned_.trials.empty() || score > tuned_.score || (std::isnan(tuned_.score) && !std::isnan(score));
    tuned_.trials.push_back({text, score});
    points_.push_back(coordinates(values));
    if (!better) return;
    tuned_.specification = text;
    tuned_.score = score;
    best_ = points_.size() - 1;
  }

  void search_grid() {
    std::size_t size = 1;
    for (const Dimension& dimension : dimensions_) {
      size *= dimension.parameter().grid.size();
      if (size > most_grid_points) {
        throw_usage(declaration_.name, fmt::format("a grid of more than {} points", most_grid_points),
                    "give some of its parameters, or search at random or bayesian");
      }
    }
    for (std::size_t point = 0; point < size; ++point) {
      Values values(dimensions_.size());
      std::size_t rest = point;
      for (std::size_t k = dimensions_.size(); k-- > 0;) {
        const auto& grid = dimensions_[k].parameter().grid;
        values[k] = grid[rest % grid.size()];
        rest /= grid.size();
      }
      if (is_new(values)) try_out(values);
    }
  }

  /// False if nothing new was found.
  bool try_at_random(Stream& stream) {
    for (std::size_t attempt = 0; attempt < most_attempts; ++attempt) {
      std::vector<double> point(dimensions_.size());
      for (double& u : point) u = stream.uniform();
      const Values values = values_at(point);
      if (!is_new(values)) continue;
      try_out(values);
      return true;
    }
    return false;
  }

  void search_random() {
    for (std::size_t trial = 0; trial < options_.trials; ++trial) {
      Stream stream(options_.seed, "tuning.random", trial);
      if (!try_at_random(stream)) return;
    }
  }

  /// Halton's sequence, moved by a random offset, spreads the first points.
  [[nodiscard]] std::vector<double> spread_point(std::size_t index, const std::vector<double>& offset) const {
    std::vector<double> point;
    for (std::size_t k = 0; k < dimensions_.size(); ++k) {
      double value = offset[k];
      double digit = 1;
      for (std::size_t rest = index + 1; rest > 0; rest /= primes[k]) {
        digit /= static_cast<double>(primes[k]);
        value += digit * static_cast<double>(rest % primes[k]);
      }
      point.push_back(value - std::floor(value));
    }
    return point;
  }

  void search_bayesian() {
    Stream stream(options_.seed, "tuning.offset");
    std::vector<double> offset(dimensions_.size());
    for (double& u : offset) u = stream.uniform();
    const std::size_t first = std::min(options_.trials, 2 * dimensions_.size() + 1);
    for (std::size_t index = 0; tuned_.trials.size() < first && index < most_attempts; ++index) {
      const Values values = values_at(spread_point(index, offset));
      if (is_new(values)) try_out(values);
    }
    while (tuned_.trials.size() < options_.trials) {
      Stream draws(options_.seed, "tuning.candidates", tuned_.trials.size());
      const Values next = most_promising(draws);
      if (next.empty()) return;
      try_out(next);
    }
  }

  /// Scores around their mean, over their deviation; what is no number counts as the worst.
  [[nodiscard]] std::vector<double> standard_scores() const {
    double worst = std::numeric_limits<double>::infinity();
    for (const Trial& trial : tuned_.trials) worst = std::isfinite(trial.score) ? std::min(worst, trial.score) : worst;
    if (std::isinf(worst)) worst = 0;
    std::vector<double> scores;
    double mean = 0, square = 0;
    for (const Trial& trial : tuned_.trials) scores.push_back(std::isfinite(trial.score) ? trial.score : worst);
    for (const double score : scores) mean += score / static_cast<double>(scores.size());
    for (const double score : scores) square += (score - mean) * (score - mean) / static_cast<double>(scores.size());
    for (double& score : scores) score = square > 0 ? (score - mean) / std::sqrt(square) : 0;
    return scores;
  }

  /// Of points drawn anywhere and around the best, that of largest expected improvement; empty if none is new.
  [[nodiscard]] Values most_promising(Stream& stream) const {
    Matrix<double> x(points_.size(), dimensions_.size());
    for (std::size_t i = 0; i < points_.size(); ++i) std::ranges::copy(points_[i], x.row(i).begin());
    const GaussianProcess process = GaussianProcess::most_likely(x.view(), standard_scores());
    // What the process believes of the trials, not what they happened to give: scores are noisy.
    double level = -std::numeric_limits<double>::infinity();
    for (const auto& point : points_) level = std::max(level, process.predict(point).mean);
    Values best;
    double most = -1;
    for (std::size_t candidate = 0; candidate < candidates_anywhere + candidates_nearby; ++candidate) {
      std::vector<double> point(dimensions_.size());
      for (std::size_t k = 0; k < point.size(); ++k) {
        point[k] = candidate < candidates_anywhere
                       ? stream.uniform()
                       : std::clamp(points_[best_][k] + nearby[candidate % nearby.size()] * stream.normal(), 0.0, 1.0);
      }
      const Values values = values_at(point);
      const double promise = expected_improvement(process.predict(coordinates(values)), level);
      if (promise <= most || !is_new(values)) continue;
      most = promise;
      best = values;
    }
    return best;
  }

  const Declaration& declaration_;
  const Specification& fixed_;
  TuningOptions options_;
  const std::function<double(const std::string&)>& score_;
  std::vector<Dimension> dimensions_;
  std::set<std::string> seen_;
  std::vector<std::vector<double>> points_;  // coordinates of the trials
  std::size_t best_ = 0;
  Tuned tuned_;
};

constexpr std::array searches = {Search::grid, Search::random, Search::bayesian};

}  // namespace

std::string_view to_text(Search search) {
  switch (search) {
    case Search::grid:
      return "grid";
    case Search::random:
      return "random";
    case Search::bayesian:
      return "bayesian";
  }
  return "unknown";
}

Search parse_search(std::string_view text) {
  std::vector<std::string> known;
  for (const Search search : searches) {
    if (to_text(search) == text) return search;
    known.emplace_back(to_text(search));
  }
  throw_usage("'" + std::string(text) + "'", "no such search", suggest(text, known));
}

Tuned tune(const Declaration& declaration, const Specification& fixed, const TuningOptions& options,
           const std::function<double(const std::string&)>& score) {
  return Tuner(declaration, fixed, options, score).run();
}

}  // namespace bauta
