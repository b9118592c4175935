// Tables, whole: expected texts are the small run's numbers, written by hand.
#include "bauta/report/table.hpp"

#include "fixture.hpp"

namespace bauta::report {
namespace {

TEST(Table, LeakageCsv) {
  EXPECT_EQ(
      to_csv(leakage_table(runs_of(small_results))),
      "run,technique,variant,attribute,comparator,rule,n,n_used,success,balanced,balanced_low,balanced_high,chance,"
      "ceiling,"
      "advantage_kept\n"
      "run,none,,gender,,vote,1,1,0.9,0.9,0.8,0.95,0.5,0.9,\n"
      "run,\"pe-miu:block=8,cost=l2\",,gender,pe-miu:block=8,mean,9,4,0.71,0.7,0.6,0.78,0.5,0.9,0.4999999999999999\n");
}

TEST(Table, AttackCsv) {
  EXPECT_EQ(
      to_csv(attack_table(runs_of(small_results))),
      "run,technique,variant,attribute,comparator,rule,n,n_used,success,balanced,balanced_low,balanced_high,chance\n"
      "run,none,,gender,,vote,1,1,0.9,0.9,0.8,0.95,0.5\n"
      "run,\"pe-miu:block=8,cost=l2\",,gender,pe-miu:block=8,vote,1,1,0.62,0.6,0.55,0.65,0.5\n"
      "run,\"pe-miu:block=8,cost=l2\",,gender,pe-miu:block=8,mean,9,4,0.71,0.7,0.62,0.78,0.5\n");
}

TEST(Table, RecognitionCsv) {
  EXPECT_EQ(
      to_csv(recognition_table(runs_of(small_results))),
      "run,data,technique,variant,comparator,samples,identities,mated,non_mated,failures,eer,eer_low,eer_high,rocch_"
      "eer,auc,"
      "auc_low,auc_high,d_prime,d_prime_low,d_prime_high,d_sys,d_sys_null,cllr,min_cllr,zebra_bits,zebra_worst_log10,"
      "zebra_tag,"
      "fnmr_at_fmr_0.1,fnmr_at_fmr_0.1_low,fnmr_at_fmr_0.1_high,fnmr_at_fmr_0.1_threshold,fnmr_at_fmr_0.1_resolvable,"
      "fnmr_at_fmr_0.001,fnmr_at_fmr_0.001_low,fnmr_at_fmr_0.001_high,fnmr_at_fmr_0.001_threshold,"
      "fnmr_at_fmr_0.001_resolvable\n"
      "run,target,none,,cosine,20,10,10,180,1,0.05,0.01,0.09,,0.99,,,3.5,,,0.9,0.1,,0.15,0.6,1.5,B,0.02,0,0.04,0.5,"
      "true,0.3,0.2,"
      "0.4,0.8,false\n"
      "run,target,\"pe-miu:block=8,cost=l2\",,pe-miu:block=8,,,,,,0.1,,,,,,,,,,,,,,,,,0.12,,,,true,,,,,\n");
}

TEST(Table, RecognitionTex) {
  EXPECT_EQ(to_tex(recognition_table(runs_of(small_results))),
            R"(% needs \usepackage{booktabs} and UTF-8 input
\begin{table}
  \centering
  \caption{Recognition performance per technique, 95 \% intervals in brackets}
  \label{tab:recognition}
  \begin{tabular}{llrrrrrrrr}
    \toprule
    Technique & Data & EER & FNMR at FMR 10 \% & FNMR at FMR 0.1 \% & AUC & d′ & D\_sys (null) & min Cllr (bit) & ZEBRA \\
    \midrule
    none {\small clear data} & target & 5.0 \% {\small [1.0, 9.0]} & 2.0 \% {\small [0.0, 4.0]} & 30.0 \%\textsuperscript{\dag} {\small [20.0, 40.0]} & 0.9900 & 3.50 & 0.900 {\small (0.100)} & 0.150 & B {\small 0.600 bit} \\
    pe-miu:block=8,cost=l2 & target & 10.0 \% & 12.0 \% & -- & -- & -- & -- & -- & -- \\
    \bottomrule
  \end{tabular}
  \par\smallskip\footnotesize \dag{} Too few non-mated comparisons to resolve this false match rate: the value is not a measurement at it.
\end{table}
)");
}

TEST(Table, HtmlMarksTheWorstCaseInWordsToo) {
  const std::string html = to_html(leakage_table(runs_of(small_results)));
  EXPECT_NE(html.find("<caption>"), std::string::npos);
  EXPECT_NE(html.find("<tr class=\"marked\"><th scope=\"row\" class=\"left\">pe-miu:<wbr>block=8,<wbr>cost=l2</th>"),
            std::string::npos);
  EXPECT_NE(html.find("worst case: leaks"), std::string::npos);
  EXPECT_NE(html.find("70.0 % <small>[60.0, 78.0]</small>"), std::string::npos);
}

TEST(Table, FewerSamplesThanAskedAreShown) {
  const std::string html = to_html(attack_table(runs_of(small_results)));
  EXPECT_NE(html.find("uses 4"), std::string::npos);
  EXPECT_NE(html.find("Fewer than n samples"), std::string::npos);
  EXPECT_NE(html.find("F 50.0 %, M 70.0 %"), std::string::npos);
  EXPECT_NE(html.find("mean (best)"), std::string::npos);
}

TEST(Table, HostileTextIsInert) {
  const std::vector<RunResults> runs =
      runs_of(R"({"cells":[{"key":{"step":"verify","technique":"<img src=x:onerror=a()>"},
    "values":{"eer":0.1,"zebra":{"tag":"<b>"}}}]})");
  const std::string html = to_html(recognition_table(runs));
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_NE(html.find("&lt;img src=x:<wbr>onerror=a()&gt;"), std::string::npos);
}

TEST(Table, NothingMeasuredGivesNoRows) {
  const std::vector<RunResults> runs = runs_of(R"({"cells":[]})");
  EXPECT_TRUE(recognition_table(runs).rows.empty() && leakage_table(runs).rows.empty() &&
              attack_table(runs).rows.empty());
}

}  // namespace
}  // namespace bauta::report
