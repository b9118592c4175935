// Throughput of every protection that needs no training, in GB/s of float32 templates going in, beside what limits it
// measured in the same run: a plain copy, the random generator alone, or the bare matrix products. Then from file to
// file beside a plain copy of the file, with the peak memory of all.
// usage: protect_bench [ROWS [FOLDER [TECHNIQUE ...]]]   (1000000 templates of 512 features, in the system's temporary
// folder)
#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <cblas.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bauta/core/output.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/question/protecting.hpp"

namespace {

using namespace bauta;
namespace fs = std::filesystem;

constexpr std::size_t dim = 512;
constexpr std::size_t tile = 256;
constexpr std::size_t held = 128 * tile;  // 64 MB: more than a cache holds
constexpr double row_size = dim * sizeof(float);

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// GB/s of templates through `work(first, worker)`, which does one tile of rows; the best of several passes of at least
/// a quarter of a second.
double rate(const std::function<void(std::size_t first, int worker)>& work) {
  double best = 0;
  std::size_t tiles = 8;
  for (int pass = 0; pass < 6;) {
    const double time = seconds(
        [&] { parallel_for(tiles, [&](std::size_t i, int worker) { work(i % (held / tile) * tile, worker); }); });
    if (time < 0.25) {
      tiles *= 2;
      continue;
    }
    best = std::max(best, static_cast<double>(tiles * tile) * row_size / time / 1e9);
    ++pass;
  }
  return best;
}

Templates normal_rows(std::size_t first, std::size_t count) {
  Matrix<float> values(count, dim);
  for (std::size_t i = 0; i < count; ++i) Stream(1, "bench", first + i).normals(values.row(i));
  return Templates(std::move(values));
}

/// Products of a tile with matrices of these shapes (outputs x inputs), one after the other.
double product_rate(const std::vector<std::pair<int, int>>& shapes) {
  const std::size_t widest = 32768;
  const std::vector<float> matrix(std::size_t{16384} * 1024, 0.5F);
  std::vector<std::vector<float>> in(static_cast<std::size_t>(threads()), std::vector<float>(tile * 1024, 0.5F));
  std::vector<std::vector<float>> out(in.size(), std::vector<float>(tile * widest));
  return rate([&](std::size_t, int worker) {
    for (const auto& [outputs, inputs] : shapes) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, tile, outputs, inputs, 1.0F,
                  in[static_cast<std::size_t>(worker)].data(), inputs, matrix.data(), inputs, 0.0F,
                  out[static_cast<std::size_t>(worker)].data(), outputs);
    }
  });
}

double copy_rate(const Templates& input) {
  std::vector<std::vector<float>> out(static_cast<std::size_t>(threads()), std::vector<float>(tile * dim));
  // Into one buffer per thread, as protections write theirs: reading memory is what it costs.
  return rate([&](std::size_t first, int worker) {
    std::memcpy(out[static_cast<std::size_t>(worker)].data(), input.floats().row(first).data(),
                tile * dim * sizeof(float));
  });
}

double generator_rate() {
  std::vector<std::vector<float>> out(static_cast<std::size_t>(threads()), std::vector<float>(dim));
  return rate([&](std::size_t first, int worker) {
    for (std::size_t i = 0; i < tile; ++i) {
      Stream(1, "bench", first + i).normals(std::span(out[static_cast<std::size_t>(worker)]));
    }
  });
}

void in_memory(const std::vector<std::string>& techniques) {
  const Templates input = normal_rows(0, held);
  const double copy = copy_rate(input);
  const double generator = generator_rate();
  fmt::print("in memory, {} threads: plain copy {:.2f} GB/s, random generator alone {:.2f} GB/s\n", threads(), copy,
             generator);
  struct Case {
    std::string technique;
    std::string limit;
    std::function<double()> peer;
  };
  const std::vector<Case> cases = {
      {"pe-miu", "a copy", [&] { return copy; }},
      {"csn", "the generator", [&] { return generator; }},
      {"esn", "the generator", [&] { return generator; }},
      {"random-projection", "sgemm 512 x 512",
       [] {
         return product_rate({{512, 512}});
       }},
      {"biohash", "sgemm 512 x 512",
       [] {
         return product_rate({{512, 512}});
       }},
      {"mlp-hash", "sgemm of its 4 layers",
       [] {
         return product_rate({{1024, 512}, {1024, 1024}, {1024, 1024}, {512, 1024}});
       }},
      {"iom-grp", "sgemm 15000 x 512",
       [] {
         return product_rate({{15000, 512}});
       }},
      {"iom-urp", "(153,600 loads a template)", {}},
  };
  for (const Case& one : cases) {
    if (!techniques.empty() && std::ranges::find(techniques, one.technique) == techniques.end()) continue;
    const ResolvedProtection resolved = make_protection(one.technique);
    const ProtectContext context;
    (void)resolved->protect(input.slice(0, 1), 0, context);  // draws the key's transform
    const double own =
        rate([&](std::size_t first, int) { (void)resolved->protect(input.slice(first, tile), first, context); });
    fmt::print("  {:<18} {:8.3f} GB/s  {:5.1f} % of a copy", one.technique, own, 100 * own / copy);
    if (one.peer) {
      fmt::print("  {:5.1f} % of {}\n", 100 * own / one.peer(), one.limit);
    } else {
      fmt::print("  {}\n", one.limit);
    }
  }
}

void copy_templates(const fs::path& from, const fs::path& to) {
  std::ifstream source(from, std::ios::binary);
  OutputFile target(to);
  std::vector<char> buffer(1U << 20);
  while (source.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), source.gcount() > 0) {
    target.write(buffer.data(), static_cast<std::size_t>(source.gcount()));
  }
  target.commit();
}

void from_file_to_file(std::size_t rows, const fs::path& root, const std::vector<std::string>& techniques) {
  const fs::path folder = root / fmt::format("bauta-bench-{}", getpid());
  fs::create_directories(folder / "in");
  NpyTemplateWriter writer(folder / "in/templates.npy", ElementKind::float32, rows, dim);
  parallel_for((rows + tile - 1) / tile, [&](std::size_t i, int) {
    writer.write(i * tile, normal_rows(i * tile, std::min(tile, rows - i * tile)));
  });
  writer.commit();
  {
    OutputFile labels(folder / "in/labels.csv");
    labels.write("identity\n");
    for (std::size_t i = 0; i < rows; ++i) labels.write(fmt::format("{}\n", i / 10));
    labels.commit();
  }
  const double gigabytes = static_cast<double>(rows) * row_size / 1e9;
  const auto line = [&](const std::string& name, double time) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("  {:<18} {:6.2f} s  {:6.3f} GB/s  peak memory so far {:.0f} MB\n", name, time, gigabytes / time,
               static_cast<double>(usage.ru_maxrss) / 1024);
  };
  fmt::print("from file to file and flushed to disk, {} templates, {:.2f} GB:\n", rows, gigabytes);
  line("plain copy", seconds([&] { copy_templates(folder / "in/templates.npy", folder / "copy.npy"); }));
  fs::remove(folder / "copy.npy");
  for (const std::string& technique : techniques) {
    fs::create_directory(folder / "out");
    line(technique, seconds([&] {
           const Dataset dataset = read_dataset(folder / "in");
           protect_to_folder(make_protection(technique), dataset, protect_context(dataset, 1), folder / "out");
         }));
    fs::remove_all(folder / "out");
  }
  fs::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rows = argc > 1 ? std::stoul(argv[1]) : 1000000;
  const fs::path root = argc > 2 ? fs::path(argv[2]) : fs::temp_directory_path();
  std::vector<std::string> techniques(argv + std::min(argc, 3), argv + argc);
  in_memory(techniques);
  // The other two take minutes for a million.
  if (techniques.empty()) techniques = {"none", "pe-miu", "csn", "esn", "random-projection", "biohash", "iom-urp"};
  from_file_to_file(rows, root, techniques);
}
