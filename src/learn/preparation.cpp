#include "bauta/learn/preparation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "bauta/core/parallel.hpp"

namespace bauta {

namespace {

constexpr std::size_t rows_per_task = 1024;
// A feature that differed by rounding errors where it was learned may lie 1e20 deviations away elsewhere, and the
// square of that is more than float32 holds. What is this far away is no farther for being farther still.
constexpr double farthest = 1e15;
constexpr std::array<std::pair<PreparationStep, std::string_view>, 3> step_names = {
    {{PreparationStep::unit, "unit"}, {PreparationStep::zscore, "zscore"}, {PreparationStep::minmax, "minmax"}}};

void for_rows(std::size_t rows, const auto& body) {
  parallel_for((rows + rows_per_task - 1) / rows_per_task, [&](std::size_t task, int) {
    for (std::size_t i = task * rows_per_task; i < std::min((task + 1) * rows_per_task, rows); ++i) body(i);
  });
}

Matrix<float> copy(MatrixView<const float> x) {
  Matrix<float> result(x.rows, x.cols);
  for_rows(x.rows, [&](std::size_t i) { std::ranges::copy(x.row(i), result.row(i).begin()); });
  return result;
}

}  // namespace

std::string_view to_text(PreparationStep step) {
  for (const auto& [value, name] : step_names) {
    if (value == step) return name;
  }
  return "unknown";
}

Preparation::Preparation(std::string_view text) {
  if (text.empty() || text == "none") return;
  while (true) {
    const std::size_t end = text.find_first_of(",+");
    const std::string_view name = text.substr(0, end);
    const auto* const found = std::ranges::find(step_names, name, [](const auto& entry) { return entry.second; });
    if (found == step_names.end()) {
      std::vector<std::string> known;
      for (const auto& entry : step_names) known.emplace_back(entry.second);
      throw_usage("preparation '" + std::string(name) + "'", "no such step", suggest(name, known));
    }
    steps_.push_back(found->first);
    if (end == std::string_view::npos) return;
    text = text.substr(end + 1);
  }
}

void Preparation::fit(MatrixView<const float> x) {
  scales_.assign(steps_.size(), {});
  if (std::ranges::all_of(steps_, [](PreparationStep step) { return step == PreparationStep::unit; })) return;
  BAUTA_ASSERT(x.rows > 0);
  Matrix<float> prepared = copy(x);
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    Scale& scale = scales_[s];
    if (steps_[s] != PreparationStep::unit) {
      std::vector<float> low(x.cols, INFINITY), high(x.cols, -INFINITY);
      std::vector<double> mean(x.cols, 0), square(x.cols, 0);
      for (std::size_t i = 0; i < x.rows; ++i) {
        const auto row = prepared.row(i);
        for (std::size_t j = 0; j < x.cols; ++j) {
          low[j] = std::min(low[j], row[j]);
          high[j] = std::max(high[j], row[j]);
          mean[j] += row[j];
        }
      }
      for (double& value : mean) value /= static_cast<double>(x.rows);
      for (std::size_t i = 0; i < x.rows; ++i) {
        const auto row = prepared.row(i);
        for (std::size_t j = 0; j < x.cols; ++j) square[j] += (row[j] - mean[j]) * (row[j] - mean[j]);
      }
      scale.offset.resize(x.cols);
      scale.factor.resize(x.cols);
      for (std::size_t j = 0; j < x.cols; ++j) {
        const bool standard = steps_[s] == PreparationStep::zscore;
        const double width = standard ? std::sqrt(square[j] / static_cast<double>(x.rows))
                                      : static_cast<double>(high[j]) - static_cast<double>(low[j]);
        scale.offset[j] = standard ? mean[j] : low[j];
        scale.factor[j] = low[j] == high[j] ? 0 : 1 / width;
      }
    }
    if (s + 1 < steps_.size()) apply(s, prepared.view());
  }
}

void Preparation::apply(std::size_t step, MatrixView<float> x) const {
  for_rows(x.rows, [&](std::size_t i) {
    const auto row = x.row(i);
    if (steps_[step] == PreparationStep::unit) {
      double square = 0;
      for (const float value : row) square += static_cast<double>(value) * value;
      const double factor = square > 0 ? 1 / std::sqrt(square) : 0;
      for (float& value : row) value = static_cast<float>(value * factor);
    } else {
      const Scale& scale = scales_[step];
      for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = static_cast<float>(std::clamp((row[j] - scale.offset[j]) * scale.factor[j], -farthest, farthest));
      }
    }
  });
}

Matrix<float> Preparation::apply(MatrixView<const float> x) const {
  Matrix<float> result = copy(x);
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    BAUTA_ASSERT(steps_[s] == PreparationStep::unit || (s < scales_.size() && scales_[s].offset.size() == x.cols));
    apply(s, result.view());
  }
  return result;
}

Matrix<float> to_features(const Templates& templates) {
  if (templates.kind() == ElementKind::float32) return copy(templates.floats());
  Matrix<float> result(templates.rows(), templates.cols());
  for_rows(templates.rows(), [&](std::size_t i) {
    const auto row = result.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      row[j] = templates.kind() == ElementKind::code8
                   ? static_cast<float>(templates.codes()(i, j))
                   : static_cast<float>((templates.words()(i, j / 64) >> (j % 64)) & 1);
    }
  });
  return result;
}

Matrix<float> one_hot_features(const Templates& codes, std::size_t levels) {
  const auto source = codes.codes();
  Matrix<float> result(source.rows, source.cols * levels, 0.0F);
  for_rows(source.rows, [&](std::size_t i) {
    for (std::size_t j = 0; j < source.cols; ++j) {
      if (source(i, j) < levels) result(i, j * levels + source(i, j)) = 1;
    }
  });
  return result;
}

std::size_t code_levels(const Templates& codes) {
  const auto source = codes.codes();
  std::size_t most = 0;
  for (std::size_t i = 0; i < source.rows; ++i) {
    for (const std::uint8_t code : source.row(i)) most = std::max<std::size_t>(most, code + 1U);
  }
  return most;
}

}  // namespace bauta
