// Chapters whose tables are all they have: decisions, linkage, inversion; and what every chapter must keep to.
#include <set>

#include "chapter.hpp"
#include "fixture.hpp"
#include "settings/settings.hpp"

namespace bauta::report {
namespace {

TEST(Chapters, DecisionsAndOnlineAttacksHaveTablesOfOneShape) {
  const Report report = report_of(R"({"cells":[
    {"key":{"question":"online","technique":"biohash","attribute":"gender"},"values":{"attribute":"gender",
      "chance":0.5,"results":[{"fmr":0.01,"refusal":"message","queries":10,"decided":0.1,"balanced":0.55,"ci":[0.5,0.6]}]}},
    {"key":{"question":"decisions","technique":"csn","attribute":"gender"},"values":{"attribute":"gender",
      "chance":0.5,"results":[{"fmr":0.1,"queries":4,"decided":1,"balanced":0.75}]}}]})");
  const std::string head =
      "run,technique,variant,attribute,fmr,refusal,queries,decided,balanced,balanced_low,balanced_high,chance\n";
  EXPECT_EQ(to_csv(table_of(report, "online")), head + "run,biohash,,gender,0.01,message,10,0.1,0.55,0.5,0.6,0.5\n");
  EXPECT_EQ(to_csv(table_of(report, "decisions")), head + "run,csn,,gender,0.1,,4,1,0.75,,,0.5\n");
  EXPECT_TRUE(report.runs[0].rest.empty()) << report.runs[0].rest.dump();
}

// A technique that was given a name has it wherever it is spoken of: its findings are looked for under it.
TEST(Chapters, ATechniqueIsCalledByTheNameItWasGiven) {
  const std::string spec = R"(command:run=\"sh mine.sh#0123 {in} {out}\",name=mine)";
  const std::string finding =
      R"("about":"recognition","attacker":"","measure":"EER","unit":"rate","value":0.25,"ci":null,"worse":"higher",
      "chance":null,"certainty":1,"share":null,"auc":null,"clear":null,"floor":null,"healthy":null,"counts":{},"unprotected":false,
      "axes":{"question":"verification","technique":")" +
      spec + "\"}";
  const Report report = report_of(R"({"cells":[{"key":{"question":"verification","technique":")" + spec +
                                  R"("},"findings":[{)" + finding + R"(}],"values":{"eer":0.25}}]})");
  EXPECT_EQ(report.runs[0].cells[0].series.technique, "mine");
  ASSERT_EQ(report.runs[0].cells[0].findings.size(), 1U);
  EXPECT_EQ(report.runs[0].cells[0].findings[0].axis("technique"), "mine");
}

TEST(Chapters, TwoKeysStandBesideTheirNullLevel) {
  const Report report =
      report_of(R"({"cells":[{"key":{"question":"unlinkability","technique":"biohash"},"values":{"d_sys":0.03,
      "d_sys_null":0.02,"d_sys_null_high":0.025,"maximal_linkability":0.05,"maximal_linkability_null":0.04,"eer":0.49,"mated":12}}]})");
  EXPECT_EQ(to_csv(table_of(report, "unlinkability")),
            "run,technique,variant,comparator,mated,d_sys,d_sys_null,d_sys_null_high,"
            "maximal_linkability,maximal_linkability_null,eer,eer_low,eer_high\n"
            "run,biohash,,,12,0.03,0.02,0.025,0.05,0.04,0.49,,\n");
  EXPECT_NE(to_html(table_of(report, "unlinkability")).find("0.020 <small>(0.025)</small>"), std::string::npos);
}

TEST(Chapters, RecoveriesHaveAColumnOfTheirOwn) {
  const Report report = report_of(
      R"({"cells":[{"key":{"question":"recovery","technique":"csn","recovery":"average"},"values":{"claim":"noise hides",
      "cosine":{"mean":0.9,"ci":null,"centred":{"mean":0.7,"ci":[0.6,0.8]}},
      "recognition":{"recovered":{"eer":0.02,"eer_ci":[0.01,0.03],"rank1":{"rate":0.9,"ci":[0.8,1],"chance":0.01}},
      "clear":{"eer":0.01}},"attributes":[{"attribute":"gender","chance":0.5,"recovered":{"balanced":0.8,"ci":[0.7,0.9]},
      "clear":{"balanced":0.95}}]}}]})");
  EXPECT_EQ(
      to_csv(table_of(report, "recovery")),
      "run,technique,variant,recovery,cosine,cosine_low,cosine_high,eer,eer_low,eer_high,clear_eer,rank1,rank1_low,"
      "rank1_high,rank1_chance,attributes,claim\n"
      "run,csn,,average,0.7,0.6,0.8,0.02,0.01,0.03,0.01,0.9,0.8,1,0.01,\"gender 80.0 % (clear 95.0 %, chance 50.0 "
      "%)\",noise hides\n");
  EXPECT_NE(to_html(table_of(report, "recovery")).find("2.0 % <small>[1.0, 3.0] clear 1.0 %</small>"),
            std::string::npos);
}

TEST(Chapters, CostTellsHowNearMediaAreAndWhereFacesAreFound) {
  const char* const quantiles = R"("quantiles":[{"share":0.05,"value":0.5},{"share":0.25,"value":0.55},
    {"share":0.5,"value":0.6},{"share":0.75,"value":0.65},{"share":0.95,"value":0.75}],"samples":20)";
  const std::string q = quantiles;
  const Report report = report_of(R"({"cells":[
    {"key":{"question":"cost","technique":"pixelate","instrument":"likeness"},"values":{"kind":"image","rotations":1,
      "samples":21,"failures":1,"unchanged":2,"ssim":{"mean":0.6,"ci":[0.58,0.62],)" +
                                  q + R"(},
      "psnr":{"mean":20.5,"ci":null,)" +
                                  q + R"(}}},
    {"key":{"question":"cost","technique":"pixelate","instrument":"face-points"},"values":{"kind":"image","rotations":1,
      "samples":21,"failures":0,"found":{"rate":0.25,"ci":[0.1,0.4]},"found_clear":{"rate":0.95,"ci":null},
      "landmarks":null}},
    {"key":{"question":"cost","technique":"gait-noise","instrument":"likeness"},"values":{"kind":"motion","rotations":1,
      "samples":4,"failures":0,"displacement":{"mean":3,"ci":null,)" +
                                  q + R"(},
      "correlation":{"mean":0.7,"ci":[0.6,0.8],)" +
                                  q + R"(}}}]})");
  EXPECT_EQ(to_csv(table_of(report, "cost-images")),
            "run,technique,variant,ssim,ssim_low,ssim_high,ssim_q05,ssim_q25,ssim_q50,ssim_q75,ssim_q95,psnr,psnr_low,"
            "psnr_high,psnr_q05,psnr_q25,psnr_q50,psnr_q75,psnr_q95,unchanged,samples,failures\n"
            "run,pixelate,,0.6,0.58,0.62,0.5,0.55,0.6,0.65,0.75,20.5,,,0.5,0.55,0.6,0.65,0.75,2,21,1\n");
  EXPECT_EQ(to_csv(table_of(report, "cost-faces")),
            "run,technique,variant,found,found_low,found_high,found_clear,found_clear_low,found_clear_high,landmarks,"
            "landmarks_low,landmarks_high,landmarks_q05,landmarks_q25,landmarks_q50,landmarks_q75,landmarks_q95,"
            "landmark_samples,samples,failures\n"
            "run,pixelate,,0.25,0.1,0.4,0.95,,,,,,,,,,,,21,0\n");
  EXPECT_EQ(table_of(report, "cost-motions").rows.size(), 1U);
  EXPECT_EQ(figure_names(report, "cost-"), (Names{"cost-ssim", "cost-correlation"}));
  EXPECT_EQ(figure_of(report, "cost-ssim").spec["data"]["values"][0]["q95"], 0.75);
  EXPECT_TRUE(report.runs[0].rest.empty()) << report.runs[0].rest.dump();
}

// What is asked of media has no representation: settings keep their names, and there is none more.
TEST(Chapters, CostIsNoSettingOfItsOwn) {
  const Runs runs = runs_of(R"({"cells":[
    {"key":{"question":"identification","technique":"pixelate","representation":"pixels","recogniser":"lda"},
      "values":{},"findings":[{"about":"identity","attacker":"lda","measure":"rank-1 rate","unit":"rate","value":0.5,
      "worse":"higher","chance":0.1}]},
    {"key":{"question":"cost","technique":"pixelate","instrument":"likeness"},"values":{},"findings":[
      {"about":"utility","attacker":"user","measure":"SSIM","unit":"","value":0.5,"worse":"lower"}]}]})");
  const Settings settings = settings_of(runs[0]);
  ASSERT_EQ(settings.size(), 1U);
  EXPECT_EQ(settings[0].representation, "pixels");
  EXPECT_EQ(settings[0].name, "pixelate");
  EXPECT_EQ(settings_of(runs[0], {"cost"}).size(), 1U);
}

TEST(Chapters, CompositionCountsPeopleByRoleAndClass) {
  const Report report =
      report_of(R"({"cells":[{"key":{"question":"composition","technique":"none","attribute":"gender"},
    "values":{"attribute":"gender","rotations":1,"roles":[
      {"role":"attacker","classes":[{"class":"F","samples":30,"identities":10},{"class":"M","samples":50,"identities":12}]},
      {"role":"target","classes":[{"class":"F","samples":7,"identities":7}]}]}}]})");
  EXPECT_EQ(to_csv(table_of(report, "composition")),
            "attribute,role,class,identities,samples,variant,run\n"
            "gender,attacker,F,10,30,,run\n"
            "gender,attacker,M,12,50,,run\n"
            "gender,target,F,7,7,,run\n");
  const Figure figure = figure_of(report, "composition-gender");
  ASSERT_EQ(rows_of(figure).size(), 3u);
  EXPECT_EQ(rows_of(figure)[1], (Json{{"role", "attacker"}, {"class", "M"}, {"count", 50.0}}));
  EXPECT_EQ(figure.spec["encoding"]["y"]["sort"], (Json{"attacker", "target"}));
  EXPECT_TRUE(report.runs[0].rest.empty()) << report.runs[0].rest.dump();
}

TEST(Chapters, NearDuplicatesStandWithTheData) {
  const auto page = [](const char* found) {
    return render_page(report_of(R"({"cells":[],"near_duplicates":)" + std::string(found) + "}"));
  };
  const Report report = report_of(R"({"cells":[],"near_duplicates":{"count":21,"below":0.001,"pairs":[
    {"first":"a row 1","second":"b row 7","distance":0.00025}]}})");
  EXPECT_NE(render_page(report).find(
                "21 samples nearly equal one that may stand on the other side (cosine distance below 0.001)"),
            std::string::npos);
  EXPECT_EQ(to_csv(table_of(report, "near-duplicates")), "run,first,second,distance\nrun,a row 1,b row 7,0.00025\n");
  EXPECT_TRUE(report.runs[0].rest.empty());
  EXPECT_NE(page(R"({"count":1,"below":0.001})").find("1 sample nearly equals one that may"), std::string::npos);
  EXPECT_NE(page(R"({"count":0,"below":0.001})").find("no sample nearly equals one that may"), std::string::npos);
  EXPECT_EQ(page("null").find("Near-duplicates"), std::string::npos);
}

TEST(Chapters, RemarksOfAllQuestionsAreTold) {
  const Report report = report_of(R"({"remarks":["only the flattering one"],"cells":[
    {"key":{"question":"recovery","technique":"csn","attribute":"a"},"values":{"remarks":["of a recovery"]}},
    {"key":{"question":"unlinkability","technique":"csn"},"values":{"remarks":["of a linkage"]}}]})");
  const std::string page = render_page(report);
  for (const char* remark : {"only the flattering one", "of a recovery <small>csn (a)</small>", "of a linkage"}) {
    EXPECT_NE(page.find(remark), std::string::npos) << remark;
  }
  EXPECT_TRUE(report.runs[0].rest.empty()) << report.runs[0].rest.dump();
}

TEST(Chapters, SectionsHaveNamesOfTheirOwn) {
  const TemporaryFolder folder;
  const Report report = make_report(read_runs({fixture_run(), protocol_run()}));
  std::set<std::string> ids;
  for (const Section& section : report.sections) {
    EXPECT_TRUE(ids.insert(section.id).second) << section.id;
    EXPECT_FALSE(section.lead.empty() || section.link.empty() || section.title.empty()) << section.id;
  }
  EXPECT_EQ(report.sections.back().id, "data");
}

}  // namespace
}  // namespace bauta::report
