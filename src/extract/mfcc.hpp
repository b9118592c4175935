// Mel-frequency cepstral coefficients (Davis and Mermelstein 1980).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bauta/core/matrix.hpp"

namespace bauta {

struct MfccOptions {
  int rate = 8000;  ///< samples per second
  std::size_t coefficients = 20;
  std::size_t filters = 26;
  double low = 0;      ///< Hz
  double high = 4000;  ///< Hz
  double range = 80;   ///< decibels below the loudest filter output of the recording, where the logarithm is cut off
};

/// HTK's scale.
double hertz_to_mel(double hertz);

/// Frames of 25 ms every 10 ms, whole ones only; samples less 0.97 times their predecessor; Hann window; power spectrum
/// of the next power of two; triangles that stand evenly on the mel scale and are straight on it; natural logarithm;
/// orthonormal DCT-II. Thread-safe.
class Mfcc {
 public:
  explicit Mfcc(const MfccOptions& options);
  ~Mfcc();
  Mfcc(const Mfcc&) = delete;
  Mfcc& operator=(const Mfcc&) = delete;

  /// One frame per row, from c0 on; no rows if the recording is shorter than a frame or has no energy at all.
  [[nodiscard]] Matrix<double> frames(std::span<const float> samples) const;

 private:
  struct Plan;

  [[nodiscard]] Matrix<double> filter_energies(std::span<const float> samples) const;

  MfccOptions options_;
  std::size_t length_;  // of a frame, in samples
  std::size_t hop_;
  std::size_t size_;  // of the transform
  std::vector<double> window_;
  Matrix<double> triangles_;  // filters x bins
  Matrix<double> cosines_;    // coefficients x filters
  std::unique_ptr<Plan> plan_;
};

/// Change per frame by regression over two frames on either side, the outermost frames repeated (HTK).
Matrix<double> deltas(const Matrix<double>& frames);

}  // namespace bauta
