// Intersection of repeated negative enrolments (NFR): a stored feature is anything but the true one. When all other
// values have been seen, the missing one is certain; before that, the least often seen ones are what is left to guess
// from.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/recover/recovery.hpp"
#include "enrolments.hpp"

namespace bauta {
namespace {

class Intersect : public Recovery {
 public:
  explicit Intersect(const Parameters& parameters)
      : by_(parameters.text("by")), bins_(static_cast<std::size_t>(parameters.integer("bins"))) {}

  void fit(const Knowledge& knowledge) override { seed_ = knowledge.seed; }

  [[nodiscard]] Recovered recover(const Dataset& target) const override {
    if (target.templates.kind() != ElementKind::code8) {
      throw_input(target.origin, fmt::format("templates are {}, intersect takes {}", to_text(target.templates.kind()),
                                             to_text(ElementKind::code8)));
    }
    const std::size_t bins = given_or_recorded(bins_, target, &KnownMask::values, "intersect:bins");
    const std::vector<EnrolmentGroup> groups = group_enrolments(target, by_);
    const std::size_t cols = target.templates.cols();
    Matrix<std::uint8_t> positives(groups.size(), cols);
    std::vector<std::size_t> rows(groups.size());
    const auto certain = parallel_reduce<std::uint64_t>(
        groups.size(), 0,
        [&](std::size_t g) {
          rows[g] = groups[g].representative;
          return intersect(target, groups[g], bins, Stream(seed_, "intersect", rows[g]), positives.row(g));
        },
        [](std::uint64_t& total, std::uint64_t part) { total += part; });
    const auto usable = static_cast<std::size_t>(
        std::count_if(groups.begin(), groups.end(), [](const EnrolmentGroup& group) { return !group.rows.empty(); }));
    const double share =
        usable == 0 ? 0 : static_cast<double>(certain) / (static_cast<double>(usable) * static_cast<double>(cols));
    Recovered recovered{
        Templates(std::move(positives)), std::move(rows), {{"certain_share", fmt::format("{}", share)}}};
    // Codes mean nothing without the bins that were learned.
    if (target.provenance && target.provenance->properties.contains("model")) {
      recovered.properties["model"] = target.provenance->properties.at("model");
    }
    return recovered;
  }

 private:
  /// Number of features whose value is certain.
  static std::uint64_t intersect(const Dataset& target, const EnrolmentGroup& group, std::size_t bins, Stream stream,
                                 std::span<std::uint8_t> positive) {
    const MatrixView<const std::uint8_t> negatives = target.templates.codes();
    std::uint64_t certain = 0;
    std::vector<std::size_t> seen(bins);
    for (std::size_t j = 0; j < positive.size(); ++j) {
      std::fill(seen.begin(), seen.end(), std::size_t{0});
      for (const std::size_t row : group.rows) {
        const std::uint8_t code = negatives(row, j);
        if (code >= bins) {
          throw_input(fmt::format("{} row {}", target.origin, row + 1),
                      fmt::format("feature {} is {}, with {} bins it is below {}", j + 1, code, bins, bins));
        }
        ++seen[code];
      }
      const std::size_t least = *std::min_element(seen.begin(), seen.end());
      const auto candidates = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), least));
      certain += least == 0 && candidates == 1 ? 1 : 0;
      std::size_t skip = candidates == 1 ? 0 : stream.below(candidates);
      std::size_t value = 0;
      while (seen[value] != least || skip-- > 0) ++value;
      positive[j] = static_cast<std::uint8_t>(value);
    }
    return group.rows.empty() ? 0 : certain;
  }

  std::string by_;
  std::size_t bins_;
  std::uint64_t seed_ = 1;
};

}  // namespace

Entry<Recovery> intersect_recovery() {
  return {{.name = "intersect",
           .paper = "",
           .doc = "wrong values stored on purpose: the value that repeated negative enrolments avoid",
           .medium = "template",
           .parameters = {{"by", ParameterType::text, "original", "column whose value enrolments of one sample share"},
                          {"bins", ParameterType::integer, "0", "values of a feature; 0: as the data records", 0, 256}},
           .undoes = Operation::stores_wrong_values,
           .needs_repeats = true},
          [](const Parameters& parameters) { return std::make_unique<Intersect>(parameters); }};
}

}  // namespace bauta
