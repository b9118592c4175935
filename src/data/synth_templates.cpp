// Draws the Gaussian population and computes what an optimal attacker and an optimal comparison reach on it.
#include "bauta/data/synth_templates.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bauta/core/checked.hpp"
#include "bauta/core/declaration.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "chi_square_sum.hpp"

namespace bauta {
namespace {

using nlohmann::ordered_json;

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x * std::numbers::sqrt2 / 2);
}

/// Class means on the line, in standard deviations of one sample, symmetric about 0.
double position(double leak, std::size_t k, std::size_t classes) {
  return leak * (static_cast<double>(k) - (static_cast<double>(classes) - 1) / 2);
}

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// Where each class has the highest posterior: the log posteriors of equally wide Gaussians are straight lines up to a
/// common term, so each class wins on one interval (empty if low >= high).
std::vector<Interval> winning_intervals(double leak, std::span<const double> priors) {
  const std::size_t classes = priors.size();
  std::vector<Interval> wins(classes);
  if (leak == 0) {
    const auto winner = std::max_element(priors.begin(), priors.end()) - priors.begin();
    for (std::size_t k = 0; k < classes; ++k) {
      if (k != static_cast<std::size_t>(winner)) wins[k] = {0, 0};
    }
    return wins;
  }
  for (std::size_t j = 0; j < classes; ++j) {
    for (std::size_t k = j + 1; k < classes; ++k) {
      const double a = position(leak, j, classes);
      const double b = position(leak, k, classes);
      const double boundary = (a + b) / 2 - std::log(priors[k] / priors[j]) / (b - a);
      wins[j].high = std::min(wins[j].high, boundary);
      wins[k].low = std::max(wins[k].low, boundary);
    }
  }
  return wins;
}

/// P(the sample falls where its class wins), for samples N(class mean, 1) or, as outliers, N(0, outlier_scale^2).
double hit_rate(double leak, std::span<const double> priors, double outlier_scale = 0) {
  const std::vector<Interval> wins = winning_intervals(leak, priors);
  double rate = 0;
  for (std::size_t k = 0; k < priors.size(); ++k) {
    if (wins[k].low >= wins[k].high) continue;
    const double mean = outlier_scale > 0 ? 0 : position(leak, k, priors.size());
    const double scale = outlier_scale > 0 ? outlier_scale : 1;
    rate += priors[k] * (normal_cdf((wins[k].high - mean) / scale) - normal_cdf((wins[k].low - mean) / scale));
  }
  return rate;
}

/// The equal error rate of FNMR (rising with z) and FMR (falling) in [low, high]. At any z it lies between the two
/// rates.
template <class Fnmr, class Fmr>
Bounded equal_error(double low, double high, Fnmr&& fnmr, Fmr&& fmr) {
  Bounded miss;
  Bounded match;
  for (int step = 0; step < 100; ++step) {
    const double z = (low + high) / 2;
    miss = fnmr(z);
    match = fmr(z);
    if (std::abs(miss.value - match.value) < 1e-12 || z == low || z == high) break;
    (miss.value < match.value ? low : high) = z;
  }
  return {(miss.value + match.value) / 2, std::abs(miss.value - match.value) / 2 + std::max(miss.error, match.error)};
}

// With r the correlation of two samples of one identity, the sum and the difference of the two are independent, and the
// log-likelihood ratio is an increasing function of X - Y for mated pairs and of X / (1 + r) - Y / (1 - r) for
// non-mated ones, X and Y being independent chi-squares: z = 2 (LLR - constant) / r.
ChiSquareSum mated_sum(double dimensions) {
  return ChiSquareSum({1, -1}, dimensions);
}
ChiSquareSum non_mated_sum(double dimensions, double r) {
  return ChiSquareSum({1 / (1 + r), -1 / (1 - r)}, dimensions);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class T>
bool parse_whole(std::string_view text, T& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

void check_attribute(const SynthAttribute& attribute, std::set<std::string>& names) {
  const std::string where = "attribute '" + attribute.name + "'";
  if (attribute.name.empty()) throw_usage("attribute", "has no name");
  if (!names.insert(attribute.name).second) throw_usage(where, "the name is taken", "choose another name");
  if (!std::isfinite(attribute.leak) || attribute.leak < 0) {
    throw_usage(where, fmt::format("leak is {}, expected a number of at least 0", attribute.leak));
  }
  const std::size_t classes = attribute.classes.size();
  if (classes < 2) throw_usage(where, fmt::format("has {} class(es), expected at least 2", classes));
  if (std::set<std::string>(attribute.classes.begin(), attribute.classes.end()).size() != classes ||
      std::count(attribute.classes.begin(), attribute.classes.end(), "") > 0) {
    throw_usage(where, "class names must differ and must not be empty");
  }
  if (attribute.proportions.size() != classes) {
    throw_usage(where, fmt::format("has {} classes and {} proportions", classes, attribute.proportions.size()));
  }
  double sum = 0;
  for (const double p : attribute.proportions) {
    if (!(p > 0 && p < 1)) throw_usage(where, fmt::format("a proportion is {}, expected one in (0, 1)", p));
    sum += p;
  }
  if (std::abs(sum - 1) > 1e-6) throw_usage(where, fmt::format("proportions add up to {}, expected 1", sum));
}

void check_options(const SynthOptions& options) {
  if (options.identities < 2) throw_usage("identities", fmt::format("is {}, expected at least 2", options.identities));
  if (options.samples < 1) throw_usage("samples", "is 0, expected at least 1 per identity");
  if (options.dim < 1) throw_usage("dim", "is 0, expected at least 1");
  if (!std::isfinite(options.identity_strength) || options.identity_strength < 0) {
    throw_usage("identity strength", fmt::format("is {}, expected a number of at least 0", options.identity_strength));
  }
  if (!(options.outliers >= 0 && options.outliers < 1)) {
    throw_usage("outliers", fmt::format("is {}, expected a share in [0, 1)", options.outliers));
  }
  if (!std::isfinite(options.outlier_scale) || options.outlier_scale <= 0) {
    throw_usage("outlier scale", fmt::format("is {}, expected a number above 0", options.outlier_scale));
  }
  if (options.attributes.size() > options.dim) {
    throw_usage("dim", fmt::format("{} dimensions cannot hold {} orthogonal attribute directions", options.dim,
                                   options.attributes.size()));
  }
  std::set<std::string> names = {"id", "identity", "outlier", "failed", "file"};
  for (const SynthAttribute& attribute : options.attributes) check_attribute(attribute, names);
  const std::uint64_t rows = checked_multiply(options.identities, options.samples, "identities x samples");
  checked_multiply(rows, checked_multiply(options.dim, sizeof(float), "dim"), "identities x samples x dim");
}

/// Identities per class: the proportions as nearly as whole identities allow (largest remainders, then class order).
std::vector<std::size_t> class_counts(const SynthAttribute& attribute, std::size_t identities) {
  const std::size_t classes = attribute.classes.size();
  std::vector<std::size_t> counts(classes);
  std::vector<std::pair<double, std::size_t>> remainders(classes);
  std::size_t given = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    const double share = attribute.proportions[k] * static_cast<double>(identities);
    counts[k] = std::min(static_cast<std::size_t>(share), identities - given);
    given += counts[k];
    remainders[k] = {-(share - std::floor(share)), k};
  }
  std::sort(remainders.begin(), remainders.end());
  for (std::size_t i = 0; given < identities; i = (i + 1) % classes, ++given) ++counts[remainders[i].second];
  for (std::size_t k = 0; k < classes; ++k) {
    if (counts[k] > 0) continue;
    throw_usage("attribute '" + attribute.name + "'",
                fmt::format("class '{}' with proportion {} gets none of {} identities", attribute.classes[k],
                            attribute.proportions[k], identities),
                "ask for more identities");
  }
  return counts;
}

/// The class of each identity: the counts above in a random order.
std::vector<std::size_t> assign_classes(const std::vector<std::size_t>& counts, std::size_t identities, Stream stream) {
  std::vector<std::size_t> classes;
  classes.reserve(identities);
  for (std::size_t k = 0; k < counts.size(); ++k) classes.insert(classes.end(), counts[k], k);
  stream.shuffle(std::span(classes));
  return classes;
}

/// One unit vector per attribute, mutually orthogonal: Gram-Schmidt (twice, for orthogonality to rounding) on
/// Gaussians.
Matrix<double> leak_directions(const SynthOptions& options) {
  Matrix<double> directions(options.attributes.size(), options.dim, 0.0);
  for (std::size_t a = 0; a < directions.rows(); ++a) {
    const std::span<double> w = directions.row(a);
    if (options.axis_aligned) {
      w[a] = 1;
      continue;
    }
    Stream(options.seed, "synth.direction", a).normals(w);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t b = 0; b < a; ++b) {
        const std::span<const double> v = directions.row(b);
        const double overlap = std::inner_product(w.begin(), w.end(), v.begin(), 0.0);
        for (std::size_t j = 0; j < w.size(); ++j) w[j] -= overlap * v[j];
      }
      const double norm = std::sqrt(std::inner_product(w.begin(), w.end(), w.begin(), 0.0));
      for (double& value : w) value /= norm;
    }
  }
  return directions;
}

/// Probabilities of all combinations of classes of the leaking attributes; empty if there are too many to list.
std::vector<double> class_combinations(const std::vector<std::vector<double>>& proportions) {
  std::vector<double> combinations = {1.0};
  for (const std::vector<double>& shares : proportions) {
    if (combinations.size() * shares.size() > 4096) return {};
    std::vector<double> next;
    for (const double p : combinations) {
      for (const double share : shares) next.push_back(p * share);
    }
    combinations = std::move(next);
  }
  return combinations;
}

ordered_json attribute_truth(const SynthAttribute& attribute, const std::vector<double>& realised, double outliers,
                             double outlier_scale, std::span<const double> direction) {
  const BayesOptimum clean = bayes_optimum(attribute.leak, realised);
  ordered_json truth = {{"name", attribute.name},
                        {"leak", attribute.leak},
                        {"classes", attribute.classes},
                        {"proportions", attribute.proportions},
                        {"realised_proportions", realised},
                        {"bayes_accuracy", clean.accuracy},
                        {"bayes_balanced_accuracy", clean.balanced},
                        {"chance_balanced_accuracy", 1.0 / static_cast<double>(realised.size())}};
  if (outliers > 0) {
    const double majority = *std::max_element(realised.begin(), realised.end());
    truth["with_outliers"] = {
        {"bayes_balanced_accuracy", (1 - outliers) * clean.balanced + outliers / static_cast<double>(realised.size())},
        {"bayes_accuracy_bounds",
         {(1 - outliers) * clean.accuracy + outliers * hit_rate(attribute.leak, realised, outlier_scale),
          (1 - outliers) * clean.accuracy + outliers * majority}}};
  }
  truth["direction"] = std::vector<double>(direction.begin(), direction.end());
  return truth;
}

ordered_json verification_truth(const SynthOptions& options, const std::vector<std::vector<double>>& leaking) {
  const double between = options.identity_strength * options.identity_strength;
  const double correlation = between / (between + 1);
  const std::size_t free_dimensions = options.dim - leaking.size();
  const VerificationOptimum optimum = verification_optimum(free_dimensions, correlation);
  const double highest = std::min(0.5, optimum.eer.value + optimum.eer.error);
  double lowest = std::max(0.0, optimum.eer.value - optimum.eer.error);
  if (!leaking.empty()) {
    const std::vector<double> combinations = class_combinations(leaking);
    lowest = combinations.empty() ? 0 : std::min(highest, informed_eer(options.dim, correlation, combinations));
  }
  return {{"comparison", leaking.empty()
                             ? "log-likelihood ratio of same and different identity for two samples: the optimum"
                             : "log-likelihood ratio of same and different identity for two samples, in the dimensions "
                               "orthogonal to all leaking attributes; the optimum in all dimensions lies within "
                               "optimum_eer_bounds"},
          {"score", "|x + y|^2 / (1 + 2 s^2) - |x - y|^2 with s the identity strength, orders pairs as the ratio does"},
          {"dimensions", free_dimensions},
          {"correlation", correlation},
          {"eer", optimum.eer.value},
          {"eer_error", optimum.eer.error},
          {"auc", optimum.auc.value},
          {"auc_error", optimum.auc.error},
          {"d_prime", optimum.d_prime},
          {"is_optimum", leaking.empty()},
          {"optimum_eer_bounds", {lowest, highest}},
          {"holds_for", options.outliers > 0 ? "pairs of clean samples" : "all pairs"}};
}

const char* const model_text =
    "sample j of identity i = sum over attributes a of position_a(class of i) * direction_a + u_i + e_ij; "
    "u_i ~ N(0, identity_strength^2 I), e_ij ~ N(0, I); position_a(k) = leak_a * sample_deviation * (k - (K - 1) / 2); "
    "an outlier is N(0, (outlier_scale * sample_deviation)^2 I) instead";

const char* const accuracy_text =
    "one sample of an unseen identity, projected on the attribute's direction, is N(position, sample_deviation^2); "
    "class k "
    "wins on the interval between its boundaries (m_j + m_k) / 2 - ln(p_k / p_j) / (m_k - m_j), in sample deviations; "
    "accuracy = sum_k p_k (Phi(high_k - m_k) - Phi(low_k - m_k)) with the realised proportions p; balanced accuracy = "
    "(2 (K - 1) Phi(leak / 2) - (K - 2)) / K. With outliers the balanced accuracy is exact; the accuracy lies between "
    "that of the clean rule and that of an attacker who is told which samples are outliers";

const char* const verification_text =
    "with r the correlation and X, Y independent chi-squares with `dimensions` degrees of freedom, the ratio is an "
    "increasing function of X - Y (mated) and of X / (1 + r) - Y / (1 - r) (non-mated); their distributions come from "
    "inverting the characteristic function with bounded discretisation, truncation and rounding error";

std::string numbered(char prefix, std::size_t number, std::size_t count) {
  return fmt::format("{}{:0{}}", prefix, number, std::to_string(count - 1).size());
}

}  // namespace

SynthAttribute parse_synth_attribute(std::string_view text) {
  const Specification specification = Specification::parse(text);
  const Declaration declaration{
      .name = specification.name,
      .paper = {},
      .doc = "a planted attribute",
      .medium = "template",
      .parameters = {{"leak", ParameterType::real, "1", "distance of class means in standard deviations", 0},
                     {"classes", ParameterType::text, "2", "number of classes, or their names as A/B/C"},
                     {"proportions", ParameterType::text, "equal", "shares of the classes as 0.2/0.3/0.5"}}};
  const Parameters parameters(declaration, specification);
  const std::string where = "attribute '" + specification.name + "'";

  SynthAttribute attribute{
      .name = specification.name, .leak = parameters.real("leak"), .classes = {}, .proportions = {}};
  std::size_t count = 0;
  if (parse_whole(parameters.text("classes"), count)) {
    if (count > 1000) throw_usage(where, fmt::format("has {} classes, expected at most 1000", count));
    for (std::size_t k = 0; k < count; ++k) attribute.classes.push_back(numbered('c', k, count));
  } else {
    for (const std::string_view name : split(parameters.text("classes"), '/')) attribute.classes.emplace_back(name);
  }
  if (parameters.text("proportions") == "equal") {
    attribute.proportions.assign(attribute.classes.size(), 1.0 / static_cast<double>(attribute.classes.size()));
  } else {
    for (const std::string_view share : split(parameters.text("proportions"), '/')) {
      if (!parse_whole(share, attribute.proportions.emplace_back())) {
        throw_usage(where, fmt::format("proportion '{}' is not a number", share), "write proportions=0.3/0.7");
      }
    }
  }
  std::set<std::string> names;
  check_attribute(attribute, names);
  return attribute;
}

BayesOptimum bayes_optimum(double leak, std::span<const double> proportions) {
  const std::vector<double> equal(proportions.size(), 1.0 / static_cast<double>(proportions.size()));
  return {hit_rate(leak, proportions), hit_rate(leak, equal)};
}

VerificationOptimum verification_optimum(std::size_t dimensions, double correlation) {
  if (dimensions == 0 || correlation == 0) return {{0.5, 0}, {0.5, 0}, 0};
  const auto n = static_cast<double>(dimensions);
  const double r = correlation;
  const ChiSquareSum mated = mated_sum(n);
  const ChiSquareSum non_mated = non_mated_sum(n, r);
  const auto fmr = [&](double z) {
    const Bounded below = non_mated.cdf(z);
    return Bounded{1 - below.value, below.error};
  };
  const Bounded eer = equal_error(
      std::min(mated.low(), non_mated.low()), 0.0, [&](double z) { return mated.cdf(z); }, fmr);
  const Bounded below = ChiSquareSum({1, -1, -1 / (1 + r), 1 / (1 - r)}, n).cdf(0);
  // Means 0 and -2nr/(1-r^2), variances 4n and 4n(1+r^2)/(1-r^2)^2.
  const double spread = 1 - r * r;
  const double d_prime = 2 * n * r / spread / std::sqrt(2 * n * (1 + (1 + r * r) / (spread * spread)));
  return {eer, {1 - below.value, below.error}, d_prime};
}

double informed_eer(std::size_t dimensions, double correlation, std::span<const double> class_combinations) {
  // Mated pairs share the combination c with probability P(c), non-mated ones with P(c)^2; a shared c adds -ln P(c) to
  // the log-likelihood ratio, and different classes rule out a mated pair.
  BAUTA_ASSERT(!class_combinations.empty());
  double collision = 0;
  for (const double p : class_combinations) collision += p * p;
  // Without identities only the classes are left: (FMR + FNMR) / 2 >= (1 - total variation) / 2 = collision / 2.
  if (dimensions == 0 || correlation == 0) return collision / 2;
  const ChiSquareSum mated = mated_sum(static_cast<double>(dimensions));
  const ChiSquareSum non_mated = non_mated_sum(static_cast<double>(dimensions), correlation);
  std::map<double, double> groups;  // probability of a combination -> how many have it
  for (const double p : class_combinations) ++groups[p];
  const auto rate = [&](double z, bool mates) {
    Bounded total;
    for (const auto& [p, count] : groups) {
      const Bounded below = (mates ? mated : non_mated).cdf(z + 2 / correlation * std::log(p));
      const double weight = mates ? count * p : count * p * p;
      total.value += weight * (mates ? below.value : 1 - below.value);
      total.error += weight * below.error;
    }
    return total;
  };
  const double rarest = groups.begin()->first;
  const Bounded eer = equal_error(
      std::min(mated.low(), non_mated.low()), mated.high() - 2 / correlation * std::log(rarest),
      [&](double z) { return rate(z, true); }, [&](double z) { return rate(z, false); });
  return std::max(0.0, eer.value - eer.error);
}

namespace {

double sample_deviation(const SynthOptions& options) {
  return std::sqrt(options.identity_strength * options.identity_strength + 1);
}

/// Classes of the identities, per attribute, and the shares that they have.
struct Classes {
  std::vector<std::vector<std::size_t>> of_identity;
  std::vector<std::vector<double>> shares;
};

Classes draw_classes(const SynthOptions& options) {
  Classes classes;
  for (std::size_t a = 0; a < options.attributes.size(); ++a) {
    const std::vector<std::size_t> counts = class_counts(options.attributes[a], options.identities);
    std::vector<double> shares;
    for (const std::size_t count : counts) {
      shares.push_back(static_cast<double>(count) / static_cast<double>(options.identities));
    }
    classes.shares.push_back(std::move(shares));
    classes.of_identity.push_back(assign_classes(counts, options.identities, Stream(options.seed, "synth.class", a)));
  }
  return classes;
}

struct Samples {
  Matrix<float> values;
  std::vector<char> outlier;
};

Samples draw_samples(const SynthOptions& options, const Classes& classes, const Matrix<double>& directions) {
  const std::size_t rows = options.identities * options.samples;
  const double deviation = sample_deviation(options);
  Samples samples{Matrix<float>(rows, options.dim), std::vector<char>(rows, 0)};
  struct Scratch {
    std::vector<double> centre, noise;
  };
  std::vector<Scratch> scratch(static_cast<std::size_t>(threads()),
                               {std::vector<double>(options.dim), std::vector<double>(options.dim)});
  parallel_for(options.identities, [&](std::size_t i, int worker) {
    auto& [centre, noise] = scratch[static_cast<std::size_t>(worker)];
    Stream(options.seed, "synth.identity", i).normals(std::span(centre));
    for (double& value : centre) value *= options.identity_strength;
    for (std::size_t a = 0; a < options.attributes.size(); ++a) {
      const SynthAttribute& attribute = options.attributes[a];
      const double shift = deviation * position(attribute.leak, classes.of_identity[a][i], attribute.classes.size());
      for (std::size_t j = 0; j < options.dim; ++j) centre[j] += shift * directions(a, j);
    }
    for (std::size_t row = i * options.samples; row < (i + 1) * options.samples; ++row) {
      Stream(options.seed, "synth.sample", row).normals(std::span(noise));
      // The flag has a stream of its own, so that asking for outliers leaves all other samples as they were.
      const bool outlier =
          options.outliers > 0 && Stream(options.seed, "synth.outlier", row).uniform() < options.outliers;
      samples.outlier[row] = outlier;
      const double scale = outlier ? options.outlier_scale * deviation : 1;
      const double keep = outlier ? 0 : 1;
      for (std::size_t j = 0; j < options.dim; ++j) {
        samples.values(row, j) = static_cast<float>(keep * centre[j] + scale * noise[j]);
      }
    }
  });
  return samples;
}

LabelTable labels_of(const SynthOptions& options, const Classes& classes, const std::vector<char>& outlier,
                     const std::string& origin) {
  const std::size_t rows = outlier.size();
  LabelTable labels(origin, rows);
  const auto add_column = [&](const std::string& name, auto&& value_of) {
    std::vector<std::string> column(rows);
    for (std::size_t row = 0; row < rows; ++row) column[row] = value_of(row);
    labels.add_column(name, std::move(column));
  };
  add_column("id", [&](std::size_t row) { return numbered('s', row, rows); });
  add_column("identity", [&](std::size_t row) { return numbered('i', row / options.samples, options.identities); });
  for (std::size_t a = 0; a < options.attributes.size(); ++a) {
    const SynthAttribute& attribute = options.attributes[a];
    add_column(attribute.name,
               [&](std::size_t row) { return attribute.classes[classes.of_identity[a][row / options.samples]]; });
  }
  if (options.outliers > 0) add_column("outlier", [&](std::size_t row) { return outlier[row] ? "1" : "0"; });
  return labels;
}

std::string truth_of(const SynthOptions& options, const Classes& classes, const std::vector<char>& outlier,
                     const Matrix<double>& directions) {
  ordered_json truth = {{"kind", "templates"},
                        {"identities", options.identities},
                        {"samples", options.samples},
                        {"dim", options.dim},
                        {"identity_strength", options.identity_strength},
                        {"sample_deviation", sample_deviation(options)},
                        {"outliers", options.outliers},
                        {"outlier_scale", options.outlier_scale},
                        {"outlier_count", std::count(outlier.begin(), outlier.end(), 1)},
                        {"axis_aligned", options.axis_aligned},
                        {"seed", options.seed},
                        {"model", model_text},
                        {"attribute_optimum", accuracy_text},
                        {"verification_optimum", verification_text}};
  std::vector<std::vector<double>> leaking;
  truth["attributes"] = ordered_json::array();
  for (std::size_t a = 0; a < options.attributes.size(); ++a) {
    const SynthAttribute& attribute = options.attributes[a];
    if (attribute.leak > 0) leaking.push_back(classes.shares[a]);
    truth["attributes"].push_back(
        attribute_truth(attribute, classes.shares[a], options.outliers, options.outlier_scale, directions.row(a)));
  }
  truth["verification"] = verification_truth(options, leaking);
  return truth.dump(2) + "\n";
}

}  // namespace

SynthPopulation synthesize_templates(const SynthOptions& options) {
  check_options(options);
  const Classes classes = draw_classes(options);
  const Matrix<double> directions = leak_directions(options);
  Samples samples = draw_samples(options, classes, directions);
  SynthPopulation population;
  Dataset& dataset = population.dataset;
  dataset.origin = "synthetic templates";
  dataset.identity_column = "identity";
  dataset.labels = labels_of(options, classes, samples.outlier, dataset.origin);
  dataset.templates = Templates(std::move(samples.values));
  population.truth = truth_of(options, classes, samples.outlier, directions);
  return population;
}

}  // namespace bauta
