#include "score_sources.hpp"

#include <fstream>
#include <map>
#include <mutex>
#include <tuple>

#include <gtest/gtest.h>

#include "bauta/data/synth_templates.hpp"

namespace bauta {
namespace {

Dataset population() {
  SynthOptions options;
  options.identities = 40;
  options.samples = 3;
  options.dim = 16;
  return synthesize_templates(options).dataset;
}

using Scores = std::multiset<std::tuple<std::uint32_t, std::uint32_t, float>>;

Scores collect(const ScoreSource<float>& source) {
  Scores scores;
  std::mutex mutex;
  source.scan([&](const ScoreBatch<float>& batch, int) {
    const std::scoped_lock lock(mutex);
    for (std::size_t i = 0; i < batch.scores.size(); ++i) {
      if (batch.mated.empty()) {
        scores.insert({batch.probe_subjects[i], batch.reference_subjects[i], batch.scores[i]});
      } else {
        scores.insert({batch.mated[i], 0, batch.scores[i]});
      }
    }
  });
  return scores;
}

/// Cosine that asks for its scores to be stored.
class Stored : public Comparator {
 public:
  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side side,
                                          const std::string& where) const override {
    return cosine_->prepare(templates, side, where);
  }
  void tile(const Prepared& p, RowRange pr, const Prepared& r, RowRange rr, MatrixView<float> scores) const override {
    ++tiles;
    cosine_->tile(p, pr, r, rr, scores);
  }
  [[nodiscard]] std::size_t probe_tile() const override { return 7; }
  [[nodiscard]] std::size_t reference_tile() const override { return 11; }
  [[nodiscard]] bool worth_storing() const override { return true; }
  mutable std::atomic<int> tiles{0};

 private:
  std::unique_ptr<Comparator> cosine_ = make_comparator("cosine");
};

TEST(EngineSource, YieldsEachPairOnceInEveryScan) {
  const Dataset data = population();
  const auto cosine = make_comparator("cosine");
  const EngineSource source(data, *cosine);
  const Scores scores = collect(source);
  EXPECT_EQ(scores.size(), 120U * 119 / 2);
  EXPECT_EQ(collect(source), scores);
}

TEST(EngineSource, StoredScoresAreThoseComputed) {
  const Dataset data = population();
  const Stored comparator;
  const EngineSource source(data, comparator);
  const Scores first = collect(source);
  const int tiles = comparator.tiles;
  EXPECT_EQ(collect(source), first);
  EXPECT_EQ(comparator.tiles, tiles) << "the second scan must read, not compare";
  EXPECT_EQ(first.size(), 120U * 119 / 2);
}

TEST(AttributePairs, SplitsNonMatedPairsByClass) {
  const Dataset data = population();
  const auto cosine = make_comparator("cosine");
  const EngineSource source(data, *cosine);
  std::vector<std::int32_t> classes(120);
  for (std::size_t i = 0; i < 120; ++i) classes[i] = i / 3 == 0 ? -1 : static_cast<std::int32_t>(i / 3 % 2);
  std::map<std::uint32_t, std::size_t> counts;
  for (const auto& [same, unused, score] : collect(AttributePairs(source, {classes, classes}))) ++counts[same];
  // 39 subjects with a class: 19 of class 0, 20 of class 1; 3 x 3 sample pairs for each pair of subjects.
  EXPECT_EQ(counts[1], (19U * 18 / 2 + 20 * 19 / 2) * 9);
  EXPECT_EQ(counts[0], 19U * 20 * 9);
}

/// Classes that change from sample to sample: 0, 1, none.
Dataset with_moods(Dataset data) {
  std::vector<std::string> mood;
  for (std::size_t row = 0; row < data.size(); ++row) mood.push_back(row % 3 == 2 ? "" : row % 3 == 0 ? "glad" : "sad");
  data.labels.add_column("mood", std::move(mood));
  return data;
}

// 40 people, each with a sample that is glad, one that is sad and one of which nothing is known. Of two people's nine
// pairs two share a mood and two do not, whichever source they come from; with itself no sample is compared.
TEST(AttributePairs, SamplesHaveClassesNotPeople) {
  const std::vector<Dataset> parts = {with_moods(population())};
  const auto cosine = make_comparator("cosine");
  const Stored stored;
  const EngineSource again(parts[0], stored);
  (void)collect(again);  // the next scan reads
  const std::size_t pairs = 40 * 39 / 2;
  const auto counted = [&](const NamedSource& source, std::span<const Dataset> both) {
    std::map<std::uint32_t, std::size_t> counts;
    for (const auto& [same, unused, score] : collect(AttributePairs(source, classes_of(both, both, "mood")))) {
      ++counts[same];
    }
    return std::pair(counts[1], counts[0]);
  };
  EXPECT_EQ(counted(EngineSource(parts[0], *cosine), parts), std::pair(2 * pairs, 2 * pairs));
  EXPECT_EQ(counted(again, parts), std::pair(2 * pairs, 2 * pairs));
  const CrossSource with_itself(parts[0], parts[0], *cosine, CrossSource::Samples::same);
  EXPECT_EQ(counted(with_itself, parts), std::pair(4 * pairs, 4 * pairs));
  // Two parts in a pool: numbers of samples go on where the first part ends.
  const std::vector<Dataset> halves = {parts[0].select({0, 1, 2, 3, 4, 5}), parts[0].select({6, 8, 7, 9, 11, 10, 14})};
  // In the second, of three people, two have three samples and one has the unknown one only.
  EXPECT_EQ(counted(PooledSource(halves, *cosine), halves), std::pair(std::size_t{4}, std::size_t{4}));
}

// 40 people with three samples each under two keys; of the first sample one form failed. It is left out there, and each
// of the other samples still meets every sample but itself.
TEST(CrossSource, NoSampleMeetsItselfWhereOneFormFailed) {
  const Dataset data = population();
  Dataset failed = data;
  std::vector<bool> marks(data.size(), false);
  marks[0] = true;
  failed.mark_failed(marks);
  const auto cosine = make_comparator("cosine");
  const CrossSource same(failed, data, *cosine, CrossSource::Samples::same);
  const auto mated = [](const CrossSource& source) {
    std::size_t count = 0;
    for (const auto& [probe, reference, score] : collect(source)) count += probe == reference ? 1 : 0;
    return count;
  };
  EXPECT_EQ(mated(same), 39U * 6 + 2 * 2);
  EXPECT_EQ(same.mated_subjects().size(), 40U);
  EXPECT_DOUBLE_EQ(same.compared_share(), (39.0 * 6 + 2 * 2) / (39 * 9 + 2 * 3));
  const CrossSource others(failed, data, *cosine, CrossSource::Samples::others);
  EXPECT_EQ(mated(others), 39U * 9 + 2 * 3);
  EXPECT_EQ(others.compared_share(), 1);
  const Dataset single = data.select({0, 3, 4});  // one person of one sample: with itself it is not compared
  EXPECT_EQ(CrossSource(single, single, *cosine, CrossSource::Samples::same).mated_subjects().size(), 1U);
}

TEST(FileSource, KeepsTheDigitsOfAScore) {
  const std::string path = testing::TempDir() + "bauta_source.csv";
  std::ofstream(path) << "score,mated\n0.12345678901234567,1\n0.12345678901234566,0\n0.1,0\n";
  const FileSource source(path, {});
  EXPECT_EQ(source.subjects(), 0U);
  std::vector<double> scores;
  source.scan([&](const ScoreBatch<double>& batch, int) {
    scores.insert(scores.end(), batch.scores.begin(), batch.scores.end());
  });
  EXPECT_EQ(scores, (std::vector<double>{0.12345678901234567, 0.12345678901234566, 0.1}));
}

}  // namespace
}  // namespace bauta
