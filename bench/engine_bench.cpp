// Top-100 of 10,000 probes against 100,000 references by cosine, beside the bare sgemm of that shape. With a folder as
// argument it also writes the inputs and its own answer there, so that bench/engine_peer.py can run faiss on the same
// data.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <memory>

#include <cblas.h>
#include <fmt/format.h>

#include "bauta/compare/engine.hpp"
#include "bauta/compare/top_n.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"

namespace {

using namespace bauta;

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Templates unit_rows(std::size_t rows, std::size_t cols, const char* purpose) {
  Matrix<float> values(rows, cols);
  parallel_for(rows, [&](std::size_t i, int) {
    Stream stream(1, purpose, i);
    double sum = 0;
    for (float& value : values.row(i)) {
      value = static_cast<float>(stream.normal());
      sum += static_cast<double>(value) * value;
    }
    for (float& value : values.row(i)) value = static_cast<float>(value / std::sqrt(sum));
  });
  return Templates(std::move(values));
}

void write_raw(const std::string& path, const void* data, std::size_t bytes) {
  std::ofstream(path, std::ios::binary).write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::size_t probes = 10000, references = 100000, dim = 512, n = 100;
  const Templates p = unit_rows(probes, dim, "probes");
  const Templates r = unit_rows(references, dim, "references");

  const auto comparator = make_comparator("cosine");
  std::unique_ptr<TopN> top;
  double engine = 1e9;
  double blas = 1e9;
  const auto product = std::make_unique_for_overwrite<float[]>(probes * references);
  for (int round = 0; round < 3; ++round) {
    engine = std::min(engine, seconds([&] {
                        const auto prepared_probes = comparator->prepare(p, Side::probe, "probes");
                        const auto prepared_references = comparator->prepare(r, Side::reference, "references");
                        top = std::make_unique<TopN>(n, probes, references, 1);
                        TileConsumer* const consumers[] = {top.get()};
                        compare_all(*comparator, *prepared_probes, *prepared_references, Pairs::all, consumers);
                      }));
    openblas_set_num_threads(threads());
    blas = std::min(blas, seconds([&] {
                      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, probes, references, dim, 1.0F,
                                  p.floats().data, dim, r.floats().data, dim, 0.0F, product.get(), references);
                    }));
    openblas_set_num_threads(1);
  }
  const double flop = 2.0 * probes * references * dim;
  fmt::print(
      "engine top-{}: {:.2f} s ({:.0f} GFLOP/s), bare sgemm {:.2f} s ({:.0f} GFLOP/s), ratio {:.3f}, {} threads\n", n,
      engine, flop / engine / 1e9, blas, flop / blas / 1e9, engine / blas, threads());

  if (argc > 1) {
    const std::string folder = argv[1];
    write_raw(folder + "/probes.f32", p.floats().data, probes * dim * sizeof(float));
    write_raw(folder + "/references.f32", r.floats().data, references * dim * sizeof(float));
    write_raw(folder + "/top.bin", top->best(0).data(), probes * n * sizeof(Neighbour));
    std::ofstream(folder + "/engine.txt") << fmt::format("{} {} {}\n", engine, blas, threads());
  }
}
