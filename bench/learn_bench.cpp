// Every estimator of the catalogue but mlp (see deep_bench) on 5,000 x 512 and 20,000 x 128: seconds to fit and to
// classify, and accuracy on 2,000 unseen samples. With a folder as argument the data and the results are written there,
// so that bench/learn_peer.py can run scikit-learn on the same data. Names of estimators may follow: only these are
// run.
#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/learn/estimator.hpp"

namespace {

using namespace bauta;

constexpr std::size_t unseen = 2000;
constexpr std::size_t informative = 20;

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Samples {
  Matrix<float> x;
  std::vector<std::int32_t> codes;

  /// Two classes whose means are 0.4 standard deviations apart in each of 20 features.
  Samples(std::size_t rows, std::size_t cols, const char* purpose) : x(rows, cols), codes(rows) {
    parallel_for(rows, [&](std::size_t i, int) {
      Stream stream(1, purpose, i);
      codes[i] = static_cast<std::int32_t>(stream.below(2));
      for (std::size_t j = 0; j < cols; ++j) {
        x(i, j) = static_cast<float>(stream.normal() + (j < informative ? 0.4 * codes[i] : 0));
      }
    });
  }

  void write(const std::string& path) const {
    std::ofstream(path + ".f32", std::ios::binary)
        .write(reinterpret_cast<const char*>(x.data()), static_cast<std::streamsize>(x.size() * sizeof(float)));
    std::ofstream(path + ".i32", std::ios::binary)
        .write(reinterpret_cast<const char*>(codes.data()),
               static_cast<std::streamsize>(codes.size() * sizeof(std::int32_t)));
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::string lines;
  for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{5000, 512}, {20000, 128}}) {
    const Samples train(rows, cols, "train");
    const Samples test(unseen, cols, "test");
    for (const auto& entry : estimators()) {
      const std::vector<std::string> wanted(argv + std::min(argc, 2), argv + argc);
      if (wanted.empty() ? entry.declaration.name == "mlp" : std::ranges::count(wanted, entry.declaration.name) == 0) {
        continue;
      }
      double fit = 1e9;
      double predict = 1e9;
      std::vector<std::int32_t> predicted;
      double spent = 0;
      for (int round = 0; round < 3 || (round < 10 && spent < 2); ++round) {
        const auto estimator = make_estimator(entry.declaration.name);
        const double own_fit = seconds([&] { estimator->fit(train.x.view(), train.codes, 2, {}); });
        const double own_predict = seconds([&] { predicted = estimator->predict(test.x.view()); });
        fit = std::min(fit, own_fit);
        predict = std::min(predict, own_predict);
        spent += own_fit + own_predict;
      }
      double right = 0;
      for (std::size_t i = 0; i < unseen; ++i) right += predicted[i] == test.codes[i] ? 1.0 / unseen : 0;
      const std::string line =
          fmt::format("{} {} {} {:.6f} {:.6f} {:.4f}\n", entry.declaration.name, rows, cols, fit, predict, right);
      if (argc == 1) fmt::print("{}", line);
      lines += line;
    }
    if (argc > 1) {
      train.write(fmt::format("{}/train{}", argv[1], rows));
      test.write(fmt::format("{}/test{}", argv[1], rows));
    }
  }
  if (argc > 1) std::ofstream(std::string(argv[1]) + "/results.txt") << threads() << "\n" << lines;
}
