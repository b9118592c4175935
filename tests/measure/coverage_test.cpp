// 95 % intervals hold the truth in about 95 % of populations whose truth is known.
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulated_populations.hpp"

namespace bauta {
namespace {

/// Bounds are those of 93 to 97 % with three deviations of the number of populations; the best of several may hold it
/// more often, because its upper end is that of whichever is best.
void expect_coverage(const Scenario& scenario, std::size_t populations, std::size_t draws) {
  for (const auto& [measure, coverage] : cover(scenario, populations, draws)) {
    const std::string what = fmt::format("{}, {}", measure, scenario.name);
    testing::Test::RecordProperty(what, fmt::format("{:.3f}", coverage.share()));
    EXPECT_GE(coverage.intervals, populations * 9 / 10) << what;
    const double slack = 3 * std::sqrt(0.93 * 0.07 / static_cast<double>(coverage.intervals));
    // Areas under few people's curves are the hardest: docs/measures.md has the figures.
    const double low = measure == "AUC" ? 0.90 : 0.93;
    EXPECT_GE(coverage.share(), (scenario.at_least ? 0.95 : low) - slack) << what;
    if (!scenario.at_least && !measure.starts_with("best")) {
      EXPECT_LE(coverage.share(), 0.97 + slack) << what;
    }
    EXPECT_GT(coverage.width, 0) << what;
  }
}

// BAUTA_SLOW=1: all of them, 1,000 populations each.
TEST(CoverageSlow, OfSimulatedPopulations) {
  const bool full = std::getenv("BAUTA_SLOW") != nullptr;
  for (const Scenario& scenario : scenarios()) {
    const bool large = scenario.name.find("00 people") != std::string::npos;
    if (large && !full) continue;
    expect_coverage(scenario, full ? 1000 : 150, full ? 1000 : 200);
  }
}

}  // namespace
}  // namespace bauta
