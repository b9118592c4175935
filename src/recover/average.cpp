// Averaging of repeated noisy enrolments (CSN, ESN): fresh noise every time is noise that falls with the square root of
// their number.
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/recover/recovery.hpp"
#include "enrolments.hpp"

namespace bauta {
namespace {

class Average : public Recovery {
 public:
  explicit Average(const Parameters& parameters) : by_(parameters.text("by")), scale_(parameters.text("scale")) {}

  [[nodiscard]] Recovered recover(const Dataset& target) const override {
    if (target.templates.kind() != ElementKind::float32) {
      throw_input(target.origin, fmt::format("templates are {}, average takes {}", to_text(target.templates.kind()),
                                             to_text(ElementKind::float32)));
    }
    const std::vector<EnrolmentGroup> groups = group_enrolments(target, by_);
    const std::optional<KnownNoise> known = recorded_mask(target).noise;
    const bool unit = scale_ == "unit" || (scale_ == "auto" && (!known || known->random_length));
    // A negative share turns the template round.
    const double share = unit && known && known->share != 0 ? known->share : 1;
    const MatrixView<const float> noisy = target.templates.floats();
    Matrix<float> means(groups.size(), noisy.cols);
    std::vector<std::size_t> rows(groups.size());
    parallel_for(groups.size(), [&](std::size_t g, int) {
      rows[g] = groups[g].representative;
      std::vector<double> sum(noisy.cols, 0.0);
      for (const std::size_t row : groups[g].rows) {
        double square = 0;
        for (const float value : noisy.row(row)) square += double{value} * value;
        const double factor = !unit ? 1 : square > 0 ? 1 / std::sqrt(square) : 0;
        for (std::size_t j = 0; j < noisy.cols; ++j) sum[j] += factor * noisy(row, j);
      }
      const double factor = groups[g].rows.empty() ? 0 : 1 / (share * static_cast<double>(groups[g].rows.size()));
      for (std::size_t j = 0; j < noisy.cols; ++j) means(g, j) = static_cast<float>(factor * sum[j]);
    });
    return {Templates(std::move(means)), std::move(rows)};
  }

 private:
  std::string by_;
  std::string scale_;
};

}  // namespace

Entry<Recovery> average_recovery() {
  return {{.name = "average",
           .paper = "",
           .doc = "noise: the mean of repeated enrolments, whose noise is fresh every time",
           .medium = "template",
           .parameters = {{"by", ParameterType::text, "original", "column whose value enrolments of one sample share"},
                          {.name = "scale",
                           .type = ParameterType::choice,
                           .default_value = "auto",
                           .doc = "of each enrolment before averaging; auto: unit length, unless the data records that "
                                  "the noise leaves lengths alone",
                           .choices = {"auto", "unit", "none"}}},
           .undoes = Operation::adds_noise,
           .needs_repeats = true},
          [](const Parameters& parameters) { return std::make_unique<Average>(parameters); }};
}

}  // namespace bauta
