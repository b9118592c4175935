// Where each question is asked: the table of docs/protocols.md holds, cell by cell.
#include <fstream>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/question/question.hpp"

namespace bauta {
namespace {

/// Arranged data that nobody has protected yet.
class ArrangedViews : public Views {
 public:
  ArrangedViews(const Sources& sources, Arrangement arrangement)
      : sources_(sources.given()), arrangement_(std::move(arrangement)) {}
  [[nodiscard]] const Arrangement& arrangement() const override { return arrangement_; }
  [[nodiscard]] Dataset clear(Role role, std::size_t rotation) const override {
    const Rows& rows = arrangement_.rotations[rotation].at(role);
    return sources_[rows.source]->select(rows.rows);
  }
  [[nodiscard]] Dataset view(const Recipe& recipe, std::size_t) override { throw_usage(to_text(recipe), "not here"); }
  [[nodiscard]] std::string digest(const Recipe&) const override { return {}; }
  [[nodiscard]] const ResolvedProtection& technique(const std::string& name, std::size_t,
                                                    const Representation&) override {
    throw_usage(name, "not here");
  }
  [[nodiscard]] Json remember(const Json&, const std::vector<Recipe>&, const std::function<Json()>& compute) override {
    return compute();
  }
  [[nodiscard]] std::uint64_t seed() const override { return 1; }
  [[nodiscard]] std::uint64_t memory() const override { return 1 << 20; }

 private:
  std::vector<const Dataset*> sources_;
  Arrangement arrangement_;
};

Dataset people(std::uint64_t seed, std::size_t samples = 4) {
  SynthOptions options;
  options.seed = seed;
  options.identities = 24;
  options.samples = samples;
  options.dim = 8;
  options.attributes = {{"gender", 3, {"F", "M"}, {0.5, 0.5}}};
  Dataset data = synthesize_templates(options).dataset;
  std::vector<std::string> names = data.labels.column("identity");
  for (std::string& name : names) name += "-" + std::to_string(seed);
  data.labels.replace_column("identity", std::move(names));
  return data;
}

/// Everything is asked for.
Setting everything() {
  Setting setting{.techniques = {"random-projection"}, .attributes = {"gender"}};
  setting.adversaries = {"parrot"};
  for (const auto& question : questions()) {
    for (const Key& key : question->declaration().keys) setting.keys[key.section][key.name] = key.fallback;
  }
  setting.keys["attack"].update({{"similarity", {{"rule", {"mean"}}, {"n", {1}}}},
                                 {"decision", {0.1}},
                                 {"estimator", {"knn"}},
                                 {"online", {10}},
                                 {"recovery", {"ridge"}}});
  setting.keys["measure"].update(
      {{"unlinkability", true}, {"composition", true}, {"reference", {"masked", "clear"}}, {"open_set", 0.5}});
  setting.given = {"measure.reference", "protocol.adversary"};
  return setting;
}

/// "yes", "no" (nothing is asked) or "refused" (a usage error says why).
std::string happens(const Question& question, const Views& views, const Setting& setting) {
  try {
    return question.ask(setting, views, setting.techniques.front()).empty() ? "no" : "yes";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::usage) << error.what();
    return "refused";
  }
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = line.find('|'); begin != std::string::npos;) {
    const std::size_t end = line.find('|', begin + 1);
    if (end == std::string::npos) break;
    cells.push_back(line.substr(begin + 2, end - begin - 3));
    begin = end;
  }
  return cells;
}

class Arrangements : public ::testing::Test {
 protected:
  Dataset target = people(1), attacker = people(2), background = people(3);
  Sources with_attacker{.target = &target, .attacker = &attacker};
  Sources with_background{.target = &target, .background = &background};
  ArrangedViews across{with_attacker, cross_database(with_attacker)};
  ArrangedViews folds{{.target = &target},
                      privacy_evaluation({.target = &target}, parse_pep("PEP-TF-2-1-1"), "gender", 0, 1)};
  ArrangedViews closed{with_background, closed_set(with_background, "gender", 0.25, 0, 1)};
};

TEST_F(Arrangements, TheTableOfTheDocsHolds) {
  std::map<std::string, std::vector<std::string>> table;
  std::ifstream file(BAUTA_DOCS "/protocols.md");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() == 4 && cells[0].starts_with('`')) table[cells[0].substr(1, cells[0].size() - 2)] = cells;
  }
  const Setting setting = everything();
  for (const auto& question : questions()) {
    const std::string name = question->declaration().name;
    const auto row = table.find(name);
    ASSERT_NE(row, table.end()) << name << " has no row in docs/protocols.md";
    const std::string said[] = {happens(*question, across, setting), happens(*question, folds, setting),
                                happens(*question, closed, setting)};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(row->second[i + 1].starts_with(said[i])) << name << ": " << row->second[i + 1] << " | " << said[i];
    }
  }
}

const Question& named(const std::string& name) {
  for (const auto& question : questions()) {
    if (question->declaration().name == name) return *question;
  }
  throw_usage(name, "is not in the catalogue");
}

TEST_F(Arrangements, VerificationStatesTheFormOfEachSide) {
  Setting setting = everything();
  const auto asked = [&](const Views& views) { return named("verification").ask(setting, views, "random-projection"); };
  std::vector<Asked> cells = asked(across);
  ASSERT_EQ(cells.size(), 3U);  // the target, the target by clear references, the attackers' own people
  EXPECT_FALSE(cells[0].key.contains("reference"));
  EXPECT_EQ(cells[1].key["reference"], "clear");
  EXPECT_TRUE(cells[1].views[0].form.clear());
  EXPECT_EQ(cells[1].views[1].form.technique, "random-projection");
  EXPECT_EQ(cells[2].key["data"], "attacker");
  EXPECT_EQ(named("verification").ask(setting, across, "none").size(), 2U);  // clear already
  setting.keys["measure"]["reference"] = {"clear"};
  cells = asked(closed);
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].views[0].role, Role::enrol);
  EXPECT_EQ(cells[0].views[1].role, Role::probe);
}

// What nobody asked for is not asked of a closed set, and what was asked for in vain is refused.
TEST_F(Arrangements, VerificationInAClosedSetIsAskedFor) {
  Setting setting = everything();
  setting.keys["measure"]["reference"] = {"masked"};
  setting.given = {};
  EXPECT_TRUE(named("verification").ask(setting, closed, "none").empty());
  setting.given = {"measure.fmr"};
  EXPECT_EQ(named("verification").ask(setting, closed, "none").size(), 1U);
  Dataset single = people(1, 1);
  const Sources only{.target = &single};
  const ArrangedViews nobody(only, closed_set(only, "gender", 0.25, 0, 1));
  EXPECT_TRUE(named("verification").ask(setting, nobody, "none").empty());
  setting.given = {"measure.reference"};
  EXPECT_THROW((void)named("verification").ask(setting, nobody, "none"), Error);
}

// Nobody can be recognised who has one sample: asked for in vain of the target, not asked of the attackers' people.
TEST_F(Arrangements, VerificationNeedsTwoSamplesOfSomebody) {
  Setting setting = everything();
  const Dataset single = people(1, 1), others = people(2, 1);
  const Sources lonely{.target = &single, .attacker = &attacker}, known{.target = &target, .attacker = &others};
  const ArrangedViews nobody(lonely, cross_database(lonely)), somebody(known, cross_database(known));
  EXPECT_THROW((void)named("verification").ask(setting, nobody, "random-projection"), Error);
  EXPECT_EQ(named("verification").ask(setting, somebody, "random-projection").size(), 2U);
  setting.given = {};
  const std::vector<Asked> cells = named("verification").ask(setting, nobody, "random-projection");
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].key["data"], "attacker");
  setting.keys["measure"]["verification"] = false;
  EXPECT_TRUE(named("verification").ask(setting, somebody, "random-projection").empty());
}

// Attributes of what comes back are read once: by who undoes first and then reads, if anybody on the ladder does.
TEST_F(Arrangements, WhatComesBackIsReadOnce) {
  Setting setting = everything();
  const auto read = [&](const Views& views) {
    const std::vector<Asked> cells = named("recovery").ask(setting, views, "random-projection");
    EXPECT_EQ(cells.size(), 1U);
    EXPECT_EQ(cells[0].parameters["estimator"], (Json{"knn"}));
    EXPECT_EQ(cells[0].parameters["preparation"], &views == &folds ? "unit,zscore" : "unit");
    return cells[0].parameters["attributes"].size();
  };
  const auto undo = [&](const Views& views) {
    std::size_t cells = 0;
    for (const Asked& asked : named("estimate").ask(setting, views, "random-projection")) {
      cells += asked.key.value("recovery", "") == "ridge";
    }
    return cells;
  };
  for (const auto& [adversaries, by_recovery] : std::vector<std::pair<std::vector<std::string>, std::size_t>>{
           {{"parrot"}, 1}, {{"parrot", "recover"}, 0}, {{"recover+parrot"}, 1}}) {
    setting.adversaries = adversaries;
    for (const Views* views : {static_cast<const Views*>(&across), static_cast<const Views*>(&folds)}) {
      EXPECT_EQ(read(*views), by_recovery);
      if (by_recovery == 0) {
        EXPECT_EQ(undo(*views), 1U);
      }
    }
    EXPECT_EQ(read(closed), 1U);  // there estimators read what shall stay readable
  }
}

TEST_F(Arrangements, ARecoveryInAClosedSetLearnsFromOthers) {
  const Setting setting = everything();
  const std::vector<Asked> cells = named("recovery").ask(setting, closed, "random-projection");
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].views[0].role, Role::background);
  const Sources alone{.target = &target};
  const ArrangedViews nobody_else(alone, closed_set(alone, "gender", 0.25, 0, 1));
  EXPECT_THROW((void)named("recovery").ask(setting, nobody_else, "random-projection"), Error);
}

// Noise is averaged away over several enrolments of a sample; whoever meets each once undoes it otherwise.
TEST_F(Arrangements, AdversariesMeetEachSampleOnce) {
  Setting setting = everything();
  setting.keys["attack"]["recovery"] = Json::array();  // all that apply
  setting.adversaries = {"recover", "recover+parrot"};
  for (const Views* views : {static_cast<const Views*>(&across), static_cast<const Views*>(&folds)}) {
    const std::vector<Asked> cells = named("estimate").ask(setting, *views, "csn");
    EXPECT_FALSE(cells.empty());
    for (const Asked& asked : cells) {
      EXPECT_NE(asked.key["recovery"], "average");
      for (const Recipe& recipe : asked.views) EXPECT_EQ(recipe.form.enrolments, 1U);
    }
  }
  setting.keys["attack"]["recovery"] = {"average"};
  EXPECT_TRUE(named("estimate").ask(setting, across, "csn").empty());
}

TEST_F(Arrangements, WhoRetrainsNeedsOtherPeople) {
  Setting setting = everything();
  setting.adversaries = {"retrained"};
  setting.representations = {"eigenface"};
  setting.medium = "image";
  const Sources alone{.target = &target};
  const ArrangedViews nobody_else(alone, closed_set(alone, "gender", 0.25, 0, 1));
  const auto refused = [&](const Views& views, const char* question, const char* technique) {
    try {
      (void)named(question).ask(setting, views, technique);
    } catch (const Error& error) {
      return std::string(error.what()).find("'retrained' has eigenface learned from other people") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused(folds, "estimate", "pixelate"));
  EXPECT_FALSE(refused(folds, "estimate", "csn"));  // templates are masked after what made them
  setting.representations = {"pixels"};             // which learns nothing
  EXPECT_FALSE(refused(folds, "estimate", "pixelate"));
}

}  // namespace
}  // namespace bauta
