// Coordinates brought to one size: each over time, or all bodies to one height, which must be known.
#include <cmath>

#include <fmt/format.h>

#include "motion_protection.hpp"

namespace bauta {
namespace {

constexpr double common_height = 1.80;  // metres

class GaitNormalize : public MotionProtection {
 public:
  explicit GaitNormalize(const Parameters& parameters)
      : MotionProtection("gait-normalize"),
        over_(parameters.text("over")),
        axis_(std::string_view("xyz").find(parameters.text("axis"))),
        column_(parameters.text("height")) {}

  /// Heights are looked up in the data set.
  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset& whole, const std::vector<std::string>&,
                                                        const ProtectContext&) const override {
    if (over_ == "time") return nullptr;
    if (!whole.labels.has(column_)) {
      throw_usage("gait-normalize:height", fmt::format("{} has no column '{}'", whole.origin, column_),
                  "name the one with heights in metres");
    }
    auto there = std::make_unique<GaitNormalize>(*this);
    for (const std::string& text : whole.labels.column(column_)) {
      const std::optional<double> height = parse_share(text);
      there->heights_.push_back(height && *height > 0 && std::isfinite(*height) ? *height : 0);
    }
    return there;
  }

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t sample, const ProtectContext&) const override {
    return over_ == "time" ? over_time(motion) : to_height(motion, sample);
  }

 private:
  [[nodiscard]] static Motion over_time(const Motion& motion) {
    const std::size_t width = motion.width();
    std::vector<double> squares(width);
    for (std::size_t i = 0; i < motion.positions.size(); ++i) {
      squares[i % width] += double{motion.positions[i]} * motion.positions[i];
    }
    Motion result = motion;
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
      if (squares[i % width] > 0) {
        result.positions[i] = static_cast<float>(motion.positions[i] / std::sqrt(squares[i % width]));
      }
    }
    return result;
  }

  [[nodiscard]] Motion to_height(const Motion& motion, std::size_t sample) const {
    BAUTA_ASSERT(sample < heights_.size());
    if (heights_[sample] == 0) throw_input(fmt::format("row {}", sample + 1), fmt::format("has no {}", column_));
    const double scale = common_height / heights_[sample];
    Motion result = motion;
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
      if (over_ == "axes" || i % 3 == axis_) result.positions[i] = static_cast<float>(motion.positions[i] * scale);
    }
    return result;
  }

  std::string over_;
  std::size_t axis_;  // that points up
  std::string column_;
  std::vector<double> heights_;
};

}  // namespace

Entry<Protection> gait_normalize_protection() {
  return {
      {.name = "gait-normalize",
       .paper = gait_paper,
       .doc = "every coordinate at unit length over time, or every body at the same height",
       .medium = "motion",
       .claim = "the size of the body is hidden; there is no formal guarantee",
       .broken_by = "recognisers that learned from it: proportions and movement stay; heights are private data "
                    "themselves",
       .parameters = {{.name = "over",
                       .type = ParameterType::choice,
                       .default_value = "time",
                       .doc = "time: each coordinate by its length over the sequence; y, axes: the axis that points "
                              "up, or all, so that everybody is 1.80 m tall",
                       .choices = {"time", "y", "axes"}},
                      {.name = "axis",
                       .type = ParameterType::choice,
                       .default_value = "y",
                       .doc = "over=y: the axis that points up; often z in C3D",
                       .choices = {"x", "y", "z"}},
                      {"height", ParameterType::text, "height_m", "column of heights in metres, for y and axes"}}},
      [](const Parameters& parameters) { return std::make_unique<GaitNormalize>(parameters); }};
}

}  // namespace bauta
