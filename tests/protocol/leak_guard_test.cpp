#include "bauta/protocol/leak_guard.hpp"

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "small_dataset.hpp"

namespace bauta {
namespace {

TEST(LeakGuard, NamesSharedIdentities) {
  try {
    require_disjoint(small_dataset("one", {"a", "b"}, {"F", "M"}, 0),
                     small_dataset("two", {"c", "b"}, {"F", "M"}, 100));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "one and two");
    EXPECT_EQ(error.finding, "1 identities stand in both: b");
  }
}

TEST(LeakGuard, FindsACopiedTemplateUnderAnotherName) {
  const Dataset one = small_dataset("one", {"a", "b"}, {"F", "M"}, 0);   // rows (0,1), (2,3)
  const Dataset two = small_dataset("two", {"c", "d"}, {"F", "M"}, -2);  // rows (-2,-1), (0,1)
  try {
    require_disjoint(one, two);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "one row 1 and two row 2");
  }
}

TEST(LeakGuard, PassesDisjointData) {
  EXPECT_NO_THROW(require_disjoint(small_dataset("one", {"a"}, {"F"}, 0), small_dataset("two", {"b"}, {"F"}, 100)));
}

}  // namespace
}  // namespace bauta
