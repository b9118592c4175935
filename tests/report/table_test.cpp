// Tables, whole: expected texts are the small runs' numbers, written by hand.
#include "table.hpp"

#include "fixture.hpp"

namespace bauta::report {
namespace {

Table small(const char* name) {
  return table_of(report_of(small_results), name);
}

Table of_protocol(const char* name) {
  return table_of(report_in(protocol_run()), name);
}

TEST(Row, SaysEverythingAtOnce) {
  Table table{"t", "Caption", "Note."};
  for (const double value : {0.5, 0.25}) {
    Row(table)
        .text("Name", "name", value > 0.3 ? "a,b" : "")
        .rate("Rate", "rate", Measured{value, Interval{0.25, 0.75}})
        .star(value > 0.3)
        .detail("more")
        .field("rate", Number())  // a name that is taken
        .decimal("Number", "number", Number(), 2)
        .mark(value > 0.3);
  }
  EXPECT_EQ(to_csv(table), "name,rate,rate_low,rate_high,rate_,number\n\"a,b\",0.5,0.25,0.75,,\n,0.25,0.25,0.75,,\n");
  EXPECT_EQ(Json::parse(to_json(table))[0],
            Json::parse(R"({"name":"a,b","rate":0.5,"rate_low":0.25,"rate_high":0.75,"rate_":null,"number":null})"));
  EXPECT_NE(to_html(table).find("<tr class=\"marked\"><th scope=\"row\" class=\"left\">a,<wbr>b</th>"),
            std::string::npos);
  EXPECT_NE(to_tex(table).find("\\textbf{50.0 \\%\\textsuperscript{\\dag} {\\small [25.0, 75.0] more}}"),
            std::string::npos)
      << to_tex(table);
  EXPECT_NE(to_tex(table).find("-- & 25.0 \\% {\\small [25.0, 75.0] more} & --"), std::string::npos) << to_tex(table);
}

TEST(Table, LeakageCsv) {
  EXPECT_EQ(
      to_csv(small("leakage")),
      "run,technique,variant,about,attribute,question,attacker,adversary,recovery,of,measure,value,value_low,value_"
      "high,unit,"
      "corrected,chance,chance_low,chance_high,share,share_low,share_high,clear,clear_low,clear_high,clear_attacker,"
      "kept,"
      "healthy\n"
      "run,none,,attribute,gender,similarity,\"vote, n = 1\",,,1,balanced accuracy,0.9,0.8,0.95,rate,0.9,0.5,,,0.8,0.6,"
      "0.9,,,,,,true\n"
      "run,\"pe-miu:block=8,cost=l2\",,attribute,gender,similarity,\"mean, n = 9\",,,2,balanced accuracy,0.7,0.6,0.78,"
      "rate,0.69,0.5,,,0.4,0.2,0.56,0.9,0.8,0.95,\"vote, n = 1\",0.5,true\n");
}

TEST(Table, AttacksAreTheFindingsOfAllQuestions) {
  const std::string csv = to_csv(small("attacks"));
  EXPECT_NE(csv.find("\nrun,\"pe-miu:block=8,cost=l2\",,attribute,gender,similarity,\"vote, n = 1\",balanced "
                     "accuracy,0.6,0.55,0.65,rate,0.5,,,0.9,0.8,0.95,,,,"),
            std::string::npos)
      << csv;
  EXPECT_EQ(small("attacks").rows.size(), 3u);
  EXPECT_NE(to_html(small("attacks")).find("mean, n = 9 (unhealthy)"), std::string::npos);
}

TEST(Table, SimilarityCsv) {
  EXPECT_EQ(
      to_csv(small("similarity")),
      "run,technique,variant,attribute,comparator,rule,n,n_used,balanced,balanced_low,balanced_high,success,"
      "per_class,chance\n"
      "run,none,,gender,,vote,1,1,0.9,0.8,0.95,0.9,,0.5\n"
      "run,\"pe-miu:block=8,cost=l2\",,gender,pe-miu:block=8,vote,1,1,0.6,0.55,0.65,0.62,\"F 50.0 %, M 70.0 %\",0.5\n"
      "run,\"pe-miu:block=8,cost=l2\",,gender,pe-miu:block=8,mean,9,4,0.7,0.62,0.78,0.71,,0.5\n");
}

TEST(Table, RecognitionCsv) {
  EXPECT_EQ(
      to_csv(small("recognition")),
      "run,technique,variant,data,comparator,samples,identities,mated,non_mated,failures,eer,eer_low,eer_high,rocch_"
      "eer,"
      "fnmr_at_fmr_0.1,fnmr_at_fmr_0.1_low,fnmr_at_fmr_0.1_high,fnmr_at_fmr_0.1_threshold,fnmr_at_fmr_0.1_resolvable,"
      "fnmr_at_fmr_0.001,fnmr_at_fmr_0.001_low,fnmr_at_fmr_0.001_high,fnmr_at_fmr_0.001_threshold,"
      "fnmr_at_fmr_0.001_resolvable,auc,auc_low,auc_high,d_prime,d_prime_low,d_prime_high,d_sys,d_sys_null,cllr,"
      "min_cllr,zebra_bits,zebra_worst_log10,zebra_tag\n"
      "run,none,,target,cosine,20,10,10,180,1,0.05,0.01,0.09,,0.02,0,0.04,0.5,true,0.3,0.2,0.4,0.8,false,0.99,,,3.5,,,"
      "0.9,0.1,,0.15,0.6,1.5,B\n"
      "run,\"pe-miu:block=8,cost=l2\",,target,pe-miu:block=8,,,,,,0.1,,,,0.12,,,,true,,,,,,,,,,,,,,,,,,\n");
}

TEST(Table, RecognitionTex) {
  EXPECT_EQ(to_tex(small("recognition")),
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
  const std::string html = to_html(small("leakage"));
  EXPECT_NE(html.find("<caption>"), std::string::npos);
  EXPECT_NE(html.find("<tr class=\"marked\"><th scope=\"row\" class=\"left\">pe-miu:<wbr>block=8,<wbr>cost=l2</th>"),
            std::string::npos);
  EXPECT_NE(html.find("worst case: leaks"), std::string::npos);
  EXPECT_NE(html.find("70.0 % <small>[60.0, 78.0]</small>"), std::string::npos);
  EXPECT_NE(html.find("best of 2; corrected for the choice 69.0 %"), std::string::npos);
}

TEST(Table, FewerSamplesThanAskedAreShown) {
  const std::string html = to_html(small("similarity"));
  EXPECT_NE(html.find("uses 4"), std::string::npos);
  EXPECT_NE(html.find("Fewer than n samples"), std::string::npos);
  EXPECT_NE(html.find("mean (best)"), std::string::npos);
}

TEST(Table, HostileTextIsInert) {
  const Report report = report_of(R"({"cells":[{"key":{"question":"verification","technique":"<img src=x:onerror=a()>"},
    "values":{"eer":0.1,"zebra":{"tag":"<b>"}}}]})");
  const std::string html = to_html(table_of(report, "recognition"));
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_NE(html.find("&lt;img src=x:<wbr>onerror=a()&gt;"), std::string::npos);
}

TEST(Table, EstimatorsCsv) {
  const Table table = of_protocol("estimators");
  ASSERT_EQ(table.rows.size(), 5u);
  const std::string csv = to_csv(table);
  EXPECT_NE(
      csv.find("\nprotocol,csn:s=0.3,,gender,svm-rbf,c=1,0.82,0.8,0.74,0.86,0.88,0.5,0.95,0.91,0.98,0.5,0.43,0.57,"
               "true,0.15,0.1,0.2,0.0005,0.158,0.1,0.21,0.474,grid,9,0.81,0.8,0.78,0.82,0.79;0.8;0.81;0.8;0.8\n"),
      std::string::npos)
      << csv;
  EXPECT_NE(
      csv.find("\nprotocol,csn:s=0.3,,gender,knn,,0.92,0.91,0.86,0.95,,0.5,0.52,0.45,0.58,0.7,0.63,0.77,false,,,,,,,,,"
               ",,,,,,\n"),
      std::string::npos)
      << csv;
}

TEST(Table, EstimatorsAreToldBetweenFloorAndCeiling) {
  const std::string html = to_html(of_protocol("estimators"));
  EXPECT_NE(html.find("svm-rbf (best) <small>c=1; grid search, 9 trials</small>"), std::string::npos) << html;
  EXPECT_NE(html.find("15.0 points <small>[10.0, 20.0] p &lt; 0.001</small>"), std::string::npos);
  EXPECT_NE(html.find("15.8 % <small>[10.0, 21.0] of 47.4 %</small>"), std::string::npos);
}

TEST(Table, UnhealthyAttackersAreMarkedInEveryTable) {
  const Report report = report_in(protocol_run());
  EXPECT_NE(to_html(table_of(report, "estimators")).find("unhealthy<abbr"), std::string::npos);
  EXPECT_EQ(to_html(table_of(report, "estimators")).find("knn (best)"), std::string::npos);
  EXPECT_NE(to_html(table_of(report, "health")).find("unhealthy<abbr"), std::string::npos);
  EXPECT_NE(to_html(table_of(report, "attacks")).find("knn (unhealthy)"), std::string::npos);
  Json broken = Json::parse(small_results);
  broken["ranking"][1]["healthy"] = false;
  broken["ranking"].push_back(broken["ranking"][1]);
  broken["ranking"][2]["technique"] = "third";
  const Report report_of_broken = report_of(broken.dump());
  EXPECT_NE(to_html(table_of(report_of_broken, "leakage")).find("mean, n = 9 (unhealthy)"), std::string::npos);
  EXPECT_NE(to_html(table_of(report_of_broken, "summary")).find("70.0 %<abbr"), std::string::npos);
  EXPECT_NE(table_of(report_of_broken, "summary").note.find("† No attacker is healthy"), std::string::npos);
}

TEST(Table, SummaryHasPurposeAndStrongestAttackerOfEachTechnique) {
  const std::string csv = to_csv(table_of(report_in(fixture_run()), "summary"));
  EXPECT_TRUE(
      csv.starts_with("run,technique,variant,recognition,recognition_low,recognition_high,recognition_measure,"
                      "recognition_representation,gender,"
                      "gender_low,gender_high,gender_attacker,age-group,"))
      << csv;
  EXPECT_NE(csv.find(",EER,,0.865,0.81764,0.91236,\"log, n = 11\","), std::string::npos) << csv;
}

TEST(Table, HealthCsv) {
  EXPECT_EQ(
      to_csv(of_protocol("health")),
      "run,technique,variant,attribute,kind,attack,healthy,null,null_low,null_high,null_found,planted,planted_found,"
      "smallest\n"
      "protocol,csn:s=0.3,,gender,similarity,\"similarity attack, vote, "
      "n\u00a0=\u00a05\",,0.49,0.42,0.56,false,2,1,0.9\n"
      "protocol,none,,gender,estimate,svm-rbf,true,,,,,0,0,\n"
      "protocol,none,,gender,estimate,knn,false,,,,,0,0,\n"
      "protocol,csn:s=0.3,,gender,estimate,svm-rbf,true,0.51,0.44,0.58,false,3,2,0.75\n"
      "protocol,csn:s=0.3,,gender,estimate,knn,false,,,,,0,0,\n");
  const std::string html = to_html(of_protocol("health"));
  EXPECT_NE(html.find("2 of 3 <small class=\"long\">60 % missed, 75 % found, 90 % found</small>"), std::string::npos)
      << html;
}

TEST(Table, RegressionCsv) {
  EXPECT_EQ(
      to_csv(of_protocol("regression")),
      "run,technique,variant,attribute,unit,estimator,mae,mae_low,mae_high,clear_mae,clear_mae_low,clear_mae_high,"
      "chance_mae,floor_mae,floor_mae_low,floor_mae_high,rmse,r2,correlation\n"
      "protocol,csn:s=0.3,,age,years,ridge,9.25,8.5,10,6.5,6,7,11.5,11.75,11,12.5,11.5,0.25,0.5\n"
      "protocol,csn:s=0.3,,age,years,forest,10.5,9.75,11.25,,,,11.5,,,,12.5,0.125,0.375\n");
  const std::string html = to_html(of_protocol("regression"));
  EXPECT_NE(html.find("9.25 years <small>[8.50, 10.00]</small>"), std::string::npos) << html;
}

TEST(Table, PrivacyCsv) {
  EXPECT_EQ(
      to_csv(of_protocol("privacy")),
      "run,technique,variant,target,attacker,attacker_clear,attribute_error,attribute_error_clear,recognition_measure,"
      "recognition_error,recognition_error_clear,recognition_representation,"
      "recognition_clear_representation,suppression,suppression_low,suppression_high,reachable,pic,pic_low,"
      "pic_high,pic_undefined,auc_suppression,auc_identity_loss,auc_pic,auc_pic_printed,auc_form\n"
      "protocol,csn:s=0.3,,gender,svm-rbf,logistic,0.19999999999999996,0.050000000000000044,FNMR at FMR 0.1 "
      "%,0.08,0.04,,,0.158,0.1,0.21,0.474,2,0.9,3.4,,0.25,"
      "0.03125,0.21875,0.1875,leak-aware\n"
      "protocol,csn:s=0.3,,age,ridge,,0.55,0.4,FNMR at FMR 0.1 %,0.08,0.04,,,,,,,,,,the error on clear data is "
      "0,,,,,\n");
  const std::string tex = to_tex(of_protocol("privacy"));
  EXPECT_NE(tex.find("+2.00 {\\small [0.90, 3.40]} & +0.219 {\\small leak-aware; as printed 0.188}"), std::string::npos)
      << tex;
  EXPECT_NE(tex.find("undefined {\\small the error on clear data is 0} & --"), std::string::npos);
}

TEST(Table, ProtocolCsv) {
  EXPECT_EQ(to_csv(of_protocol("protocol")),
            "run,protocol,fold,identities,samples,F,M\n"
            "protocol,PEP-TF-3-1-1,1,20,61,9,11\n"
            "protocol,PEP-TF-3-1-1,2,20,58,10,10\n"
            "protocol,PEP-TF-3-1-1,3,19,60,9,10\n"
            "protocol,PEP-TF-3-1-1,4,20,63,10,10\n"
            "protocol,PEP-TF-3-1-1,5,21,60,10,11\n");
}

TEST(Table, NothingMeasuredGivesNoTables) {
  EXPECT_TRUE(report_of(R"({"cells":[]})").tables().empty());
}

}  // namespace
}  // namespace bauta::report
