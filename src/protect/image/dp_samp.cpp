// DP-Samp (Xue 2021, for images by Reilly and Fan, in colour as in A False Sense of Privacy): few pixels are sampled
// where many look alike, take the colour of their cluster, and the image is interpolated between them.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "bauta/core/simd.hpp"
#include "bauta/data/scattered_pixels.hpp"
#include "image_protection.hpp"

namespace bauta {
namespace {

constexpr std::size_t paper_neighbours = 12, paper_pixels = paper_width * paper_width;
constexpr int rounds_at_most = 100;
constexpr float moved_enough = 0.2F;  // of a centre, in one round

struct Clusters {
  std::vector<std::array<float, 3>> centres;
  std::vector<std::uint32_t> of_pixel = {};
  double spread = std::numeric_limits<double>::infinity();  ///< sum of squared distances to the centres
};

BAUTA_MULTIVERSION void nearer_grey(const float* values, std::size_t pixels, float centre, std::uint32_t cluster,
                                    float* __restrict nearest, std::uint32_t* __restrict of_pixel) {
  for (std::size_t i = 0; i < pixels; ++i) {
    const float away = values[i] - centre, square = away * away;
    const bool nearer = square < nearest[i];
    nearest[i] = nearer ? square : nearest[i];
    of_pixel[i] = nearer ? cluster : of_pixel[i];
  }
}

BAUTA_MULTIVERSION void nearer_colour(std::array<const float*, 3> values, std::size_t pixels,
                                      std::array<float, 3> centre, std::uint32_t cluster, float* __restrict nearest,
                                      std::uint32_t* __restrict of_pixel) {
  const float *const red = values[0], *const green = values[1], *const blue = values[2];
  for (std::size_t i = 0; i < pixels; ++i) {
    const float r = red[i] - centre[0], g = green[i] - centre[1], b = blue[i] - centre[2];
    const float square = r * r + g * g + b * b;
    const bool nearer = square < nearest[i];
    nearest[i] = nearer ? square : nearest[i];
    of_pixel[i] = nearer ? cluster : of_pixel[i];
  }
}

/// k-means of the colours of one image.
class Colours {
 public:
  explicit Colours(const Image& image) : pixels_(image.width * image.height), nearest_(pixels_), of_pixel_(pixels_) {
    for (std::size_t c = 0; c < 3; ++c) {
      channels_[c].resize(c < image.channels ? pixels_ : 0);
      for (std::size_t i = 0; i < channels_[c].size(); ++i) {
        channels_[c][i] = image.pixels[i * image.channels + c];
      }
    }
  }

  [[nodiscard]] Clusters clusters(std::size_t k, std::size_t restarts, Stream& stream) {
    Clusters best;
    for (std::size_t start = 0; start < restarts; ++start) {
      Clusters found{.centres = first_centres(k, stream)};
      for (int round = 0; round < rounds_at_most; ++round) {
        found.spread = assign(found.centres);
        if (move(found.centres) <= moved_enough) break;
      }
      found.spread = assign(found.centres);
      found.of_pixel = of_pixel_;
      if (found.spread < best.spread) best = std::move(found);
    }
    return best;
  }

  /// In absolute values, over all channels.
  [[nodiscard]] double distance(std::size_t pixel, const std::array<float, 3>& centre) const {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      if (!channels_[c].empty()) sum += std::abs(double{channels_[c][pixel]} - centre[c]);
    }
    return sum;
  }

 private:
  [[nodiscard]] std::array<float, 3> colour(std::size_t pixel) const {
    std::array<float, 3> out{};
    for (std::size_t c = 0; c < 3; ++c) out[c] = channels_[c].empty() ? 0 : channels_[c][pixel];
    return out;
  }

  /// Far from each other (k-means++); fewer than k where there are fewer colours.
  [[nodiscard]] std::vector<std::array<float, 3>> first_centres(std::size_t k, Stream& stream) {
    std::vector<std::array<float, 3>> centres = {colour(stream.below(pixels_))};
    std::fill(nearest_.begin(), nearest_.end(), std::numeric_limits<float>::infinity());
    while (centres.size() < k) {
      take_nearer(centres.back(), 0);
      const double total = std::accumulate(nearest_.begin(), nearest_.end(), 0.0);
      if (total == 0) break;
      double left = stream.uniform() * total;
      std::size_t pixel = 0;
      while (pixel + 1 < pixels_ && (left -= nearest_[pixel]) >= 0) ++pixel;
      while (nearest_[pixel] == 0) --pixel;  // rounding went past the last one that may be taken
      centres.push_back(colour(pixel));
    }
    return centres;
  }

  void take_nearer(const std::array<float, 3>& centre, std::uint32_t cluster) {
    const auto& [red, green, blue] = channels_;
    if (green.empty()) {
      nearer_grey(red.data(), pixels_, centre[0], cluster, nearest_.data(), of_pixel_.data());
    } else {
      nearer_colour({red.data(), green.data(), blue.data()}, pixels_, centre, cluster, nearest_.data(),
                    of_pixel_.data());
    }
  }

  double assign(const std::vector<std::array<float, 3>>& centres) {
    std::fill(nearest_.begin(), nearest_.end(), std::numeric_limits<float>::infinity());
    for (std::size_t k = 0; k < centres.size(); ++k) take_nearer(centres[k], static_cast<std::uint32_t>(k));
    return std::accumulate(nearest_.begin(), nearest_.end(), 0.0);
  }

  /// To the means; the longest way that one went. One without pixels stays.
  float move(std::vector<std::array<float, 3>>& centres) const {
    std::vector<std::array<double, 4>> sums(centres.size());
    for (std::size_t i = 0; i < pixels_; ++i) {
      auto& sum = sums[of_pixel_[i]];
      ++sum[3];
      for (std::size_t c = 0; c < 3; ++c) sum[c] += channels_[c].empty() ? 0 : double{channels_[c][i]};
    }
    double longest = 0;
    for (std::size_t k = 0; k < centres.size(); ++k) {
      if (sums[k][3] == 0) continue;
      double square = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const double mean = sums[k][c] / sums[k][3];
        square += (mean - centres[k][c]) * (mean - centres[k][c]);
        centres[k][c] = static_cast<float>(mean);
      }
      longest = std::max(longest, square);
    }
    return static_cast<float>(std::sqrt(longest));
  }

  std::size_t pixels_;
  std::array<std::vector<float>, 3> channels_;
  std::vector<float> nearest_;
  std::vector<std::uint32_t> of_pixel_;
};

/// How many of `eligible` pixels may be shown: the most x for which no set of m pixels makes a sample more likely than
/// exp(budget) times without it, C(eligible, x) / C(eligible - m, x) <= exp(budget). It may be none.
std::size_t affordable(std::size_t eligible, std::size_t m, double budget) {
  if (eligible <= m) return 0;
  const auto cost = [&](std::size_t x) {
    double sum = 0;
    for (std::size_t j = 0; j < m; ++j) {
      sum += std::log(static_cast<double>(eligible - j) / static_cast<double>(eligible - x - j));
    }
    return sum;
  };
  std::size_t low = 0, high = eligible - m;
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    if (cost(middle) <= budget) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

class DpSamp : public ImageProtection {
 public:
  explicit DpSamp(const Parameters& parameters)
      : ImageProtection("dp-samp"),
        epsilon_(parameters.real("epsilon")),
        clusters_(static_cast<std::size_t>(parameters.integer("k"))),
        neighbours_(static_cast<std::size_t>(parameters.integer("m"))),
        threshold_(parameters.real("threshold")),
        restarts_(static_cast<std::size_t>(parameters.integer("restarts"))) {}

  [[nodiscard]] Guarantee guarantee(const ImageShape&) const override {
    return {.remark = "its clusters of colours are learned from the image itself, without noise"};
  }
  [[nodiscard]] std::map<std::string, std::size_t> in_pixels(const ImageShape& shape) const override {
    return {{"m", neighbours_in(shape.width * shape.height)}};
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t sample, const ProtectContext& context) const override {
    const std::size_t m = neighbours_in(image.width * image.height);
    Stream stream = context.randomness.stream("dp-samp", sample);
    Colours colours(image);
    const Clusters clusters = colours.clusters(clusters_, restarts_, stream);
    std::vector<std::vector<std::size_t>> eligible(clusters.centres.size());
    for (std::size_t i = 0; i < clusters.of_pixel.size(); ++i) {
      const std::uint32_t own = clusters.of_pixel[i];
      if (colours.distance(i, clusters.centres[own]) <= threshold_) eligible[own].push_back(i);
    }
    double all = 0;
    for (const auto& pixels : eligible) all += static_cast<double>(pixels.size());
    std::vector<KnownPixel> known;
    for (std::size_t k = 0; k < eligible.size(); ++k) {
      std::vector<std::size_t>& pixels = eligible[k];
      const std::size_t shown = affordable(pixels.size(), m, epsilon_ * static_cast<double>(pixels.size()) / all);
      for (std::size_t i = 0; i < shown; ++i) {
        std::swap(pixels[i], pixels[i + stream.below(pixels.size() - i)]);
        known.push_back({static_cast<std::int32_t>(pixels[i] % image.width),
                         static_cast<std::int32_t>(pixels[i] / image.width), clusters.centres[k]});
      }
    }
    // Nothing could be afforded: nothing is shown.
    if (known.empty()) return with_values(image, std::vector<float>(image.pixels.size(), 127));
    return with_values(image, interpolated(image.width, image.height, image.channels, std::move(known)));
  }

 private:
  /// As given or, where none are, as large a part of the image as the paper's are; not less than one.
  [[nodiscard]] std::size_t neighbours_in(std::size_t pixels) const {
    if (neighbours_ != 0) return neighbours_;
    return std::max<std::size_t>(1, (2 * paper_neighbours * pixels + paper_pixels) / (2 * paper_pixels));
  }

  double epsilon_;
  std::size_t clusters_, neighbours_;
  double threshold_;
  std::size_t restarts_;
};

}  // namespace

Entry<Protection> dp_samp_protection() {
  return {
      {.name = "dp-samp",
       .paper = "Reilly, Fan 2021, A Comparative Evaluation of Differentially Private Image Obfuscation",
       .doc = "few pixels of frequent colours, and what is interpolated between them",
       .medium = "image",
       .claim = "its paper says epsilon-differentially private for any m pixels, given the clusters; these are learned "
                "from the image without noise, and so is how many pixels a cluster shows: there is no formal guarantee",
       .broken_by = "recognisers that learned from such images: coarse shapes and colours stay",
       .parameters = {{"epsilon", ParameterType::real, "5", "privacy budget of an image", 1e-6, 1e9},
                      {"k", ParameterType::integer, "24", "clusters of colours", 1, 4096},
                      {"m", ParameterType::integer, "0",
                       "pixels by which neighbouring images may differ; 0: 12 in images of 224 x 224 pixels, and in "
                       "proportion to their area for others",
                       0, 1e6},
                      {"threshold", ParameterType::real, "30",
                       "how far from its cluster's centre, summed over the channels, a pixel may be to be shown; the "
                       "papers give none",
                       0, 765},
                      {"restarts", ParameterType::integer, "10", "of k-means; the best counts", 1, 1000}},
       .example = "restarts=1"},
      [](const Parameters& parameters) { return std::make_unique<DpSamp>(parameters); }};
}

}  // namespace bauta
