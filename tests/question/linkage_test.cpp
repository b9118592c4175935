// What results say of a technique that mixes records follows from what it declares, whatever its parameters are called.
#include "linkage.hpp"

#include <gtest/gtest.h>

namespace bauta {
namespace {

Declaration swapping() {
  return {.name = "swap",
          .paper = "",
          .doc = "",
          .medium = "template",
          .parameters =
              {{.name = "size", .type = ParameterType::integer, .default_value = "4", .doc = "", .grid = {"2", "4"}},
               {.name = "rounds", .type = ParameterType::integer, .default_value = "1", .doc = ""}},
          .mixes = true};
}

ResolvedProtection made(const Declaration& technique, const std::string& specification) {
  ResolvedProtection protection;
  protection.declaration = &technique;
  protection.parameters = Parameters(technique, Specification::parse(specification));
  protection.attributes = "mood";
  return protection;
}

TEST(LinkageSetting, OfATechniqueThatKeepsNothing) {
  const Declaration swap = swapping();
  const Blend blend{.size = 4, .own = 3, .pull = {0, 0}, .scale = {1, 1}, .retained = {}, .retained_for = {}};
  EXPECT_EQ(setting_json(made(swap, "swap"), blend),
            Json::parse(R"({"size": 4, "purity": 0.75, "retained": 0, "features": 2})"));
}

TEST(LinkageSetting, NamesSharesAsTheTechniqueDoes) {
  Declaration keeping = swapping();
  keeping.parameters.push_back(
      {.name = "others", .type = ParameterType::text, .default_value = "", .doc = "", .shares = "part"});
  Blend blend{.size = 2, .own = 1, .pull = {0, 0.9}, .scale = {1, 1}, .retained = {1}, .retained_for = {1}};
  EXPECT_EQ(setting_json(made(keeping, "swap:size=2"), blend),
            Json::parse(R"({"size": 2, "purity": 0.5, "part": {}, "retained": 1, "retained_for": {"mood": 1},
                            "features": 2})"));
  blend.retained_for = {1, 1, 0};
  EXPECT_EQ(setting_json(made(keeping, "swap:size=2,others=mouth=0.5/age=0"), blend),
            Json::parse(R"({"size": 2, "purity": 0.5, "part": {"mouth": 0.5, "age": 0.0}, "retained": 1,
                            "retained_for": {"mood": 1, "mouth": 1, "age": 0}, "features": 2})"));
}

}  // namespace
}  // namespace bauta
