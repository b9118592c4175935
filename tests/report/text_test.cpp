// Escapes and number formats. Expected values are written by hand from the rules of each format.
#include "text.hpp"

#include <gtest/gtest.h>

namespace bauta::report {
namespace {

TEST(Text, HtmlHasNoMarkupLeft) {
  EXPECT_EQ(escape_html("<b a=\"x\" b='y'>&amp;</b>"), "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;");
  EXPECT_EQ(escape_html(std::string_view("a\0b", 3)), "ab");
  EXPECT_EQ(escape_html(""), "");
}

TEST(Text, ProseKeepsNumberAndUnitTogether) {
  EXPECT_EQ(escape_prose("<5 % of"), "&lt;5\u00a0% of");
}

TEST(Text, JsonCannotLeaveItsScriptBlock) {
  EXPECT_EQ(script_safe_json(R"({"a":"</script><!--"})"), "{\"a\":\"\\u003c/script\\u003e\\u003c!--\"}");
}

TEST(Text, CodeCannotLeaveItsScriptBlock) {
  EXPECT_EQ(script_safe_code("x='</SCRIPT>';y='<!--'"), "x='<\\/SCRIPT>';y='<\\!--'");
  EXPECT_EQ(script_safe_code("f();\n//# sourceMappingURL=f.js.map\ng();"), "f();\n\ng();");
  EXPECT_EQ(script_safe_code("f();\n//# sourceMappingURL=f.js.map"), "f();\n");
}

TEST(Text, TexHasNoCommandsLeft) {
  EXPECT_EQ(escape_tex("a_b & 5 % of $x^2 #1 {~} \\end <>"),
            "a\\_b \\& 5 \\% of \\$x\\textasciicircum{}2 \\#1 \\{\\textasciitilde{}\\} \\textbackslash{}end "
            "\\textless{}\\textgreater{}");
  EXPECT_EQ(escape_tex("–"), "--");
  EXPECT_EQ(escape_tex("n\u00a0=\u00a01\nb"), "n~=~1 b");
}

TEST(Text, CsvQuotesOnlyWhereNeeded) {
  EXPECT_EQ(escape_csv("plain text"), "plain text");
  EXPECT_EQ(escape_csv("a,b"), "\"a,b\"");
  EXPECT_EQ(escape_csv("=1,2"), "\"'=1,2\"");
  EXPECT_EQ(escape_csv("-x"), "'-x");
  EXPECT_EQ(escape_csv("-0.5"), "-0.5");
  EXPECT_EQ(escape_csv("say \"x\"\n"), "\"say \"\"x\"\"\n\"");
}

TEST(Text, PercentForPeople) {
  EXPECT_EQ(percent(0.863, Interval{0.841, 0.882}), "86.3 % [84.1, 88.2]");
  EXPECT_EQ(percent(0.5), "50.0 %");
  EXPECT_EQ(percent(0.0), "0.0 %");
  EXPECT_EQ(percent(1.0), "100.0 %");
  EXPECT_EQ(percent(0.0042), "0.42 %");
  EXPECT_EQ(percent(0.0042, Interval{0, 0.01}), "0.42 % [0.00, 1.00]");
  EXPECT_EQ(percent(0.00042), "0.042 %");
  EXPECT_EQ(percent(std::nullopt), "–");
  EXPECT_EQ(percent(std::nullopt, Interval{0, 1}), "–");
  EXPECT_EQ(percent_name(0.1), "10 %");
  EXPECT_EQ(percent_name(0.001), "0.1 %");
}

TEST(Text, NumbersForProgramsAreExact) {
  EXPECT_EQ(exact(0.1), "0.1");
  EXPECT_EQ(exact(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(exact(std::nullopt), "");
}

TEST(Text, GroupsAndDecimals) {
  EXPECT_EQ(grouped(1234567.0), "1 234 567");
  EXPECT_EQ(grouped(123.0), "123");
  EXPECT_EQ(grouped(-1234.0), "-1 234");
  EXPECT_EQ(grouped(-123.0), "-123");
  EXPECT_EQ(grouped(std::nullopt), "–");
  EXPECT_EQ(decimal(2.345, 1), "2.3");
}

TEST(Text, SlugsAreFileNames) {
  EXPECT_EQ(slug("Age group / 2"), "age-group-2");
  EXPECT_EQ(slug("../../etc"), "etc");
  EXPECT_EQ(slug("性別"), "unnamed");
}

TEST(Text, SentencesBeginAndEndAsSuch) {
  EXPECT_EQ(sentence("knows the key"), "Knows the key.");
  EXPECT_EQ(sentence("Knows it!"), "Knows it!");
  EXPECT_EQ(sentence("ärgert 5."), "ärgert 5.");
  EXPECT_EQ(sentence(""), "");
}

TEST(Text, MixturesAreAsPreciseInWhatIsMissing) {
  EXPECT_EQ(precise_percent(0.9997), "99.970 %");  // three decimals, as 0.03 % has
  EXPECT_EQ(precise_percent(0.31, Interval{0.3, 0.32}), "31.0 % [30.0, 32.0]");
  EXPECT_EQ(precise_percent(0.995), "99.50 %");
  EXPECT_EQ(precise_percent(1), "100.0 %");
  EXPECT_EQ(precise_percent(0.0004), "0.040 %");
  EXPECT_EQ(precise_percent(std::nullopt), "–");
}

}  // namespace
}  // namespace bauta::report
