#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/data/synth_media.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/protocol/arrangement.hpp"
#include "closed_set_fixture.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

TEST_F(ClosedSetRun, MeasuresUtilityLinkageAndIdentification) {
  const Json results = run();
  // Of each technique utility and linkage; who is it: once on clear data, by two adversaries on protected data.
  ASSERT_EQ(results["cells"].size(), 7U);
  for (const Json& one : results["cells"]) {
    ASSERT_EQ(one["status"], "done") << one["error"];
    EXPECT_FALSE(one["key"].contains("representation"));
  }
  const std::string technique = results["cells"].back()["key"]["technique"];
  const Json& clear = cell(results, "linkage", {{"technique", "none"}});
  const Json& hidden = cell(results, "linkage", {{"technique", technique}});
  EXPECT_EQ(hidden["values"]["records"], 200);  // a quarter of 800
  EXPECT_EQ(hidden["values"]["identities"], 40);
  EXPECT_EQ(hidden["values"]["exact_copies"], 0);
  EXPECT_EQ(clear["values"]["exact_copies"], 200);
  EXPECT_EQ(hidden["values"]["parameters"]["purity"], 0.5);
  // Nothing is mixed in clear data: the nearest is the record itself.
  EXPECT_EQ(attacker(clear, "nearest")["mixture"], 0);
  // Planted: classes four deviations apart; the best rule is right in Phi(2) = 97.7 % of the cases.
  const Json& gender = cell(results, "utility", {{"technique", "none"}})["values"]["attributes"][0];
  EXPECT_GT(gender["accuracy"].get<double>(), 0.9);
  EXPECT_EQ(gender["role"], "interest");
  const Json& utility = cell(results, "utility", {{"technique", technique}})["values"];
  const Json &interest = utility["attributes"][0], &age = utility["attributes"][1];
  EXPECT_EQ(age["alpha"], 0.5);
  EXPECT_NEAR(utility["value"].get<double>(), interest["accuracy"].get<double>() + 0.5 * age["accuracy"].get<double>(),
              1e-12);
  // Who knows more misses less, and guessing misses most.
  const double likelihood = attacker(hidden, "likelihood")["mixture"];
  EXPECT_LT(likelihood, attacker(hidden, "nearest")["mixture"].get<double>());
  EXPECT_LT(likelihood, attacker(hidden, "likelihood")["chance"].get<double>());
  EXPECT_GT(attacker(hidden, "likelihood")["null"]["mixture"].get<double>(), 0.95);
  EXPECT_EQ(results["headline"]["about"], "identity");
  EXPECT_EQ(results["headline"]["technique"], technique);
}

TEST_F(ClosedSetRun, FindingsHaveLevelsAndDrawsThatBelongTogether) {
  const Json results = run();
  const Json& none = cell(results, "identification", {{"technique", "none"}});
  const std::string technique = results["cells"].back()["key"]["technique"];
  for (const char* adversary : {"naive", "parrot"}) {
    const Json& hidden = answer(results, technique, adversary);
    // The ceiling of a recogniser is what it reaches on clear data, with its interval.
    EXPECT_EQ(hidden["findings"][0]["clear"]["value"], none["findings"][0]["value"]);
    EXPECT_EQ(hidden["findings"][0]["clear"]["ci"], none["findings"][0]["ci"]);
    const Json& result = hidden["values"]["results"][0];
    EXPECT_GE(result["mean_rank"].get<double>(), 1);
    ASSERT_EQ(result["top"].size(), 2U);  // k = 1 and 5
    EXPECT_EQ(result["top"][0]["mixture"], result["mixture"]);
    EXPECT_NEAR(result["top"][1]["chance"].get<double>(), 1 - 5.0 / 40, 1e-12);
    EXPECT_TRUE(result["top"][1]["ci"].is_array());
  }
  for (const Json& finding : cell(results, "linkage", {{"technique", technique}})["findings"]) {
    EXPECT_EQ(finding["clear"]["value"], 1);  // unprotected, everybody finds every record
    EXPECT_TRUE(finding["clear"]["ci"].is_array());
    EXPECT_EQ(finding["axes"]["informed"], finding["attacker"] == "nearest" ? "no" : "yes");
    EXPECT_EQ(finding["axes"]["holds"], "the originals");
    EXPECT_EQ(finding["floor"].is_null(), finding["attacker"] == "nearest");
  }
  // Attackers on the same people are drawn together, so that choosing the strongest of them can be corrected for.
  for (const Json& target : results["ranking"]) {
    EXPECT_EQ(target["of"], target["unprotected"] == true ? 2 : 5);
    EXPECT_TRUE(target["ci"].is_array()) << target;
  }
}

// What is learned from clear samples is learned once: the same answer whether it was kept or not.
TEST_F(ClosedSetRun, WhatWasLearnedFromClearDataDoesNotDependOnTheTechniqueBefore) {
  const Json both = run();
  const std::string technique = both["cells"].back()["key"]["technique"];
  const Json other = run({"data.target=data2", "protect.technique=none"}, "between");
  const Json alone = run({"protect.technique=" + technique}, "alone");
  EXPECT_EQ(answer(alone, technique, "naive")["values"], answer(both, technique, "naive")["values"]);
  EXPECT_NE(cell(other, "identification")["values"], cell(both, "identification")["values"]);
}

TEST_F(ClosedSetRun, SweepsAreGridsInTheOrderOfTheFile) {
  write(
      "[data]\ntarget = \"data\"\nattribute = \"gender\"\nkeep = [\"age\"]\n"
      "[protect]\ntechnique = \"utility-preserving:g=8\"\n"
      "[[protect.sweep]]\nw = [10, 100]\nrp = [0.05, 0.5, 1.0]\n[[protect.sweep]]\nrq = [0, 0.1]\n"
      "[protocol]\nkind = \"closed-set\"\n[attack]\nrecogniser = \"lda\"\n[measure]\nbootstrap = 0\n");
  const Json results = run();
  const Json& sweeps = results["sweeps"];
  ASSERT_EQ(sweeps.size(), 2U);
  EXPECT_EQ(sweeps[0]["axes"][0]["name"], "w");
  EXPECT_EQ(sweeps[0]["axes"][1]["values"], (Json{"0.05", "0.5", "1"}));
  EXPECT_EQ(sweeps[0]["techniques"], (Json{"utility-preserving:g=8,w=10,rp=0.05", "utility-preserving:g=8,w=10,rp=0.5",
                                           "utility-preserving:g=8,w=10,rp=1", "utility-preserving:g=8,rp=0.05",
                                           "utility-preserving:g=8,rp=0.5", "utility-preserving:g=8,rp=1"}));
  EXPECT_EQ(sweeps[1]["techniques"],
            (Json{"utility-preserving:g=8,keep=age=0", "utility-preserving:g=8,keep=age=0.1"}));
  EXPECT_EQ(results["cells"].size(), 9U * 4);  // the technique itself, six and two
  for (const Json& one : results["cells"]) EXPECT_EQ(one["status"], "done") << one["error"];
  // Of 24 features: one for the attribute of interest, and 10 % of them for the other or none.
  const auto parameters = [&](std::size_t i) {
    return cell(results, "linkage", {{"technique", sweeps[1]["techniques"][i]}})["values"]["parameters"];
  };
  EXPECT_EQ(parameters(0)["retained"], 1);
  EXPECT_EQ(parameters(1)["retained"], 3);
  EXPECT_EQ(parameters(1)["rq"]["age"], 0.1);
}

TEST_F(ClosedSetRun, WhoHasNoClassIsJudgedNeitherInTheValueNorInItsInterval) {
  Dataset data = read_dataset(folder / "data");
  std::vector<std::string> ages = data.labels.column("age");
  for (std::size_t row = 0; row < ages.size(); row += 2) ages[row].clear();
  data.labels.replace_column("age", ages);
  write_dataset(folder / "data", data);
  const Json results = run({"measure.bootstrap=200"});
  for (const Json& one : results["cells"]) {
    ASSERT_EQ(one["status"], "done") << one["error"];
    if (one["key"]["question"] != "utility") continue;
    const Json& age = one["values"]["attributes"][1];
    EXPECT_LE(age["ci"][0].get<double>(), age["accuracy"].get<double>());
    EXPECT_GE(age["ci"][1].get<double>(), age["accuracy"].get<double>());
  }
  // Three deviations apart: the best rule is right in Phi(1.5) = 93 % of those who have a class.
  EXPECT_GT(cell(results, "utility", {{"technique", "none"}})["values"]["attributes"][1]["accuracy"].get<double>(),
            0.8);
}

TEST_F(ClosedSetRun, RecordsWithoutIdentitiesAreLinkedToo) {
  write_data(300, 1);
  const Json results = run();
  ASSERT_EQ(results["cells"].size(), 4U);  // nobody can be named
  const Json& values = cell(results, "linkage", {{"technique", results["cells"][2]["key"]["technique"]}})["values"];
  EXPECT_EQ(values["one_record_per_identity"], true);
  EXPECT_EQ(values["identities"], 300);
  EXPECT_EQ(values["attackers"].size(), 3U);
}

// A record that is judged in several repetitions is one: people are counted by their rows in the data.
TEST_F(ClosedSetRun, RecordsWithoutIdentitiesAreThemselvesInEveryRepetition) {
  write_data(300, 1);
  const Json results = run({"protocol.repeats=3", "protect.technique=none"});
  Dataset data = read_dataset(folder / "data");
  data.identity_column.clear();
  const Arrangement arrangement = closed_set({.target = &data}, "gender", 0.25, 3, 1);
  std::set<std::size_t> judged;
  std::size_t samples = 0;
  for (const Roles& roles : arrangement.rotations) {
    const auto& rows = roles.at(Role::probe).rows;
    judged.insert(rows.begin(), rows.end());
    samples += rows.size();
  }
  ASSERT_LT(judged.size(), samples);
  for (const char* question : {"linkage", "utility"}) {
    const Json& counts = cell(results, question)["findings"][0]["counts"];
    EXPECT_EQ(counts["samples"], samples) << question;
    EXPECT_EQ(counts["identities"], judged.size()) << question;
  }
  EXPECT_EQ(cell(results, "linkage")["values"]["identities"], 300);
}

// Two attributes are read by two estimators, each in a cell; of a technique one is fitted for.
TEST_F(ClosedSetRun, SeveralAttributesAreReadBySeveralEstimators) {
  const Json results = run({"data.attribute=[\"gender\", \"age\"]", "data.keep={}", "data.hide=gender",
                            "attack.estimator=[\"lda\", \"knn\"]"});
  const std::string technique = results["cells"].back()["key"]["technique"];
  for (const Json& one : results["cells"]) EXPECT_EQ(one["status"], "done") << one["error"];
  ASSERT_EQ(results["cells"].size(), 2U + 1U + 1U + 2U + 1U + 2U);
  for (const char* estimator : {"lda", "knn"}) {
    const Json axes = {{"technique", technique}, {"estimator", estimator}};
    const Json& read = cell(results, "utility", axes);
    EXPECT_EQ(read["values"]["estimator"], estimator);
    ASSERT_EQ(read["values"]["attributes"].size(), 2U);
    double sum = 0;
    for (const Json& attribute : read["values"]["attributes"]) {
      EXPECT_EQ(attribute["role"], "interest");
      EXPECT_GT(attribute["clear"]["accuracy"].get<double>(), 0.85);  // Phi(1.5) = 93 % are read by the best rule
      sum += attribute["accuracy"].get<double>();
    }
    EXPECT_NEAR(read["values"]["value"].get<double>(), sum, 1e-12);
    for (const Json& finding : read["findings"]) EXPECT_EQ(finding["axes"]["estimator"], estimator);
  }
  EXPECT_NE(cell(results, "utility", {{"estimator", "lda"}})["values"]["attributes"],
            cell(results, "utility", {{"estimator", "knn"}})["values"]["attributes"]);
  // The attribute that the technique is fitted for is told with the records.
  EXPECT_EQ(attacker(cell(results, "linkage", {{"technique", technique}}), "likelihood")["informed"], true);
  // One that is named alone has no place in the key, as nobody else reads.
  const Json one = run({"attack.estimator=knn"}, "one");
  EXPECT_FALSE(cell(one, "utility")["key"].contains("estimator"));
  EXPECT_EQ(cell(one, "utility")["values"]["estimator"], "knn");
}

// Who is strongest against identity is chosen from the same attackers whether an attribute is named or not.
TEST_F(ClosedSetRun, RecordsAreLookedForWhetherAnAttributeIsNamedOrNot) {
  const auto attackers = [&](const std::vector<std::string>& overrides, const std::string& out) {
    std::multiset<std::string> found;
    const Json results = run(overrides, out);
    for (const Json& one : results["cells"]) {
      for (const Json& finding : one["findings"]) {
        if (finding["about"] != "identity") continue;
        found.insert(fmt::format("{} {} {}", finding["axes"]["technique"].get<std::string>(),
                                 finding["axes"]["question"].get<std::string>(),
                                 finding["attacker"].get<std::string>()));
      }
    }
    return found;
  };
  const std::string rest =
      "[protect]\ntechnique = [\"none\", \"csn\"]\n[protocol]\nkind = \"closed-set\"\n"
      "[attack]\nrecogniser = \"lda\"\n[measure]\nbootstrap = 20\n";
  write("[data]\ntarget = \"data\"\nattribute = \"gender\"\n" + rest);
  const auto with = attackers({}, "with");
  write("[data]\ntarget = \"data\"\n" + rest);
  const auto without = attackers({}, "without");
  EXPECT_EQ(with, without);
  EXPECT_EQ(with.count("csn linkage nearest"), 1U);
}

// Half of the people are known, the others are somebody else, whose attributes are known: an attacker across data
// bases within a closed set. Classes are four deviations apart, and nothing hides them.
TEST_F(ClosedSetRun, OtherPeopleTeachWhoReadsAttributes) {
  const std::vector<std::string> asked = {"data.target=data@1/2",
                                          "data.background=data@2/2",
                                          "data.keep={}",
                                          "protect.technique=[\"none\", \"csn\"]",
                                          "attack.similarity={rule=\"mean\",n=[11]}",
                                          "attack.decision=[0.1]",
                                          "attack.online=[20]",
                                          "attack.controls=false",
                                          "protocol.repeats=2"};
  const Json results = run(asked);
  for (const Json& one : results["cells"]) EXPECT_EQ(one["status"], "done") << one["error"];
  const Json& clear = cell(results, "similarity", {{"technique", "none"}})["values"];
  EXPECT_GT(clear["best"]["balanced"].get<double>(), 0.8);
  // All samples of everybody, whom another split leaves as they are: some of 40 people with 20 samples, by the others.
  EXPECT_EQ(clear["rotations"], 1);
  const std::size_t people = clear["target"]["identities"];
  EXPECT_EQ(clear["target"]["samples"], 20 * people);
  EXPECT_LE(clear["attacker"]["identities"], 40 - people);  // the same number of each class
  const Json& hidden = cell(results, "similarity", {{"technique", "csn"}, {"adversary", "parrot"}});
  EXPECT_EQ(hidden["findings"][0]["clear"]["value"], cell(results, "similarity")["findings"][0]["value"]);
  for (const char* question : {"decisions", "online"}) {
    EXPECT_FALSE(cell(results, question, {{"technique", "csn"}})["findings"].empty()) << question;
  }
  std::vector<std::string> nobody = asked;
  nobody[1] = "data.background=data@1/2";  // the very people under attack
  EXPECT_THROW((void)run(nobody, "leak"), Error);
}

TEST_F(ClosedSetRun, ResumesAndDoesNotDependOnThreads) {
  set_threads(1);
  const Json one = run();
  set_threads(3);
  const Json three = run({}, "other");
  set_threads(0);
  EXPECT_EQ(one["cells"], three["cells"]);
  const EvaluateSummary again = evaluate(read_experiment(folder / "e.toml"), {folder / "run", 1, 1 << 24});
  EXPECT_EQ(again.computed, 0U);
}

TEST_F(ClosedSetRun, MediaAreExtractedAndFailuresAreCounted) {
  // Sixty small grey pictures of fifteen people, one of them damaged.
  const fs::path media = folder / "media";
  fs::create_directories(media);
  std::ofstream labels(media / "labels.csv");
  labels << "file,identity,gender\n";
  Stream stream(1, "pictures");
  for (int i = 0; i < 60; ++i) {
    const std::string name = std::to_string(i) + ".pgm";
    std::ofstream picture(media / name, std::ios::binary);
    picture << "P5\n8 8\n255\n";
    for (int k = 0; k < (i == 7 ? 10 : 64); ++k) {
      picture.put(static_cast<char>(100 + (i % 2) * 60 + static_cast<int>(stream.below(40)) + (k == i / 4 ? 50 : 0)));
    }
    labels << name << ",p" << i / 4 << "," << (i % 2 == 0 ? "F" : "M") << "\n";
  }
  labels.close();
  EXPECT_THROW((void)run({"data.target=media", "data.keep={}"}), Error);  // nothing says how
  const Json results =
      run({"data.target=media", "data.keep={}", "extract.representation=[\"pixels:size=8\", \"pixels:size=4\"]",
           "protect.technique=[\"none\", \"utility-preserving:g=4\"]"});
  ASSERT_EQ(results["cells"].size(), 2U * (3 + 4));
  for (const Json& one : results["cells"]) {
    ASSERT_EQ(one["status"], "done") << one["error"];
    if (one["values"].contains("split")) {
      EXPECT_EQ(one["values"]["failures"], 1);
    }
  }
  const auto features = [&](const char* representation) {
    const Json axes = {{"technique", "utility-preserving:g=4"}, {"representation", representation}};
    return cell(results, "linkage", axes)["values"]["parameters"]["features"];
  };
  EXPECT_EQ(features("pixels:size=8"), 64);
  EXPECT_EQ(features("pixels:size=4"), 16);
  // Other content under the same names is new data.
  std::ofstream(media / "3.pgm", std::ios::binary) << "P5\n1 1\n255\nx";
  const EvaluateSummary again =
      evaluate(read_experiment(folder / "e.toml", {"data.target=media", "data.keep={}",
                                                   "extract.representation=pixels:size=8", "protect.technique=none"}),
               {folder / "run", 1, 1 << 24});
  EXPECT_EQ(again.computed, 3U);
}

TEST_F(ClosedSetRun, VariantsReplaceWhatTheyName) {
  write(
      "[data]\ntarget = \"data\"\nattribute = \"gender\"\n[protocol]\nkind = \"closed-set\"\n"
      "[measure]\nbootstrap = 0\n[variant.second.data]\nattribute = \"age\"\n"
      "[variant.second.protect]\ntechnique = \"utility-preserving\"\n"
      "[[variant.second.protect.sweep]]\nw = [10]\nrp = [0.1]\n[variant.first]\nmeasure.top = [3]\n");
  const fs::path file = folder / "e.toml";
  EXPECT_EQ(experiment_variants(file), (std::vector<std::string>{"second", "first"}));
  EXPECT_THROW(read_experiment(file), Error);
  EXPECT_THROW(read_experiment(file, {}, "third"), Error);
  const Experiment second = read_experiment(file, {}, "second");
  EXPECT_EQ(second.setting.attributes, (std::vector<std::string>{"age"}));
  EXPECT_EQ(second.setting.keys["measure"]["bootstrap"], 0);
  ASSERT_EQ(second.sweeps.size(), 1U);
  EXPECT_EQ(second.sweeps[0].axes[0].name, "w");  // as in the file, not by the alphabet
  EXPECT_EQ(second.setting.keys["measure"]["top"].size(), 6U);
  const Experiment first = read_experiment(file, {"measure.bootstrap=7"}, "first");
  EXPECT_EQ(first.setting.attributes, (std::vector<std::string>{"gender"}));
  EXPECT_EQ(first.setting.keys["measure"]["top"], (Json{3}));
  EXPECT_EQ(first.setting.keys["measure"]["bootstrap"], 7);
}

TEST_F(ClosedSetRun, RefusesWhatHasNoPlaceInIt) {
  const auto refused = [&](const std::vector<std::string>& changes, const std::string& part) {
    try {
      (void)run(changes);
      ADD_FAILURE() << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused({"data.attacker=data"}, "data.attacker");
  refused({"data.attribute=[\"gender\", \"age\"]", "data.keep={}"},
          "is fitted for one attribute of interest, and 2 are named");
  refused({"data.keep=[\"gender\"]"}, "attribute of interest");
  refused({"data.keep=[\"size\"]"}, "size");
  refused({"attack.similarity={rule=\"mean\"}"}, "data.background: is missing: in a closed set attack.similarity");
  refused({"protocol.test=1.5"}, "rate");
  refused({"protocol.kind=cross-database", "protect.technique=none"}, "closed set only");
  refused({"measure.top=[0]"}, "a whole number from 1 to");
  refused({"attack.recogniser=eigenface-svm"}, "looks at media");
  refused({"protect.technique=k-same-pixel"}, "attackers hold the enrolled ones");
}

// Whoever meets a sample that they learned from finds its person, whatever the mask.
TEST_F(ClosedSetRun, CopiesOfAPersonsOwnSampleAreTold) {
  Dataset data = read_dataset(folder / "data");
  Matrix<float> rows(data.size(), data.templates.cols());
  for (std::size_t i = 0; i < data.size(); ++i) std::ranges::copy(data.templates.floats().row(i), rows.row(i).begin());
  std::ranges::copy(rows.row(4), rows.row(6).begin());
  data.templates = Templates(std::move(rows));
  write_dataset(folder / "data", data);
  const std::vector<std::string> quick = {"protect.technique=none", "data.keep={}"};
  const Json near = run(quick)["near_duplicates"];
  EXPECT_EQ(near["count"], 2);
  ASSERT_EQ(near["pairs"].size(), 1U);
  EXPECT_TRUE(near["pairs"][0]["first"].get<std::string>().ends_with("row 5"));
  EXPECT_TRUE(near["pairs"][0]["second"].get<std::string>().ends_with("row 7"));
  EXPECT_THROW((void)run({quick[0], quick[1], "protocol.strict=true"}, "strict"), Error);
}

// Three images of one person are one image, and two people have the same: byte by byte, whatever is looked at in them.
TEST_F(ClosedSetRun, CopiesOfAPersonsOwnMediumAreTold) {
  (void)synthesize_faces(folder / "faces", {.identities = 6, .samples = 4});
  ReadOptions options;
  options.templates_required = false;
  const Dataset faces = read_dataset(folder / "faces", options);
  const auto file = [&](std::size_t row) { return folder / "faces" / faces.labels.column("file")[row]; };
  for (const std::size_t row : {std::size_t{1}, std::size_t{2}}) {
    std::filesystem::copy_file(file(0), file(row), std::filesystem::copy_options::overwrite_existing);
  }
  std::filesystem::copy_file(file(4), file(8), std::filesystem::copy_options::overwrite_existing);
  write(
      "[data]\ntarget = \"faces\"\n[extract]\nrepresentation = \"pixels:size=8\"\n"
      "[protocol]\nkind = \"closed-set\"\n[attack]\nrecogniser = \"nearest\"\n[measure]\nbootstrap = 0\n");
  const Json results = run();
  const Json& near = results["near_duplicates"];
  EXPECT_EQ(near["count"], 5);
  EXPECT_EQ(near["below"], 0.0);
  ASSERT_EQ(near["pairs"].size(), 3U);
  EXPECT_TRUE(near["pairs"][2]["first"].get<std::string>().ends_with("row 5")) << near;
  EXPECT_TRUE(near["pairs"][2]["second"].get<std::string>().ends_with("row 9")) << near;
  EXPECT_NE(
      results["remarks"].dump().find("5 media are the same as one that may stand on the other side (byte by byte)"),
      std::string::npos)
      << results["remarks"];
  EXPECT_THROW((void)run({"protocol.strict=true"}, "strict"), Error);
}

// Linkers who find everybody or nobody leave the corrected interval of the others as it is: people are counted.
TEST_F(ClosedSetRun, TheRankingKnowsHowManyPeopleAreBehindEveryAttacker) {
  const Json results = run({"attack.recogniser=[\"lda\", \"lda\"]", "protocol.adversary=[\"parrot\", \"parrot\"]"});
  std::size_t named = 0;
  for (const Json& one : results["cells"]) {
    named += one["key"]["question"] == "identification";
    for (const Json& finding : one["findings"]) EXPECT_EQ(finding["counts"]["identities"], 40) << finding.dump();
  }
  EXPECT_EQ(named, 2U);  // what is named twice is asked once
  for (const Json& entry : results["ranking"]) {
    if (entry["strongest"]["value"] != 1.0) continue;
    EXPECT_GT(entry["ci"][0].get<double>(), 0.8) << entry.dump();  // Wilson of 40 of 40: 0.912
  }
}

// 40 people with 20 samples each, a quarter of them probes: 200 in one split, 5 people's are 25.
TEST_F(ClosedSetRun, SomeOfThePeopleAreAskedForInEveryRepetitionAnew) {
  const Json once = run();
  // Sets of two of one class can be drawn from five people, whoever they are.
  const Json often = run({"protocol.identities=[1.0, 5]", "protocol.repeats=4",
                          "protect.technique=[\"none\", \"utility-preserving:g=2,t=1\"]"},
                         "often");
  for (const Json& done : often["cells"]) EXPECT_EQ(done["status"], "done") << done["error"];
  const Json& one = cell(once, "identification", {{"technique", "none"}})["values"];
  const Json& all = cell(often, "identification", {{"technique", "none"}})["values"];
  EXPECT_EQ(one["probes"], 200);
  EXPECT_FALSE(one.contains("repetitions"));
  EXPECT_EQ(all["probes"], 800);
  EXPECT_EQ(all["repetitions"], 4);
  EXPECT_EQ(all["identities_in_all"], 40);
  // The first split is that of the run without repetitions.
  const double first = one["worst"]["rank1"], pooled = all["worst"]["rank1"];
  EXPECT_LE(first / 4, pooled + 1e-12);
  EXPECT_GE((3 + first) / 4, pooled - 1e-12);

  const Json few = {{"identities", "5"}, {"selection", "random"}, {"technique", "none"}};
  const Json& some = cell(often, "identification", few)["values"];
  EXPECT_EQ(some["probes"], 100);
  EXPECT_EQ(some["identities"], 5);
  EXPECT_DOUBLE_EQ(some["chance"], 0.2);
  EXPECT_GT(some["identities_in_all"], 5);
  for (const char* question : {"utility", "linkage"}) {
    EXPECT_EQ(cell(often, question, few)["values"]["records"], 100) << question;
    const Json& values = cell(often, question, {{"technique", "none"}})["values"];
    EXPECT_EQ(values["records"], 800) << question;
    EXPECT_EQ(values["repetitions"], 4) << question;
    EXPECT_FALSE(cell(once, question)["values"].contains("repetitions"));
  }
  EXPECT_EQ(cell(often, "linkage", few)["values"]["identities"], some["identities_in_all"]);
  const Json& hidden = cell(often, "linkage", {{"technique", "utility-preserving:g=2,t=1"}});
  EXPECT_EQ(attacker(hidden, "nearest")["candidates"], 200);  // of one repetition
  EXPECT_EQ(hidden["findings"][0]["counts"]["samples"], 800);
  EXPECT_EQ(hidden["findings"][0]["counts"]["identities"], 40);
  std::size_t about_some = 0;
  for (const Json& entry : often["ranking"]) about_some += entry["people"] == "5, random";
  EXPECT_GE(about_some, 2U);
  EXPECT_TRUE(often["headline"]["people"].is_null());  // it is about everybody
}

std::set<std::size_t> chosen_rows(const Json& results, const Json& wanted, std::size_t repetition = 0) {
  for (const Json& one : results["people"]) {
    bool same = true;
    for (const auto& [name, value] : wanted.items()) same &= one.value(name, Json()) == value;
    if (same) return one["rows"][repetition].get<std::set<std::size_t>>();
  }
  throw std::runtime_error(wanted.dump());
}

TEST_F(ClosedSetRun, PeopleAreChosenByHowWellTheyAreToldApart) {
  const std::string technique = "csn:s=0.35";
  write(
      "[data]\ntarget = \"data\"\n[protect]\ntechnique = [\"none\", \"csn:s=0.35\"]\n"
      "[protocol]\nkind = \"closed-set\"\nidentities = [1.0, 6]\nmetadata = [\"age\", \"gender\"]\n"
      "selection = [\"random\", \"classification\", \"metadata\", \"distinctive\", \"center\"]\n"
      "selected_on = [\"masked\", \"clear\", \"test\"]\n"
      "[attack]\nrecogniser = \"lda\"\n[measure]\nbootstrap = 20\nopen_set = 0.25\n");
  const Json results = run();
  for (const Json& done : results["cells"]) EXPECT_EQ(done["status"], "done") << done["error"];
  // Random and by metadata once; three ways on clear samples once, on masked and judged ones against each technique.
  EXPECT_EQ(results["people"].size(), 2U + 3U * (1U + 2U + 2U));
  // On the samples that are judged: nobody who was left out was named more often than anybody who was chosen.
  const Json& people = answer(results, technique, "parrot")["values"]["people"];
  const auto best =
      chosen_rows(results, {{"selection", "classification"}, {"selected_on", "test"}, {"technique", technique}});
  EXPECT_EQ(best.size(), 6U);
  double least_chosen = 1, most_left = 0, hits = 0;
  for (std::size_t i = 0; i < people["row"].size(); ++i) {
    const double rate = people["hits"][i].get<double>() / people["probes"][i].get<double>();
    hits += people["hits"][i].get<double>();
    double& end = best.contains(people["row"][i]) ? least_chosen : most_left;
    end = best.contains(people["row"][i]) ? std::min(end, rate) : std::max(end, rate);
  }
  EXPECT_GE(least_chosen, most_left);
  const Json& all = answer(results, technique, "parrot")["values"];
  EXPECT_NEAR(hits / 200, all["worst"]["rank1"].get<double>(), 1e-12);
  EXPECT_NEAR(all["repeats"][0].get<double>(), all["worst"]["rank1"].get<double>(), 1e-12);
  // On other samples others are the best: what was lucky there is not lucky here.
  EXPECT_NE(
      chosen_rows(results, {{"selection", "classification"}, {"selected_on", "masked"}, {"technique", technique}}),
      best);
  // Unprotected, masked samples are clear ones.
  EXPECT_EQ(chosen_rows(results, {{"selection", "center"}, {"selected_on", "masked"}, {"technique", "none"}}),
            chosen_rows(results, {{"selection", "center"}, {"selected_on", "clear"}}));
  const Json key = {
      {"technique", technique}, {"adversary", "parrot"}, {"identities", "6"}, {"selection", "classification"}};
  Json on_test = key;
  on_test["selected_on"] = "test";
  const Json& reused = cell(results, "identification", on_test)["values"];
  EXPECT_EQ(reused["identities"], 6);
  EXPECT_GT(reused["worst"]["rank1"], all["worst"]["rank1"]);
  std::size_t entries = 0;
  for (const Json& entry : results["ranking"]) entries += entry["people"] == "6, classification on test";
  EXPECT_EQ(entries, 2U);
  EXPECT_TRUE(results["headline"]["people"].is_null());
  // A quarter of the people is searched for in vain: 10 of 40 with 5 probes each.
  const Json& open = cell(results, "open-set", {{"technique", "none"}})["values"];
  EXPECT_EQ(open["enrolled_people"], 30);
  EXPECT_EQ(open["searches"], 150);
  EXPECT_EQ(open["searches_for_others"], 50);
  EXPECT_TRUE(open["points"][0]["resolvable"]);
  EXPECT_FALSE(open["points"][1]["resolvable"]);  // 1 % of 50 is less than one alarm
  EXPECT_LE(open["points"][0]["actual_fpir"], 0.1);
  EXPECT_EQ(run(), results);  // whoever goes on finds the same people
}

TEST_F(ClosedSetRun, ChoicesThatGoByNothingAreRefused) {
  const auto refused = [&](const std::vector<std::string>& overrides, const std::string& place) {
    try {
      (void)run(overrides);
      ADD_FAILURE() << place;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
    }
  };
  refused({"protocol.identities=[5]", "protocol.selected_on=clear"}, "selected_on");
  refused({"protocol.identities=[5]", "protocol.metadata=age"}, "metadata");
  refused({"protocol.identities=[5]", "protocol.selection=center", "protocol.selected_on=training"}, "training");
  refused({"protocol.identities=[5]", "protocol.selection=center", "protocol.selected_by=nobody"}, "nobody");
  refused({"protocol.identities=[5]", "protocol.selection=metadata", "protocol.metadata=height"}, "height");
  refused({"protocol.identities=[5]", "protocol.selection=classification", "protocol.kind=PEP-TF-3-1-1", "data.keep={}",
           "protect.technique=csn"},
          "'classification' looks at known samples");
}

}  // namespace
}  // namespace bauta
