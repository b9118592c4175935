#include "bauta/core/parallel.hpp"

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace bauta {
namespace {

TEST(Parallel, VisitsEveryItemOnce) {
  std::vector<std::atomic<int>> visits(1000);
  parallel_for(visits.size(), [&](std::size_t i, int worker) {
    ASSERT_LT(worker, threads());
    ++visits[i];
  });
  for (const auto& visit : visits) EXPECT_EQ(visit, 1);
}

TEST(Parallel, CarriesExceptionsOut) {
  for (const int count : {1, 2}) {
    set_threads(count);
    try {
      parallel_for(100, [](std::size_t i, int) {
        if (i == 3) throw std::runtime_error("item 3");
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "item 3");
    }
  }
  set_threads(0);
}

TEST(Parallel, ReductionHasTheSameBitsForAnyThreadCount) {
  const auto sum = [] {
    return parallel_reduce(
        10000, 0.0, [](std::size_t i) { return std::sin(static_cast<double>(i)); },
        [](double& total, double part) { total += part; });
  };
  set_threads(1);
  const double one = sum();
  set_threads(2);
  EXPECT_EQ(one, sum());
  set_threads(0);
}

}  // namespace
}  // namespace bauta
