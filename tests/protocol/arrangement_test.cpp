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
  const Arrangement arrangement = closed_set(sources, "gender", 0.25, 1);
  const Roles& roles = arrangement.rotations.front();
  EXPECT_EQ(names_of(data, roles.at(Role::probe)), names_of(data, roles.at(Role::enrol)));
  EXPECT_EQ(roles.at(Role::probe).rows.size(), 20U);  // one of four samples each
  EXPECT_TRUE(arrangement.masked_by_role);
  const Arrangement some = only_people(arrangement, sources, {"p1", "p2", "p3"});
  EXPECT_LE(names_of(data, some.rotations[0].at(Role::enrol)).size(), 3U);
}

}  // namespace
}  // namespace bauta
