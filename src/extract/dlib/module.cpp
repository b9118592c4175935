// The module's one door, and all that dlib does for us.
#include <algorithm>
#include <cmath>
#include <string_view>

#include <dlib/image_processing.h>
#include <dlib/image_processing/frontal_face_detector.h>
#include <dlib/image_transforms.h>
#include <dlib/revision.h>
#include <fmt/format.h>

#include "../face_module.hpp"
#include "../pool.hpp"
#include "bauta/core/error.hpp"
#include "inference.hpp"
#include "network.hpp"

namespace bauta::faces {
namespace {

using Pixels = dlib::array2d<dlib::rgb_pixel>;
using Detector = dlib::frontal_face_detector;

/// What is enlarged for the detector may not be larger than this.
constexpr double largest_search = 100e6;

Pixels to_pixels(const Image& image) {
  Pixels pixels(static_cast<long>(image.height), static_cast<long>(image.width));
  const std::size_t green = image.channels == 3 ? 1 : 0;
  const std::uint8_t* value = image.pixels.data();
  for (dlib::rgb_pixel& pixel : pixels) {
    pixel = {value[0], value[green], value[2 * green]};
    value += image.channels;
  }
  return pixels;
}

Image to_image(const Pixels& pixels) {
  Image image{static_cast<std::size_t>(pixels.nc()), static_cast<std::size_t>(pixels.nr()), 3, {}};
  image.pixels.reserve(3 * pixels.size());
  for (const dlib::rgb_pixel& pixel : pixels) {
    image.pixels.insert(image.pixels.end(), {pixel.red, pixel.green, pixel.blue});
  }
  return image;
}

dlib::rectangle to_rectangle(const Box& box) {
  return {std::lround(box.left), std::lround(box.top), std::lround(box.right), std::lround(box.bottom)};
}

/// Upright: two points decide about it.
dlib::chip_details to_details(const Framing& framing, unsigned long side) {
  const dlib::dpoint chip(framing.chip.x, framing.chip.y);
  const dlib::dpoint image(framing.image.x, framing.image.y);
  constexpr double apart = 100;
  return {std::vector{chip, chip + dlib::dpoint(apart * framing.scale, 0)},
          std::vector{image, image + dlib::dpoint(apart, 0)}, dlib::chip_dims(side, side)};
}

/// What a file of dlib's holds; its own complaints become ours.
template <class T>
void read(const std::filesystem::path& file, T& thing) {
  try {
    dlib::deserialize(file.string()) >> thing;
  } catch (const std::exception& error) {
    throw_environment(file.string(), fmt::format("these are not the weights that are needed: {}", error.what()),
                      "install them again (make setup)");
  }
}

class Predictor : public Landmarks {
 public:
  explicit Predictor(const std::filesystem::path& file) { read(file, predictor_); }

  [[nodiscard]] std::size_t count() const override { return predictor_.num_parts(); }

  [[nodiscard]] std::vector<Point> find(const Image& image, const Box& face) const override {
    return points(predictor_(to_pixels(image), to_rectangle(face)),
                  [](const dlib::point& part) { return dlib::dpoint(part); });
  }

  [[nodiscard]] std::vector<Point> find_fine(const Image& image, const Box& face) const override {
    // dlib rounds landmarks to pixels, so the pixels are made small. Room of half a face on each side.
    constexpr double face_side = 200;
    constexpr unsigned long side = 400;
    const Framing framing{face_side / (face.right - face.left + 1),
                          {(face.left + face.right) / 2, (face.top + face.bottom) / 2},
                          {side / 2.0, side / 2.0}};
    const dlib::chip_details details = to_details(framing, side);
    Pixels chip;
    dlib::extract_image_chip(to_pixels(image), details, chip);
    const dlib::point_transform_affine to_chip = dlib::get_mapping_to_chip(details);
    const dlib::point_transform_affine to_image = dlib::inv(to_chip);
    const dlib::rectangle box(dlib::point(to_chip(dlib::dpoint(face.left, face.top))),
                              dlib::point(to_chip(dlib::dpoint(face.right, face.bottom))));
    return points(predictor_(chip, box), to_image);
  }

 private:
  template <class Map>
  static std::vector<Point> points(const dlib::full_object_detection& shape, const Map& map) {
    std::vector<Point> found;
    for (unsigned long part = 0; part < shape.num_parts(); ++part) {
      const dlib::dpoint point = map(shape.part(part));
      found.push_back({point.x(), point.y()});
    }
    return found;
  }

  dlib::shape_predictor predictor_;
};

/// Takes weights out of a network, layer by layer.
struct WeightReader {
  FaceWeights* weights;

  template <long filters, long rows, long columns, int stride, int stride_x, int padding, int padding_x>
  void operator()(const dlib::con_<filters, rows, columns, stride, stride_x, padding, padding_x>& layer) const {
    const dlib::tensor& values = layer.get_layer_params();
    const auto count = static_cast<std::size_t>(filters);
    Convolution& convolution = weights->convolutions.emplace_back();
    const std::size_t width = values.size() / count - (layer.bias_is_disabled() ? 0 : 1);
    BAUTA_ASSERT(count * (width + (layer.bias_is_disabled() ? 0 : 1)) == values.size());
    convolution.weights = Matrix<float>(count, width);
    std::copy_n(values.host(), count * width, convolution.weights.data());
    convolution.bias.assign(count, 0.0F);
    if (!layer.bias_is_disabled()) std::copy_n(values.host() + count * width, count, convolution.bias.data());
    convolution.side = static_cast<std::size_t>(rows);
    convolution.stride = static_cast<std::size_t>(stride);
    convolution.padding = static_cast<std::size_t>(padding);
    // Layers come from the end: the affine layer after this one was here before.
    for (std::size_t f = 0; f < count; ++f) {
      for (float& weight : convolution.weights.row(f)) weight *= scale[f];
      convolution.bias[f] = convolution.bias[f] * scale[f] + shift[f];
    }
  }

  void operator()(const dlib::affine_& layer) {
    const auto read_into = [](const dlib::tensor& values, std::vector<float>& to) {
      to.assign(values.host(), values.host() + values.size());
    };
    read_into(layer.get_gamma(), scale);
    read_into(layer.get_beta(), shift);
  }

  template <unsigned long outputs, dlib::fc_bias_mode mode>
  void operator()(const dlib::fc_<outputs, mode>& layer) const {
    const dlib::tensor& values = layer.get_layer_params();
    weights->last = Matrix<float>(values.size() / outputs, outputs);
    std::copy_n(values.host(), values.size(), weights->last.data());
  }

  std::vector<float> scale = {}, shift = {};
};

class ResidualNetwork : public FaceNetwork {
 public:
  explicit ResidualNetwork(const std::filesystem::path& file) {
    read(file, network_);
    dlib::visit_computational_layers(network_, WeightReader{&weights_});
    std::reverse(weights_.convolutions.begin(), weights_.convolutions.end());
    const auto& input = dlib::input_layer(network_);
    weights_.average = {input.get_avg_red(), input.get_avg_green(), input.get_avg_blue()};
    BAUTA_ASSERT(weights_.convolutions.size() == 29 && weights_.last.cols() == 128);
  }

  [[nodiscard]] std::vector<float> descriptor(const Image& chip) const override {
    BAUTA_ASSERT(chip.width == side && chip.height == side && chip.channels == 3);
    return infer(weights_, chip);
  }

  [[nodiscard]] std::vector<std::vector<float>> by_library(std::span<const Image> chips) const override {
    std::vector<dlib::matrix<dlib::rgb_pixel>> pixels(chips.size());
    for (std::size_t i = 0; i < chips.size(); ++i) {
      BAUTA_ASSERT(chips[i].width == side && chips[i].height == side);
      dlib::assign_image(pixels[i], to_pixels(chips[i]));
    }
    const auto outputs =
        networks_.with([&](Network& network) { return network(pixels, std::max<std::size_t>(chips.size(), 1)); });
    std::vector<std::vector<float>> said;
    for (const dlib::matrix<float, 0, 1>& output : outputs) said.emplace_back(output.begin(), output.end());
    return said;
  }

 private:
  FaceWeights weights_;
  Network network_;  ///< never used itself: copied for each thread
  mutable Pool<Network> networks_{[this] { return std::make_unique<Network>(network_); }};
};

class DlibModule : public FaceModule {
 public:
  [[nodiscard]] std::string library() const override {
    return fmt::format("dlib {}.{}.{}", DLIB_MAJOR_VERSION, DLIB_MINOR_VERSION, DLIB_PATCH_VERSION);
  }

  [[nodiscard]] std::unique_ptr<Landmarks> load_landmarks(const std::filesystem::path& file) const override {
    return std::make_unique<Predictor>(file);
  }

  [[nodiscard]] std::unique_ptr<FaceNetwork> load_network(const std::filesystem::path& file) const override {
    return std::make_unique<ResidualNetwork>(file);
  }

  [[nodiscard]] std::optional<Box> largest_face(const Image& image, int upsample) const override {
    const double enlarged =
        std::ldexp(static_cast<double>(image.width) * static_cast<double>(image.height), 2 * upsample);
    if (upsample > 0 && enlarged > largest_search) {
      throw_input(fmt::format("upsample={}", upsample),
                  fmt::format("an image of {} x {} pixels is too large for that", image.width, image.height),
                  "upsample=0 finds faces of 80 pixels and more");
    }
    Pixels pixels = to_pixels(image);
    dlib::pyramid_down<2> pyramid;
    for (int level = 0; level < upsample; ++level) dlib::pyramid_up(pixels, pyramid);
    const std::vector<dlib::rectangle> faces = detectors_.with([&](Detector& detector) { return detector(pixels); });
    // The first of equals, which is the one that the detector is surer of.
    const auto largest = std::max_element(faces.begin(), faces.end(),
                                          [](const auto& one, const auto& other) { return one.area() < other.area(); });
    if (largest == faces.end()) return std::nullopt;
    const dlib::rectangle face = pyramid.rect_down(*largest, static_cast<unsigned int>(upsample));
    return Box{static_cast<double>(face.left()), static_cast<double>(face.top()), static_cast<double>(face.right()),
               static_cast<double>(face.bottom())};
  }

  [[nodiscard]] Image face_chip(const Image& image, std::span<const Point> landmarks) const override {
    BAUTA_ASSERT(landmarks.size() == 5);
    std::vector<dlib::point> parts;
    for (const Point& point : landmarks) parts.emplace_back(std::lround(point.x), std::lround(point.y));
    const dlib::full_object_detection shape(dlib::rectangle(), parts);
    return cut(image, dlib::get_face_chip_details(shape, FaceNetwork::side, 0.25));
  }

  [[nodiscard]] Image face_chip(const Image& image, const Framing& framing) const override {
    return cut(image, to_details(framing, FaceNetwork::side));
  }

 private:
  static Image cut(const Image& image, const dlib::chip_details& details) {
    Pixels chip;
    dlib::extract_image_chip(to_pixels(image), details, chip);
    return to_image(chip);
  }

  const Detector detector_ = dlib::get_frontal_face_detector();  ///< never used itself: copied for each thread
  mutable Pool<Detector> detectors_{[this] { return std::make_unique<Detector>(detector_); }};
};

}  // namespace
}  // namespace bauta::faces

extern "C" __attribute__((visibility("default"))) const void* bauta_faces(const char* version) {
  if (std::string_view(version) != bauta::face_module_version) return nullptr;
  static const bauta::faces::DlibModule module;
  return static_cast<const bauta::FaceModule*>(&module);
}
