// The page as text; web/page.test.mjs looks at it in a browser.
#include "page.hpp"

#include "assets.hpp"
#include "fixture.hpp"

namespace bauta::report {
namespace {

std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

// Everything before the first program; the libraries' own strings are theirs.
std::string markup(const std::string& page) {
  return page.substr(0, page.find("<script>"));
}

std::string page_of(const std::string& results) {
  return render_page(report_of(results));
}

TEST(Page, FixtureIsTold) {
  const std::string page = render_page(report_in(fixture_run()));
  for (const char* part :
       {"<title>How well does my mask hold?</title>", "86.5 %<small>balanced accuracy on gender [81.8, 91.2]</small>",
        "36.5 percentage points above chance", "77.7\u00a0% of the attacker&#39;s advantage is left",
        "Equal error rate 2.0\u00a0% instead of 1.1\u00a0% on clear data", "1 of 22 cells failed", "Threat model.",
        "data-figure=\"roc-target\"", "s ≥ t", "&quot;kind&quot;: &quot;cross-database&quot;",
        "Everything else that the run recorded", "svm-rbf"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST(Page, NothingIsLoadedAndOnlyOurScriptsRun) {
  const std::string page = render_page(report_in(fixture_run()));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("unsafe-eval"), std::string::npos);
  EXPECT_EQ(page.find("script-src 'unsafe-inline'"), std::string::npos);
  for (const char* part : {" src=\"", "<link", "@import", "url("}) {
    EXPECT_EQ(markup(page).find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find("sourceMappingURL="), std::string::npos);
  EXPECT_EQ(occurrences(page, "'sha256-"), 4u);
  EXPECT_NE(page.find("University of Washington"), std::string::npos);  // the licence travels with the code
}

TEST(Page, HostileTextStaysText) {
  const std::string hostile = "</title></script><script>alert(1)</script><img src=x onerror=alert(1)>{{title}}";
  const std::string page =
      page_of(R"({"bauta":")" + hostile + R"(","experiment":{"report":{"title":")" + hostile +
              R"("}},"cells":[
    {"key":{"question":"verification","technique":")" +
              hostile + R"(","data":")" + hostile + R"("},"values":{"eer":0.1,"comparator":")" + hostile +
              R"(","det":[{"fmr":0.1,"fnmr":0.2},{"fmr":0.2,"fnmr":0.1}],"remarks":[")" + hostile + R"("]}},
    {"key":{"question":"similarity","technique":"x","attribute":")" +
              hostile + R"("},"values":{"chance":0.5,"results":[{"rule":")" + hostile + R"(","n":1,"balanced":0.7}]}},
    {"key":{"question":")" +
              hostile + R"("},"status":"failed","error":")" + hostile + R"("}],"headline":{"technique":")" + hostile +
              R"(","strongest":{"about":"attribute","value":0.7,"attacker":")" + hostile + R"("}},"odd":")" + hostile +
              R"("})");
  EXPECT_EQ(markup(page).find("<img"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  // Five blocks of our own: figures, Vega, Vega-Lite, Vega-Embed, page.
  EXPECT_EQ(occurrences(page, "</script>"), 5u);
  EXPECT_EQ(occurrences(page, "</title>"), 1u);
  EXPECT_NE(page.find("{{title}}</h1>"), std::string::npos);  // a placeholder in a title is not filled in
}

TEST(Page, EmptyAndHalfEmptyRunsGiveAPage) {
  for (
      const char* results :
      {R"({"cells":[]})", R"({"cells":[],"headline":null,"experiment":null,"seed":null,"bauta":null})",
       R"({"cells":[{"key":{"question":"verification"},"values":{}},{"key":{"question":"similarity"},"values":{}},{}]})",
       R"({"cells":[{"key":null,"status":"failed","error":null}],"headline":{"strongest":{"value":0.7}}})",
       R"({"cells":[],"headline":{"technique":"x","ci":[5,6],"on_clear":{"value":-3},
            "strongest":{"about":"attribute","unit":"rate","value":7.5,"chance":-2}}})"}) {
    const std::string page = page_of(results);
    EXPECT_NE(page.find("</html>"), std::string::npos) << results;
    EXPECT_EQ(markup(page).find("nan%"), std::string::npos) << results;
    EXPECT_EQ(markup(page).find("nan %"), std::string::npos) << results;
  }
}

TEST(Page, SeveralRunsStandSideBySide) {
  const TemporaryFolder folder;
  const std::string page =
      render_page(make_report(read_runs({folder.run("first", small_results), folder.run("second", small_results)})));
  EXPECT_EQ(occurrences(page, "<article class=\"card\">"), 2u);
  EXPECT_NE(page.find("first:<wbr> none"), std::string::npos);
  EXPECT_NE(page.find("second:<wbr> none"), std::string::npos);
  EXPECT_NE(page.find("Runs first, second"), std::string::npos);
}

TEST(Page, AssetsAreInTheProgram) {
  EXPECT_GT(assets::vega_js().size(), 400000u);
  EXPECT_TRUE(assets::page_html().starts_with("<!DOCTYPE html>"));
  EXPECT_NE(assets::vega_licence().find("Redistribution"), std::string_view::npos);
}

}  // namespace
}  // namespace bauta::report
