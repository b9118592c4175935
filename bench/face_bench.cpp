// dlib's face network by our own convolutions against dlib's code, one chip at a time: processor seconds for so many
// chips, the best of three. usage: face_bench [CHIPS]
#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "face_module.hpp"
#include "weights.hpp"

int main(int argc, char** argv) try {
  using namespace bauta;
  const std::size_t count = argc > 1 ? std::stoul(argv[1]) : 50;
  const auto network = face_module().load_network(find_weights("", "dlib_face_recognition_resnet_model_v1.dat"));
  Image chip{FaceNetwork::side, FaceNetwork::side, 3, {}};
  Stream stream(1, "bench");
  for (std::size_t i = 0; i < chip.width * chip.height * 3; ++i) {
    chip.pixels.push_back(static_cast<std::uint8_t>(stream.below(256)));
  }
  const auto seconds = [&](const auto& run) {
    double best = 1e9;
    for (int round = 0; round < 3; ++round) {
      const std::clock_t start = std::clock();
      for (std::size_t i = 0; i < count; ++i) (void)run();
      best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
  };
  const double ours = seconds([&] { return network->descriptor(chip); });
  const double theirs = seconds([&] { return network->by_library(chip); });
  fmt::print("chips a second and core: ours {:.0f}, {} {:.0f}, ratio {:.2f}\n", static_cast<double>(count) / ours,
             face_module().library(), static_cast<double>(count) / theirs, theirs / ours);
} catch (const bauta::Error& error) {
  fmt::print("face network: skipped: {}\n", error.what());
}
