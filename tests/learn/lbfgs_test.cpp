#include "lbfgs.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace bauta {
namespace {

/// (x - 3)^2 + 2 (y + 1)^2, or with the same gradient what rises in every direction from (1, 1), as rounding may have
/// it.
class Bowl : public Objective {
 public:
  explicit Bowl(bool misleads) : misleads_(misleads) {}
  [[nodiscard]] std::size_t size() const override { return 2; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    gradient[0] = 2 * (x[0] - 3);
    gradient[1] = 4 * (x[1] + 1);
    return misleads_ ? std::hypot(x[0] - 1, x[1] - 1) : (x[0] - 3) * (x[0] - 3) + 2 * (x[1] + 1) * (x[1] + 1);
  }
  bool refresh(std::span<const double>, std::size_t) override { return false; }
  void precondition(std::span<double>) const override {}

 private:
  bool misleads_;
};

TEST(Lbfgs, EndsInTheMiddleOfABowl) {
  Bowl bowl(false);
  std::vector<double> x = {0, 0};
  const LbfgsResult result = minimise(bowl, x, {.tolerance = 1e-9});
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(x[0], 3, 1e-9);
  EXPECT_NEAR(x[1], -1, 1e-9);
  EXPECT_NEAR(result.value, 0, 1e-17);
  x = {0, 0};
  EXPECT_FALSE(minimise(bowl, x, {.tolerance = 1e-9, .iterations = 1}).converged);
}

// Nothing lies lower than where it begins: it stays there, and no more can be done.
TEST(Lbfgs, WhereNothingLeadsDownItIsDone) {
  Bowl misleading(true);
  std::vector<double> x = {1, 1};
  const LbfgsResult result = minimise(misleading, x, {});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0U);
  EXPECT_EQ(x, (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace bauta
