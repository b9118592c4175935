#include "bauta/core/error.hpp"

#include <gtest/gtest.h>

#include "bauta/core/checked.hpp"

namespace bauta {
namespace {

TEST(Error, CarriesPlaceFindingAndHint) {
  const Error error(Fault::input, "a.npy", "is empty", "write it again");
  EXPECT_STREQ(error.what(), "a.npy: is empty");
  EXPECT_EQ(error.hint, "write it again");
}

TEST(Error, SuggestsTheNearestName) {
  EXPECT_EQ(suggest("gendre", {"identity", "gender", "age"}), "did you mean 'gender'?");
  EXPECT_EQ(suggest("zzzz", {"identity", "age"}), "known: identity, age");
  EXPECT_EQ(suggest("x", {}), "");
}

TEST(Checked, RefusesSizesThatOverflow) {
  EXPECT_EQ(checked_multiply(1ULL << 32, 1ULL << 31, "f"), 1ULL << 63);
  EXPECT_THROW(checked_multiply(1ULL << 32, 1ULL << 32, "f"), Error);
}

}  // namespace
}  // namespace bauta
