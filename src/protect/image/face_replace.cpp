// Face replacement in the way of DeepPrivacy (Hukkelas et al. 2019) and CIAGAN (Maximov et al. 2020): the face is cut
// out, and a generator of our own paints another one into its surroundings. The face itself is no input of the
// generator, so nothing of it can come through; who appears instead is drawn, image by image.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "../template/network_protection.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/resized.hpp"
#include "bauta/data/subject_codes.hpp"
#include "bauta/deep/image_trainer.hpp"
#include "bauta/deep/sampling.hpp"
#include "image_protection.hpp"

namespace bauta {
namespace {

constexpr const char* name = "face-replace";
constexpr std::size_t stages = 5, channels = 3;

/// The ellipse that is painted anew, in shares of width and height. In aligned crops it holds brows, cheeks and chin;
/// hair, ears and neck stay.
struct Region {
  double x, y, across, down;

  /// Which pixels have their middle in it.
  [[nodiscard]] std::vector<bool> pixels(std::size_t width, std::size_t height) const {
    std::vector<bool> inside(width * height);
    for (std::size_t i = 0; i < inside.size(); ++i) {
      const double u = (static_cast<double>(i % width) + 0.5) / static_cast<double>(width) - x;
      const double v = (static_cast<double>(i / width) + 0.5) / static_cast<double>(height) - y;
      inside[i] = u * u / (across * across) + v * v / (down * down) < 1;
    }
    return inside;
  }
};

constexpr Region aligned_face{0.5, 0.6, 0.38, 0.42}, whole_face{0.5, 0.5, 0.45, 0.48};

/// From shares of full light to what networks like, and back.
void centre(std::span<float> values) {
  for (float& value : values) value = 2 * value - 1;
}
float light(float value) {
  return 127.5F * (value + 1);
}

/// Marks the cells of a grid in which there is anything of these pixels.
std::vector<float> cells_of(const std::vector<bool>& pixels, std::size_t width, std::size_t height, std::size_t size) {
  Image shade{width, height, 1, {}};
  for (const bool inside : pixels) shade.pixels.push_back(inside ? 255 : 0);
  std::vector<float> cells = resized(shade, size, 1);
  for (float& cell : cells) cell = cell > 0 ? 1.0F : 0.0F;
  return cells;
}

/// Faces to learn from: a row of planes each.
struct Faces {
  Matrix<float> images;
  std::vector<std::int32_t> people;
  std::vector<bool> held_out;
};

class FaceReplace : public ImageProtection {
 public:
  explicit FaceReplace(const Parameters& parameters)
      : ImageProtection(name),
        parameters_(parameters),
        aligned_(parameters.text("frame") == "aligned"),
        size_(static_cast<std::size_t>(parameters.integer("size"))) {
    constexpr std::size_t step = std::size_t{1} << (stages - 1);
    if (size_ % step != 0) {
      throw_usage("face-replace:size", fmt::format("{} is no multiple of {}", size_, step),
                  fmt::format("take {}", std::max(step, size_ / step * step)));
    }
  }

  void fit(const Dataset& train, const std::vector<std::string>&, const ProtectContext& context) override {
    const Faces faces = faces_of(train, context);
    GeneratorOptions options;
    options.network.training = training_options(parameters_, name, context);
    options.network.size = size_;
    options.network.width = static_cast<std::size_t>(parameters_.integer("width"));
    options.network.stages = stages;
    options.network.code = static_cast<std::size_t>(parameters_.integer("code"));
    options.divergence = parameters_.real("divergence");
    constexpr std::size_t fine = 16;  // pixels of a cell: images are rarely larger
    const std::vector<float> cells =
        cells_of(region().pixels(fine * size_, fine * size_), fine * size_, fine * size_, size_);
    TrainedImageNetwork trained =
        image_trainer().train_generator({faces.images.view(), faces.people, faces.held_out}, cells, options);
    network_ = std::move(trained.network);
    report_ = std::move(trained.report);
  }

  [[nodiscard]] FittedState state() const override {
    FittedState state = arrays_of(network_);
    add_report(state, report_);
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    network_ = image_network_of(state, size_, stages, where);
    const auto length = static_cast<std::size_t>(parameters_.integer("code"));
    if (network_.channels() != channels || network_.inputs() != channels + 1 || network_.code_length() != length) {
      throw_input(
          where,
          fmt::format("holds a network of {} planes, {} channels and a code of {} numbers, where {}, {} and {} are "
                      "needed",
                      network_.inputs(), network_.channels(), network_.code_length(), channels + 1, channels, length),
          "fit the protection again");
    }
    report_ = report_of(state);
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t sample, const ProtectContext& context) const override {
    require_frame(image);
    const std::vector<bool> hidden = region().pixels(image.width, image.height);
    std::vector<float> code(network_.code_length());
    context.randomness.stream(name, sample).normals(std::span(code));
    std::vector<float> face(channels * size_ * size_);
    network_.forward(surroundings(image, hidden), code, face);
    const std::vector<float> painted = stretched(face, size_, image.width, image.height);
    Image result = image;
    for (std::size_t i = 0; i < hidden.size(); ++i) {
      if (!hidden[i]) continue;
      const float* const colour = painted.data() + i * channels;
      if (image.channels == 1) {
        result.pixels[i] = to_pixel(light(0.299F * colour[0] + 0.587F * colour[1] + 0.114F * colour[2]));  // BT.601
      } else {
        for (std::size_t c = 0; c < channels; ++c) result.pixels[i * channels + c] = to_pixel(light(colour[c]));
      }
    }
    return result;
  }

 private:
  [[nodiscard]] const Region& region() const { return aligned_ ? aligned_face : whole_face; }

  void require_frame(const Image& image) const {
    if (!aligned_ || image.width == image.height) return;
    throw_input("face-replace:frame=aligned",
                fmt::format("needs a square crop, not {} x {} pixels", image.width, image.height),
                "frame=whole takes the whole image for the face");
  }

  /// What the generator is shown: the image without the cells in which there is anything of the face, and these cells.
  [[nodiscard]] std::vector<float> surroundings(const Image& image, const std::vector<bool>& hidden) const {
    Image rest = image;
    for (std::size_t i = 0; i < rest.pixels.size(); ++i) {
      if (hidden[i / image.channels]) rest.pixels[i] = 0;
    }
    std::vector<float> planes = resized_planes(rest, size_, channels);
    centre(planes);
    const std::vector<float> cells = cells_of(hidden, image.width, image.height, size_);
    for (std::size_t i = 0; i < planes.size(); ++i) planes[i] *= 1 - cells[i % cells.size()];
    planes.insert(planes.end(), cells.begin(), cells.end());
    return planes;
  }

  /// Media that cannot be read, or are no crops, are passed over.
  [[nodiscard]] Faces faces_of(const Dataset& train, const ProtectContext& context) const {
    const std::vector<bool> failed = context.failed.empty() ? train.failed() : context.failed;
    std::vector<std::size_t> rows(train.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::erase_if(rows, [&](std::size_t row) { return !failed.empty() && failed[row]; });
    const auto most = static_cast<std::size_t>(parameters_.integer("most"));
    if (rows.size() > most) {
      context.randomness.stream("face-replace.rows").shuffle(std::span(rows));
      rows.resize(most);
      std::sort(rows.begin(), rows.end());
    }
    Matrix<float> read(rows.size(), channels * size_ * size_);
    std::vector<char> usable(rows.size(), 0);
    parallel_for(rows.size(), [&](std::size_t i, int) {
      try {
        const Medium medium = train.media->load(rows[i]);
        const auto& image = medium_as<Image>(medium, name);
        require_frame(image);
        std::ranges::copy(resized_planes(image, size_, channels), read.row(i).begin());
        centre(read.row(i));
        usable[i] = 1;
      } catch (const Error& error) {
        if (error.fault != Fault::input) throw;
      }
    });
    const auto count = static_cast<std::size_t>(std::count(usable.begin(), usable.end(), 1));
    if (count == 0) throw_input(train.origin, "face-replace finds no image that it could learn from");
    Faces faces{Matrix<float>(count, read.cols()), {}, {}};
    const std::vector<std::int32_t> people = subject_codes(train);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (usable[i] == 0) continue;
      std::ranges::copy(read.row(i), faces.images.row(faces.people.size()).begin());
      faces.people.push_back(people[rows[i]]);
      if (!context.held_out.empty()) faces.held_out.push_back(context.held_out[rows[i]]);
    }
    if (context.held_out.empty()) {
      faces.held_out = hold_out_subjects(faces.people, parameters_.real("validation"),
                                         context.randomness.stream("face-replace.held-out"));
    }
    return faces;
  }

  Parameters parameters_;
  bool aligned_;
  std::size_t size_;
  ImageNetwork network_;
  TrainingReport report_;
};

}  // namespace

Entry<Protection> face_replace_protection() {
  Declaration declaration = with_training(
      {.name = name,
       .paper = "in the way of Hukkelas, Mester, Lindseth 2019, DeepPrivacy, and Maximov, Elezi, Leal-Taixe 2020, "
                "CIAGAN; the generator is a conditional variational autoencoder (Sohn, Lee, Yan 2015)",
       .doc = "the face is cut out, and a generator that sees its surroundings only paints another one, drawn for each "
              "image",
       .medium = "image",
       .learns = true,
       .claim = "what is painted does not depend on the face that was there; there is no formal guarantee, least of "
                "all for what stays around it",
       .broken_by = "recognisers that learned from such images: hair, ears, neck, clothes and background stay as they "
                    "are, and the edge of the crop",
       .parameters = {{.name = "frame",
                       .type = ParameterType::choice,
                       .default_value = "aligned",
                       .doc = "aligned: the image is a square crop with level eyes at 48 % of its height, a third of "
                              "its width apart, and no landmark is looked for; whole: the face fills the image",
                       .choices = {"aligned", "whole"}},
                      {"size", ParameterType::integer, "48",
                       "edge of the images that the generator works on, a multiple of 16", 16, 256},
                      {"width", ParameterType::integer, "12",
                       "channels of its first stage; further ones have up to four times as many", 1, 256},
                      {"code", ParameterType::integer, "32", "random numbers that make a face", 1, 1024},
                      {"divergence", ParameterType::real, "0.0002",
                       "what a nat of the code costs in training, in mean absolute differences of values from -1 to "
                       "1; more makes faces more alike, and fits them better into their surroundings",
                       0, 1},
                      {"most", ParameterType::integer, "8192", "images at most that it learns from, drawn at random", 1,
                       1 << 20}}},
      GeneratorOptions().network.training);
  declaration.example = "size=32,width=4,epochs=3";
  return {std::move(declaration),
          [](const Parameters& parameters) { return std::make_unique<FaceReplace>(parameters); }};
}

}  // namespace bauta
