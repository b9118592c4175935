// Random projection (Teoh, Yuang 2007): y = R x / sqrt(m), R drawn from a key. Under one key inner products are kept
// on average; under different keys two templates of one face look like strangers.
#include <cmath>

#include <fmt/format.h>

#include "../keyed.hpp"

namespace bauta {
namespace {

Matrix<float> gaussian(std::size_t rows, std::size_t cols, Stream& stream) {
  Matrix<float> matrix(rows, cols);
  const double factor = 1 / std::sqrt(static_cast<double>(rows));
  const std::span entries(matrix.data(), matrix.size());
  stream.normals(entries);
  for (float& entry : entries) entry = static_cast<float>(factor * entry);
  return matrix;
}

/// Scaled so that inner products are kept on average.
Matrix<float> orthonormal(std::size_t rows, std::size_t cols, Stream& stream) {
  const double scale = std::sqrt(static_cast<double>(cols) / static_cast<double>(rows));
  return semi_orthonormal(rows, cols, scale, [&](std::span<double> entries) { stream.normals(entries); });
}

class RandomProjection : public KeyedProtection<float> {
 public:
  explicit RandomProjection(const Parameters& parameters)
      : KeyedProtection("random-projection", parameters),
        length_(static_cast<std::size_t>(parameters.integer("length"))),
        orthonormal_(parameters.text("matrix") == "orthonormal") {}

 private:
  void check_dimension(std::size_t d, const std::string& where) const override {
    if (orthonormal_ && length_ > d) {
      throw_input(where, fmt::format("{} orthonormal rows do not exist in {} dimensions", length_, d),
                  "choose a random-projection:length of at most the dimension, or matrix=gaussian");
    }
  }

  [[nodiscard]] std::size_t width(std::size_t d) const override { return length_ == 0 ? d : length_; }

  [[nodiscard]] KeyedTransform<float> draw(Stream& stream, std::size_t d) const override {
    const auto matrix = std::make_shared<const Matrix<float>>(orthonormal_ ? orthonormal(width(d), d, stream)
                                                                           : gaussian(width(d), d, stream));
    return [matrix](MatrixView<const float> rows, MatrixView<float> out) { multiply(rows, matrix->view(), out); };
  }

  std::size_t length_;
  bool orthonormal_;
};

}  // namespace

Entry<Protection> random_projection_protection() {
  return {{.name = "random-projection",
           .paper = "Teoh, Yuang 2007, Cancelable Biometrics Realization With Multispace Random Projections",
           .doc = "y = R x / sqrt(m), R random from a key",
           .medium = "template",
           .keyed = true,
           .comparator = "cosine",
           .claim = "templates can be revoked, and those under different keys cannot be linked",
           .broken_by = "a lost key: R is then a linear system that gives the template back (exactly at full length), "
                        "and the similarity attack reads attributes because similarities are kept",
           .parameters = keyed_parameters({{"length", ParameterType::integer, "0",
                                            "features of the result; 0: as many as the input has", 0, 1 << 20},
                                           {.name = "matrix",
                                            .type = ParameterType::choice,
                                            .default_value = "gaussian",
                                            .doc = "independent normal entries, or rows of a random rotation",
                                            .choices = {"gaussian", "orthonormal"}}})},
          [](const Parameters& parameters) { return std::make_unique<RandomProjection>(parameters); }};
}

}  // namespace bauta
