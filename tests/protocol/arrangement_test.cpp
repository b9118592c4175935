#include "bauta/protocol/arrangement.hpp"

#include <set>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/data/synth_templates.hpp"

namespace bauta {
namespace {

Dataset people(std::size_t identities, std::uint64_t seed, const std::string& prefix) {
  SynthOptions options;
  options.identities = identities;
  options.samples = 4;
  options.dim = 8;
  options.seed = seed;
  options.attributes = {{"gender", 1, {"F", "M"}, {0.5, 0.5}}};
  Dataset data = synthesize_templates(options).dataset;
  std::vector<std::string> names;
  for (const auto& name : data.labels.column(data.identity_column)) names.push_back(prefix + name);
  data.labels.replace_column(data.identity_column, std::move(names));
  return data;
}

std::set<std::string> names_of(const Dataset& data, const Rows& rows) {
  std::set<std::string> names;
  for (const std::size_t row : rows.rows) names.insert(data.labels.column(data.identity_column)[row]);
  return names;
}

using Pairs = std::vector<std::pair<Role, Role>>;

TEST(Arrangement, AcrossDataBasesEachRoleIsADataSet) {
  const Dataset target = people(10, 1, "t"), attacker = people(12, 2, "a");
  const Sources sources{.target = &target, .attacker = &attacker};
  const Arrangement arrangement = cross_database(sources);
  ASSERT_EQ(arrangement.rotations.size(), 1U);
  EXPECT_EQ(arrangement.rotations[0].at(Role::target).rows.size(), 40U);
  EXPECT_EQ(arrangement.rotations[0].at(Role::attacker).rows.size(), 48U);
  EXPECT_EQ(arrangement.rotations[0].at(Role::attacker).source, 1U);
  EXPECT_FALSE(arrangement.has(Role::dev));
  guard(arrangement, sources);
  const Sources twice{.target = &target, .attacker = &target};
  EXPECT_THROW(guard(cross_database(twice), twice), Error);
}

TEST(Arrangement, RolesAreNamed) {
  EXPECT_EQ(to_text(Role::whole), "whole");
  EXPECT_EQ(to_text(Role::fit_dev), "fit_dev");
  EXPECT_EQ(to_text(Role::background), "background");
}

TEST(Arrangement, RowsAreOfTheDataSetThatARoleWasGiven) {
  const Dataset target = people(10, 1, "t"), attacker = people(11, 2, "a"), dev = people(12, 3, "d"),
                fit = people(13, 4, "f"), background = people(14, 5, "b");
  const auto expect_own = [](const Arrangement& arrangement, const Sources& sources) {
    const Roles& roles = arrangement.rotations[0];
    for (const auto& [role, data] : {std::pair(Role::whole, sources.target),
                                     {Role::attacker, sources.attacker},
                                     {Role::dev, sources.dev},
                                     {Role::fit, sources.fit},
                                     {Role::background, sources.background}}) {
      EXPECT_EQ(arrangement.has(role), data != nullptr) << to_text(role);
      if (data == nullptr) continue;
      EXPECT_EQ(sources.given().at(roles.at(role).source), data) << to_text(role);
      EXPECT_EQ(roles.at(role).rows.size(), data->size()) << to_text(role);
    }
  };
  const Sources all{&target, &attacker, &dev, &fit, &background};
  expect_own(cross_database(all), all);
  EXPECT_EQ(cross_database(all).disjoint, (Pairs{{Role::attacker, Role::target},
                                                 {Role::attacker, Role::dev},
                                                 {Role::target, Role::dev},
                                                 {Role::fit, Role::target},
                                                 {Role::fit, Role::attacker},
                                                 {Role::fit, Role::dev},
                                                 {Role::background, Role::target}}));
  const Sources some{.target = &target, .dev = &dev, .background = &background};
  expect_own(cross_database(some), some);
  EXPECT_EQ(cross_database(some).disjoint, (Pairs{{Role::target, Role::dev}, {Role::background, Role::target}}));
  const Sources closed{.target = &target, .fit = &fit, .background = &background};
  expect_own(closed_set(closed, "gender", 0.25, 0, 1), closed);
  EXPECT_EQ(closed_set(closed, "gender", 0.25, 0, 1).disjoint, (Pairs{{Role::fit, Role::enrol},
                                                                      {Role::fit, Role::probe},
                                                                      {Role::background, Role::enrol},
                                                                      {Role::background, Role::probe}}));
}

TEST(Arrangement, OnlyUnderAStrictProtocolAProtectionLearnsFromPeopleOfItsOwn) {
  const Dataset data = people(30, 1, "p"), background = people(14, 5, "b");
  const Sources sources{.target = &data, .background = &background};
  const Pairs attackers = {{Role::attacker, Role::dev}, {Role::attacker, Role::target}, {Role::dev, Role::target}};
  const auto pairs = [&](const char* text) {
    return privacy_evaluation(sources, parse_pep(text), "gender", 0, 1).disjoint;
  };
  Pairs loose = attackers;
  loose.emplace_back(Role::background, Role::target);
  EXPECT_EQ(pairs("PEP-TF-3-1-1"), loose);
  EXPECT_EQ(pairs("PEP-LBL-3-1-1"), loose);
  Pairs strict = attackers;
  strict.insert(strict.end(), {{Role::fit, Role::fit_dev},
                               {Role::fit, Role::target},
                               {Role::fit_dev, Role::target},
                               {Role::background, Role::target}});
  EXPECT_EQ(pairs("PEP-LBS-1-1-3"), strict);
}

TEST(Arrangement, FoldsTakeTurnsAndShareNobody) {
  const Dataset data = people(50, 1, "p");
  const Sources sources{.target = &data};
  const Arrangement arrangement = privacy_evaluation(sources, parse_pep("PEP-LBS-1-1-3"), "gender", 0, 1);
  ASSERT_EQ(arrangement.rotations.size(), 5U);
  guard(arrangement, sources);
  std::set<std::string> tested;
  for (const Roles& roles : arrangement.rotations) {
    for (const auto& name : names_of(data, roles.at(Role::target))) tested.insert(name);
    const auto fitted = names_of(data, roles.at(Role::fit));
    for (const auto& name : names_of(data, roles.at(Role::target))) EXPECT_FALSE(fitted.contains(name));
  }
  EXPECT_EQ(tested.size(), 50U);  // everybody is attacked in some rotation
  EXPECT_EQ(privacy_evaluation(sources, parse_pep("PEP-LBS-1-1-3"), "gender", 2, 1).rotations.size(), 2U);
  EXPECT_EQ(privacy_evaluation(sources, parse_pep("PEP-LBS-1-1-3"), "gender", 1, 1).rotations.size(), 1U);
}

TEST(Arrangement, InAClosedSetEverybodyIsKnown) {
  const Dataset data = people(20, 1, "p");
  const Sources sources{.target = &data};
  const Arrangement arrangement = closed_set(sources, "gender", 0.25, 0, 1);
  const Roles& roles = arrangement.rotations.front();
  EXPECT_EQ(names_of(data, roles.at(Role::probe)), names_of(data, roles.at(Role::enrol)));
  EXPECT_EQ(roles.at(Role::probe).rows.size(), 20U);  // one of four samples each
  EXPECT_FALSE(arrangement.masked_by_role);  // only techniques that mix records mask each role by itself
}

TEST(Arrangement, AClosedSetSaysWhoseSamplesAreSplit) {
  const auto said = [](const Dataset& data, const std::string& attribute, double share) {
    const Arrangement arrangement = closed_set({.target = &data}, attribute, share, 1, 1);
    return arrangement.text.substr(0, arrangement.text.find(" are "));
  };
  const Dataset data = people(20, 1, "p");
  EXPECT_EQ(said(data, "gender", 0.25), "25 % of the samples of each identity and gender");
  EXPECT_EQ(said(data, "", 0.125), "12.5 % of the samples of each identity");
  Dataset nobody = data;
  nobody.identity_column.clear();
  EXPECT_EQ(said(nobody, "gender", 0.25), "25 % of the samples of each gender");
  EXPECT_EQ(said(nobody, "", 0.25), "25 % of the samples of each kind");
}

TEST(Arrangement, RepetitionsOfAClosedSetSplitAnew) {
  const Dataset data = people(20, 1, "p");
  const Sources sources{.target = &data};
  const Arrangement once = closed_set(sources, "gender", 0.25, 0, 1),
                    thrice = closed_set(sources, "gender", 0.25, 3, 1);
  ASSERT_EQ(thrice.rotations.size(), 3U);
  EXPECT_EQ(thrice.rotations[0].at(Role::probe).rows, once.rotations[0].at(Role::probe).rows);
  EXPECT_NE(thrice.rotations[1].at(Role::probe).rows, once.rotations[0].at(Role::probe).rows);
  EXPECT_NE(thrice.rotations[1].at(Role::probe).rows, thrice.rotations[2].at(Role::probe).rows);
  for (const Roles& roles : thrice.rotations) {
    for (const std::size_t row : roles.at(Role::probe).rows) {
      const auto& known = roles.at(Role::enrol).rows;
      EXPECT_FALSE(std::binary_search(known.begin(), known.end(), row));
    }
  }
}

TEST(Arrangement, SomePeopleAreChosenAnewInEveryRepetition) {
  const Dataset data = people(20, 1, "p"), others = people(5, 2, "o");
  const Sources sources{.target = &data, .background = &others};
  const Arrangement all = closed_set(sources, "gender", 0.25, 3, 1);
  const Arrangement some = only_people(all, sources, {.count = 3}, 1);
  std::set<std::set<std::string>> choices;
  for (const Roles& roles : some.rotations) {
    const auto chosen = names_of(data, roles.at(Role::probe));
    EXPECT_EQ(chosen.size(), 3U);
    EXPECT_EQ(names_of(data, roles.at(Role::enrol)), chosen);
    EXPECT_EQ(names_of(data, roles.at(Role::whole)), chosen);
    EXPECT_EQ(roles.at(Role::background).rows.size(), 20U);  // they are other people
    choices.insert(chosen);
  }
  EXPECT_EQ(choices.size(), 3U);
  EXPECT_EQ(names_of(data, only_people(all, sources, {.share = 0.5}, 1).rotations[1].at(Role::probe)).size(), 10U);
  EXPECT_EQ(only_people(all, sources, {}, 1).rotations[2].at(Role::enrol).rows, all.rotations[2].at(Role::enrol).rows);
  EXPECT_THROW(only_people(all, sources, {.count = 21}, 1), Error);
  EXPECT_THROW(only_people(all, sources, {.share = 0.01}, 1), Error);
}

TEST(Arrangement, InFoldsTheSamePeopleAreChosenForAllRotations) {
  const Dataset data = people(50, 1, "p");
  const Sources sources{.target = &data};
  const Arrangement folds = privacy_evaluation(sources, parse_pep("PEP-TF-3-1-1"), "gender", 0, 1);
  const Arrangement some = only_people(folds, sources, {.share = 0.5}, 1);
  std::set<std::string> tested;
  for (const Roles& roles : some.rotations) {
    const auto targets = names_of(data, roles.at(Role::target)), attackers = names_of(data, roles.at(Role::attacker));
    for (const auto& name : targets) EXPECT_FALSE(attackers.contains(name));
    tested.insert(targets.begin(), targets.end());
  }
  EXPECT_EQ(tested.size(), 25U);
  EXPECT_THROW(only_people(folds, sources, {.count = 2}, 1), Error);  // five folds cannot have one of two people each
  // A protection learns from whom it learned from before.
  const Arrangement strict = privacy_evaluation(sources, parse_pep("PEP-LBS-1-1-3"), "gender", 0, 1);
  const Arrangement few = only_people(strict, sources, {.share = 0.5}, 1);
  EXPECT_EQ(few.rotations[1].at(Role::fit).rows, strict.rotations[1].at(Role::fit).rows);
  EXPECT_EQ(few.rotations[1].at(Role::fit_dev).rows, strict.rotations[1].at(Role::fit_dev).rows);
  EXPECT_LT(few.rotations[1].at(Role::dev).rows.size(), strict.rotations[1].at(Role::dev).rows.size());
}

TEST(Arrangement, WhoIsNotNamedTwiceCannotBeChosen) {
  const Dataset data = people(20, 1, "p");
  std::vector<std::size_t> firsts;
  for (std::size_t row = 0; row < data.size(); row += 4) firsts.push_back(row);
  const Dataset once = data.select(firsts);
  Dataset nobody = data;
  nobody.identity_column.clear();
  const auto chosen = [](const Arrangement& arrangement, const Dataset& from) {
    return only_people(arrangement, {.target = &from}, {.count = 3}, 1).rotations[0].at(Role::whole).rows.size();
  };
  EXPECT_EQ(chosen(closed_set({.target = &data}, "", 0.25, 1, 1), data), 12U);
  EXPECT_THROW(chosen(closed_set({.target = &once}, "", 0.25, 1, 1), once), Error);
  EXPECT_EQ(chosen(cross_database({.target = &once}), once), 3U);
  EXPECT_THROW(chosen(cross_database({.target = &nobody}), nobody), Error);
}

TEST(Arrangement, AcrossDataBasesAttackersKeepTheirPeople) {
  const Dataset target = people(10, 1, "t"), attacker = people(12, 2, "a");
  const Sources sources{.target = &target, .attacker = &attacker};
  const Arrangement some = only_people(cross_database(sources), sources, {.count = 4}, 1);
  EXPECT_EQ(names_of(target, some.rotations[0].at(Role::target)).size(), 4U);
  EXPECT_EQ(names_of(attacker, some.rotations[0].at(Role::attacker)).size(), 12U);
}

}  // namespace
}  // namespace bauta
