// Walking as a posture and a few directions in which it swings, each as a sine (Troje 2002): everybody swings as far,
// or as fast, as people do on average.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/learn/pca.hpp"
#include "motion_protection.hpp"

namespace bauta {
namespace {

struct Swing {
  double amplitude = 0;
  double frequency = 0;  ///< cycles per frame
  double phase = 0;      ///< at the first frame

  [[nodiscard]] double at(std::size_t frame) const {
    return amplitude * std::sin(2 * std::numbers::pi * frequency * static_cast<double>(frame) + phase);
  }
};

/// The sine of a given frequency that is closest to the values, by least squares, and how much of their square sum it
/// explains.
std::pair<Swing, double> closest(const std::vector<double>& values, double frequency) {
  double ss = 0, cc = 0, sc = 0, ys = 0, yc = 0;
  for (std::size_t t = 0; t < values.size(); ++t) {
    const double angle = 2 * std::numbers::pi * frequency * static_cast<double>(t);
    const double s = std::sin(angle), c = std::cos(angle);
    ss += s * s;
    cc += c * c;
    sc += s * c;
    ys += values[t] * s;
    yc += values[t] * c;
  }
  const double determinant = ss * cc - sc * sc;
  if (!(determinant > 1e-9 * ss * cc)) return {{0, frequency, 0}, 0};
  const double a = (ys * cc - yc * sc) / determinant, b = (yc * ss - ys * sc) / determinant;
  return {{std::hypot(a, b), frequency, std::atan2(b, a)}, a * ys + b * yc};
}

/// The closest of all sines from half a cycle in all frames to a cycle in four: the best of a grid, and then around it.
Swing closest(const std::vector<double>& values) {
  const auto frames = static_cast<double>(values.size());
  const double slowest = 0.5 / frames, fastest = 0.25, step = 0.1 / frames;
  const auto explained = [&](double frequency) { return closest(values, frequency).second; };
  double best = slowest, most = explained(slowest);
  for (std::size_t i = 1; slowest + static_cast<double>(i) * step <= fastest; ++i) {
    const double frequency = slowest + static_cast<double>(i) * step, share = explained(frequency);
    if (share > most) {
      best = frequency;
      most = share;
    }
  }
  double low = std::max(slowest, best - step), high = std::min(fastest, best + step);
  constexpr int thirds = 60;
  for (int i = 0; i < thirds; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (explained(left) < explained(right)) {
      low = left;
    } else {
      high = right;
    }
  }
  return closest(values, (low + high) / 2).first;
}

/// Who walks on a treadmill stays where they are: the way of the middle of the body is taken off each axis along which
/// it goes somewhere, that is, ends further from where it began than half of the room it needs. What swings comes back.
Motion on_treadmill(const Motion& motion) {
  Motion result = motion;
  const double middle = (static_cast<double>(motion.frames) - 1) / 2;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<double> body(motion.frames, 0);
    for (std::size_t i = 0; i < motion.frames * motion.joints; ++i) {
      body[i / motion.joints] += motion.positions[i * 3 + axis] / static_cast<double>(motion.joints);
    }
    const auto [low, high] = std::minmax_element(body.begin(), body.end());
    if (std::abs(body.back() - body.front()) <= (*high - *low) / 2) continue;
    double product = 0, square = 0;
    for (std::size_t t = 0; t < motion.frames; ++t) {
      const double time = static_cast<double>(t) - middle;
      product += time * body[t];
      square += time * time;
    }
    for (std::size_t i = 0; i < motion.frames * motion.joints; ++i) {
      const std::size_t frame = i / motion.joints;
      float& value = result.positions[i * 3 + axis];
      value = static_cast<float>(value - product / square * (static_cast<double>(frame) - middle));
    }
  }
  return result;
}

struct Walk {
  Pca posture;  ///< mean and directions
  std::vector<Swing> swings;
};

Walk walk_of(const Motion& motion, std::size_t components) {
  const Motion still = on_treadmill(motion);
  const MatrixView<const float> poses(still.positions.data(), still.frames, still.width());
  Walk walk{Pca::leading(poses, components), {}};
  const Matrix<float> scores = walk.posture.transform(poses);
  for (std::size_t k = 0; k < scores.cols(); ++k) {
    std::vector<double> values;
    for (std::size_t t = 0; t < still.frames; ++t) values.push_back(scores(t, k));
    walk.swings.push_back(closest(values));
  }
  return walk;
}

class GaitEqualize : public MotionProtection {
 public:
  explicit GaitEqualize(const Parameters& parameters)
      : MotionProtection("gait-equalize"),
        amplitude_(parameters.text("what") != "frequency"),
        frequency_(parameters.text("what") != "amplitude"),
        components_(static_cast<std::size_t>(parameters.integer("components"))) {}

  void fit(const Dataset& train, const std::vector<std::string>&, const ProtectContext&) override {
    const std::vector<bool> failed = train.failed();
    std::vector<std::optional<std::vector<Swing>>> walks(train.size());
    parallel_for(train.size(), [&](std::size_t row, int) {
      if (failed[row]) return;
      try {
        const Motion motion = medium_as<Motion>(train.media->load(row), technique());
        if (motion.frames >= fewest) walks[row] = walk_of(motion, components_).swings;
      } catch (const Error& error) {
        if (error.fault != Fault::input) throw;  // a damaged medium is counted where it is masked
      }
    });
    means_ = Matrix<float>(components_, 2, 0);
    for (std::size_t k = 0; k < components_; ++k) {
      double amplitude = 0, frequency = 0, count = 0;
      for (const auto& walk : walks) {
        if (!walk || walk->size() <= k) continue;
        amplitude += (*walk)[k].amplitude;
        frequency += (*walk)[k].frequency;
        ++count;
      }
      if (k == 0 && count == 0) throw_input(train.origin, "gait-equalize finds nobody who moves");
      if (count == 0) continue;  // nobody swings in so many directions
      means_(k, 0) = static_cast<float>(amplitude / count);
      means_(k, 1) = static_cast<float>(frequency / count);
    }
  }

  [[nodiscard]] FittedState state() const override {
    FittedState state;
    Matrix<float> copy(means_.rows(), means_.cols());
    std::copy_n(means_.data(), means_.size(), copy.data());
    state.emplace("means", std::move(copy));
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    const auto found = state.find("means");
    if (found == state.end() || found->second.rows() != components_ || found->second.cols() != 2 ||
        !std::all_of(found->second.data(), found->second.data() + found->second.size(),
                     [](float value) { return std::isfinite(value) && value >= 0; })) {
      throw_input(where, fmt::format("does not hold 'means' of {} amplitudes and frequencies", components_));
    }
    means_ = Matrix<float>(components_, 2);
    std::copy_n(found->second.data(), means_.size(), means_.data());
  }

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(means_.rows() == components_);
    if (motion.frames < fewest) {
      throw_input(technique(), fmt::format("{} frames are too few, {} are needed", motion.frames, fewest));
    }
    Walk walk = walk_of(motion, components_);
    for (std::size_t k = 0; k < walk.swings.size(); ++k) {
      if (amplitude_) walk.swings[k].amplitude = means_(k, 0);
      if (frequency_) walk.swings[k].frequency = means_(k, 1);
    }
    Motion result = motion;
    const std::size_t width = motion.width();
    for (std::size_t t = 0; t < motion.frames; ++t) {
      std::vector<double> pose = walk.posture.means;
      for (std::size_t k = 0; k < walk.swings.size(); ++k) {
        const double score = walk.swings[k].at(t);
        for (std::size_t i = 0; i < width; ++i) pose[i] += score * walk.posture.components(k, i);
      }
      for (std::size_t i = 0; i < width; ++i) result.positions[t * width + i] = static_cast<float>(pose[i]);
    }
    return result;
  }

 private:
  static constexpr std::size_t fewest = 8;  // frames, in which a sine can be seen

  bool amplitude_, frequency_;
  std::size_t components_;
  Matrix<float> means_;  // amplitude and frequency of each direction
};

}  // namespace

Entry<Protection> gait_equalize_protection() {
  return {{.name = "gait-equalize",
           .paper = "the model of Troje 2002, as evaluated by Hanisch et al. 2023",
           .doc = "walking as a posture and sines in its main directions, of which everybody gets the mean amplitude, "
                  "frequency, or both; all that is no sine is lost, and so is the way",
           .medium = "motion",
           .learns = true,
           .learns_from_input = true,
           .claim = "nobody is known by how far or how fast they swing; there is no formal guarantee",
           .broken_by = "recognisers that learned from such motion: posture, directions and phases stay",
           .parameters = {{.name = "what",
                           .type = ParameterType::choice,
                           .default_value = "both",
                           .doc = "what becomes the mean of the people whom it learned from; frequencies count frames, "
                                  "so all must have been filmed at one rate",
                           .choices = {"both", "amplitude", "frequency"}},
                          {"components", ParameterType::integer, "4", "directions", 1, 64}}},
          [](const Parameters& parameters) { return std::make_unique<GaitEqualize>(parameters); }};
}

}  // namespace bauta
