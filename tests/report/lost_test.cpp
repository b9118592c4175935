// Samples of which there is no template: what the page says of them.
#include <gtest/gtest.h>

#include "fixture.hpp"

namespace bauta::report {
namespace {

Json lost(const std::string& technique, const std::string& extractor, const std::vector<int>& damaged,
          const std::vector<int>& faceless) {
  Json reasons = Json::array({{{"reason", "is a damaged <JPEG>"}, {"rows", damaged}}});
  if (!faceless.empty()) reasons.push_back({{"reason", "no face"}, {"rows", faceless}});
  return {{"data", "faces"},        {"technique", technique}, {"unprotected", technique == "none"},
          {"extractor", extractor}, {"samples", 40},          {"failed", damaged.size() + faceless.size()},
          {"reasons", reasons}};
}

std::vector<int> from_to(int first, int last) {
  std::vector<int> rows;
  for (int row = first; row <= last; ++row) rows.push_back(row);
  return rows;
}

// What was lost alike stands in one row: clear data and two masks. The third mask loses 13 faces more.
TEST(Lost, MediaStandOnThePageByTheReason) {
  Json results = {{"cells", Json::array()}};
  results["lost"] = {lost("none", "pixels", {5, 9}, {}), lost("blur", "pixels", {5, 9}, {}),
                     lost("blur", "face-network", {5, 9}, {}), lost("mosaic", "face-network", {5, 9}, from_to(20, 32))};
  const Report report = report_of(results.dump());
  const Table table = table_of(report, "lost");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].record["techniques"], "clear data; blur");
  EXPECT_EQ(table.rows[0].record["extractors"], "pixels; face-network");
  EXPECT_EQ(table.rows[0].record["count"], 2);
  EXPECT_EQ(table.rows[0].record["samples"], 40);
  EXPECT_EQ(table.rows[0].record["rows"], "5, 9");
  EXPECT_EQ(table.rows[2].record["techniques"], "mosaic");
  EXPECT_EQ(table.rows[2].record["reason"], "no face");
  EXPECT_EQ(table.rows[2].record["count"], 13);
  EXPECT_EQ(table.rows[2].cells.back().text, "20, 21, 22, 23, 24, 25, 26, 27, 28, 29 and 3 more");
  EXPECT_EQ(table.rows[2].record["rows"], "20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32");
  const std::string page = render_page(report);
  EXPECT_NE(page.find("Which samples could not be judged?"), std::string::npos);
  EXPECT_NE(page.find("is a damaged &lt;JPEG&gt;"), std::string::npos);  // reasons may hold a file's own words
  ASSERT_EQ(report.cards.size(), 1U);
  const auto& facts = report.cards[0].facts;
  ASSERT_FALSE(facts.empty());
  EXPECT_EQ(facts.back().name, "Media without a template");
  EXPECT_EQ(facts.back().value, "2 of 40 in faces: nobody judged them");
}

// Nobody looks at templates; the clear ones are all there, so the card has nothing to say.
TEST(Lost, TemplatesStandThereTooByTheReason) {
  Json entry = lost("command:run=own,name=own", "", {36}, {});
  entry["role"] = "enrol";
  entry["reasons"][0]["reason"] = "the program ended with status 3 before it wrote this sample";
  Json results = {{"cells", Json::array()}, {"lost", {entry}}};
  const Report report = report_of(results.dump());
  const Table table = table_of(report, "lost");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].record["role"], "enrol");
  EXPECT_EQ(table.rows[0].record["extractors"], "");
  EXPECT_EQ(table.rows[0].record["reason"], "the program ended with status 3 before it wrote this sample");
  EXPECT_EQ(table.rows[0].record["rows"], "36");
  EXPECT_NE(render_page(report).find("Which samples could not be judged?"), std::string::npos);
  EXPECT_TRUE(report.cards.at(0).facts.empty());
}

TEST(Lost, NothingIsSaidWhereNothingIsLost) {
  Json results = {{"cells", Json::array()}, {"lost", Json::array()}};
  const Report report = report_of(results.dump());
  EXPECT_EQ(render_page(report).find("Which samples could not be judged?"), std::string::npos);
  EXPECT_TRUE(report.cards.at(0).facts.empty());
}

}  // namespace
}  // namespace bauta::report
