#include "bauta/protect/kept.hpp"

#include <tuple>

#include <gtest/gtest.h>

#include "bauta/protect/protection.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

TEST(Kept, ANameAndAShare) {
  for (const auto& [text, name, share] : {std::tuple{"age=0.25", "age", 0.25}, std::tuple{"a=b=1%", "a=b", 0.01},
                                          std::tuple{"x=0", "x", 0.0}, std::tuple{"x=1", "x", 1.0}}) {
    const KeptAttribute kept = parse_kept(text, "--keep");
    EXPECT_EQ(kept.name, name);
    EXPECT_DOUBLE_EQ(kept.share, share);
  }
  for (const char* bad : {"age", "=0.5", "age=", "age=x", "age=-0.01", "age=1.01", "age=101%", "age=nan"}) {
    const std::string error = error_of([&] { (void)parse_kept(bad, "--keep"); });
    EXPECT_NE(error.find(std::string("--keep ") + bad), std::string::npos) << error;
  }
}

TEST(Kept, SeveralStandBetweenSlashes) {
  const std::vector<KeptAttribute> kept = parse_kept_list("/a=0.5//b=0.25/", "keep");
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].name, "a");
  EXPECT_EQ(kept[1].name, "b");
  EXPECT_EQ(kept[1].share, 0.25);
  EXPECT_TRUE(parse_kept_list("", "keep").empty());
}

TEST(Kept, AreWhatTheDeclaredParameterNames) {
  Declaration technique{.name = "made-up",
                        .paper = "",
                        .doc = "",
                        .medium = "template",
                        .parameters = {{.name = "keep", .type = ParameterType::text, .default_value = "", .doc = ""}}};
  EXPECT_EQ(kept_parameter(technique), nullptr);  // whatever it is called
  technique.parameters.push_back(
      {.name = "others", .type = ParameterType::text, .default_value = "", .doc = "", .shares = "part"});
  ASSERT_NE(kept_parameter(technique), nullptr);
  EXPECT_EQ(kept_parameter(technique)->name, "others");
  ResolvedProtection made;
  made.declaration = &technique;
  made.parameters = Parameters(technique, Specification::parse("made-up:keep=x,others=age=0.5/mood=0"));
  const std::vector<KeptAttribute> kept = kept_attributes(made);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].name, "age");
  EXPECT_EQ(kept[0].share, 0.5);
  EXPECT_EQ(kept[1].name, "mood");
}

// Halves away from zero; at least one, but none of share 0 unless it is the attribute of interest.
TEST(Kept, SharesComeToFeatures) {
  EXPECT_EQ(retained_features(0.25, 10, false), 3U);
  EXPECT_EQ(retained_features(0.24, 10, true), 2U);
  EXPECT_EQ(retained_features(1, 10, true), 10U);
  EXPECT_EQ(retained_features(0.01, 10, false), 1U);
  EXPECT_EQ(retained_features(0.01, 10, true), 1U);
  EXPECT_EQ(retained_features(0, 10, false), 0U);
  EXPECT_EQ(retained_features(0, 10, true), 1U);
}

}  // namespace
}  // namespace bauta
