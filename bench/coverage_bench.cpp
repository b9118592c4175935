// How often 95 % intervals hold the truth, in populations whose truth is known.
// Usage: coverage_bench [populations] [bootstrap draws] [threads] [part of a scenario's name]
#include <cstdio>
#include <cstdlib>
#include <string>

#include "simulated_populations.hpp"

int main(int argc, char** argv) {
  const std::size_t populations = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
  const std::size_t draws = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  if (argc > 3) bauta::set_threads(std::atoi(argv[3]));
  const std::string part = argc > 4 ? argv[4] : "";
  std::printf("| measure | people | intervals | hold the truth | it lies below | above | mean width |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const bauta::Scenario& scenario : bauta::scenarios()) {
    if (scenario.name.find(part) == std::string::npos) continue;
    for (const auto& [measure, coverage] : bauta::cover(scenario, populations, draws)) {
      const auto percent = [&](std::size_t count) {
        return 100 * static_cast<double>(count) / static_cast<double>(coverage.intervals);
      };
      std::printf("| %s | %s | %zu | %.1f %% | %.1f %% | %.1f %% | %.3f |\n", measure.c_str(), scenario.name.c_str(),
                  coverage.intervals, percent(coverage.covered), percent(coverage.below), percent(coverage.above),
                  coverage.width);
    }
    std::fflush(stdout);
  }
}
