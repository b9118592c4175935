// Between the program and the module that holds dlib. Everything here may be called from several threads at once.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bauta/core/version.hpp"
#include "bauta/data/image.hpp"

namespace bauta {

struct Point {
  double x = 0;
  double y = 0;
};

/// In pixels; the edges belong to it.
struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

/// Which part of an image a chip shows: `scale` chip pixels for each image pixel, upright, `image` coming to `chip`.
struct Framing {
  double scale = 1;
  Point image;
  Point chip;
};

/// A predictor of landmarks within the box of a face.
class Landmarks {
 public:
  virtual ~Landmarks() = default;
  [[nodiscard]] virtual std::size_t count() const = 0;
  /// On whole pixels of the image, as everybody who uses dlib finds them.
  [[nodiscard]] virtual std::vector<Point> find(const Image& image, const Box& face) const = 0;
  /// On a grid 200 times finer than the width of the face, whatever the size of the image.
  [[nodiscard]] virtual std::vector<Point> find_fine(const Image& image, const Box& face) const = 0;
};

/// dlib's residual network of 29 layers: a chip of 150 x 150 pixels becomes 128 numbers.
class FaceNetwork {
 public:
  static constexpr std::size_t side = 150;

  virtual ~FaceNetwork() = default;
  [[nodiscard]] virtual std::vector<float> descriptor(const Image& chip) const = 0;
  /// The same by dlib's own code, which takes longer: what the other is held against. Several chips go through it in one
  /// call, as it likes them best.
  [[nodiscard]] virtual std::vector<std::vector<float>> by_library(std::span<const Image> chips) const = 0;
};

class FaceModule {
 public:
  virtual ~FaceModule() = default;
  /// Name and version of what does the work.
  [[nodiscard]] virtual std::string library() const = 0;
  /// Both throw an environment error for a file that holds something else.
  [[nodiscard]] virtual std::unique_ptr<Landmarks> load_landmarks(const std::filesystem::path& file) const = 0;
  [[nodiscard]] virtual std::unique_ptr<FaceNetwork> load_network(const std::filesystem::path& file) const = 0;
  /// The largest face that the detector finds in the image doubled in size `upsample` times. Faces of 80 pixels and
  /// more are found without.
  [[nodiscard]] virtual std::optional<Box> largest_face(const Image& image, int upsample) const = 0;
  /// The network's chip, by five landmarks: where dlib trained it to expect them, with a padding of a quarter.
  [[nodiscard]] virtual Image face_chip(const Image& image, std::span<const Point> landmarks) const = 0;
  [[nodiscard]] virtual Image face_chip(const Image& image, const Framing& framing) const = 0;
};

/// Changes whenever the interface does.
constexpr const char* face_module_version = BAUTA_VERSION "/3";

/// Loads the module at the first call. An environment error says what is missing.
const FaceModule& face_module();
/// The same from one of the named files, the first that exists.
const FaceModule& load_face_module(const std::vector<std::filesystem::path>& files);

}  // namespace bauta
