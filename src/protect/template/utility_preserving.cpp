// Utility-preserving anonymisation (Moriarty et al., Algorithm 1): every record becomes the mean of a random set
// around it, and the features that tell most about the attributes to keep are pulled back towards their own values.
// Compiled without contraction: bits must not depend on the instruction set.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "bauta/core/large_array.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/simd.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/text_source.hpp"
#include "bauta/protect/kept.hpp"
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

// Columns of a slice, a line of the cache: every record's piece of it is then fetched whole.
constexpr std::size_t slice_cols = 16;
// Records whose slice stays in the second-level cache, beside what passes through it.
constexpr std::size_t most_sliced_rows = 12288;

/// Four rows at a time in single precision and these sums in double, in the order of the rows: off by no more than two
/// roundings of the absolute values.
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
    for (std::size_t j = 0; j < n; ++j) sums[j] += double{(a[j] + b[j]) + (c[j] + d[j])};
  }
  for (; k < count; ++k) {
    const float* a = rows[k] + first;
    for (std::size_t j = 0; j < n; ++j) sums[j] += double{a[j]};
  }
}

/// Columns [first, first + n) of all records, each in a line of its own.
void copy_slice(MatrixView<const float> records, std::size_t first, std::size_t n, float* to) {
  constexpr std::size_t ahead = 16;
  for (std::size_t row = 0; row < records.rows; ++row) {
    const float* from = records.row(row).data() + first;
    __builtin_prefetch(records.row(std::min(row + ahead, records.rows - 1)).data() + first);
    if (n == slice_cols) {
      std::memcpy(to + row * slice_cols, from, slice_cols * sizeof(float));
    } else {
      std::memcpy(to + row * slice_cols, from, n * sizeof(float));
    }
  }
}

/// The same sums, bit for bit, of rows `set` of a slice of columns that was copied out.
BAUTA_MULTIVERSION void sum_slice(const float* slice, const std::uint32_t* set, std::size_t count, double* to) {
  double sums[slice_cols];
  for (double& sum : sums) sum = 0;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const float *a = slice + set[k] * slice_cols, *b = slice + set[k + 1] * slice_cols;
    const float *c = slice + set[k + 2] * slice_cols, *d = slice + set[k + 3] * slice_cols;
    for (std::size_t j = 0; j < slice_cols; ++j) {
      sums[j] += double{(a[j] + b[j]) + (c[j] + d[j])};
    }
  }
  for (; k < count; ++k) {
    const float* a = slice + set[k] * slice_cols;
    for (std::size_t j = 0; j < slice_cols; ++j) sums[j] += double{a[j]};
  }
  for (std::size_t j = 0; j < slice_cols; ++j) to[j] = sums[j];
}

/// Exactly the mean where `pull` is 0 and exactly x where the mean is x.
BAUTA_MULTIVERSION void mix(std::span<const double> sums, double count, const float* x, const double* pull,
                            const double* scale, float* to) {
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const double mean = sums[j] / count;
    to[j] = static_cast<float>(scale[j] * (mean + pull[j] * (double{x[j]} - mean)));
  }
}

/// What becomes of each feature: scale * (mean + pull * (x - mean)).
struct Retention {
  std::vector<double> pull;
  std::vector<double> scale;
  std::vector<std::size_t> retained = {};
};

/// The technique on the data set that it anonymises.
class Anonymiser : public Protection {
 public:
  Anonymiser(Templates records, RandomSets sets, Retention retention)
      : records_(std::move(records)), sets_(std::move(sets)), retention_(std::move(retention)) {}

  void check(const Templates&, const std::string&, const ProtectContext&) const override {}

  [[nodiscard]] Templates protect(const Templates& block, std::size_t first,
                                  const ProtectContext& context) const override {
    Matrix<float> result(block.rows(), records_.cols());
    std::vector<std::size_t> rows;  // of the block, those that did not fail
    for (std::size_t i = 0; i < block.rows(); ++i) {
      if (context.failed.empty() || !context.failed[first + i]) {
        rows.push_back(i);
      } else {
        std::ranges::fill(result.row(i), 0.0F);
      }
    }
    RandomSets::Drawer draw(sets_);
    const auto draw_for = [&](std::size_t i) {
      Stream stream = context.randomness.stream(technique, first + i);
      return draw(first + i, stream);
    };
    const bool many = rows.size() * sets_.size() >= worthwhile * records_.rows();
    if (many && records_.rows() <= most_sliced_rows) {
      by_slices(rows, first, draw_for, result);
    } else {
      by_records(rows, draw_for, result);
    }
    return Templates(std::move(result));
  }

  /// Many records at a time where slices are worth copying, but neither too many sets to hold nor too few blocks.
  [[nodiscard]] std::size_t block_rows() const override {
    if (records_.rows() > most_sliced_rows) return Protection::block_rows();
    const std::size_t held = std::min(most_held / sets_.size(), most_held / std::max<std::size_t>(1, records_.cols()));
    const std::size_t share = records_.rows() / static_cast<std::size_t>(threads()) + 1;
    return std::max(std::min(held, share), Protection::block_rows());
  }

 private:
  // A slice is copied if its rows are looked at so many times on average.
  static constexpr std::size_t worthwhile = 4;
  static constexpr std::size_t most_held = std::size_t{1} << 22;

  /// Record by record: the rows of its set come from wherever they are.
  template <class DrawFor>
  void by_records(const std::vector<std::size_t>& rows, DrawFor&& draw_for, Matrix<float>& result) const {
    const MatrixView<const float> records = records_.floats();
    std::vector<const float*> set;
    std::vector<double> sums(std::min(strip, records.cols));
    for (const std::size_t i : rows) {
      set.clear();
      for (const std::size_t row : draw_for(i)) set.push_back(records.row(row).data());
      for (std::size_t j = 0; j < records.cols; j += strip) {
        const std::size_t n = std::min(strip, records.cols - j);
        sum_rows(set.data(), set.size(), j, n, sums.data());
        finish(sums.data(), set.front() + j, j, n, result.row(i).data() + j);
      }
    }
  }

  /// Slice by slice of columns: all records' pieces of it lie in the cache, in which the sets then pick at random.
  template <class DrawFor>
  void by_slices(const std::vector<std::size_t>& rows, std::size_t first, DrawFor&& draw_for,
                 Matrix<float>& result) const {
    const MatrixView<const float> records = records_.floats();
    std::vector<std::uint32_t> sets;
    sets.reserve(rows.size() * sets_.size());
    for (const std::size_t i : rows) {
      for (const std::size_t row : draw_for(i)) sets.push_back(static_cast<std::uint32_t>(row));
    }
    const LargeArray<float> space(records.rows * slice_cols);  // whole pages: no row lies across two lines
    float* const slice = space.get();
    double sums[slice_cols];
    for (std::size_t j = 0; j < records.cols; j += slice_cols) {
      const std::size_t n = std::min(slice_cols, records.cols - j);
      copy_slice(records, j, n, slice);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        sum_slice(slice, sets.data() + k * sets_.size(), sets_.size(), sums);
        finish(sums, slice + (first + rows[k]) * slice_cols, j, n, result.row(rows[k]).data() + j);
      }
    }
  }

  void finish(const double* sums, const float* x, std::size_t j, std::size_t n, float* to) const {
    mix({sums, n}, static_cast<double>(sets_.size()), x, retention_.pull.data() + j, retention_.scale.data() + j, to);
  }

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
    for (KeptAttribute& one : parse_kept_list(parameters.text("keep"), fmt::format("{}:keep", technique))) {
      kept_.push_back(std::move(one.name));
      shares_.push_back(one.share);
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

  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset& whole,
                                                        const std::vector<std::string>& attributes,
                                                        const ProtectContext& context) const override {
    const std::string& attribute = attributes.front();
    if (whole.labels.kind(attribute) == ColumnKind::continuous) {
      throw_usage("--attribute " + attribute, "is a number, and the purity of a set counts classes",
                  "add a column with a few classes, e.g. age groups");
    }
    RandomSets sets(whole.labels.categorical(attribute), context.failed, size_, purity_, attribute, whole.origin);
    return std::make_unique<Anonymiser>(whole.templates, std::move(sets), retention_);
  }

  [[nodiscard]] std::optional<Blend> blend() const override {
    Blend blend{.size = size_,
                .own = RandomSets::own_of(size_, purity_),
                .pull = retention_.pull,
                .scale = retention_.scale,
                .retained = retention_.retained,
                .retained_for = {}};
    for (std::size_t a = 0; a < shares_.size(); ++a) blend.retained_for.push_back(retained_for(a));
    return blend;
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

  /// Features for one of the attributes.
  [[nodiscard]] std::size_t retained_for(std::size_t a) const {
    return a == 0 && count_ > 0 ? count_ : retained_features(shares_[a], importances_.cols(), a == 0);
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
      const std::size_t retained = retained_for(a);
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
        retention_.retained.push_back(j);
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
       .learns_from_input = true,
       .claim = "the attributes of interest can still be estimated, while who it was gets lost in the mean",
       .broken_by = "features held in place by a large weight, by which a record finds its original again; small or "
                    "pure sets",
       .parameters =
           {{.name = "g",
             .type = ParameterType::integer,
             .default_value = "32",
             .doc = "size of the random set, the record itself included",
             .low = 1,
             .high = 1 << 30,
             .grid = {"8", "32", "128", "512"}},
            {.name = "t",
             .type = ParameterType::real,
             .default_value = "0.6",
             .doc = "purity: share of the set with the record's class of the attribute of interest; at least the "
                    "record itself",
             .low = 0,
             .high = 1,
             .grid = {"0.6", "0.8", "1"}},
            {.name = "w",
             .type = ParameterType::text,
             .default_value = "100",
             .doc = "weight of retained features; several, separated by /, are one for each attribute, and a feature "
                    "takes the largest",
             .grid = {"1", "10", "100"}},
            {.name = "rp",
             .type = ParameterType::real,
             .default_value = "0.01",
             .doc = "share of the features that is retained, at least one",
             .low = 0,
             .high = 1,
             .grid = {"0.01", "0.1"}},
            {"cp", ParameterType::integer, "0", "number of features that are retained; 0: as rp says", 0, 1 << 30},
            {.name = "keep",
             .type = ParameterType::text,
             .default_value = "",
             .doc = "further attributes with their share of retained features, as NAME=SHARE/NAME=SHARE; what --keep "
                    "names",
             .shares = "rq"},
            {.name = "ranking",
             .type = ParameterType::file,
             .default_value = "forest",
             .doc = "how features are ranked: forest, fisher, or a file (.npy, or a line per feature) with one "
                    "importance per feature and attribute",
             .choices = {"forest", "fisher"}},
            {"trees", ParameterType::integer, "100", "trees of the forest", 1, 100000},
            {"learn", ParameterType::integer, "20000", "samples that features are ranked on at most, drawn at random",
             2, 1 << 30},
            {.name = "form",
             .type = ParameterType::choice,
             .default_value = "prose",
             .doc = "features that are not retained: the mean, or the mean / w as line 8 is printed (the first weight)",
             .choices = {"prose", "printed"}}},
       .mixes = true,
       .keeps = true,
       .varied =
           "Of a technique that mixes records: size of the random set, its share of records with the same attribute, "
           "weight of retained features, and shares of features retained for the attribute of interest and for "
           "additional ones."},
      [](const Parameters& parameters) { return std::make_unique<UtilityPreserving>(parameters); }};
}

}  // namespace bauta
