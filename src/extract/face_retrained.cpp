// What whoever knows a mask trains against it: a small network that sees masked people and learns to say of them what
// the face network says of the same pictures unmasked. The people are others than those who are attacked.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bauta/core/device.hpp"
#include "bauta/core/digest.hpp"
#include "bauta/deep/image_trainer.hpp"
#include "bauta/extract/extractor.hpp"

namespace bauta {
namespace {

/// A number for each name, in the order in which they occur; without names everybody is somebody else.
std::vector<std::int32_t> numbers_of(const Dataset& data, const std::vector<std::size_t>& rows) {
  std::map<std::string, std::int32_t> known;
  std::vector<std::int32_t> numbers;
  for (const std::size_t row : rows) {
    const std::string name =
        data.identity_column.empty() ? std::to_string(row) : data.labels.column(data.identity_column)[row];
    numbers.push_back(known.try_emplace(name, static_cast<std::int32_t>(known.size())).first->second);
  }
  return numbers;
}

Matrix<double> in_double(const Matrix<float>& values) {
  Matrix<double> wide(values.rows(), values.cols());
  std::copy_n(values.data(), values.size(), wide.data());
  return wide;
}

Matrix<double> in_double(const std::vector<float>& values) {
  Matrix<double> wide(1, values.size());
  std::ranges::copy(values, wide.data());
  return wide;
}

Matrix<float> in_float(const Matrix<double>& values) {
  Matrix<float> narrow(values.rows(), values.cols());
  std::transform(values.data(), values.data() + values.size(), narrow.data(),
                 [](double value) { return static_cast<float>(value); });
  return narrow;
}

class FaceRetrained : public Extractor {
 public:
  explicit FaceRetrained(const Parameters& parameters)
      : pixels_(make_extractor(parameters.fill("pixels:size={size},color=rgb"))),
        teacher_(parameters.fill("face-network:frame={frame}")) {
    const auto size = static_cast<std::size_t>(parameters.integer("size"));
    ConvOptions& network = options_.network;
    network.input = {size, size, 3};
    network.filters = parse_widths("face-retrained:filters", parameters.text("filters"));
    network.hidden = parse_widths("face-retrained:hidden", parameters.text("hidden"));
    network.mirror = parameters.text("mirror") == "yes";
    network.training.epochs = static_cast<std::size_t>(parameters.integer("epochs"));
    network.training.seed = static_cast<std::uint64_t>(parameters.integer("seed"));
    network.training.device = device();
    options_.identity_weight = parameters.real("identity");
    if (pixels_left(network.input, network.filters.size()) == 0) {
      throw_usage("face-retrained:filters",
                  fmt::format("{} halvings leave nothing of {} x {} pixels", network.filters.size(), size, size));
    }
  }

  [[nodiscard]] std::string base() const override { return pixels_.parameters.resolved(); }
  [[nodiscard]] std::string teacher() const override { return teacher_; }

  void fit_taught(const Dataset& train, const Dataset& taught) override {
    BAUTA_ASSERT(train.size() == taught.size());
    const std::vector<bool> unseen = train.failed(), untaught = taught.failed();
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < train.size(); ++i) {
      if (!unseen[i] && !untaught[i]) rows.push_back(i);
    }
    if (rows.size() < 2) {
      throw_input(train.origin,
                  fmt::format("face-retrained learns from pictures in which {} finds a face, there are {}", teacher_,
                              rows.size()));
    }
    const Templates seen = train.templates.select(rows), said = taught.templates.select(rows);
    Matrix<float> images(seen.rows(), seen.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) centre(seen.floats().row(i), images.row(i));
    const std::vector<std::int32_t> people = numbers_of(train, rows);
    network_ = image_trainer().train_distilled({images.view(), people}, said.floats(), options_).network;
  }

  [[nodiscard]] std::string model() const override {
    if (network_.layers.empty()) return {};
    Hash hash;
    for (const auto& [name, values] : state()) {
      hash.add(name);
      hash.add(values.data(), values.size() * sizeof(double));
    }
    return hash.hex();
  }

  [[nodiscard]] LearnedArrays state() const override {
    LearnedArrays state;
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      state.emplace(fmt::format("filters{}", i), in_double(network_.layers[i].weights));
      state.emplace(fmt::format("filter_bias{}", i), in_double(network_.layers[i].bias));
    }
    for (std::size_t i = 0; i < network_.head.layers.size(); ++i) {
      state.emplace(fmt::format("dense{}", i), in_double(network_.head.layers[i].weights));
      state.emplace(fmt::format("dense_bias{}", i), in_double(network_.head.layers[i].bias));
    }
    return state;
  }

  void restore(LearnedArrays state, const std::string& where) override {
    const auto take = [&](const std::string& name, std::size_t rows, std::size_t cols) {
      const auto found = state.find(name);
      // A last layer has as many outputs as the teacher.
      if (found == state.end() || (rows > 0 && found->second.rows() != rows) || found->second.cols() != cols ||
          found->second.rows() == 0) {
        throw_input(where, fmt::format("does not hold '{}' with {} columns", name, cols));
      }
      return in_float(found->second);
    };
    const auto take_bias = [&](const std::string& name, std::size_t size) {
      const Matrix<float> row = take(name, 1, size);
      return std::vector<float>(row.data(), row.data() + size);
    };
    const ConvOptions& options = options_.network;
    ConvNetwork network;
    network.input = options.input;
    std::size_t channels = options.input.channels;
    for (std::size_t i = 0; i < options.filters.size(); ++i) {
      ConvolutionLayer layer{take(fmt::format("filters{}", i), options.filters[i], channels * 9), {}};
      layer.bias = take_bias(fmt::format("filter_bias{}", i), layer.outputs());
      channels = layer.outputs();
      network.layers.push_back(std::move(layer));
    }
    std::size_t inputs = channels * pixels_left(options.input, options.filters.size());
    for (std::size_t i = 0; i <= options.hidden.size(); ++i) {
      const bool last = i == options.hidden.size();
      DenseLayer layer;
      layer.weights = take(fmt::format("dense{}", i), last ? 0 : options.hidden[i], inputs);
      layer.bias = take_bias(fmt::format("dense_bias{}", i), layer.outputs());
      layer.activation = last ? Activation::identity : Activation::relu;
      inputs = layer.outputs();
      network.head.layers.push_back(std::move(layer));
    }
    network.head.unit_length = true;
    network_ = std::move(network);
  }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    return project(pixels_->extract(medium).value());
  }

  [[nodiscard]] std::vector<float> project(std::span<const float> pixels) const override {
    BAUTA_ASSERT(!network_.layers.empty() && pixels.size() == network_.input.size());
    Matrix<float> image(1, pixels.size()), result(1, network_.outputs());
    centre(pixels, image.row(0));
    network_.forward(image.view(), 0, result.view());
    return {result.data(), result.data() + result.size()};
  }

 private:
  static void centre(std::span<const float> pixels, std::span<float> image) {
    std::ranges::transform(pixels, image.begin(), [](float value) { return 2 * value - 1; });
  }

  ResolvedExtractor pixels_;
  std::string teacher_;
  DistillationOptions options_;
  ConvNetwork network_;
};

}  // namespace

Entry<Extractor> face_retrained_extractor() {
  return {
      {.name = "face-retrained",
       .paper = "Hinton, Vinyals, Dean 2015, Distilling the Knowledge in a Neural Network; as retrained ArcFace in A "
                "False Sense of Privacy",
       .doc = "a small network that learned, on other people, to say of masked pictures what the face network says "
              "of them unmasked; compare with cosine",
       .medium = "image",
       .learns = true,
       .learns_from_input = true,
       .parameters = {{"size", ParameterType::integer, "48", "edge of the square that it sees, in pixels", 8, 256},
                      {"filters", ParameterType::text, "16/32/64/128",
                       "of 3 x 3 pixels, in each layer; the image is halved after each"},
                      {"hidden", ParameterType::text, "256", "widths of the dense layers after that"},
                      {"epochs", ParameterType::integer, "20", "passes over the pictures", 1, 1e5},
                      {"identity", ParameterType::real, "0.1",
                       "weight of naming the people, beside 1 of the face network's templates", 0, 1000},
                      {.name = "mirror",
                       .type = ParameterType::choice,
                       .default_value = "yes",
                       .doc = "whether half of the pictures are shown to it as in a mirror, others in each pass",
                       .choices = {"yes", "no"}},
                      {.name = "frame",
                       .type = ParameterType::choice,
                       .default_value = "aligned",
                       .doc = "as of the extractor face-network, which sees unmasked pictures",
                       .choices = {"detect", "aligned"}},
                      {"seed", ParameterType::integer, "1", "of first weights and orders", 0, 4294967295}}},
      [](const Parameters& parameters) { return std::make_unique<FaceRetrained>(parameters); }};
}

}  // namespace bauta
