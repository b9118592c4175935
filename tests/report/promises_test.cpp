// What techniques promise: a table, and a line of the card.
#include <gtest/gtest.h>

#include "fixture.hpp"

namespace bauta::report {
namespace {

Json promise(const std::string& technique, const Json& guarantee, const std::string& in_pixels = {}) {
  return {{"technique", technique}, {"guarantee", guarantee}, {"in_pixels_text", in_pixels}};
}

TEST(Promises, StandInATableAndTheirTextOnTheCard) {
  Json results = Json::parse(small_results);
  results["techniques"] = {
      promise("pe-miu:block=8,cost=l2", {{"kind", "none"}, {"text", "no formal <guarantee>"}}),
      promise("noise:name=ours",
              {{"kind", "differential privacy"}, {"text", "some"}, {"epsilon", 6}, {"delta", 0}, {"pixels", 16}},
              "block = 6 to 12, m = 4")};
  const Report report = report_of(results.dump());
  const Table table = table_of(report, "promises");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].record["guarantee"], "no formal <guarantee>");
  EXPECT_TRUE(table.rows[0].record["epsilon"].is_null());
  EXPECT_EQ(table.rows[1].record["technique"], "ours");
  EXPECT_EQ(table.rows[1].record["epsilon"], 6);
  EXPECT_EQ(table.rows[0].record["in_pixels"], "");
  EXPECT_EQ(table.rows[1].record["in_pixels"], "block = 6 to 12, m = 4");
  const std::string page = render_page(report);
  EXPECT_NE(page.find("What do the techniques promise?"), std::string::npos);
  EXPECT_NE(page.find("no formal &lt;guarantee&gt;"), std::string::npos);
  ASSERT_EQ(report.cards.size(), 1U);
  ASSERT_EQ(report.cards[0].headline->technique, "pe-miu:block=8,cost=l2");
  const auto& facts = report.cards[0].facts;
  EXPECT_TRUE(std::ranges::any_of(facts, [](const Card::Fact& fact) {
    return fact.name == "Formal guarantee" && fact.value == "no formal <guarantee>";
  }));
}

TEST(Promises, RunsWithoutThemHaveNoSuchPlace) {
  const Report report = report_of(small_results);
  EXPECT_EQ(render_page(report).find("What do the techniques promise?"), std::string::npos);
  EXPECT_TRUE(report_of(R"({"cells":[],"techniques":["odd",{"technique":7}]})").cards.at(0).facts.empty());
}

}  // namespace
}  // namespace bauta::report
