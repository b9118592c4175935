// Compares all probes with all references by PE-MIU and prints wall and processor seconds; pe_miu_peer.py writes the
// inputs, runs the same pairs through numpy and scipy, and compares scores and times. usage: pe_miu_bench PROBES
// REFERENCES ELEMENTS SPECIFICATION THREADS SCORES   (files of raw float32, row-major)
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "bauta/compare/comparator.hpp"
#include "bauta/core/parallel.hpp"

namespace {

bauta::Templates read_rows(const std::string& path, std::size_t cols) {
  bauta::Matrix<float> values(std::filesystem::file_size(path) / (cols * sizeof(float)), cols);
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(float)));
  return bauta::Templates(std::move(values));
}

std::size_t tiles(std::size_t rows, std::size_t size) {
  return (rows + size - 1) / size;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    fmt::print(stderr, "usage: pe_miu_bench PROBES REFERENCES ELEMENTS SPECIFICATION THREADS SCORES\n");
    return 2;
  }
  const std::size_t cols = std::stoul(argv[3]);
  bauta::set_threads(std::stoi(argv[5]));
  const auto comparator = bauta::make_comparator(argv[4]);
  const bauta::Templates probes = read_rows(argv[1], cols);
  const bauta::Templates references = read_rows(argv[2], cols);
  bauta::Matrix<float> scores(probes.rows(), references.rows(), 0.0F);

  const std::clock_t cpu_begin = std::clock();
  const auto begin = std::chrono::steady_clock::now();
  const auto p = comparator->prepare(probes, bauta::Side::probe, argv[1]);
  const auto r = comparator->prepare(references, bauta::Side::reference, argv[2]);
  const std::size_t height = comparator->probe_tile();
  const std::size_t width = comparator->reference_tile();
  const std::size_t across = tiles(references.rows(), width);
  bauta::parallel_for(tiles(probes.rows(), height) * across, [&](std::size_t tile, int) {
    const bauta::RowRange rows{tile / across * height, std::min((tile / across + 1) * height, probes.rows())};
    const bauta::RowRange columns{tile % across * width, std::min((tile % across + 1) * width, references.rows())};
    comparator->tile(*p, rows, *r, columns,
                     {&scores(rows.begin, columns.begin), rows.size(), columns.size(), scores.cols()});
  });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  fmt::print("{:.6f} {:.6f}\n", elapsed.count(), static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC);

  std::ofstream(argv[6], std::ios::binary)
      .write(reinterpret_cast<const char*>(scores.data()), static_cast<std::streamsize>(scores.size() * sizeof(float)));
}
