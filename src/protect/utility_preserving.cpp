// Utility-preserving anonymisation (Moriarty et al., Algorithm 1): every record becomes the mean of a random set
// around it, and the features that tell most about the attributes to keep are pulled back towards their own values.
// Compiled without contraction: bits must not depend on the instruction set.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/progress.hpp"
#include "bauta/core/simd.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/text_source.hpp"
#include "bauta/protect/protection.hpp"
#include "importances.hpp"
#include "random_sets.hpp"

namespace bauta {
namespace {

constexpr const char* technique = "utility-preserving";

double number_of(std::string_view text, const std::string& where) {
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || stop != text.data() + text.size() || std::isnan(value)) {
    throw_usage(where, fmt::format("'{}' is not a number", text));
  }
  return value;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// One number per feature and attribute, one row per attribute: .npy of D or D x A, or text with a line per feature.
Matrix<float> read_importances(const std::string& path, std::size_t features, std::size_t attributes) {
  std::vector<float> values;
  std::size_t found = 0;
  if (path.ends_with(".npy")) {
    NpyArray array = read_npy(path);
    if (array.shape.size() == 1) array.shape.push_back(1);
    const Templates rows = to_float_templates(array);
    found = rows.rows();
    for (std::size_t j = 0; j < found && rows.cols() == attributes; ++j) {
      values.insert(values.end(), rows.floats().row(j).begin(), rows.floats().row(j).end());
    }
  } else {
    TextSource source(path);
    std::string_view line;
    for (std::size_t number = 1; source.next_line(line); ++number) {
      const auto fields = split(line, ",; \t");
      if (fields.empty()) continue;
      const std::string where = fmt::format("{} line {}", path, number);
      if (fields.size() != attributes) {
        throw_input(where, fmt::format("holds {} numbers, {} attribute(s) are kept", fields.size(), attributes),
                    "a line per feature, with a number per attribute");
      }
      for (const auto field : fields) values.push_back(static_cast<float>(number_of(field, where)));
      ++found;
    }
  }
  if (values.size() != features * attributes) {
    throw_input(path,
                fmt::format("ranks {} features with {} numbers in all, {} features of {} attribute(s) are asked for",
                            found, values.size(), features, attributes));
  }
  Matrix<float> importances(attributes, features);
  for (std::size_t j = 0; j < features; ++j) {
    for (std::size_t a = 0; a < attributes; ++a) {
      importances(a, j) = values[j * attributes + a];
      if (std::isnan(importances(a, j))) throw_input(path, fmt::format("feature {} has no importance", j + 1));
    }
  }
  return importances;
}

// Columns that are summed at a time: their sums and pieces of four rows stay in the first-level cache.
constexpr std::size_t strip = 512;

/// Sums in double precision, in the order of the rows.
BAUTA_MULTIVERSION void sum_rows(const float* const* rows, std::size_t count, std::size_t first, std::size_t n,
                                 double* __restrict sums) {
  for (std::size_t j = 0; j < n; ++j) sums[j] = 0;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const float *a = rows[k] + first, *b = rows[k + 1] + first, *c = rows[k + 2] + first, *d = rows[k + 3] + first;
    // The next rows lie anywhere: asking for their beginnings hides the way there.
    for (std::size_t next = k + 4; next < std::min(k + 8, count); ++next) {
      for (std::size_t line = 0; line < 64; line += 16) __builtin_prefetch(rows[next] + first + line);
    }
    for (std::size_t j = 0; j < n; ++j) sums[j] += (double{a[j]} + double{b[j]}) + (double{c[j]} + double{d[j]});
  }
  for (; k < count; ++k) {
    const float* a = rows[k] + first;
    for (std::size_t j = 0; j < n; ++j) sums[j] += double{a[j]};
  }
}

/// Exactly the mean where `pull` is 0 and exactly x where the mean is x.
BAUTA_MULTIVERSION void mix(const double* sums, double count, const float* x, const double* pull, const double* scale,
                            std::size_t n, float* to) {
  for (std::size_t j = 0; j < n; ++j) {
    const double mean = sums[j] / count;
    to[j] = static_cast<float>(scale[j] * (mean + pull[j] * (double{x[j]} - mean)));
  }
}

/// What becomes of each feature: scale * (mean + pull * (x - mean)).
struct Retention {
  std::vector<double> pull;
  std::vector<double> scale;
};

/// The technique on the data set that it anonymises.
class Anonymiser : public Protection {
 public:
  Anonymiser(Templates records, RandomSets sets, Retention retention)
      : records_(std::move(records)), sets_(std::move(sets)), retention_(std::move(retention)) {}

  void check(const Templates&, const std::string&, const ProtectContext&) const override {}

  [[nodiscard]] Templates protect(const Templates& block, std::size_t first,
                                  const ProtectContext& context) const override {
    const MatrixView<const float> records = records_.floats();
    Matrix<float> result(block.rows(), records.cols);
    RandomSets::Drawer draw(sets_);
    std::vector<const float*> rows;
    std::vector<double> sums(std::min(strip, records.cols));
    for (std::size_t i = 0; i < block.rows(); ++i) {
      if (!context.failed.empty() && context.failed[first + i]) {
        std::ranges::fill(result.row(i), 0.0F);
        continue;
      }
      Stream stream = context.randomness.stream(technique, first + i);
      rows.clear();
      for (const std::size_t row : draw(first + i, stream)) rows.push_back(records.row(row).data());
      for (std::size_t j = 0; j < records.cols; j += strip) {
        const std::size_t n = std::min(strip, records.cols - j);
        sum_rows(rows.data(), rows.size(), j, n, sums.data());
        mix(sums.data(), static_cast<double>(rows.size()), rows.front() + j, retention_.pull.data() + j,
            retention_.scale.data() + j, n, result.row(i).data() + j);
      }
    }
    return Templates(std::move(result));
  }

 private:
  Templates records_;
  RandomSets sets_;
  Retention retention_;
};

class UtilityPreserving : public Protection {
 public:
  explicit UtilityPreserving(const Parameters& parameters)
      : size_(static_cast<std::size_t>(parameters.integer("g"))),
        purity_(parameters.real("t")),
        count_(static_cast<std::size_t>(parameters.integer("cp"))),
        shares_{parameters.real("rp")},
        ranking_(parameters.text("ranking")),
        trees_(static_cast<std::size_t>(parameters.integer("trees"))),
        most_samples_(static_cast<std::size_t>(parameters.integer("learn"))),
        printed_(parameters.text("form") == "printed") {
    for (const auto one : split(parameters.text("keep"), "/")) {
      const std::string where = fmt::format("{}:keep {}", technique, one);
      const std::size_t equals = one.rfind('=');
      if (equals == std::string_view::npos || equals == 0) throw_usage(where, "is not NAME=SHARE");
      kept_.emplace_back(one.substr(0, equals));
      shares_.push_back(number_of(one.substr(equals + 1), where));
      if (shares_.back() < 0 || shares_.back() > 1) {
        throw_usage(where, fmt::format("{} is outside of [0, 1]", shares_.back()));
      }
    }
    for (const auto one : split(parameters.text("w"), "/")) {
      weights_.push_back(number_of(one, fmt::format("{}:w", technique)));
      if (!(weights_.back() >= 1) || std::isinf(weights_.back())) {
        throw_usage(fmt::format("{}:w", technique), fmt::format("{} is no weight of at least 1", one));
      }
    }
    if (weights_.size() == 1) weights_.resize(shares_.size(), weights_.front());
    if (weights_.size() != shares_.size()) {
      throw_usage(fmt::format("{}:w", technique),
                  fmt::format("{} weights for {} attribute(s)", weights_.size(), shares_.size()),
                  "one for all, or one for --attribute and each --keep in turn");
    }
  }

  void fit(const Dataset& train, const std::vector<std::string>& attributes, const ProtectContext& context) override {
    if (attributes.size() != 1) {
      throw_usage(technique, fmt::format("has one attribute of interest, and {} are named", attributes.size()),
                  "name it with --attribute, and others with --keep NAME=SHARE");
    }
    require_floats(train.templates, technique, train.origin);
    std::vector<std::string> names = attributes;
    names.insert(names.end(), kept_.begin(), kept_.end());
    for (std::size_t a = 0; a < names.size(); ++a) {
      (void)train.labels.column(names[a]);
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(a), names[a]) !=
          names.begin() + static_cast<std::ptrdiff_t>(a)) {
        throw_usage(fmt::format("--keep {}", names[a]), "is named twice");
      }
    }
    if (ranking_ != "forest" && ranking_ != "fisher") {
      importances_ = read_importances(ranking_, train.templates.cols(), names.size());
    } else {
      Progress progress(fmt::format("fit {}", technique), names.size(), "attributes");
      importances_ = Matrix<float>(names.size(), train.templates.cols());
      for (std::size_t a = 0; a < names.size(); ++a) {
        const std::vector<double> values = importances_of(train, names[a], context.randomness, a);
        // As they are saved, so that a fitted and a loaded one retain the same features.
        std::transform(values.begin(), values.end(), importances_.row(a).begin(),
                       [](double value) { return static_cast<float>(value); });
        progress.add(1);
      }
    }
    retain(train.origin);
  }

  [[nodiscard]] FittedState state() const override {
    FittedState state;
    Matrix<float> importances(importances_.rows(), importances_.cols());
    std::copy_n(importances_.data(), importances_.size(), importances.data());
    state.emplace("importances", std::move(importances));
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    const auto found = state.find("importances");
    if (found == state.end() || found->second.rows() != shares_.size() || found->second.cols() == 0) {
      throw_input(where, fmt::format("'importances' is absent or not of {} attribute(s)", shares_.size()));
    }
    const Matrix<float>& importances = found->second;
    const bool numbers = std::none_of(importances.data(), importances.data() + importances.size(),
                                      [](float value) { return std::isnan(value); });
    if (!numbers) throw_input(where, "'importances' holds NaN");
    importances_ = Matrix<float>(importances.rows(), importances.cols());
    std::copy_n(importances.data(), importances.size(), importances_.data());
    retain(where);
  }

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, technique, where);
    if (input.cols() != importances_.cols()) {
      throw_input(where, fmt::format("templates have {} features, {} was fitted on {}", input.cols(), technique,
                                     importances_.cols()));
    }
  }

  [[nodiscard]] std::unique_ptr<const Protection> on(const Dataset& whole, const std::vector<std::string>& attributes,
                                                     const ProtectContext& context) const override {
    const std::string& attribute = attributes.front();
    if (whole.labels.kind(attribute) == ColumnKind::continuous) {
      throw_usage("--attribute " + attribute, "is a number, and the purity of a set counts classes",
                  "add a column with a few classes, e.g. age groups");
    }
    RandomSets sets(whole.labels.categorical(attribute), context.failed, size_, purity_, attribute, whole.origin);
    return std::make_unique<Anonymiser>(whole.templates, std::move(sets), retention_);
  }

  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    throw_usage(technique, "makes each record out of a whole data set, and cannot protect one that stands alone",
                "protect a data set: bauta protect");
  }

 private:
  [[nodiscard]] std::vector<double> importances_of(const Dataset& train, const std::string& attribute,
                                                   const Randomness& randomness, std::size_t number) const {
    AttributeTarget target = target_of(train, attribute, usable_samples(train), technique);
    Stream stream = randomness.stream("utility-preserving.ranking", number);
    if (target.rows.size() > most_samples_) target = some_of(target, stream);
    if (ranking_ == "fisher" && target.classes == 0) {
      throw_usage(fmt::format("{}:ranking=fisher", technique),
                  fmt::format("'{}' is a number, and Fisher's score compares classes", attribute),
                  "choose ranking=forest");
    }
    const Templates x = train.templates.select(target.rows);
    if (ranking_ == "fisher") return fisher_scores(x.floats(), target);
    return forest_importances(x.floats(), target, {.trees = trees_, .seed = stream.next64(), .where = train.origin});
  }

  [[nodiscard]] AttributeTarget some_of(const AttributeTarget& all, Stream& stream) const {
    std::vector<std::size_t> chosen = stream.permutation(all.rows.size());
    chosen.resize(most_samples_);
    std::sort(chosen.begin(), chosen.end());
    AttributeTarget some{.name = all.name, .classes = all.classes};
    for (const std::size_t k : chosen) {
      some.rows.push_back(all.rows[k]);
      if (all.classes > 0) {
        some.codes.push_back(all.codes[k]);
      } else {
        some.numbers.push_back(all.numbers[k]);
      }
    }
    return some;
  }

  /// Lines 1 to 4: the first features of each ranking, with the largest weight of those that retain them. Of equal
  /// importances the feature that stands first goes first.
  void retain(const std::string& where) {
    const std::size_t width = importances_.cols();
    if (count_ > width) {
      throw_usage(fmt::format("{}:cp", technique),
                  fmt::format("{} features cannot be retained of the {} of {}", count_, width, where));
    }
    std::vector<double> weight(width, 0);  // 0: not retained
    for (std::size_t a = 0; a < shares_.size(); ++a) {
      const std::size_t share =
          std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(shares_[a] * static_cast<double>(width))));
      const std::size_t retained = a == 0 && count_ > 0 ? count_ : share;
      const auto importance = importances_.row(a);
      std::vector<std::size_t> order(width);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t i, std::size_t j) { return importance[i] > importance[j]; });
      for (std::size_t k = 0; k < retained; ++k) weight[order[k]] = std::max(weight[order[k]], weights_[a]);
    }
    retention_ = {std::vector<double>(width, 0), std::vector<double>(width, 1)};
    for (std::size_t j = 0; j < width; ++j) {
      if (weight[j] > 0) {
        retention_.pull[j] = (weight[j] - 1) / weight[j];
      } else if (printed_) {
        retention_.scale[j] = 1 / weights_.front();
      }
    }
  }

  std::size_t size_;
  double purity_;
  std::size_t count_;
  std::vector<double> shares_;     // of the attribute of interest, then of those kept beside it
  std::vector<double> weights_;    // in the same order
  std::vector<std::string> kept_;  // without the attribute of interest
  std::string ranking_;
  std::size_t trees_;
  std::size_t most_samples_;
  bool printed_;
  Matrix<float> importances_;  // a row per attribute
  Retention retention_;
};

}  // namespace

Entry<Protection> utility_preserving_protection() {
  return {
      {.name = technique,
       .paper = "Moriarty et al., Utility-Preserving Biometric Information Anonymization",
       .doc =
           "replaces each record by the mean of a random set around it, and holds on to the features that matter for "
           "the attributes to keep",
       .medium = "template",
       .learns = true,
       .learns_at_home = true,
       .keeps = true,
       .claim = "the attributes of interest can still be estimated, while who it was gets lost in the mean",
       .broken_by = "features held in place by a large weight, by which a record finds its original again; small or "
                    "pure sets",
       .parameters =
           {{"g", ParameterType::integer, "32", "size of the random set, the record itself included", 1, 1 << 30},
            {"t", ParameterType::real, "0.6",
             "purity: share of the set with the record's class of the attribute of interest; at least the record "
             "itself",
             0, 1},
            {"w", ParameterType::text, "100",
             "weight of retained features; several, separated by /, are one for each attribute, and a feature takes "
             "the "
             "largest"},
            {"rp", ParameterType::real, "0.01", "share of the features that is retained, at least one", 0, 1},
            {"cp", ParameterType::integer, "0", "number of features that are retained; 0: as rp says", 0, 1 << 30},
            {"keep", ParameterType::text, "",
             "further attributes with their share of retained features, as NAME=SHARE/NAME=SHARE; what --keep names"},
            {"ranking", ParameterType::text, "forest",
             "how features are ranked: forest, fisher, or a file (.npy, or a line per feature) with one importance per "
             "feature and attribute"},
            {"trees", ParameterType::integer, "100", "trees of the forest", 1, 100000},
            {"learn", ParameterType::integer, "20000", "samples that features are ranked on at most, drawn at random",
             2, 1 << 30},
            {.name = "form",
             .type = ParameterType::choice,
             .default_value = "prose",
             .doc = "features that are not retained: the mean, or the mean / w as line 8 is printed (the first weight)",
             .choices = {"prose", "printed"}}}},
      [](const Parameters& parameters) { return std::make_unique<UtilityPreserving>(parameters); }};
}

}  // namespace bauta
