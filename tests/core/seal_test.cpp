#include "bauta/core/seal.hpp"

#include <gtest/gtest.h>

namespace bauta {
namespace {

TEST(Seal, ShowsEveryChange) {
  const Json whole = sealed({{"value", 0.1}, {"list", {1, 2}}}, "name");
  EXPECT_EQ(seal_of(whole, "name"), Seal::whole);
  EXPECT_EQ(seal_of(Json::parse(whole.dump(1)), "name"), Seal::whole);  // however it was laid out
  EXPECT_EQ(seal_of(whole, "other"), Seal::broken);
  Json edited = whole;
  edited["value"] = 0.2;
  EXPECT_EQ(seal_of(edited, "name"), Seal::broken);
  EXPECT_EQ(seal_of(sealed(edited, "name"), "name"), Seal::whole);
  EXPECT_EQ(seal_of(Json::object()), Seal::none);
  EXPECT_EQ(seal_of(Json::array()), Seal::none);
}

}  // namespace
}  // namespace bauta
