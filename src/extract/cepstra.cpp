// A voice as statistics of its cepstra over the recording: how it sounds on average, how much that varies, how fast it
// changes and, in four parts of the recording, when.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bauta/extract/extractor.hpp"
#include "mfcc.hpp"
#include "resampled.hpp"

namespace bauta {
namespace {

// 16 bits of a recorder without a microphone make about -90.
constexpr double silence_decibels = -80;
constexpr std::size_t segments = 4;

/// Less the mean, which is no sound; empty if what remains is silence.
std::vector<float> without_offset(std::vector<float> samples) {
  const auto count = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / std::max(count, 1.0);
  double power = 0;
  for (float& sample : samples) {
    sample = static_cast<float>(sample - mean);
    power += double{sample} * sample / count;
  }
  if (power < std::pow(10, silence_decibels / 10)) return {};
  return samples;
}

void append_means(const Matrix<double>& frames, std::size_t begin, std::size_t end, std::vector<float>& features) {
  for (std::size_t k = 0; k < frames.cols(); ++k) {
    double sum = 0;
    for (std::size_t t = begin; t < end; ++t) sum += frames(t, k);
    features.push_back(static_cast<float>(sum / static_cast<double>(end - begin)));
  }
}

void append_deviations(const Matrix<double>& frames, std::vector<float>& features) {
  const auto count = static_cast<double>(frames.rows());
  for (std::size_t k = 0; k < frames.cols(); ++k) {
    double mean = 0, square = 0;
    for (std::size_t t = 0; t < frames.rows(); ++t) mean += frames(t, k) / count;
    for (std::size_t t = 0; t < frames.rows(); ++t) square += (frames(t, k) - mean) * (frames(t, k) - mean) / count;
    features.push_back(static_cast<float>(std::sqrt(square)));
  }
}

MfccOptions options_of(const Parameters& parameters) {
  MfccOptions options;
  options.rate = static_cast<int>(parameters.integer("rate"));
  options.coefficients = static_cast<std::size_t>(parameters.integer("coefficients"));
  options.filters = static_cast<std::size_t>(parameters.integer("filters"));
  options.low = parameters.real("low");
  const double highest = options.rate / 2.0;
  options.high = parameters.real("high") == 0 ? highest : parameters.real("high");
  options.range = parameters.real("range");
  if (options.coefficients > options.filters) throw_usage("cepstra:coefficients", "are more than filters");
  if (options.low >= options.high || options.high > highest) {
    throw_usage("cepstra:high", "lies below low, or above half the rate");
  }
  return options;
}

class Cepstra : public Extractor {
 public:
  explicit Cepstra(const Parameters& parameters)
      : mfcc_(options_of(parameters)),
        rate_(static_cast<int>(parameters.integer("rate"))),
        in_segments_(parameters.text("layout") == "segments") {}

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    const Matrix<double> frames =
        mfcc_.frames(without_offset(resampled(medium_as<Recording>(medium, "cepstra"), rate_)));
    if (frames.rows() < segments) return std::nullopt;
    const Matrix<double> changes = deltas(frames);
    std::vector<float> features;
    append_means(frames, 0, frames.rows(), features);
    append_deviations(frames, features);
    if (!in_segments_) append_means(changes, 0, changes.rows(), features);
    append_deviations(changes, features);
    for (std::size_t s = 0; s < segments && in_segments_; ++s) {
      append_means(frames, s * frames.rows() / segments, (s + 1) * frames.rows() / segments, features);
    }
    return features;
  }

 private:
  Mfcc mfcc_;
  int rate_;
  bool in_segments_;
};

}  // namespace

Entry<Extractor> cepstra_extractor() {
  return {
      {.name = "cepstra",
       .paper = "Davis and Mermelstein 1980 (MFCC)",
       .doc = "statistics of mel-frequency cepstra over a recording; silence and less than 55 ms fail",
       .medium = "voice",
       .parameters =
           {{.name = "layout",
             .type = ParameterType::choice,
             .default_value = "segments",
             .doc = "segments: mean, deviation, deviation of the deltas, means of four equal parts in time (7 times "
                    "coefficients); statistics: mean and deviation of cepstra and of deltas (4 times)",
             .choices = {"segments", "statistics"}},
            {"rate", ParameterType::integer, "8000", "samples per second that recordings are brought to", 2000, 192000},
            {"coefficients", ParameterType::integer, "20", "cepstral coefficients, from c0 on", 1, 128},
            {"filters", ParameterType::integer, "26", "triangles on the mel scale", 1, 128},
            {"low", ParameterType::real, "0", "where the lowest triangle begins, in Hz", 0, 96000},
            {"high", ParameterType::real, "0", "where the highest ends, in Hz; 0: half the rate", 0, 96000},
            {"range", ParameterType::real, "80",
             "decibels below the loudest, where the logarithm of filter outputs is cut off", 1, 300}}},
      [](const Parameters& parameters) { return std::make_unique<Cepstra>(parameters); }};
}

}  // namespace bauta
