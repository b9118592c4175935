// Seconds to train the learned protections on 4,000 synthetic templates, on the CPU and, where there is one, on a CUDA
// device, with all epochs of their defaults.
//   deep_bench [pfrnet|sensitivenets|nfr|all] [EPOCHS]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "bauta/core/random.hpp"
#include "bauta/deep/sampling.hpp"
#include "bauta/deep/trainer.hpp"

namespace bauta {
namespace {

constexpr std::size_t subjects = 400;
constexpr std::size_t per_subject = 10;

/// Unit-length templates around a centre per subject; every second subject is moved along one direction.
struct Population {
  Matrix<float> rows;
  std::vector<std::int32_t> subject;
  std::vector<std::int32_t> gender;
  std::vector<bool> held_out;

  explicit Population(std::size_t dim) : rows(subjects * per_subject, dim) {
    Stream stream(1, "bench.deep");
    std::vector<double> centre(dim);
    for (std::size_t s = 0; s < subjects; ++s) {
      for (double& value : centre) value = stream.normal();
      centre[0] += s % 2 == 0 ? 3 : -3;
      for (std::size_t k = 0; k < per_subject; ++k) {
        const std::span<float> row = rows.row(s * per_subject + k);
        double square = 0;
        for (std::size_t j = 0; j < dim; ++j) {
          row[j] = static_cast<float>(centre[j] + 0.5 * stream.normal());
          square += double{row[j]} * row[j];
        }
        for (float& value : row) value = static_cast<float>(value / std::sqrt(square));
        subject.push_back(static_cast<std::int32_t>(s));
        gender.push_back(static_cast<std::int32_t>(s % 2));
      }
    }
    held_out = hold_out_subjects(subject, 0.2, Stream(1, "bench.held"), gender);
  }

  [[nodiscard]] TrainingSet set() const { return {rows.view(), subject, held_out}; }
};

TrainingOptions all_epochs(TrainingOptions options, std::size_t epochs, Device device) {
  options.patience = 0;
  if (epochs > 0) options.epochs = epochs;
  options.device = device;
  return options;
}

struct Cost {
  double wall = 0;
  double processor = 0;  ///< training is single-threaded on the CPU: what an idle machine would need
};

Cost cost_of(const std::function<TrainingReport()>& train, std::size_t& epochs) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t ticks = std::clock();
  epochs = train().epochs();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC};
}

void run(const char* name, std::size_t dim, const std::function<TrainingReport(Device)>& train) {
  std::size_t epochs = 0;
  const Cost cpu = cost_of([&] { return train(Device::cpu); }, epochs);
  std::printf("%-14s %4zu-d %4zu epochs   cpu %6.1f s (processor %.1f s)", name, dim, epochs, cpu.wall, cpu.processor);
  if (trainer().has_device(Device::cuda)) {
    // The first training on a device also loads its libraries.
    const Cost first = cost_of([&] { return train(Device::cuda); }, epochs);
    const Cost again = cost_of([&] { return train(Device::cuda); }, epochs);
    std::printf("   cuda %6.1f s (first %.1f s)   ratio %.1f", again.wall, first.wall, cpu.wall / again.wall);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace bauta

int main(int argc, char** argv) {
  using namespace bauta;
  const std::string_view asked = argc > 1 ? argv[1] : "all";
  const std::size_t epochs = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
  const auto wanted = [&](std::string_view name) { return asked == "all" || asked == name; };
  if (!trainer().has_device(Device::cuda)) std::printf("no CUDA device: cpu only\n");
  for (const std::size_t dim : {std::size_t{128}, std::size_t{512}}) {
    const Population people(dim);
    const AttributeLabels gender{people.gender, 2, "gender"};
    if (wanted("pfrnet")) {
      run("pfrnet", dim, [&](Device device) {
        PfrnetOptions options;
        options.training = all_epochs(options.training, epochs, device);
        return trainer().train_pfrnet(people.set(), gender, options).report;
      });
    }
    if (wanted("sensitivenets")) {
      run("sensitivenets", dim, [&](Device device) {
        SensitiveNetsOptions options;
        options.training = all_epochs(options.training, epochs, device);
        return trainer().train_sensitivenets(people.set(), {gender}, options).report;
      });
    }
    if (wanted("nfr")) {
      run("nfr", dim, [&](Device device) {
        ExpansionOptions options;
        options.training = all_epochs(options.training, epochs, device);
        return trainer().train_expansion(people.set(), options).report;
      });
    }
  }
  return 0;
}
