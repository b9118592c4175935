// Deconvolution of a known blur (Wiener 1949). An image that is mirrored at its borders without repeating the last
// pixel is a sum of cosines (DCT-I), and a symmetric blur along rows and columns multiplies each of them by a known
// number. What is left of one is divided by that number as far as it stands above the noise. Powers of clear images are
// taken to fall with the square of the frequency, as in natural ones (Field 1987); the noise is that of rounding to 8
// bits. Nothing here is learned, and both levels are fixed beforehand.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>

#include <fftw3.h>
#include <fmt/format.h>

#include "medium_recovery.hpp"

namespace bauta {
namespace {

/// Cosine sums along both axes in place; FFTW makes plans on one thread at a time, and runs them on any.
class CosineSums {
 public:
  CosineSums(std::size_t width, std::size_t height) {
    std::vector<double> any(width * height);
    const std::scoped_lock lock(planning());
    plan_ = fftw_plan_r2r_2d(static_cast<int>(height), static_cast<int>(width), any.data(), any.data(), FFTW_REDFT00,
                             FFTW_REDFT00, FFTW_ESTIMATE | FFTW_UNALIGNED);
    BAUTA_ASSERT(plan_ != nullptr);
  }
  ~CosineSums() {
    const std::scoped_lock lock(planning());
    fftw_destroy_plan(plan_);
  }
  CosineSums(const CosineSums&) = delete;
  CosineSums& operator=(const CosineSums&) = delete;

  void run(std::vector<double>& values) const { fftw_execute_r2r(plan_, values.data(), values.data()); }

 private:
  static std::mutex& planning() {
    static std::mutex mutex;
    return mutex;
  }

  fftw_plan plan_;
};

/// What a blur leaves of each cosine of a line of `size` pixels.
std::vector<double> responses(const std::vector<float>& kernel, std::size_t size) {
  const std::size_t reach = kernel.size() / 2;
  std::vector<double> result(size, 0.0);
  for (std::size_t k = 0; k < size; ++k) {
    const double step = std::numbers::pi * static_cast<double>(k) / static_cast<double>(size - 1);
    result[k] = kernel[reach];
    for (std::size_t t = 1; t <= reach; ++t)
      result[k] += 2 * kernel[reach + t] * std::cos(step * static_cast<double>(t));
  }
  return result;
}

/// Cosine sums, and what each of them is multiplied by.
struct Inverse {
  Inverse(std::size_t width, std::size_t height) : sums(width, height), factors(width * height) {}

  CosineSums sums;
  std::vector<double> factors;
};

class Deblur : public ImageRecovery {
 public:
  explicit Deblur(const Parameters& parameters)
      : ImageRecovery("deblur"), noise_(parameters.real("noise")), contrast_(parameters.real("contrast")) {}

  void fit(const Knowledge& knowledge) override {
    if (knowledge.technique == nullptr) {
      throw_usage("deblur", "nothing tells by which blur the images were masked",
                  "the masked data needs its record, dataset.toml");
    }
    technique_ = knowledge.technique->object;
    if (technique_->known_mask({64, 64, 1}).blur.empty()) {
      throw_usage("deblur", fmt::format("{} is no blur of a known kernel", knowledge.technique->declaration->name));
    }
  }

 protected:
  [[nodiscard]] Image undone(const Image& image, std::size_t) const override {
    if (image.width < 2 || image.height < 2) {
      throw_input("deblur", fmt::format("an image of {}x{} pixels cannot be sharpened", image.width, image.height));
    }
    const std::shared_ptr<const Inverse> inverse = inverse_for(image.width, image.height);
    if (inverse == nullptr) return image;
    std::vector<float> values(image.pixels.size());
    std::vector<double> plane(image.width * image.height);
    for (std::size_t c = 0; c < image.channels; ++c) {
      for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = image.pixels[i * image.channels + c];
      inverse->sums.run(plane);
      for (std::size_t i = 0; i < plane.size(); ++i) plane[i] *= inverse->factors[i];
      inverse->sums.run(plane);
      for (std::size_t i = 0; i < plane.size(); ++i) values[i * image.channels + c] = static_cast<float>(plane[i]);
    }
    return with_pixels(image, values);
  }

 private:
  /// Made once for each size; null: nothing is blurred.
  [[nodiscard]] std::shared_ptr<const Inverse> inverse_for(std::size_t width, std::size_t height) const {
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = inverses_.try_emplace({width, height});
    if (is_new) known->second = make_inverse(width, height);
    return known->second;
  }

  [[nodiscard]] std::shared_ptr<const Inverse> make_inverse(std::size_t width, std::size_t height) const {
    const std::vector<float> kernel = technique_->known_mask({width, height, 1}).blur;
    const std::vector<double> across = responses(kernel, width), down = responses(kernel, height);
    const auto leaves = [](double response) { return response == 1; };
    if (std::ranges::all_of(across, leaves) && std::ranges::all_of(down, leaves)) return nullptr;
    auto inverse = std::make_shared<Inverse>(width, height);
    // Powers of clear images relative to their mean.
    std::vector<double> powers(width * height, 0.0);
    double mean = 0;
    for (std::size_t i = 1; i < powers.size(); ++i) {
      const double x = static_cast<double>(i % width) / static_cast<double>(width - 1);
      const double y = static_cast<double>(i / width) / static_cast<double>(height - 1);
      mean += (powers[i] = 1 / (x * x + y * y)) / static_cast<double>(powers.size() - 1);
    }
    const double there_and_back = 4 * static_cast<double>((width - 1) * (height - 1));
    inverse->factors[0] = 1 / there_and_back;  // the mean stays
    for (std::size_t i = 1; i < powers.size(); ++i) {
      const double left = across[i % width] * down[i / width], signal = contrast_ * contrast_ * powers[i] / mean;
      inverse->factors[i] = left * signal / (left * left * signal + noise_ * noise_) / there_and_back;
    }
    return inverse;
  }

  std::shared_ptr<const Protection> technique_;
  double noise_, contrast_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<const Inverse>> inverses_;
};

}  // namespace

Entry<Recovery> deblur_recovery() {
  return {{.name = "deblur",
           .paper = "Wiener 1949; Field 1987 on the power of natural images",
           .doc = "blur: deconvolution by the kernel that the technique is known to have",
           .medium = "image",
           .parameters = {{"noise", ParameterType::real, "0.2887",
                           "deviation of what was added after the blur, in grey levels; rounding adds sqrt(1/12)", 1e-6,
                           255},
                          {"contrast", ParameterType::real, "50", "deviation of pixels of clear images, in grey levels",
                           1e-3, 255}},
           .undoes = Operation::blurs},
          [](const Parameters& parameters) { return std::make_unique<Deblur>(parameters); }};
}

}  // namespace bauta
