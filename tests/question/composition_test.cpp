#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/question/question.hpp"

namespace bauta {
namespace {

/// Two data sets as they are; nobody asks for anything else.
class PlainViews : public Views {
 public:
  PlainViews(Dataset target, Dataset attacker) : target_(std::move(target)), attacker_(std::move(attacker)) {
    arrangement_ = cross_database({.target = &target_, .attacker = &attacker_});
  }
  [[nodiscard]] const Arrangement& arrangement() const override { return arrangement_; }
  [[nodiscard]] Dataset clear(Role role, std::size_t) const override {
    return role == Role::attacker ? attacker_ : target_;
  }
  [[nodiscard]] Dataset view(const Recipe& recipe, std::size_t rotation) override {
    return clear(recipe.role, rotation);
  }
  [[nodiscard]] std::string digest(const Recipe&) const override { return {}; }
  [[nodiscard]] const ResolvedProtection& technique(const std::string&, std::size_t, const Representation&) override {
    throw_usage("composition", "needs no technique");
  }
  [[nodiscard]] Json remember(const Json&, const std::vector<Recipe>&, const std::function<Json()>& compute) override {
    return compute();
  }
  [[nodiscard]] std::uint64_t seed() const override { return 1; }
  [[nodiscard]] std::uint64_t memory() const override { return 1 << 20; }

 private:
  Dataset target_, attacker_;
  Arrangement arrangement_;
};

Dataset people(const std::vector<std::string>& names, const std::vector<std::string>& genders) {
  Dataset data;
  data.labels = LabelTable("people", names.size());
  data.labels.add_column("identity", names);
  data.labels.add_column("gender", genders);
  data.identity_column = "identity";
  return data;
}

const Question& composition() {
  for (const auto& question : questions()) {
    if (question->declaration().name == "composition") return *question;
  }
  throw_usage("composition", "is not in the catalogue");
}

// By hand: three samples of two women and one of a man without a label beside him; the attacker has one of each.
TEST(Composition, CountsPeopleAndSamplesByRoleAndClass) {
  PlainViews views(people({"a", "a", "b", "c", "d"}, {"F", "F", "F", "M", ""}), people({"e", "f"}, {"F", "M"}));
  Setting setting{.techniques = {"none", "csn"}, .attributes = {"gender"}};
  setting.keys = {{"measure", {{"composition", true}}}};
  const std::vector<Asked> cells = composition().ask(setting, views, "none");
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_TRUE(composition().ask(setting, views, "csn").empty());  // once, whatever the techniques
  const Json roles = composition().answer(cells[0], views).values["roles"];
  ASSERT_EQ(roles.size(), 2U);
  EXPECT_EQ(roles[0]["role"], "target");
  EXPECT_EQ(roles[0]["classes"], Json::parse(R"([{"class": "F", "samples": 3, "identities": 2},
    {"class": "M", "samples": 1, "identities": 1}, {"class": "unknown", "samples": 1, "identities": 1}])"));
  EXPECT_EQ(roles[1]["role"], "attacker");
  EXPECT_EQ(roles[1]["classes"][1]["samples"], 1);
  setting.keys["measure"]["composition"] = false;
  EXPECT_TRUE(composition().ask(setting, views, "none").empty());
}

}  // namespace
}  // namespace bauta
