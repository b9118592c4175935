// BioHash (Teoh, Ngo, Goh 2004): projections onto orthonormal vectors from a key, one bit each. Entries and threshold
// default to those of a public face-recognition study (uniform entries, the mean of the sample's own projections);
// the original compares with a fixed threshold.
#include <fmt/format.h>

#include "../keyed.hpp"

namespace bauta {
namespace {

class BioHash : public KeyedProtection<std::uint64_t> {
 public:
  explicit BioHash(const Parameters& parameters)
      : KeyedProtection("biohash", parameters),
        length_(static_cast<std::size_t>(parameters.integer("length"))),
        against_mean_(parameters.text("threshold") == "mean"),
        uniform_(parameters.text("entries") == "uniform01") {}

 private:
  void check_dimension(std::size_t d, const std::string& where) const override {
    if (length_ > d) {
      throw_input(where, fmt::format("{} orthonormal vectors do not exist in {} dimensions", length_, d),
                  "choose a biohash:length of at most the dimension");
    }
  }

  [[nodiscard]] std::size_t width(std::size_t d) const override { return length_ == 0 ? d : length_; }

  [[nodiscard]] KeyedTransform<std::uint64_t> draw(Stream& stream, std::size_t d) const override {
    const auto vectors =
        std::make_shared<const Matrix<float>>(semi_orthonormal(width(d), d, 1, [&](std::span<double> entries) {
          if (uniform_) {
            for (double& entry : entries) entry = stream.uniform();
          } else {
            stream.normals(entries);
          }
        }));
    return [vectors, against_mean = against_mean_](MatrixView<const float> rows, MatrixView<std::uint64_t> out) {
      Matrix<float> y(rows.rows, vectors->rows());
      multiply(rows, vectors->view(), y.view());
      for (std::size_t i = 0; i < rows.rows; ++i) pack_above(y.row(i), against_mean ? mean(y.row(i)) : 0, out.row(i));
    };
  }

  std::size_t length_;
  bool against_mean_;
  bool uniform_;
};

}  // namespace

Entry<Protection> biohash_protection() {
  return {{.name = "biohash",
           .paper = "Teoh, Ngo, Goh 2004, BioHashing: Two Factor Authentication Featuring Fingerprint Data and "
                    "Tokenised Random Number",
           .doc = "bits of projections onto orthonormal vectors from a key",
           .medium = "template",
           .keyed = true,
           .comparator = "hamming",
           .claim = "one-way bits that can be revoked, with error rates near zero",
           .broken_by = "a stolen key: the near-zero error rates are those of the key, not of the face, pre-images are "
                        "then found from the bits, and the similarity attack reads attributes",
           .parameters = keyed_parameters(
               {{"length", ParameterType::integer, "0", "bits, at most the dimension; 0: as many as there are features",
                 0, 1 << 20},
                {.name = "threshold",
                 .type = ParameterType::choice,
                 .default_value = "mean",
                 .doc = "a bit is set above the mean of the sample's projections, or above zero",
                 .choices = {"mean", "zero"}},
                {.name = "entries",
                 .type = ParameterType::choice,
                 .default_value = "uniform01",
                 .doc = "entries that are orthonormalised; with uniform01, as published, the first bit links keys",
                 .choices = {"uniform01", "gaussian"}}})},
          [](const Parameters& parameters) { return std::make_unique<BioHash>(parameters); }};
}

}  // namespace bauta
