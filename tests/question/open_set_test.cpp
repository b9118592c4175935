// Searches for people who may not be enrolled: what the threshold is on, and who counts.
#include <set>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/question/question.hpp"
#include "people.hpp"

namespace bauta {
namespace {

/// A closed set of templates: enrolled samples and probes.
class Given : public Views {
 public:
  Given(Dataset enrolled, Dataset probes) : enrolled_(std::move(enrolled)), probes_(std::move(probes)) {
    arrangement_.rotations = {{{Role::enrol, {}}, {Role::probe, {}}}};
  }
  [[nodiscard]] const Arrangement& arrangement() const override { return arrangement_; }
  [[nodiscard]] Dataset clear(Role role, std::size_t) const override {
    return role == Role::enrol ? enrolled_ : probes_;
  }
  [[nodiscard]] Dataset view(const Recipe& recipe, std::size_t rotation) override {
    return clear(recipe.role, rotation);
  }
  [[nodiscard]] std::string digest(const Recipe&) const override { return {}; }
  [[nodiscard]] const ResolvedProtection& technique(const std::string&, std::size_t, const Representation&) override {
    throw_usage("technique", "is not asked for");
  }
  [[nodiscard]] Json remember(const Json&, const std::vector<Recipe>&, const std::function<Json()>& compute) override {
    return compute();
  }
  [[nodiscard]] std::uint64_t seed() const override { return seed_; }
  [[nodiscard]] std::uint64_t memory() const override { return 1 << 20; }

  std::uint64_t seed_ = 1;

 private:
  Dataset enrolled_, probes_;
  Arrangement arrangement_;
};

Answer searched(Views& views, const std::string& recogniser, double share, const std::vector<double>& fpir) {
  for (const auto& question : questions()) {
    if (question->declaration().name != "open-set") continue;
    const Json parameters = {
        {"open_set", share}, {"fpir", fpir}, {"recogniser", recogniser}, {"temperature", 1.0}, {"bootstrap", 0}};
    return question->answer({{}, parameters, {{Role::enrol}, {Role::probe}}}, views);
  }
  throw std::runtime_error("nobody asks");
}

/// Two pairs of people 50 apart, far from each other, of covariance I; ten probes of each lie at 10, 20 ... 100 at
/// right angles to that.
struct Pairs {
  std::vector<std::string> names, probed;
  std::vector<std::vector<float>> rows, probes;

  Pairs() {
    for (const auto& [name, x] : {std::pair{"a", 0.F}, {"b", 50.F}, {"c", 200.F}, {"d", 250.F}}) {
      for (const float side : {-1.F, 1.F}) {
        for (const float up : {-1.F, 1.F}) {
          names.emplace_back(name);
          rows.push_back({x + side, up});
        }
      }
      for (int k = 1; k <= 10; ++k) {
        probed.emplace_back(name);
        probes.push_back({x, 10.F * static_cast<float>(k)});
      }
    }
  }
};

// Whoever is left out has a nearest neighbour at 50, so their scores go by sqrt(50^2 + (10 k)^2) = 51.0, 53.9, 58.3,
// 64.0, 70.7, 78.1 ... and those of the enrolled by 10 k. One alarm in ten: up to 53.9, misses from 60 on, five of ten.
// Five alarms: up to 78.1, misses from 80 on, three of ten. Whoever is not missed is found. Every posterior is rounded
// to 1 (the log-odds are 50^2 / 2 and more), and log-odds themselves are the greater for those left out, (150^2 - 50^2)
// / 2 at least: with these everybody would be missed.
TEST(OpenSetSearches, AreToldApartWherePosteriorsAreCertain) {
  const Pairs pairs;
  Given views(people(pairs.names, pairs.rows), people(pairs.probed, pairs.probes));
  for (views.seed_ = 1; views.seed_ <= 5; ++views.seed_) {  // whoever is left out
    const Answer answer = searched(views, "lda:shrinkage=0", 0.25, {0.1, 0.5});
    EXPECT_EQ(answer.values["searches"], 30);
    EXPECT_EQ(answer.values["searches_for_others"], 10);
    ASSERT_EQ(answer.findings.size(), 2U);
    EXPECT_EQ(answer.findings[0].measure, "enrolled people found at 10 % false alarms");
    EXPECT_NEAR(answer.findings[0].value, 0.5, 1e-12);
    EXPECT_NEAR(answer.findings[1].value, 0.7, 1e-12);
    EXPECT_NEAR(answer.values["points"][1]["fnir"].get<double>(), 0.3, 1e-12);
    // Three people are enrolled: whoever raises as many alarms blindly names the right one in every third.
    EXPECT_EQ(answer.findings[1].worse, Worse::higher);
    EXPECT_NEAR(answer.findings[1].chance.value(), 0.5 / 3, 1e-12);
    EXPECT_EQ(answer.findings[1].certainty, 1);
    EXPECT_NEAR(answer.values["points"][1]["actual_fpir"].get<double>(), 0.5, 1e-12);
  }
}

// Nothing of a was left to enrol. Where a is not among those left out, the ten probes of a stay among thirty searches,
// and even who raises every alarm misses them.
TEST(OpenSetSearches, WhoCannotBeEnrolledIsMissed) {
  const Pairs pairs;
  Dataset enrolled = people(pairs.names, pairs.rows);
  std::vector<std::string> failed;
  for (const std::string& name : pairs.names) failed.emplace_back(name == "a" ? "1" : "0");
  enrolled.labels.add_column("failed", failed);
  Given views(enrolled, people(pairs.probed, pairs.probes));
  std::set<int> counts;
  for (views.seed_ = 1; views.seed_ <= 8; ++views.seed_) {
    const Answer answer = searched(views, "lda:shrinkage=0", 0.25, {1});
    const int known = answer.values["enrolled_people"];
    EXPECT_EQ(answer.values["searches"], 30);
    EXPECT_NEAR(answer.findings.at(0).value, known == 3 ? 1 : 2.0 / 3, 1e-12);
    counts.insert(known);
  }
  EXPECT_EQ(counts, (std::set<int>{2, 3}));
}

// Behind a mask of which nothing comes nobody is searched for, no alarm is raised, and nobody is found.
TEST(OpenSetSearches, WhereNobodyAnswersNoAlarmIsRaised) {
  const Pairs pairs;
  Dataset enrolled = people(pairs.names, pairs.rows), probes = people(pairs.probed, pairs.probes);
  for (Dataset* data : {&enrolled, &probes}) {
    data->provenance = Provenance{"gaussian-blur", "", {}};
  }
  Dataset lost = enrolled, unseen = probes;
  lost.labels.add_column("failed", std::vector<std::string>(enrolled.size(), "1"));
  unseen.labels.add_column("failed", std::vector<std::string>(probes.size(), "1"));
  for (const auto& [known, asked] : {std::pair{enrolled, unseen}, {lost, probes}, {lost, unseen}}) {
    Given views(known, asked);
    const Answer answer = searched(views, "nearest", 0.25, {0.5});
    EXPECT_EQ(answer.values["searches"], 30);
    EXPECT_EQ(answer.values["searches_for_others"], 10);
    EXPECT_EQ(answer.values["points"][0]["fnir"], 1.0);
    EXPECT_EQ(answer.values["points"][0]["actual_fpir"], 0.0);
    EXPECT_EQ(answer.values["remarks"].size(), 1U);
    EXPECT_TRUE(answer.findings.empty());  // nobody is found because no alarm can be raised
  }
}

}  // namespace
}  // namespace bauta
