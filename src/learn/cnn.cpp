// A small convolutional network, trained from scratch: what reads attributes, and people, from the pixels of an image.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/device.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/deep/image_trainer.hpp"
#include "bauta/learn/estimator.hpp"
#include "class_weights.hpp"
#include "logits.hpp"
#include "training_data.hpp"

namespace bauta {
namespace {

constexpr std::size_t rows_per_task = 64;

ConvOptions conv_options(const Parameters& parameters) {
  ConvOptions options;
  const auto size = static_cast<std::size_t>(parameters.integer("size"));
  options.input = {size, size, parameters.text("color") == "rgb" ? std::size_t{3} : std::size_t{1}};
  options.filters = parse_widths("cnn:filters", parameters.text("filters"));
  options.hidden = parse_widths("cnn:hidden", parameters.text("hidden"));
  options.mirror = parameters.text("mirror") == "yes";
  options.training.epochs = static_cast<std::size_t>(parameters.integer("epochs"));
  options.training.device = device();
  if (pixels_left(options.input, options.filters.size()) == 0) {
    throw_usage("cnn:filters",
                fmt::format("{} halvings leave nothing of {} x {} pixels", options.filters.size(), size, size));
  }
  return options;
}

class Cnn : public Estimator {
 public:
  explicit Cnn(const Parameters& parameters) : parameters_(parameters), options_(conv_options(parameters)) {}

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    require_training_data(x, options.where);
    if (x.cols != options_.input.size()) {
      throw_input(options.where,
                  fmt::format("{} features are no image of {} x {} pixels with {} channel(s), which is what cnn learns "
                              "from",
                              x.cols, options_.input.width, options_.input.height, options_.input.channels),
                  parameters_.fill("let it see pixels:size={size},color={color}, or give it the size that they have"));
    }
    classes_ = OccurringClasses(codes, classes);
    network_ = {};
    if (classes_.count() == 1) return;
    ConvOptions own = options_;
    own.training.seed = options.seed;
    const std::vector<double> weights = class_weights(parameters_, classes_);
    for (const std::size_t code : classes_.codes()) {
      if (!weights.empty()) own.class_weights.push_back(weights[code]);
    }
    const std::vector<std::int32_t> nobody(x.rows, 0);  // all rows are learned from, whosever they are
    const std::vector<std::int32_t> places = classes_.places(codes);
    network_ = image_trainer().train_image_classifier({x, nobody}, {places, classes_.count(), "class"}, own).network;
  }

  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override {
    return likelihoods(x).probabilities;
  }

  [[nodiscard]] Likelihoods likelihoods(MatrixView<const float> x) const override {
    Matrix<float> logits(x.rows, classes_.count(), 0.0F);
    parallel_for(classes_.count() == 1 ? 0 : (x.rows + rows_per_task - 1) / rows_per_task, [&](std::size_t task, int) {
      const std::size_t first = task * rows_per_task;
      const std::size_t count = std::min(rows_per_task, x.rows - first);
      network_.forward(x.slice(first, count), first, logits.view().slice(first, count));
    });
    return likelihoods_of_logits(logits.view(), classes_);
  }

 private:
  Parameters parameters_;
  ConvOptions options_;
  OccurringClasses classes_;
  ConvNetwork network_;
};

}  // namespace

Entry<Estimator> cnn_estimator() {
  return {
      {.name = "cnn",
       .paper = "LeCun et al. 1998, Gradient-Based Learning Applied to Document Recognition; Ioffe and Szegedy 2015",
       .doc = "small convolutional network on the pixels of an image, trained from scratch",
       .medium = "template",
       .learns = true,
       .parameters = {{"size", ParameterType::integer, "48", "edge of the square image in pixels", 2, 256},
                      {.name = "color",
                       .type = ParameterType::choice,
                       .default_value = "grey",
                       .doc = "what its pixels are",
                       .choices = {"grey", "rgb"}},
                      {.name = "filters",
                       .type = ParameterType::text,
                       .default_value = "16/32/64",
                       .doc = "of 3 x 3 pixels, in each layer; the image is halved after each",
                       .grid = {"8/16/32", "16/32/64"}},
                      {.name = "hidden",
                       .type = ParameterType::text,
                       .default_value = "128",
                       .doc = "widths of the dense layers after that",
                       .grid = {"64", "128"}},
                      {"epochs", ParameterType::integer, "20", "passes over the training data", 1, 1e5},
                      {.name = "mirror",
                       .type = ParameterType::choice,
                       .default_value = "yes",
                       .doc = "whether half of the images are shown to it as in a mirror, others in each pass",
                       .choices = {"yes", "no"}},
                      weight_parameter()},
       .representation = "pixels:size={size},color={color}"},
      [](const Parameters& parameters) { return std::make_unique<Cnn>(parameters); }};
}

}  // namespace bauta
