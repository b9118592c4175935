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
}

TEST(Arrangement, InAClosedSetEverybodyIsKnown) {
  const Dataset data = people(20, 1, "p");
  const Sources sources{.target = &data};
  const Arrangement arrangement = closed_set(sources, "gender", 0.25, 0, 1);
  const Roles& roles = arrangement.rotations.front();
  EXPECT_EQ(names_of(data, roles.at(Role::probe)), names_of(data, roles.at(Role::enrol)));
  EXPECT_EQ(roles.at(Role::probe).rows.size(), 20U);  // one of four samples each
  EXPECT_TRUE(arrangement.masked_by_role);
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
