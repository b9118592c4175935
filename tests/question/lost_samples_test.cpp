// Samples that are lost when they are masked, and what is left to learn from: nothing is read off what is not there.
#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/protocol/subject_parts.hpp"
#include "bauta/question/estimate.hpp"
#include "bauta/question/similarity.hpp"
#include "linkage.hpp"
#include "utility.hpp"

namespace bauta {
namespace {

Dataset data_of(const std::vector<std::string>& gender, const std::vector<std::vector<float>>& rows,
                const std::vector<std::string>& failed) {
  Dataset data;
  data.origin = "hand";
  data.labels = LabelTable("hand", gender.size());
  data.labels.add_column("gender", gender);
  if (!failed.empty()) data.labels.add_column("failed", failed);
  Matrix<float> x(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], x.row(i).begin());
  data.templates = Templates(std::move(x));
  return data;
}

// F is the most frequent class of the training part, so that F is what is said where there is nothing to read: of F, M,
// M, M with the second and third lost, two are right.
TEST(LostSamples, AreReadAsTheMostFrequentClass) {
  std::vector<std::string> gender;
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 30; ++i) {
    gender.emplace_back(i % 3 == 0 ? "M" : "F");
    rows.push_back({(i % 3 == 0 ? 5.0F : -5.0F) + 0.01F * static_cast<float>(i), static_cast<float>(i % 7)});
  }
  const Dataset train = data_of(gender, rows, {});
  const std::vector<std::string> truth = {"F", "M", "M", "M"};
  const std::vector<std::vector<float>> judged = {{-5, 1}, {5, 2}, {5, 3}, {5, 4}};
  const AttributeReaders readers(train, data_of(truth, judged, {}), {.attributes = {"gender"}, .bootstrap = 0});
  const Json whole = readers.read(data_of(truth, judged, {"0", "0", "0", "0"}), nullptr).values["attributes"][0];
  EXPECT_EQ(whole["accuracy"], 1.0);
  // The rows that are lost hold what would be read rightly, and must not be looked at.
  const Dataset lost = data_of(truth, judged, {"0", "1", "1", "0"});
  EXPECT_EQ(readers.read(lost, nullptr).values["attributes"][0]["accuracy"], 0.5);
  EXPECT_EQ(readers.read(lost, nullptr).values["attributes"][0]["clear"]["accuracy"], 1.0);
  // Who learns anew learns from what is there: with all M lost, everything is F.
  std::vector<std::string> without;
  for (const std::string& one : gender) without.emplace_back(one == "M" ? "1" : "0");
  const Dataset thinned = data_of(gender, rows, without);
  EXPECT_EQ(readers.read(lost, &thinned).values["attributes"][0]["retrained"]["accuracy"], 0.25);
}

// Four originals at right angles, and the records equal them. Two are lost and are found by a guess among four.
TEST(LostSamples, AreFoundByGuessing) {
  const std::vector<std::vector<float>> rows = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  const Dataset originals = data_of({"F", "F", "M", "M"}, rows, {});
  // Lost rows are zero, which has no direction to compare.
  const std::vector<std::vector<float>> made = {{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};
  const Dataset records = data_of({"F", "F", "M", "M"}, made, {"0", "1", "0", "1"});
  const LinkageRun run{.attribute = "gender", .bootstrap = 0};
  const Json values = run_linkage({originals, originals, records}, run).values;
  EXPECT_EQ(values["exact_copies"], 2);
  ASSERT_EQ(values["attackers"].size(), 1U);
  EXPECT_NEAR(values["attackers"][0]["mixture"], 1 - (2 + 2 * 0.25) / 4, 1e-12);
  EXPECT_NEAR(values["attackers"][0]["clear"]["mixture"], 0, 1e-12);
  const std::vector<std::vector<float>> none(4, std::vector<float>(4, 0.0F));
  const Dataset nothing = data_of({"F", "F", "M", "M"}, none, {"1", "1", "1", "1"});
  EXPECT_NEAR(run_linkage({originals, originals, nothing}, run).values["attackers"][0]["mixture"], 0.75, 1e-12);
}

// All men of the attacker's data are lost: one class is left, and whoever knows one class tells nothing by naming it.
TEST(LostSamples, LeaveTwoClassesOrNothingIsClaimed) {
  SynthOptions options;
  options.identities = 40;
  options.samples = 1;
  options.dim = 8;
  options.attributes = {{"gender", 3, {"F", "M"}, {0.5, 0.5}}};
  const Dataset all = synthesize_templates(options).dataset;
  Dataset train = subject_part(all, {1, 2});
  const Dataset test = subject_part(all, {2, 2});
  std::vector<std::string> failed;
  for (const std::string& gender : train.labels.column("gender")) failed.emplace_back(gender == "M" ? "1" : "0");
  train.labels.add_column("failed", failed);
  EstimateRun estimate;
  estimate.attribute = "gender";
  SimilarityRun similarity;
  similarity.attribute = "gender";
  const auto refused = [](const auto& attack) {
    try {
      (void)attack();
    } catch (const Error& error) {
      return error.finding;
    }
    return std::string();
  };
  const std::string expected = "share 1 class(es) of 'gender': [F] against [F, M]";
  EXPECT_EQ(refused([&] { return run_estimate(train, test, estimate); }), expected);
  EXPECT_EQ(refused([&] { return run_similarity_attack(train, test, similarity); }), expected);
}

}  // namespace
}  // namespace bauta
