// MLP-Hash (Otroshi Shahreza, Krivokuca Hahn, Marcel 2023): a perceptron with random orthonormal weights from a key,
// ReLU and no biases; bits of its output against the output's own mean.
#include <algorithm>

#include "../keyed.hpp"

namespace bauta {
namespace {

constexpr std::size_t hidden_layers = 3;
constexpr std::size_t hidden_factor = 2;  // hidden width over input width

void rectify(Matrix<float>& values) {
  for (float& value : std::span(values.data(), values.size())) value = std::max(value, 0.0F);
}

class MlpHash : public KeyedProtection<std::uint64_t> {
 public:
  explicit MlpHash(const Parameters& parameters)
      : KeyedProtection("mlp-hash", parameters),
        length_(static_cast<std::size_t>(parameters.integer("length"))),
        rectified_(parameters.text("output") == "relu") {}

 private:
  void check_dimension(std::size_t, const std::string&) const override {}

  [[nodiscard]] std::size_t width(std::size_t d) const override { return length_ == 0 ? d : length_; }

  [[nodiscard]] KeyedTransform<std::uint64_t> draw(Stream& stream, std::size_t d) const override {
    const auto layers = std::make_shared<std::vector<Matrix<float>>>();
    std::size_t inputs = d;
    for (std::size_t layer = 0; layer <= hidden_layers; ++layer) {
      const std::size_t outputs = layer == hidden_layers ? width(d) : hidden_factor * d;
      layers->push_back(
          semi_orthonormal(outputs, inputs, 1, [&](std::span<double> entries) { stream.normals(entries); }));
      inputs = outputs;
    }
    return [layers, rectified = rectified_](MatrixView<const float> rows, MatrixView<std::uint64_t> out) {
      Matrix<float> values;
      MatrixView<const float> from = rows;
      for (const Matrix<float>& weights : *layers) {
        Matrix<float> next(rows.rows, weights.rows());
        multiply(from, weights.view(), next.view());
        if (rectified || &weights != &layers->back()) rectify(next);
        values = std::move(next);
        from = values.view();
      }
      for (std::size_t i = 0; i < rows.rows; ++i) pack_above(values.row(i), mean(values.row(i)), out.row(i));
    };
  }

  std::size_t length_;
  bool rectified_;
};

}  // namespace

Entry<Protection> mlp_hash_protection() {
  return {{.name = "mlp-hash",
           .paper = "Otroshi Shahreza, Krivokuca Hahn, Marcel 2023, MLP-Hash: Protecting Face Templates via Hashing of "
                    "Randomized Multi-Layer Perceptron",
           .doc = "bits of a random perceptron with weights from a key",
           .medium = "template",
           .keyed = true,
           .comparator = "hamming",
           .claim = "bits that cannot be inverted and can be revoked, recognised about as well as the clear templates",
           .broken_by = "a stolen key: the error rates under secret keys are those of the key, the weights are then "
                        "known for a search of pre-images, and the similarity attack reads attributes",
           .parameters = keyed_parameters(
               {{"length", ParameterType::integer, "0", "bits; 0: as many as there are features", 0, 1 << 20},
                {.name = "output",
                 .type = ParameterType::choice,
                 .default_value = "relu",
                 .doc = "last layer: relu makes every negative output a zero below the mean; linear leaves it",
                 .choices = {"relu", "linear"}}})},
          [](const Parameters& parameters) { return std::make_unique<MlpHash>(parameters); }};
}

}  // namespace bauta
