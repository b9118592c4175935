// dlib's face network by our own convolutions against dlib's code, one chip at a time and a batch in one call:
// processor seconds for so many chips, the best of three rounds that take turns. usage: face_bench [CHIPS]
#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "face_module.hpp"
#include "weights.hpp"

int main(int argc, char** argv) try {
  using namespace bauta;
  const std::size_t count = argc > 1 ? std::stoul(argv[1]) : 64;
  constexpr std::size_t batch = 32;
  const auto network = face_module().load_network(find_weights("", "dlib_face_recognition_resnet_model_v1.dat"));
  std::vector<Image> chips(count, Image{FaceNetwork::side, FaceNetwork::side, 3, {}});
  Stream stream(1, "bench");
  for (Image& chip : chips) {
    for (std::size_t i = 0; i < chip.width * chip.height * 3; ++i) {
      chip.pixels.push_back(static_cast<std::uint8_t>(stream.below(256)));
    }
  }
  const auto by_library = [&](std::size_t together) {
    for (std::size_t first = 0; first < count; first += together) {
      (void)network->by_library(std::span(chips).subspan(first, std::min(together, count - first)));
    }
  };
  const auto seconds = [](double& best, const auto& run) {
    const std::clock_t start = std::clock();
    run();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  };
  double ours = 1e9, one = 1e9, many = 1e9;
  for (int round = 0; round < 3; ++round) {
    seconds(ours, [&] {
      for (const Image& chip : chips) (void)network->descriptor(chip);
    });
    seconds(one, [&] { by_library(1); });
    seconds(many, [&] { by_library(batch); });
  }
  const auto rate = [&](double took) { return static_cast<double>(count) / took; };
  fmt::print(
      "chips a second and core: ours {:.0f}; {} {:.0f} one at a time, ratio {:.2f}; {:.0f} in batches of {}, ratio "
      "{:.2f}\n",
      rate(ours), face_module().library(), rate(one), one / ours, rate(many), batch, many / ours);
} catch (const bauta::Error& error) {
  fmt::print("face network: skipped: {}\n", error.what());
}
