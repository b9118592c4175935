// Utility-preserving anonymisation of 10,000 records of 1,000 features in sets of 128: seconds to draw and to mix (the
// ranking is fitted before), wall and processor time of the best of five. With a folder as argument the data, the
// result and the times are written there, so that bench/utility_peer.py can do the same with numpy. usage:
// utility_bench [FOLDER [ROWS [COLS [G]]]]
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/protect/protection.hpp"

int main(int argc, char** argv) {
  using namespace bauta;
  const std::size_t rows = argc > 2 ? std::stoul(argv[2]) : 10000;
  const std::size_t cols = argc > 3 ? std::stoul(argv[3]) : 1000;
  const std::string size = argc > 4 ? argv[4] : "128";
  Matrix<float> x(rows, cols);
  parallel_for(rows, [&](std::size_t i, int) { Stream(1, "bench", i).normals(x.row(i)); });
  std::vector<std::string> mood;
  std::vector<std::uint8_t> codes;
  for (std::size_t i = 0; i < rows; ++i) {
    codes.push_back(static_cast<std::uint8_t>(i * 7 % 4));
    mood.push_back(std::to_string(codes.back()));
    x(i, 0) += codes.back();  // the feature that ranks first
  }
  Dataset data;
  data.origin = "bench";
  data.labels = LabelTable("bench", rows);
  data.labels.add_column("mood", mood);
  data.templates = Templates(std::move(x));
  ResolvedProtection protection = make_protection("utility-preserving:t=0.6,w=10,cp=1,ranking=fisher,g=" + size);
  fit_protection(protection, data, {"mood"}, {});

  double wall = 1e9, processor = 1e9;
  Dataset result;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    result = protect_dataset(protection, data, {});
    processor = std::min(processor, static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC);
    wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  const std::string line = fmt::format("{} {} {:.6f} {:.6f}\n", threads(), size, wall, processor);
  if (argc == 1) {
    fmt::print("threads, g, wall seconds, processor seconds: {}", line);
    return 0;
  }
  const std::string folder = argv[1];
  write_npy(folder + "/x.npy", data.templates.floats());
  write_npy(folder + "/result.npy", result.templates.floats());
  write_npy(folder + "/classes.npy", codes);
  std::ofstream(folder + "/times.txt") << line;
}
