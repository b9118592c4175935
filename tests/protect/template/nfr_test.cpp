#include <algorithm>

#include <gtest/gtest.h>

#include "bauta/compare/comparator.hpp"
#include "bauta/core/parallel.hpp"
#include "learned_fixture.hpp"

namespace bauta {
namespace {

const std::string small = "nfr:expansion=300,epochs=2,batch=32";

bool same_codes(const Templates& a, const Templates& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    if (!std::ranges::equal(a.codes().row(i), b.codes().row(i))) return false;
  }
  return true;
}

TEST(Nfr, TheSameSampleScoresExactlyOneAndStrangersLess) {
  const Dataset train = population(30, 4, 16);
  const ResolvedProtection nfr = fitted(small, train);
  EXPECT_EQ(nfr.comparator, "nfr:bins=4");
  const Dataset result = protect_dataset(nfr, population(20, 2, 16, 8), {});
  ASSERT_EQ(result.templates.kind(), ElementKind::code8);
  ASSERT_EQ(result.templates.cols(), 300U);
  const auto comparator = make_comparator(nfr.comparator);
  const auto probes = comparator->prepare(result.probe_templates, Side::probe, "p");
  const auto references = comparator->prepare(result.templates, Side::reference, "r");
  Matrix<float> scores(40, 40);
  comparator->tile(*probes, {0, 40}, *references, {0, 40}, scores.view());
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(scores(i, i), 1);
    EXPECT_LT(scores(i, (i + 2) % 40), 1);
  }
}

// Between distinct training values, a quantile edge parts n values into k bins of n / k, give or take one.
TEST(Nfr, BinsAreEquallyFullOnTheTrainingData) {
  const Dataset train = population(30, 4, 16);  // 120 samples
  for (const std::size_t bins : {2UL, 4UL, 5UL}) {
    const ResolvedProtection nfr = fitted(small + ",bins=" + std::to_string(bins), train);
    const Templates positive = protect_dataset(nfr, train, {}).probe_templates;
    for (std::size_t j = 0; j < positive.cols(); ++j) {
      std::vector<int> counts(bins, 0);
      for (std::size_t i = 0; i < positive.rows(); ++i) ++counts.at(positive.codes()(i, j));
      for (const int count : counts) ASSERT_NEAR(count, 120.0 / static_cast<double>(bins), 1) << bins << ' ' << j;
    }
  }
}

TEST(Nfr, StoredValuesAreWrongUniformlyAndFreshPerEnrolment) {
  const Dataset train = population(30, 4, 16);
  const ResolvedProtection nfr = fitted(small, train);
  const Templates same =
      repeated_row({train.templates.floats().row(0).begin(), train.templates.floats().row(0).end()}, 400);
  const Dataset result = protect_dataset(nfr, dataset_of(same, 400), {});
  std::vector<double> by_difference(4, 0);
  for (std::size_t i = 0; i < 400; ++i) {
    for (std::size_t j = 0; j < 300; ++j) {
      by_difference[(result.templates.codes()(i, j) + 4U - result.probe_templates.codes()(i, j)) % 4] += 1 / 120000.0;
    }
  }
  EXPECT_EQ(by_difference[0], 0);
  for (std::size_t d = 1; d < 4; ++d) EXPECT_NEAR(by_difference[d], 1.0 / 3, 3.5 * std::sqrt(2.0 / 9 / 120000));
  EXPECT_FALSE(same_codes(result.templates.slice(0, 1), result.templates.slice(1, 1)));
}

TEST(Nfr, FeaturesThatNeverVaryHaveOneBin) {
  const Dataset train = dataset_of(repeated_row(std::vector<float>(16, 0.5F), 12), 3);
  const ResolvedProtection nfr = fitted(small + ",validation=0", train, {});
  const Templates positive = protect_dataset(nfr, train, {}).probe_templates;
  for (std::size_t j = 0; j < positive.cols(); ++j) EXPECT_EQ(positive.codes()(0, j), 0);
}

TEST(Nfr, ResultsDependNeitherOnBlocksNorOnThreads) {
  const Dataset train = population(30, 4, 16);
  const Dataset other = population(50, 2, 16, 9);
  const int before = threads();
  set_threads(1);
  const ResolvedProtection one = fitted(small, train);
  const Dataset whole = protect_dataset(one, other, {});
  set_threads(3);
  const ResolvedProtection three = fitted(small, train);
  set_threads(before);
  EXPECT_EQ(one.model, three.model);
  for (std::size_t first = 0; first < 100; first += 30) {
    const std::size_t count = std::min<std::size_t>(30, 100 - first);
    const Templates block = other.templates.slice(first, count);
    EXPECT_TRUE(same_codes(three->protect(block, first, {}), whole.templates.slice(first, count)));
    EXPECT_TRUE(same_codes(three->protect_probes(block, first, {}), whole.probe_templates.slice(first, count)));
  }
}

TEST(Nfr, IsSavedAndLoadedWithoutAChange) {
  const Dataset train = population(30, 4, 16);
  const ResolvedProtection nfr = fitted(small, train);
  const ScratchFile file;
  save_protection(nfr, file.path());
  const ResolvedProtection loaded = load_protection(file.path(), "nfr");
  EXPECT_EQ(loaded.model, nfr.model);
  const Dataset a = protect_dataset(nfr, train, {});
  const Dataset b = protect_dataset(loaded, train, {});
  EXPECT_TRUE(same_codes(a.templates, b.templates));
  EXPECT_TRUE(same_codes(a.probe_templates, b.probe_templates));
}

TEST(Nfr, PositiveTemplatesAreNotMadeForRelease) {
  const Dataset train = population(30, 4, 16);
  const Dataset released = protect_dataset(fitted(small, train), train, {.randomness = Randomness::operating_system()});
  EXPECT_TRUE(released.probe_templates.empty());
}

TEST(Nfr, FittedStateOfOtherShapeIsRefused) {
  const Dataset train = population(30, 4, 16);
  const ResolvedProtection nfr = fitted(small, train);
  const auto changed = [&](const char* name, std::size_t rows, std::size_t cols) {
    FittedState state = nfr->state();
    state[name] = Matrix<float>(rows, cols, 0.0F);
    return error_of([&] { make_protection(small)->restore(state, "some file"); });
  };
  EXPECT_EQ(changed("edges", 300, 3), "no error");
  EXPECT_NE(changed("edges", 300, 2).find("edges"), std::string::npos);
  EXPECT_NE(changed("layer2.weights", 512, 255).find("layer2.weights"), std::string::npos);
  EXPECT_NE(changed("layer1.bias", 1, 255).find("layer1"), std::string::npos);
  FittedState state = nfr->state();
  state.erase("layer3.bias");
  EXPECT_NE(error_of([&] { make_protection(small)->restore(state, "some file"); }).find("layer3.bias"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
