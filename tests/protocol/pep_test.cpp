// Privacy evaluation protocols: notation, who may be evaluated under which, and the parts of each rotation.
#include "bauta/protocol/pep.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "small_dataset.hpp"

namespace bauta {
namespace {

Dataset crowd(std::size_t subjects, std::size_t samples) {
  std::vector<std::string> identities, gender;
  for (std::size_t i = 0; i < subjects * samples; ++i) {
    identities.push_back("p" + std::to_string(i % subjects));
    gender.emplace_back(i % subjects % 2 == 0 ? "F" : "M");
  }
  return small_dataset("crowd", identities, gender, 0);
}

std::set<std::string> people(const Dataset& dataset, const std::vector<std::size_t>& rows) {
  std::set<std::string> names;
  for (const std::size_t row : rows) names.insert(dataset.labels.column("identity")[row]);
  return names;
}

bool share(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& name) { return b.contains(name); });
}

TEST(Pep, NotationOfThePaper) {
  const Pep pep = parse_pep("PEP-LBS-2-1-2");  // the example of its section IV-A
  EXPECT_EQ(pep.kind, PepKind::lbs);
  EXPECT_EQ(pep.train, 2U);
  EXPECT_EQ(pep.dev, 1U);
  EXPECT_EQ(pep.test, 2U);
  EXPECT_EQ(pep.folds(), 5U);
  for (const char* text : {"PEP-LBS-2-1-2", "PEP-LBL-10-2-3", "PEP-TF-1-1-1"}) {
    EXPECT_EQ(to_text(parse_pep(text)), text);
  }
  EXPECT_EQ(to_text(PepKind::tf), "PEP-TF");
  EXPECT_EQ(parse_pep("PEP-TF-1000-1-1").train, 1000U);
  EXPECT_EQ(parse_pep(std::string_view("PEP-TF-3-1-12").substr(0, 12)).test, 1U);  // what follows is not looked at
}

TEST(Pep, RefusesWhatIsNoProtocol) {
  for (const char* text :
       {"", "PEP", "PEP-TF", "PEP-TF-3-1", "PEP-TF-3-1-0", "PEP-TF-3-0-1", "PEP-TF-0-1-1", "PEP-TF-1001-1-1",
        "PEP-TF-3-1-1-1", "PEP-TF-3-1-1 ", "PEP-LB-3-1-1", "PEP-TF-3--1-1", "PEP-TF-3--1", "PEP-TF-3-1-",
        "PEP-TF-a-1-1", "PEP-TF-18446744073709551615-1-1", "PEP-LBSX-1-1-1"}) {
    try {
      (void)parse_pep(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::usage);
      EXPECT_NE(error.finding.find("each at least 1"), std::string::npos) << error.finding;
    }
  }
}

TEST(Pep, WarnsOfASmallStrictTest) {
  ASSERT_EQ(pep_warnings(parse_pep("PEP-LBS-2-1-2")).size(), 1U);
  EXPECT_TRUE(pep_warnings(parse_pep("PEP-LBS-2-1-2"))[0].starts_with("PEP-LBS-2-1-2 has 2 folds for D_test"));
  EXPECT_TRUE(pep_warnings(parse_pep("PEP-LBS-2-1-1")).at(0).starts_with("PEP-LBS-2-1-1 has 1 fold for D_test"));
  EXPECT_TRUE(pep_warnings(parse_pep("PEP-LBS-2-1-3")).empty());
  EXPECT_TRUE(pep_warnings(parse_pep("PEP-LBL-2-1-1")).empty());
  EXPECT_TRUE(pep_warnings(parse_pep("PEP-TF-2-1-1")).empty());
}

TEST(Pep, LearningAndTrainingFreeProtectionsHaveTheirOwnProtocols) {
  Declaration learning{.name = "ive", .paper = "", .doc = "", .medium = "template", .learns = true};
  Declaration free{.name = "pe-miu", .paper = "", .doc = "", .medium = "template"};
  Declaration none{.name = "none", .paper = "", .doc = "", .medium = "template", .masks = false};
  const auto suits = [](const char* protocol, const Declaration& technique) {
    try {
      require_suits(parse_pep(protocol), technique);
      return true;
    } catch (const Error& error) {
      EXPECT_NE(error.finding.find(technique.name), std::string::npos);
      return false;
    }
  };
  for (const char* protocol : {"PEP-LBS-2-1-3", "PEP-LBL-2-1-1"}) {
    EXPECT_TRUE(suits(protocol, learning));
    EXPECT_FALSE(suits(protocol, free));
    EXPECT_TRUE(suits(protocol, none));
  }
  EXPECT_FALSE(suits("PEP-TF-3-1-1", learning));
  EXPECT_TRUE(suits("PEP-TF-3-1-1", free));
  EXPECT_TRUE(suits("PEP-TF-3-1-1", none));
}

TEST(Pep, TrainingFreeRotationTestsEverySampleOnce) {
  const Dataset data = crowd(23, 2);
  const Pep pep = parse_pep("PEP-TF-2-1-1");
  const Folds folds = subject_folds(data, "gender", pep.folds(), 5);
  const auto rotations = pep_rotations(pep, data, folds, "gender", 5);
  ASSERT_EQ(rotations.size(), 4U);
  std::vector<int> tested(data.size());
  for (std::size_t r = 0; r < 4; ++r) {
    const PepParts& parts = rotations[r];
    EXPECT_TRUE(parts.fit.empty() && parts.fit_dev.empty());
    // Rotation r begins with fold r: train r, r + 1; dev r + 2; test r + 3.
    for (const std::size_t row : parts.train) {
      EXPECT_TRUE(folds.of_row[row] == static_cast<int>(r) || folds.of_row[row] == static_cast<int>((r + 1) % 4));
    }
    for (const std::size_t row : parts.dev) EXPECT_EQ(folds.of_row[row], static_cast<int>((r + 2) % 4));
    for (const std::size_t row : parts.test) EXPECT_EQ(folds.of_row[row], static_cast<int>((r + 3) % 4));
    EXPECT_EQ(parts.train.size() + parts.dev.size() + parts.test.size(), data.size());
    for (const std::size_t row : parts.test) ++tested[row];
  }
  EXPECT_EQ(tested, std::vector<int>(data.size(), 1));
}

TEST(Pep, LooseProtocolTrainsOnWhatTheProtectionLearnedFrom) {
  const Dataset data = crowd(20, 2);
  const Pep pep = parse_pep("PEP-LBL-2-1-2");
  for (const auto& parts : pep_rotations(pep, data, subject_folds(data, "gender", 5, 1), "gender", 1)) {
    EXPECT_EQ(parts.fit, parts.train);
    EXPECT_EQ(parts.fit_dev, parts.dev);
    EXPECT_FALSE(share(people(data, parts.train), people(data, parts.test)));
    EXPECT_FALSE(share(people(data, parts.train), people(data, parts.dev)));
    EXPECT_FALSE(share(people(data, parts.dev), people(data, parts.test)));
  }
}

TEST(Pep, StrictProtocolUsesNobodyTwice) {
  const Dataset data = crowd(60, 2);
  for (const char* text : {"PEP-LBS-2-1-3", "PEP-LBS-1-1-6", "PEP-LBS-2-1-2", "PEP-LBS-1-1-1"}) {
    const Pep pep = parse_pep(text);
    const Folds folds = subject_folds(data, "gender", pep.folds(), 3);
    const auto rotations = pep_rotations(pep, data, folds, "gender", 3);
    ASSERT_EQ(rotations.size(), pep.folds());
    for (const PepParts& parts : rotations) {
      std::map<std::string, int> seen;
      for (const auto* rows : {&parts.fit, &parts.fit_dev, &parts.train, &parts.dev, &parts.test}) {
        for (const auto& name : people(data, *rows)) ++seen[name];
        EXPECT_TRUE(std::is_sorted(rows->begin(), rows->end()));
        EXPECT_EQ(people(data, *rows).size() * 2, rows->size());  // whole subjects
      }
      EXPECT_EQ(seen.size(), 60U) << text;
      for (const auto& [name, count] : seen) EXPECT_EQ(count, 1) << name;
      // The thirds are alike, and so are their genders.
      for (const auto* rows : {&parts.train, &parts.dev, &parts.test}) {
        const double expected = 120.0 * static_cast<double>(pep.test) / static_cast<double>(pep.folds()) / 3;
        EXPECT_NEAR(static_cast<double>(rows->size()), expected, 8) << text;
        const auto females = std::count_if(rows->begin(), rows->end(), [&](std::size_t row) { return row % 2 == 0; });
        EXPECT_NEAR(static_cast<double>(females), expected / 2, 4) << text;
      }
    }
  }
  // Whole folds: with PEP-LBS-2-1-3, rotation 0 tests on fold 5 only.
  const Folds folds = subject_folds(data, "gender", 6, 3);
  EXPECT_EQ(pep_rotations(parse_pep("PEP-LBS-2-1-3"), data, folds, "gender", 3)[0].test, folds.rows(5));
}

TEST(Pep, AStrictTestWithTooFewSubjectsIsNamed) {
  const Dataset data = crowd(12, 1);  // 6 of each gender, 4 folds: 1 or 2 in a fold, 3 are needed
  const Pep pep = parse_pep("PEP-LBS-2-1-1");
  try {
    (void)pep_rotations(pep, data, subject_folds(data, "gender", 4, 1), "gender", 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "crowd, D_test of rotation 1");
    EXPECT_NE(error.finding.find("too few for 3 folds"), std::string::npos);
  }
}

TEST(Pep, ContinuousAttributeStaysOneInASmallPart) {
  // 24 ages, but a part of the folds has fewer than 21 values, which alone would be read as classes.
  Dataset data = crowd(24, 2);
  std::vector<std::string> age;
  for (std::size_t i = 0; i < data.size(); ++i) age.push_back(std::to_string(20 + i % 24));
  data.labels.add_column("age", age);
  const auto rotations = pep_rotations(parse_pep("PEP-LBS-1-1-1"), data, subject_folds(data, "age", 3, 1), "age", 1);
  EXPECT_EQ(rotations.size(), 3U);
}

}  // namespace
}  // namespace bauta
