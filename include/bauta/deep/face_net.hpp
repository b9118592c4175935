// A face network that tells not only what it sees, but also how that would change with the picture. It runs in the
// module that holds LibTorch, which is loaded when the first one is.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bauta/deep/tfjs.hpp"

namespace bauta {

/// One channel (grey) or three (red, green, blue) of values from 0 to 255; row by row, channels interleaved.
struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t channels = 3;
  std::vector<float> values;
};

/// Where the network looks: pixel (u, v) of the square that it sees shows the place (x + scale u, y + scale v) of the
/// picture, between pixels bilinearly and beyond the edge as at the edge. (0, 0) is the centre of the first pixel.
struct NetworkFrame {
  double scale = 1;
  double x = 0;
  double y = 0;
};

/// Fawkes (Shan et al. 2020): a picture that looks the same and is far away for the network.
struct CloakOptions {
  double threshold = 0.004;  ///< of the structural dissimilarity (1 - SSIM) / 2; a tenth more is allowed
  std::size_t steps = 40;
  double rate = 25;      ///< of Adadelta
  double penalty = 1e6;  ///< of the squared dissimilarity beyond the threshold
  double furthest = 15;  ///< that a value may move
};

struct Cloaked {
  std::vector<float> values;  ///< whole numbers from 0 to 255; the picture's own where no step kept to the threshold
  double dissimilarity = 0;   ///< of these values
  double distance = 0;        ///< squared, between the embeddings at length 1
};

/// All may be called from several threads at once; the same input gives the same bits.
class FaceNet {
 public:
  static constexpr std::size_t size = 150;  ///< edge of the square that it sees
  static constexpr std::size_t features = 128;

  virtual ~FaceNet() = default;

  /// The embedding, not normalised.
  [[nodiscard]] virtual std::vector<float> embed(const Picture& picture, const NetworkFrame& frame) const = 0;
  /// How weights . embedding changes with each value of the picture.
  [[nodiscard]] virtual std::vector<float> gradient(const Picture& picture, const NetworkFrame& frame,
                                                    std::span<const float> weights) const = 0;
  /// `start`: small numbers, as many as values, where the search begins. The picture has 11 x 11 pixels at least.
  [[nodiscard]] virtual Cloaked cloak(const Picture& picture, const NetworkFrame& frame, std::span<const float> start,
                                      const CloakOptions& options) const = 0;
};

class FaceNetMaker {
 public:
  virtual ~FaceNetMaker() = default;

  /// An input error names `where` if the weights are not those of this network.
  [[nodiscard]] virtual std::unique_ptr<FaceNet> make(const std::map<std::string, TfjsTensor>& weights,
                                                      const std::string& where) const = 0;
};

/// The network of npm package @vladmandic/face-api in the folder `models`; without one in the folder that the
/// environment variable BAUTA_MODELS names, and in what set-up installed. An environment error says what is missing.
std::shared_ptr<const FaceNet> load_face_net(const std::string& models = {});
/// Its weights, from the same places.
std::map<std::string, TfjsTensor> face_net_weights(const std::string& models = {});

/// Where the network expects the face of an aligned crop of this edge (level eyes at 48 % of its height, a third of its
/// width apart): the similarity that takes (56, 72) of 112 x 112 pixels to (74, 75) of its own square, 1.45 times as
/// large.
NetworkFrame frame_of_aligned_crop(double edge);

/// An image of this size in the middle of the network's square, which is as large as its longer edge.
NetworkFrame frame_of_whole_image(double width, double height);

}  // namespace bauta
