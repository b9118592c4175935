#include "mfcc.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <numbers>

#include <fftw3.h>

namespace bauta {

namespace {

constexpr double frame_seconds = 0.025;
constexpr double hop_seconds = 0.010;
constexpr double pre_emphasis = 0.97;

/// Of FFTW only the execution of a plan may run in several threads at once.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

template <class T>
struct FftwArray {
  explicit FftwArray(std::size_t count) : data(static_cast<T*>(fftw_malloc(count * sizeof(T)))) {
    if (data == nullptr) throw std::bad_alloc();
  }
  ~FftwArray() { fftw_free(data); }
  FftwArray(const FftwArray&) = delete;
  FftwArray& operator=(const FftwArray&) = delete;

  T* data;
};

Matrix<double> mel_triangles(const MfccOptions& options, std::size_t size) {
  const double low = hertz_to_mel(options.low);
  const double step = (hertz_to_mel(options.high) - low) / static_cast<double>(options.filters + 1);
  Matrix<double> triangles(options.filters, size / 2 + 1, 0.0);
  for (std::size_t bin = 0; bin <= size / 2; ++bin) {
    const double mel = hertz_to_mel(static_cast<double>(bin) * options.rate / static_cast<double>(size));
    for (std::size_t m = 0; m < options.filters; ++m) {
      const double centre = low + static_cast<double>(m + 1) * step;
      triangles(m, bin) = std::max(0.0, 1 - std::abs(mel - centre) / step);
    }
  }
  return triangles;
}

Matrix<double> dct_rows(std::size_t coefficients, std::size_t filters) {
  Matrix<double> rows(coefficients, filters);
  const auto count = static_cast<double>(filters);
  for (std::size_t k = 0; k < coefficients; ++k) {
    const double scale = std::sqrt((k == 0 ? 1 : 2) / count);
    for (std::size_t m = 0; m < filters; ++m) {
      rows(k, m) = scale * std::cos(std::numbers::pi * static_cast<double>(k) * (static_cast<double>(m) + 0.5) / count);
    }
  }
  return rows;
}

}  // namespace

double hertz_to_mel(double hertz) {
  return 2595 * std::log10(1 + hertz / 700);
}

struct Mfcc::Plan {
  explicit Plan(std::size_t size) {
    const FftwArray<double> in(size);
    const FftwArray<fftw_complex> out(size / 2 + 1);
    const std::lock_guard lock(planner());
    // Estimated, not measured: the same plan, and so the same bits, every time.
    plan = fftw_plan_dft_r2c_1d(static_cast<int>(size), in.data, out.data, FFTW_ESTIMATE);
    BAUTA_ASSERT(plan != nullptr);
  }
  ~Plan() {
    const std::lock_guard lock(planner());
    fftw_destroy_plan(plan);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  fftw_plan plan;
};

Mfcc::Mfcc(const MfccOptions& options)
    : options_(options),
      length_(static_cast<std::size_t>(std::lround(frame_seconds * options.rate))),
      hop_(static_cast<std::size_t>(std::lround(hop_seconds * options.rate))),
      size_(std::bit_ceil(length_)),
      window_(length_),
      triangles_(mel_triangles(options, size_)),
      cosines_(dct_rows(options.coefficients, options.filters)),
      plan_(std::make_unique<Plan>(size_)) {
  BAUTA_ASSERT(options.coefficients <= options.filters && options.low < options.high && hop_ > 0);
  for (std::size_t i = 0; i < length_; ++i) {
    window_[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(length_ - 1));
  }
}

Mfcc::~Mfcc() = default;

Matrix<double> Mfcc::filter_energies(std::span<const float> samples) const {
  if (samples.size() < length_) return {};
  std::vector<double> emphasised(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    emphasised[i] = samples[i] - (i == 0 ? 0 : pre_emphasis * samples[i - 1]);
  }
  const std::size_t bins = size_ / 2 + 1;
  const FftwArray<double> in(size_);
  const FftwArray<fftw_complex> out(bins);
  std::fill_n(in.data, size_, 0.0);
  std::vector<double> power(bins);
  Matrix<double> energies(1 + (samples.size() - length_) / hop_, options_.filters, 0.0);
  for (std::size_t t = 0; t < energies.rows(); ++t) {
    for (std::size_t i = 0; i < length_; ++i) in.data[i] = window_[i] * emphasised[t * hop_ + i];
    fftw_execute_dft_r2c(plan_->plan, in.data, out.data);
    for (std::size_t b = 0; b < bins; ++b) {
      power[b] = out.data[b][0] * out.data[b][0] + out.data[b][1] * out.data[b][1];
    }
    for (std::size_t m = 0; m < options_.filters; ++m) {
      for (std::size_t b = 0; b < bins; ++b) energies(t, m) += triangles_(m, b) * power[b];
    }
  }
  return energies;
}

Matrix<double> Mfcc::frames(std::span<const float> samples) const {
  Matrix<double> energies = filter_energies(samples);
  double loudest = 0;
  for (std::size_t i = 0; i < energies.size(); ++i) loudest = std::max(loudest, energies.data()[i]);
  if (loudest <= 0) return {};
  // Relative to the recording, so that a louder copy differs in c0 alone.
  const double floor = loudest * std::pow(10, -options_.range / 10);
  for (std::size_t i = 0; i < energies.size(); ++i) energies.data()[i] = std::log(std::max(energies.data()[i], floor));
  Matrix<double> result(energies.rows(), options_.coefficients, 0.0);
  for (std::size_t t = 0; t < result.rows(); ++t) {
    for (std::size_t k = 0; k < result.cols(); ++k) {
      for (std::size_t m = 0; m < options_.filters; ++m) result(t, k) += cosines_(k, m) * energies(t, m);
    }
  }
  return result;
}

Matrix<double> deltas(const Matrix<double>& frames) {
  Matrix<double> result(frames.rows(), frames.cols(), 0.0);
  const auto last = static_cast<std::ptrdiff_t>(frames.rows()) - 1;
  for (std::ptrdiff_t t = 0; t <= last; ++t) {
    for (std::ptrdiff_t reach = 1; reach <= 2; ++reach) {
      const auto after = frames.row(static_cast<std::size_t>(std::min(t + reach, last)));
      const auto before = frames.row(static_cast<std::size_t>(std::max<std::ptrdiff_t>(t - reach, 0)));
      // The divisor is twice the sum of the squared distances 1 and 2.
      for (std::size_t k = 0; k < frames.cols(); ++k) {
        result(static_cast<std::size_t>(t), k) += static_cast<double>(reach) * (after[k] - before[k]) / 10;
      }
    }
  }
  return result;
}

}  // namespace bauta
