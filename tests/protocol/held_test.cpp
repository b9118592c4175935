// Who is drawn for which part, as it was on 2026-11-16: a run that was started before must find the same people again.
#include "../held.hpp"

#include "bauta/core/random.hpp"
#include "bauta/protocol/arrangement.hpp"
#include "bauta/protocol/attacker_database.hpp"
#include "bauta/protocol/closed_set.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/protocol/pep.hpp"
#include "bauta/protocol/release_sample.hpp"
#include "bauta/protocol/selection.hpp"
#include "bauta/protocol/subject_folds.hpp"
#include "bauta/protocol/subject_parts.hpp"
#include "small_dataset.hpp"

namespace bauta {
namespace {

/// 25 people with 1 to 6 samples, of two genders and 25 ages.
Dataset crowd() {
  std::vector<std::string> identities, gender, age;
  for (std::size_t i = 0; i < 25; ++i) {
    for (std::size_t k = 0; k < 1 + i * i % 6; ++k) {
      identities.push_back("p" + std::to_string(i));
      gender.emplace_back(i % 5 < 2 ? "M" : "F");
      age.push_back(std::to_string(20 + 7 * i % 50));
    }
  }
  Dataset data = small_dataset("crowd", identities, gender, 0);
  data.labels.add_column("age", age);
  return data;
}

TEST(HeldDraws, OfPeopleAndSamples) {
  const Dataset data = crowd();
  test::expect_held(
      {
          {"folds by gender", 0.802818068},
          {"folds by age", -0.251543015},
          {"thirds of a strict test", -3.19750303},
          {"attacker's data base", 17.0674677},
          {"closed set", -11.363668},
          {"repeated closed set", -1.77952769},
          {"part 2/4", -6.42022912},
          {"seven people", 26.9954698},
          {"attacker's data base of ages", 6.00254862},
          {"closed set of single samples", -15.6828488},
          {"people in folds", -6.08878368},
          {"release", 1.59902392},
          {"parts of a release", 3.58870666},
          {"one of several copies", 0.540302306},
      },
      [&](const std::string& what) {
        std::vector<double> values;
        const auto add = [&](const auto& more) { values.insert(values.end(), more.begin(), more.end()); };
        if (what == "folds by gender") add(subject_folds(data, "gender", 4, 9).of_row);
        if (what == "folds by age") add(subject_folds(data, "age", 4, 9).of_row);
        if (what == "thirds of a strict test") {
          const Pep pep = parse_pep("PEP-LBS-1-1-1");
          for (const auto& parts : pep_rotations(pep, data, subject_folds(data, "gender", 3, 9), "gender", 9)) {
            for (const auto* rows : {&parts.fit, &parts.fit_dev, &parts.train, &parts.dev, &parts.test}) add(*rows);
          }
        }
        if (what == "attacker's data base") add(attacker_database(data, "gender", 9).rows);
        if (what == "closed set") add(closed_set_split(data, "gender", 0.3, 9).test);
        if (what == "repeated closed set") {
          for (const auto& roles : closed_set({.target = &data}, "gender", 0.3, 3, 9).rotations) {
            add(roles.at(Role::probe).rows);
          }
        }
        if (what == "part 2/4") {
          const Dataset part = subject_part(data, {2, 4});
          for (const auto& name : part.labels.column("identity")) {
            values.push_back(std::stod(name.substr(1)));
          }
        }
        if (what == "seven people") {
          std::vector<std::string> people;
          for (char name = 'a'; name < 'z'; ++name) people.emplace_back(1, name);
          for (const auto& name : selected({.by = "random", .count = 7}, people, 9, 2)) values.push_back(name[0]);
        }
        if (what == "attacker's data base of ages") {
          Dataset aging = data;  // everybody has samples of both
          std::vector<std::string> age(data.size());
          for (std::size_t row = 0; row < age.size(); ++row) age[row] = row % 2 == 0 ? "old" : "young";
          aging.labels.replace_column("age", age);
          add(attacker_database(aging, "age", 9).rows);
        }
        if (what == "closed set of single samples") {
          Dataset nobody = data;
          nobody.identity_column.clear();
          add(closed_set_split(nobody, "gender", 0.3, 9).test);
        }
        if (what == "people in folds") {
          const Sources sources{.target = &data};
          const Arrangement folds = privacy_evaluation(sources, parse_pep("PEP-TF-1-1-1"), "gender", 1, 9);
          add(only_people(folds, sources, {.share = 0.6}, 9).rotations[0].at(Role::whole).rows);
        }
        const ReleaseSample release = release_sample(data, "gender", 9, 50);
        if (what == "release") add(release.rows);
        if (what == "parts of a release") {
          for (const auto* part : {&release.learn, &release.search, &release.evidence}) add(*part);
        }
        if (what == "one of several copies") {
          const Dataset once = small_dataset("once", {"a"}, {"F"}, 1);
          Dataset often = small_dataset("often", std::vector<std::string>(30, "b"), std::vector<std::string>(30), 1);
          often.templates = once.templates.select(std::vector<std::size_t>(30, 0));
          values.push_back(static_cast<double>(near_duplicates(once, often).at(0).row_b));
        }
        return values;
      });
}

}  // namespace
}  // namespace bauta
