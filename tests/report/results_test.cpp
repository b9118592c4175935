// Reading results.json: what is there, what is missing, what is unknown, what is hostile.
#include "bauta/report/results.hpp"

#include "bauta/core/error.hpp"
#include "fixture.hpp"

namespace bauta::report {
namespace {

TEST(Results, FixtureIsRead) {
  const std::vector<RunResults> runs = read_runs({fixture_run()});
  ASSERT_EQ(runs.size(), 1u);
  const RunResults& run = runs[0];
  EXPECT_EQ(run.title, "How well does my mask hold?");
  EXPECT_EQ(run.cells, 22u);
  ASSERT_EQ(run.verifications.size(), 10u);
  ASSERT_EQ(run.attacks.size(), 10u);
  const Verification& clear = run.verifications[0];
  EXPECT_TRUE(clear.series.clear());
  // Closed forms for unit Gaussians 4.6 apart: Phi(-2.3) and Phi(Phi^-1(0.99) - 4.6), from scipy 1.10.1.
  EXPECT_NEAR(*clear.eer, 0.01072411, 1e-7);
  EXPECT_NEAR(*clear.operating_points[1].fnmr, 0.01149350, 1e-7);
  EXPECT_FALSE(clear.operating_points[3].resolvable);
  EXPECT_EQ(clear.scores.edges.size(), clear.scores.first.size() + 1);
  EXPECT_EQ(clear.attribute_scores.size(), 2u);
  EXPECT_EQ(run.verifications[1].remarks, std::vector<std::string>{"the technique's own comparator was used"});
  const AttributeAttack& attack = run.attacks[1];
  EXPECT_EQ(attack.results.size(), 16u);
  EXPECT_EQ(attack.best->rule, "log");
  EXPECT_DOUBLE_EQ(attack.best_ci->low, 0.80764);  // the corrected interval, not the plain one
}

TEST(Results, FailedAndUnknownCellsAreKept) {
  const std::vector<RunResults> runs = read_runs({fixture_run()});
  ASSERT_EQ(runs[0].failed.size(), 1u);
  EXPECT_NE(runs[0].failed[0].key.find("nfr:expansion=2"), std::string::npos);
  EXPECT_NE(runs[0].failed[0].error.find("bins"), std::string::npos);
  ASSERT_EQ(runs[0].rest.size(), 1u);
  EXPECT_EQ(runs[0].rest[0]["key"]["step"], "detect");
}

TEST(Results, EstimatorsDecisionsLinkageAndRecoveriesAreRead) {
  const std::vector<RunResults> runs = runs_of(R"({"cells":[
    {"key":{"step":"estimate","technique":"ive","attribute":"gender"},"status":"done","values":{"attribute":"gender",
      "chance":0.5,"train":{"samples":7,"identities":3},"test":{"samples":9,"identities":4},
      "results":[{"estimator":"knn","balanced":0.6,"accuracy":0.65,"ci":[0.5,0.7]}],
      "best":{"estimator":"knn","balanced":0.6,"accuracy":0.65,"ci":[0.5,0.7]}}},
    {"key":{"step":"online","technique":"biohash","attribute":"gender"},"status":"done","values":{"attribute":"gender",
      "chance":0.5,"results":[{"fmr":0.01,"refusal":"message","queries":10,"decided":0.1,"balanced":0.55,"ci":[0.5,0.6]}]}},
    {"key":{"step":"unlinkability","technique":"biohash"},"status":"done","values":{"d_sys":0.03,"d_sys_null":0.02,
      "d_sys_null_high":0.025,"maximal_linkability":0.05,"maximal_linkability_null":0.04,"eer":0.49,"mated":12}},
    {"key":{"step":"recover","technique":"csn","recovery":"average"},"status":"done","values":{"claim":"noise hides",
      "cosine":{"mean":0.9,"ci":null,"centred":{"mean":0.7,"ci":[0.6,0.8]}},
      "recognition":{"recovered":{"eer":0.02,"eer_ci":[0.01,0.03],"rank1":{"rate":0.9,"ci":[0.8,1],"chance":0.01}},
      "clear":{"eer":0.01}},"attributes":[{"attribute":"gender","chance":0.5,"recovered":{"balanced":0.8,"ci":[0.7,0.9]},
      "clear":{"balanced":0.95}}]}}],"remarks":["only the flattering one"]})");
  const RunResults& run = runs[0];
  ASSERT_EQ(run.attacks.size(), 1u);
  EXPECT_EQ(run.attacks[0].kind, "estimate");
  EXPECT_EQ(run.attacks[0].best->rule, "knn");
  EXPECT_EQ(*run.attacks[0].best->success, 0.65);
  EXPECT_EQ(*run.attacks[0].attacker_samples, 7);
  ASSERT_EQ(run.online.size(), 1u);
  EXPECT_EQ(*run.online[0].results[0].queries, 10);
  ASSERT_EQ(run.linkages.size(), 1u);
  EXPECT_EQ(*run.linkages[0].d_sys_null_high, 0.025);
  ASSERT_EQ(run.recovered.size(), 1u);
  EXPECT_EQ(run.recovered[0].recovery, "average");
  EXPECT_EQ(run.recovered[0].series.label, "csn");
  EXPECT_EQ(*run.recovered[0].cosine, 0.7);
  EXPECT_EQ(*run.recovered[0].clear_eer, 0.01);
  EXPECT_EQ(*run.recovered[0].attributes[0].balanced, 0.8);
  EXPECT_EQ(run.remarks, std::vector<std::string>{"only the flattering one"});
  EXPECT_TRUE(run.rest.empty());
}

TEST(Results, UnknownFieldsOfKnownCellsAreKept) {
  const std::vector<RunResults> runs = runs_of(
      R"({"cells":[{"key":{"step":"verify","technique":"x"},"values":{"eer":0.1,"novel":{"a":1}}}],"extra":[1]})");
  ASSERT_EQ(runs[0].rest.size(), 2u);
  EXPECT_EQ(runs[0].rest[0]["values"].dump(), R"({"novel":{"a":1}})");
  EXPECT_EQ(runs[0].rest[1]["values"].dump(), R"({"extra":[1]})");
}

TEST(Results, FieldsOfTheWrongKindCountAsMissing) {
  const std::vector<RunResults> runs =
      runs_of(R"({"bauta":null,"seed":"one","headline":[],"experiment":3,"cells":[null,7,
    {"key":{"step":"verify","technique":"x"},"values":{"eer":"low","eer_ci":[1],"auc_ci":[0,"x"],"fnmr_at_fmr":"no","det":{"a":1},
     "histogram":{"edges":[0,1],"mated":[1,2],"non_mated":[1]},"attribute_scores":[{"same":1}],"zebra":"A","remarks":[1,null]}},
    {"key":{"step":"similarity"},"values":{"results":[{"balanced":null},5],"best":null,"classes":"F","per_class":[1]}}]})");
  const Verification& item = runs[0].verifications.at(0);
  EXPECT_FALSE(item.eer || item.eer_ci || item.auc_ci);
  EXPECT_TRUE(item.curve.empty() && item.scores.empty() && item.attribute_scores.empty());
  EXPECT_FALSE(runs[0].seed);
  EXPECT_EQ(runs[0].attacks.at(0).attribute, "unnamed attribute");
  EXPECT_FALSE(runs[0].attacks.at(0).best);
}

TEST(Results, HistogramEdgesMustRise) {
  const std::vector<RunResults> runs = runs_of(R"({"cells":[{"key":{"step":"verify","technique":"x"},
    "values":{"histogram":{"edges":[0,1,1],"mated":[1,2],"non_mated":[1,2]}}}]})");
  EXPECT_TRUE(runs[0].verifications.at(0).scores.empty());
}

TEST(Results, BestIsFoundWhereTheRunDoesNotNameIt) {
  const std::vector<RunResults> runs =
      runs_of(R"({"cells":[{"key":{"step":"similarity","technique":"x","attribute":"a"},"values":{
    "results":[{"rule":"vote","balanced":0.6},{"rule":"mean","balanced":0.8,"ci":[0.7,0.9]},{"rule":"log"}]}}]})");
  EXPECT_EQ(runs[0].attacks.at(0).best->rule, "mean");
  EXPECT_DOUBLE_EQ(runs[0].attacks.at(0).best_ci->high, 0.9);
}

TEST(Results, FurtherKeyFieldsTellSeriesApart) {
  const std::vector<RunResults> runs =
      runs_of(R"({"cells":[{"key":{"step":"verify","technique":"x","repeat":2,"adversary":"naive"},"values":{}}]})");
  EXPECT_EQ(runs[0].verifications.at(0).series.label, "x (repeat=2, adversary=naive)");
}

TEST(Results, RunsOfOneNameAreToldApartByTheirPaths) {
  const TemporaryFolder folder;
  const auto first = folder.run("a/run", small_results);
  const auto second = folder.run("b/run", small_results);
  const std::vector<RunResults> runs = read_runs({first, second});
  EXPECT_NE(runs[0].verifications[0].series.label, runs[1].verifications[0].series.label);
  // A ceiling counts for its own run only.
  const AttributeAttack* ceiling = ceiling_of(runs[1].attacks[1], runs);
  ASSERT_NE(ceiling, nullptr);
  EXPECT_EQ(ceiling, &runs[1].attacks[0]);
  EXPECT_EQ(clear_of(runs[1].verifications[1].series, runs), &runs[1].verifications[0]);
  EXPECT_THROW(read_runs({first, first}), Error);
}

TEST(Results, BadFilesAreInputErrorsThatNameTheFile) {
  const TemporaryFolder folder;
  const std::string deep(100000, '[');
  for (const std::string& text : {std::string("{\"cells\":["), std::string("[]"), std::string("{\"cells\":{}}"),
                                  std::string(), deep, std::string("{\"cells\":[],\"x\":\"\xff\"}")}) {
    try {
      read_runs({folder.run("run", text)});
      FAIL() << "accepted: " << text.substr(0, 40);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      EXPECT_NE(error.where.find("results.json"), std::string::npos);
    }
  }
  EXPECT_THROW(read_runs({folder.path / "nothing"}), Error);
}

}  // namespace
}  // namespace bauta::report
