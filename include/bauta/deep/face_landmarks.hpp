// Where the parts of a face are, by a network that needs no other library.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bauta/deep/convolution.hpp"
#include "bauta/deep/tfjs.hpp"

namespace bauta {

/// The landmark network of npm package @vladmandic/face-api. It always names 68 places; whether there is a face at all
/// it does not say. May be called from several threads at once; the same input gives the same bits.
class FaceLandmarks {
 public:
  static constexpr std::size_t size = 112;  ///< edge of the square that it sees
  static constexpr std::size_t count = 68;

  /// A convolution of each channel by itself, then one across channels.
  struct Separable {
    Matrix<float> near;    ///< channels x 9
    Matrix<float> across;  ///< outputs x channels
    std::vector<float> bias;
  };

  /// An input error names `where` if the weights are not those of this network.
  FaceLandmarks(const std::map<std::string, TfjsTensor>& weights, const std::string& where);

  /// Red, green and blue planes of values from 0 to 255; x and y of each landmark in shares of the square's edge.
  [[nodiscard]] std::vector<float> find(std::span<const float> planes) const;

 private:
  ConvolutionLayer entrance_;
  std::vector<Separable> steps_;  ///< the entrance stands for the first of four blocks of four
  Matrix<float> last_;            ///< outputs x inputs
  std::vector<float> last_bias_;
};

/// From the folder `models`, or from where load_face_net() looks. An environment error says what is missing.
std::shared_ptr<const FaceLandmarks> load_face_landmarks(const std::string& models = {});

}  // namespace bauta
