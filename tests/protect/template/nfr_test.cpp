#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "../../held.hpp"
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

// Edges are fitted to 256 features at a time; 257 leave one for the last.
TEST(Nfr, TheLastFeatureHasItsBinsToo) {
  const Dataset train = population(30, 4, 16);
  const ResolvedProtection nfr = fitted("nfr:expansion=257,epochs=2,batch=32", train);
  const Templates positive = protect_dataset(nfr, train, {}).probe_templates;
  ASSERT_EQ(positive.cols(), 257U);
  std::vector<int> counts(4, 0);
  for (std::size_t i = 0; i < positive.rows(); ++i) ++counts.at(positive.codes()(i, 256));
  for (const int count : counts) EXPECT_NEAR(count, 30, 1);
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

/// Three layers of one feature each, but two in the end: tanh(x) and tanh(2 x) of positive x.
FittedState by_hand(const std::vector<float>& edges) {
  FittedState state;
  for (const char* layer : {"layer1", "layer2"}) {
    state.emplace(std::string(layer) + ".weights", Matrix<float>(1, 1, 1.0F));
    state.emplace(std::string(layer) + ".bias", Matrix<float>(1, 1, 0.0F));
  }
  Matrix<float> last(2, 1, 1.0F);
  last(1, 0) = 2;
  state.emplace("layer3.weights", std::move(last));
  state.emplace("layer3.bias", Matrix<float>(1, 2, 0.0F));
  Matrix<float> both(2, edges.size());
  for (std::size_t j = 0; j < 2; ++j) std::ranges::copy(edges, both.row(j).begin());
  state.emplace("edges", std::move(both));
  return state;
}

// tanh of 0, 0.2, 0.4, 1 and of twice that: 0, 0.197, 0.380, 0.762 and 0, 0.380, 0.664, 0.964.
TEST(Nfr, CodesAreTheEdgesBelowAndWhatIsStoredIsDrawnAmongTheOthers) {
  ResolvedProtection nfr = make_protection("nfr:expansion=2");
  nfr->restore(by_hand({0.3F, 0.5F, 0.8F}), "by hand");
  nfr.model = "by hand";
  Matrix<float> x(5, 1);
  const float values[] = {-1, 0, 0.2F, 0.4F, 1};
  std::copy(std::begin(values), std::end(values), x.data());
  const Dataset result = protect_dataset(nfr, dataset_of(Templates(std::move(x)), 1), {});
  const std::vector<int> expected = {0, 0, 0, 0, 0, 1, 1, 2, 2, 3};
  for (std::size_t i = 0; i < 5; ++i) {
    Stream stream = Randomness::seeded(1).stream("nfr", i);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(result.probe_templates.codes()(i, j), expected[i * 2 + j]) << i << " " << j;
      EXPECT_EQ(result.templates.codes()(i, j), (expected[i * 2 + j] + 1 + stream.below(3)) % 4) << i << " " << j;
    }
  }
  // An edge belongs to the bin above it.
  nfr->restore(by_hand({0, 0.5F, 0.8F}), "by hand");
  EXPECT_EQ(protect_dataset(nfr, dataset_of(Templates(Matrix<float>(1, 1, 0.0F)), 1), {}).probe_templates.codes()(0, 0),
            1);
}

// As it was on 2026-11-16.
TEST(HeldProtections, EdgesOfBins) {
  const Dataset train = population(30, 4, 16);
  test::expect_held(
      {{"nfr:expansion=20,epochs=2,batch=32,bins=7,loss=ce", -0.00673813787}},
      [&](const std::string& technique) {
        const FittedState state = fitted(technique, train, {})->state();
        const Matrix<float>& edges = state.at("edges");
        return std::vector<float>(edges.data(), edges.data() + edges.size());
      },
      2e-5);  // on other processors the steps of a training round differently
}

// Rows that were set apart from outside move no edge: with those far away held out, edges are those of the others.
TEST(Nfr, EdgesAreLearnedFromRowsThatAreNotHeldOut) {
  const Dataset train = population(12, 4, 8);
  std::vector<bool> held(48, false);
  for (std::size_t i = 40; i < 48; ++i) held[i] = true;
  ResolvedProtection nfr = make_protection("nfr:expansion=10,epochs=1,batch=32");
  fit_protection(nfr, train, {}, {.held_out = held});
  std::vector<std::size_t> own(40);
  std::iota(own.begin(), own.end(), std::size_t{0});
  const Templates positive = protect_dataset(nfr, train.select(own), {}).probe_templates;
  for (std::size_t j = 0; j < 10; ++j) {
    std::vector<int> counts(4, 0);
    for (std::size_t i = 0; i < 40; ++i) ++counts[positive.codes()(i, j)];
    for (const int count : counts) ASSERT_NEAR(count, 10, 1) << j;
  }
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
  EXPECT_NE(changed("edges", 299, 3).find("edges"), std::string::npos);
  EXPECT_NE(changed("layer1.weights", 0, 0).find("layer1"), std::string::npos);
  EXPECT_NE(changed("layer1.weights", 256, 0).find("layer1"), std::string::npos);
  FittedState state = nfr->state();
  state.erase("layer3.bias");
  EXPECT_NE(error_of([&] { make_protection(small)->restore(state, "some file"); }).find("layer3.bias"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
