// CSN, cosine-sensitive noise (Terhorst et al. 2019): a template of random length at a fixed cosine to the original, in
// an otherwise uniformly random direction. Drawn in closed form: s v + sqrt(1 - s^2) p, p a random unit vector
// orthogonal to v.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/row_blocks.hpp"
#include "bauta/protect/protection.hpp"
#include "noise.hpp"

namespace bauta {
namespace {

constexpr std::uint64_t longest = 100;  // lengths are uniform integers 1..100, as published

class Csn : public Protection {
 public:
  explicit Csn(const Parameters& parameters) : cosine_(parameters.real("s")) {}

  void check(const Templates& input, const std::string& where, const ProtectContext& context) const override {
    require_floats(input, "csn", where);
    if (input.cols() < 2) {
      throw_input(where,
                  fmt::format("templates have {} feature(s); noise needs a direction orthogonal to them", input.cols()),
                  "csn takes templates of at least 2 features");
    }
    const MatrixView<const float> values = input.floats();
    for_row_blocks(input, mebibyte_rows(input), [&](std::size_t first, std::size_t count) {
      for (std::size_t i = first; i < first + count; ++i) {
        if (!context.failed.empty() && context.failed[i]) continue;
        const std::span<const float> row = values.row(i);
        if (std::all_of(row.begin(), row.end(), [](float value) { return value == 0; })) {
          throw_input(fmt::format("{} row {}", where, i + 1), "the template is zero and has no cosine to anything",
                      "mark the sample with failed = 1 if nothing could be extracted");
        }
      }
    });
  }

  [[nodiscard]] KnownMask known_mask(const ImageShape&) const override {
    return {.noise = KnownNoise{.share = cosine_, .random_length = true}};
  }

  /// Computed in double and rounded once: cos(x, v) = s to 1e-6 in the stored floats.
  [[nodiscard]] Templates protect(const Templates& block, std::size_t first,
                                  const ProtectContext& context) const override {
    const MatrixView<const float> source = block.floats();
    Matrix<float> noisy(source.rows, source.cols);
    std::vector<double> v(source.cols);
    std::vector<double> p(source.cols);
    for (std::size_t i = 0; i < source.rows; ++i) {
      std::copy(source.row(i).begin(), source.row(i).end(), v.begin());
      const double square = dot(v, v);
      if (!(square > 0) || !std::isfinite(square)) {
        std::fill(noisy.row(i).begin(), noisy.row(i).end(), 0.0F);
        continue;
      }
      Stream stream = context.randomness.stream("csn", first + i);
      const auto length = static_cast<double>(1 + stream.below(longest));
      const double norm = draw_orthogonal(stream, v, square, p);
      const double along = length * cosine_ / std::sqrt(square);
      const double across = length * std::sqrt(1 - cosine_ * cosine_) / norm;
      combine(along, v, across, p, noisy.row(i));
    }
    return Templates(std::move(noisy));
  }

 private:
  /// A uniformly random direction orthogonal to v, whose square is given; returns the length of p.
  static double draw_orthogonal(Stream& stream, const std::vector<double>& v, double square, std::vector<double>& p) {
    while (true) {
      stream.normals(std::span(p));
      // The second pass removes what cancellation in the first one left.
      for (int pass = 0; pass < 2; ++pass) combine(1, p, -dot(p, v) / square, v, std::span(p));
      const double norm = std::sqrt(dot(p, p));
      if (norm >= 1e-8) return norm;
    }
  }

  double cosine_;
};

}  // namespace

Entry<Protection> csn_protection() {
  return {{.name = "csn",
           .paper = "Terhorst et al. 2019, Unsupervised Privacy-enhancement of Face Representations Using "
                    "Similarity-sensitive Noise Transformations",
           .doc = "noise at a fixed cosine to the original, random length",
           .medium = "template",
           .comparator = "cosine",
           .claim = "noise confuses attribute estimators more than it lowers recognition",
           .broken_by = "averaging over repeated enrolments of a person, and the similarity attack, which reads "
                        "attributes wherever recognition is kept",
           .parameters = {{"s", ParameterType::real, "0.8", "cosine between the protected and the original template",
                           -1, 1}},
           .does = Operation::adds_noise},
          [](const Parameters& parameters) { return std::make_unique<Csn>(parameters); }};
}

}  // namespace bauta
